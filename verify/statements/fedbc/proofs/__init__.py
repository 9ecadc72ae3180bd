"""Proofs of statements about runs of FedBC, as outlines: notation, exact runs, steps, theorems."""
