"""Experiments of the paper on adaptive collaboration weights."""
