"""Proofs that can be checked again; knows no statement."""
