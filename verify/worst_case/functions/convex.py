"""Convex functions, closed and proper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import above_tangent, pairs

__all__ = ["Convex"]


@dataclass(frozen=True)
class Convex(FunctionClass):
    """Convex functions; the maximum of their tangents has the data, so the conditions are exact."""

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Each value is above the tangents at the others."""
        yield from pairs(f.met, f.met, "tangent", above_tangent)
