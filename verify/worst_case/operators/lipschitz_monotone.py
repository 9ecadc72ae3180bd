"""Operators that are Lipschitz and strongly monotone (or monotone, with mu = 0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, MatrixCondition, OperatorClass
from verify.worst_case.operators.pairs import turned
from verify.worst_case.operators.triples import Pair, triples
from verify.worst_case.points import Expression, Number, combined, rational

__all__ = ["LipschitzStronglyMonotoneOperator"]


@dataclass(frozen=True)
class LipschitzStronglyMonotoneOperator(OperatorClass):
    """Both inequalities between all pairs: necessary conditions, sufficient for two points alone.

    With `strong` conditions on three points at a time are added, as matrices: Rubbens, Hendrickx,
    Taylor (2025), Proposition 3.15.
    """

    mu: Number
    L: Number
    strong: bool = False
    exact: ClassVar[bool] = False
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition | MatrixCondition]:
        """Between all pairs, and on three points if that was chosen."""
        mu, L = rational(self.mu), rational(self.L)
        yield from turned(f, "strongly monotone", (1, -mu, 0))
        yield from turned(f, "LipschitzOperator", (0, L * L, -1))

        def lipschitz(d: Pair) -> Expression:
            return combined([], [(1, d.g, d.g), (-L * L, d.x, d.x)])

        def monotone(d: Pair) -> Expression:
            return combined([], [(-2 * L, d.g, d.x), (2 * L * mu, d.x, d.x)])

        if self.strong:
            yield from triples(f, lipschitz, monotone, mu)

    def suffices(self, f: Function) -> bool:
        """Of two points: a turn of the plane, stretched, takes one difference to the other."""
        return len(f.met) <= 2
