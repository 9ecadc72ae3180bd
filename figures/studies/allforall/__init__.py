"""Experiments of the paper on all-for-one and all-for-all."""
