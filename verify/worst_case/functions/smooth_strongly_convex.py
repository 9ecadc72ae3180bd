"""Smooth strongly convex functions: curvature between mu and L."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import within
from verify.worst_case.points import Number, rational

__all__ = ["SmoothStronglyConvex"]


@dataclass(frozen=True)
class SmoothStronglyConvex(FunctionClass):
    """Curvature between mu and L, mu not negative. Exact, see `within`."""

    mu: Number
    L: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs."""
        if rational(self.mu) < 0:
            raise ValueError(f"mu must be at least 0, got {self.mu}: raise it, or take Smooth(L)")
        yield from within(f.met, self.mu, self.L)
