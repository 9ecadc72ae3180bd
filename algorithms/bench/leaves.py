"""Leaves by which the rungs of the ladder are timed."""

from __future__ import annotations

__all__ = ["SIMULATED", "TIMED"]

TIMED = {
    "exact": "adaptive.alg.afo/range",
    "search": "adaptive.inf.variance/binary",
    "certificate": "adaptive.sec4.lb/psi",
    "power": "world.adaptive.ratio/low",
    "terms": "adaptive.lemma1.var",
    "link": "adaptive.theorem2.empty",
}
"""A leaf on which each rung speaks: short ones, where something is broken, holds, or is proved."""

SIMULATED = "adaptive.S2"
"""A leaf with instances to simulate. It is proved: no leaf of the library is left to simulation."""
