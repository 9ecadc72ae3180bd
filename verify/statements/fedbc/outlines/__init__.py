"""Proofs of theorems of the paper as outlines: one module each, a function that returns it."""
