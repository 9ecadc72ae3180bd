"""Figures of the paper on aggregation weights."""
