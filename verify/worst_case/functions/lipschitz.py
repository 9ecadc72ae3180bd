"""Convex functions with bounded gradients, smooth or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.functions.pairs import above_tangent, bounded, pairs, within
from verify.worst_case.points import Number

__all__ = ["ConvexLipschitz", "SmoothConvexLipschitz"]


@dataclass(frozen=True)
class ConvexLipschitz(FunctionClass):
    """Convex and M-Lipschitz. Exact: the maximum of the tangents is M-Lipschitz."""

    M: Number

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Above tangents, with gradients of norm at most M."""
        yield from pairs(f.met, f.met, "tangent", above_tangent)
        yield from bounded(f.met, self.M)


@dataclass(frozen=True)
class SmoothConvexLipschitz(FunctionClass):
    """Convex, L-smooth and M-Lipschitz.

    Exact: a Moreau envelope of a maximum of affine functions has the data, and its gradients are
    convex combinations of those that were met.
    """

    L: Number
    M: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Those of smooth convex functions, with gradients of norm at most M."""
        yield from within(f.met, 0, self.L)
        yield from bounded(f.met, self.M)
