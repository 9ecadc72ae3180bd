"""Proofs of statements about training in groups, as outlines."""
