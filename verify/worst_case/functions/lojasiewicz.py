r"""Smooth functions with a quadratic Lojasiewicz (PL) inequality: necessary conditions alone.

No conditions are known that suffice, so the data that meet these need not be those of a function:
a worst case is an upper bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import ClassVar

from verify.worst_case.function import (
    Condition,
    Function,
    FunctionClass,
    MatrixCondition,
    OracleAnswer,
)
from verify.worst_case.functions.pairs import within
from verify.worst_case.points import Expression, Number, combined, number, rational

__all__ = ["SmoothLojasiewicz"]


@dataclass(frozen=True)
class SmoothLojasiewicz(FunctionClass):
    r"""Curvature between -L and L, and |g|^2 >= 2 mu (f - f*).

    With `alpha` in [0, 2 mu/(2 L + mu)] an inequality between pairs is added that follows from
    both, with `strong` a pair of matrices for each pair of points, from which the worst case of one
    gradient step is tight: Rubbens, Hendrickx, Taylor, A constructive approach to strengthen
    algebraic descriptions of function and operator classes (2025), Propositions 3.2 and 3.4.
    """

    L: Number
    mu: Number
    alpha: Number | None = None
    strong: bool = False
    exact: ClassVar[bool] = False
    bent: ClassVar[bool] = True
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition | MatrixCondition]:
        """The inequality at each point, smoothness, and what was chosen beside."""
        if not f.stationary:
            f.minimiser()
        best, L, mu = f.stationary[0], rational(self.L), rational(self.mu)
        for i in f.met:
            if i is not best:
                gap = [(1, i.f), (-1, best.f)]
                yield Condition(f"above {i.name}", combined(gap, [(-1 / (2 * L), i.g, i.g)]))
                steep = combined([(-1, e) for _, e in gap[:1]] + [(1, best.f)], [])
                yield Condition(f"steep {i.name}", steep + i.g**2 * (1 / (2 * mu)))
        yield from within(f.met, -L, L)
        for i, j in permutations(f.met, 2):
            if self.alpha is not None:
                yield Condition(f"combined {i.name} {j.name}", self._combined(i, j, best))
            if self.strong:
                yield from self._matrices(i, j, best, f.name)

    def _parts(
        self, i: OracleAnswer, j: OracleAnswer, best: OracleAnswer
    ) -> tuple[Expression, Expression, Expression]:
        """Minus the margin of smoothness, and weighted values above |g|^2/(2 L)."""
        L, mu = rational(self.L), rational(self.mu)
        d, e = i.x - j.x, i.g - j.g
        a = combined(
            [(-1, i.f), (1, j.f)], [(0.5, i.g + j.g, d), (1 / (4 * L), e, e), (-L / 4, d, d)]
        )
        half = 1 / (2 * L)
        b = combined([(1, i.f), (-1, best.f)], [(-half, i.g, i.g)]) * (L + mu)
        c = combined([(1, j.f), (-1, best.f)], [(half, j.g, j.g)]) * (L - mu)
        return a, b, c

    def _combined(self, i: OracleAnswer, j: OracleAnswer, best: OracleAnswer) -> Expression:
        L, mu, alpha = (rational(q) for q in (self.L, self.mu, self.alpha))
        if not 0 <= alpha <= 2 * mu / (2 * L + mu):
            raise ValueError(
                f"alpha must be in [0, {2 * mu / (2 * L + mu)}], got {alpha}: lower it"
            )
        a, b, c = self._parts(i, j, best)
        factor = alpha / (1 - alpha) / (2 * mu - (L + mu) * alpha)
        both = b.__mul__((1 - alpha) ** 2) - c
        return -a - both.__mul__(factor)

    def _matrices(
        self, i: OracleAnswer, j: OracleAnswer, best: OracleAnswer, name: str
    ) -> Iterator[MatrixCondition]:
        L, mu = rational(self.L), rational(self.mu)
        a, b, c = self._parts(i, j, best)
        free = [number(f"{name} {i.name} {j.name} {k}") for k in ("12", "22")]
        corner = a * -(2 * L + mu)
        second = b - c - a * (L + 3 * mu)
        first = corner - free[0] * (4 * mu / (2 * L + mu)) - second
        side = free[0] - free[1] * (mu / (2 * L + mu)) - a * ((L + mu) / 2) + b
        said = f"{i.name} {j.name}"
        yield MatrixCondition(f"first {said}", [[first, side], [side, free[1] - b]])
        yield MatrixCondition(f"second {said}", [[corner, free[0]], [free[0], free[1]]])
