"""Closed forms of HCCT: convergence, generalisation, utility, divergence, counts of partitions."""
