"""Smooth strongly convex functions: curvature between mu and L."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import within
from verify.worst_case.points import Number

__all__ = ["SmoothStronglyConvex"]


@dataclass(frozen=True)
class SmoothStronglyConvex(FunctionClass):
    """Curvature between mu and L; a negative mu makes them weakly convex. Exact, see `within`."""

    mu: Number
    L: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs."""
        yield from within(f.met, self.mu, self.L)
