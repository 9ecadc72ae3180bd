"""Exact expectations of runs, without sampling."""
