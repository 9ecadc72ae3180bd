"""Smooth convex functions: curvature between 0 and L."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import within
from verify.worst_case.points import Number

__all__ = ["SmoothConvex"]


@dataclass(frozen=True)
class SmoothConvex(FunctionClass):
    """Curvature between 0 and L. Exact, see `within`."""

    L: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs."""
        yield from within(f.met, 0, self.L)
