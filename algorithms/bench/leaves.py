"""Leaves by which the rungs of the ladder are timed."""

from __future__ import annotations

__all__ = ["TIMED"]

TIMED = {
    "exact": "adaptive.alg.afo/range",
    "search": "adaptive.inf.variance/binary",
    "simulation": "adaptive.S2",
    "certificate": "adaptive.sec4.lb/psi",
    "power": "world.adaptive.ratio/low",
    "terms": "adaptive.lemma1.repaired",
    "link": "adaptive.theorem2.empty",
}
"""A leaf on which each rung speaks: short ones, where something is broken, holds, or is proved."""
