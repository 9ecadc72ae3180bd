"""Theorems for all that they speak of: any losses of a class, any method, any number of rounds."""
