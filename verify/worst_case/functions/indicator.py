"""Indicators of closed convex sets: zero on the set, normal vectors as gradients."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import each, pairs
from verify.worst_case.points import Number, SymbolicPoint, combined, rational

__all__ = ["Indicator"]


@dataclass(frozen=True)
class Indicator(FunctionClass):
    """Sets of bounded diameter, or in a ball around a centre; without bounds any closed convex set.

    Exact: the convex hull of the points has the normal vectors, and no larger diameter.
    """

    diameter: Number | None = None
    radius: Number | None = None
    centre: SymbolicPoint | None = None

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Values zero, normal vectors, and the bounds."""
        yield from each(f.met, "value of", lambda i: i.f, equality=True)
        yield from pairs(f.met, f.met, "normal", lambda i, j: combined([], [(-1, j.g, i.x - j.x)]))
        if self.diameter is not None:
            across = rational(self.diameter) ** 2
            for k, i in enumerate(f.met):
                for j in f.met[:k]:
                    yield Condition(f"diameter {i.name} {j.name}", -((i.x - j.x) ** 2) + across)
        if self.radius is not None:
            middle, reach = self.centre or SymbolicPoint({}), rational(self.radius) ** 2
            yield from each(f.met, "radius", lambda i: -((i.x - middle) ** 2) + reach)
