"""Experiments of the paper on aggregation weights."""
