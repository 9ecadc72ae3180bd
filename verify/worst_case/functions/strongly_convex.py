"""Strongly convex functions that need not be smooth, and weakly convex ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import above, above_tangent, pairs
from verify.worst_case.points import Number, rational

__all__ = ["StronglyConvex", "WeaklyConvex"]


@dataclass(frozen=True)
class StronglyConvex(FunctionClass):
    """f - mu/2 |x|^2 is convex. Exact: the maximum of the tangent parabolas has the data."""

    mu: Number

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Each value is above the parabolas at the others."""
        yield from pairs(f.met, f.met, "parabola", lambda i, j: above_tangent(i, j, self.mu))


@dataclass(frozen=True)
class WeaklyConvex(FunctionClass):
    """f + rho/2 |x|^2 is convex. Exact, as for strongly convex functions."""

    rho: Number
    bent: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Each value is above the parabolas at the others, which bend down, and the least one."""
        bend = -rational(self.rho)
        yield from pairs(f.met, f.met, "parabola", lambda i, j: above_tangent(i, j, bend))
        yield from above(f)
