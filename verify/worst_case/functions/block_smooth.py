"""Convex functions that are smooth along blocks of coordinates: necessary conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass
from verify.worst_case.points import Number, combined, rational

__all__ = ["BlockSmoothConvex"]


@dataclass(frozen=True)
class BlockSmoothConvex(FunctionClass):
    """Convex; along block k of the problem's coordinates the gradient is L[k]-Lipschitz.

    f_i >= f_j + <g_j, x_i - x_j> + |(g_i - g_j)_k|^2/(2 L_k) for each block; not known to suffice:
    Shi, Liu, Better worst-case complexity analysis of the block coordinate descent method for
    large scale machine learning (2017).
    """

    L: Sequence[Number]
    exact: ClassVar[bool] = False
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs, for each block."""
        for i, j in permutations(f.met, 2):
            for k, bend in enumerate(self.L):
                e = (i.g - j.g).block(k)
                form = combined(
                    [(1, i.f), (-1, j.f)],
                    [(-1, j.g, i.x - j.x), (-1 / (2 * rational(bend)), e, e)],
                )
                yield Condition(f"block {k + 1} {i.name} {j.name}", form)
