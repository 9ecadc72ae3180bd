"""Figures of the paper on HCCT."""
