"""Convex functions that grow at most quadratically from their minimiser (QG+)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import above_tangent, pairs
from verify.worst_case.points import Number, combined, rational

__all__ = ["ConvexQuadraticGrowth"]


@dataclass(frozen=True)
class ConvexQuadraticGrowth(FunctionClass):
    """Convex, with f - f* <= L/2 |x - x*|^2 for each minimiser x*.

    Exact: Goujaud, Taylor, Dieuleveut, Optimal first-order methods for convex functions with a
    quadratic upper bound (2022), Theorem 2.6.
    """

    L: Number

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Above tangents; at minimisers by |g|^2/(2 L) more."""
        if not f.stationary:
            f.minimiser()
        half = 1 / (2 * rational(self.L))
        yield from pairs(f.met, f.met, "tangent", above_tangent)
        yield from pairs(
            f.stationary,
            f.met,
            "growth",
            lambda i, j: combined([(1, i.f), (-1, j.f)], [(-1, j.g, i.x - j.x), (-half, j.g, j.g)]),
        )
