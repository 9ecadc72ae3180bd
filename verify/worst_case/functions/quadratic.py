r"""Convex quadratic functions with curvatures between mu and L."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from verify.worst_case.function import Condition, Function, FunctionClass, MatrixCondition
from verify.worst_case.functions.pairs import each
from verify.worst_case.points import Number, combined, rational

__all__ = ["Quadratics"]


@dataclass(frozen=True)
class Quadratics(FunctionClass):
    r"""f(x) = f* + 1/2 <x - x*, H (x - x*)> with mu <= H <= L, met at its minimiser too.

    With d_i = x_i - x*: f_i - f* = <g_i, d_i>/2, <g_i, d_j> = <g_j, d_i>, and the matrix of
    <g_i - mu d_i, L d_j - g_j> is positive semidefinite. Exact: Bousselmi, Hendrickx, Glineur,
    SIAM J. Optim. 34 (2024), Theorem 3.2.
    """

    mu: Number
    L: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition | MatrixCondition]:
        """Values, symmetry, and the matrix."""
        if not f.stationary:
            f.minimiser()
        best, mu, L = f.stationary[0], rational(self.mu), rational(self.L)
        rest = [one for one in f.met if one is not best]
        away = {id(one): one.x - best.x for one in rest}
        yield from each(
            rest,
            "value of",
            lambda i: combined([(2, i.f), (-2, best.f)], [(-1, i.g, away[id(i)])]),
            equality=True,
        )
        for i, j in combinations(rest, 2):
            turned = combined([], [(1, away[id(i)], j.g), (-1, away[id(j)], i.g)])
            yield Condition(f"symmetry {i.name} {j.name}", turned, equality=True)
        low = {id(one): one.g - away[id(one)] * mu for one in rest}
        high = {id(one): away[id(one)] * L - one.g for one in rest}
        rows = [
            [
                combined([], [(0.5, low[id(i)], high[id(j)]), (0.5, low[id(j)], high[id(i)])])
                for j in rest
            ]
            for i in rest
        ]
        yield MatrixCondition(f"curvature of {f.name}", rows)
