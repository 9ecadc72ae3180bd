"""Leaves by which the rungs of the ladder are timed."""

from __future__ import annotations

__all__ = ["SIMULATED", "TIMED"]

TIMED: dict[str, tuple[str, ...]] = {
    "exact": ("adaptive.alg.afo/range",),
    "search": ("adaptive.inf.variance/binary",),
    "certificate": ("adaptive.sec4.lb/psi",),
    "power": ("world.adaptive.ratio/low", "world.adaptive.ratio/high"),
    "terms": ("world.adaptive.ratio/high", "world.adaptive.ratio/low"),
    "link": ("adaptive.theorem2.empty",),
}
"""Leaves by which each rung is timed, the first on which it speaks: short ones, where something is
broken, holds, or is proved. A rung has nothing to say of a leaf that is decided before its turn,
and what is decided how moves on with the prover."""

SIMULATED = "adaptive.S2"
"""A leaf with instances to simulate. It is proved: no leaf of the library is left to simulation."""
