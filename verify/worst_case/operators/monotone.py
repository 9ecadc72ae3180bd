"""Monotone operators, strongly, or up to a multiple of |A x - A y|^2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verify.worst_case.function import Condition, Function, OperatorClass
from verify.worst_case.operators.pairs import turned
from verify.worst_case.points import Number, rational

__all__ = ["ComonotoneOperator", "MonotoneOperator", "StronglyMonotoneOperator"]


@dataclass(frozen=True)
class MonotoneOperator(OperatorClass):
    """<A x - A y, x - y> >= 0, maximal. Exact: monotone data extend to a maximal operator."""

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs."""
        yield from turned(f, "monotone", (1, 0, 0))


@dataclass(frozen=True)
class StronglyMonotoneOperator(OperatorClass):
    """<A x - A y, x - y> >= mu |x - y|^2. Exact: A - mu is monotone."""

    mu: Number

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs."""
        yield from turned(f, "strongly monotone", (1, -rational(self.mu), 0))


@dataclass(frozen=True)
class ComonotoneOperator(OperatorClass):
    """<A x - A y, x - y> >= -rho |A x - A y|^2. Exact: the inverse plus rho is monotone."""

    rho: Number

    def conditions(self, f: Function) -> Iterator[Condition]:
        """Between all pairs."""
        yield from turned(f, "comonotone", (1, 0, rational(self.rho)))
