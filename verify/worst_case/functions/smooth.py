"""Smooth functions, convex or not: curvature between -L and L."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import above, within
from verify.worst_case.points import Number, rational

__all__ = ["Smooth"]


@dataclass(frozen=True)
class Smooth(FunctionClass):
    """Curvature between -L and L. Exact, see `within` and `above`."""

    L: Number
    differentiable: ClassVar[bool] = True
    bent: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs, and above minimisers."""
        yield from within(f.met, -rational(self.L), self.L)
        yield from above(f, self.L)
