"""Proofs of statements about generalised FedAvg, as outlines."""
