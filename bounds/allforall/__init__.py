"""Closed forms of all-for-one and all-for-all: rates, lower bounds, distances, constructions."""
