"""Support functions of closed convex sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import bounded, each, pairs
from verify.worst_case.points import Number, combined

__all__ = ["Support"]


@dataclass(frozen=True)
class Support(FunctionClass):
    """sup over a set of <x, .>; with M the set lies in the ball of radius M around the origin.

    Exact: the convex hull of the gradients is such a set.
    """

    M: Number | None = None

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Values <g, x>, each gradient best at its own point, and the bound."""
        yield from each(
            f.met, "value of", lambda i: combined([(-1, i.f)], [(1, i.g, i.x)]), equality=True
        )
        yield from pairs(f.met, f.met, "best", lambda i, j: combined([], [(1, j.x, j.g - i.g)]))
        if self.M is not None:
            yield from bounded(f.met, self.M)
