"""Figures that belong to no single paper."""
