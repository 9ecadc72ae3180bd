"""Experiments of the paper on HCCT."""
