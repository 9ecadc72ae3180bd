"""Proof: outlines of whole theorems."""
