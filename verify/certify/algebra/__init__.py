"""Exact algebra that proofs are made with: polynomials, quotients, sums over clients."""
