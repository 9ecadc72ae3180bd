"""Proofs in the words of Coq."""
