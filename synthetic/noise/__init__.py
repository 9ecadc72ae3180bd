"""Addressed noise: where its words come from, and what law they have."""
