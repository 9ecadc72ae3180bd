"""Cocoercive operators, strongly monotone or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from verify.worst_case.function import Condition, Function, MatrixCondition, OperatorClass
from verify.worst_case.operators.pairs import turned
from verify.worst_case.operators.triples import Pair, triples
from verify.worst_case.points import Expression, Number, combined, rational

__all__ = ["CocoerciveOperator", "CocoerciveStronglyMonotoneOperator"]


@dataclass(frozen=True)
class CocoerciveOperator(OperatorClass):
    """<A x - A y, x - y> >= beta |A x - A y|^2. Exact: the inverse is strongly monotone."""

    beta: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs."""
        yield from turned(f, "cocoercive", (1, 0, -rational(self.beta)))


@dataclass(frozen=True)
class CocoerciveStronglyMonotoneOperator(OperatorClass):
    """Cocoercive with beta and strongly monotone with mu: necessary conditions.

    With `strong` conditions on three points at a time are added, as matrices: Rubbens, Hendrickx,
    Taylor (2025), Appendix F.
    """

    mu: Number
    beta: Number
    strong: bool = False
    exact: ClassVar[bool] = False
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition | MatrixCondition]:
        """Between all pairs, and on three points if that was chosen."""
        mu, beta = rational(self.mu), rational(self.beta)
        yield from turned(f, "cocoercive", (1, 0, -beta))
        yield from turned(f, "strongly monotone", (1, -mu, 0))

        def monotone(d: Pair) -> Expression:
            return combined([], [(-1, d.g, d.x), (mu, d.x, d.x)])

        def cocoercive(d: Pair) -> Expression:
            return combined([], [(-1, d.g, d.x), (beta, d.g, d.g)])

        if self.strong:
            yield from triples(f, monotone, cocoercive, mu)

    def suffices(self, f: Function) -> bool:
        """Of two points: a turn of the plane, stretched, takes one difference to the other."""
        return len(f.met) <= 2
