"""Exact data: coordinates of vectors and values, and what expressions are at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import fmpq

from verify.certify.gram.claim import Key
from verify.worst_case.points import Expression, SymbolicPoint, fraction, rational

__all__ = ["Data", "ExactValues"]


@dataclass(frozen=True)
class Data:
    """Exact coordinates of all vectors and exact values, which meet every condition.

    Attributes
    ----------
    vectors : mapping
        Coordinates by name; those of deviations and of blocks lie in directions of their own.
    values : mapping
    objective : Fraction
        What the data give.
    dimension : int
    """

    vectors: Mapping[str, tuple[Fraction, ...]]
    values: Mapping[str, Fraction]
    objective: Fraction
    dimension: int

    def at(self, point: SymbolicPoint) -> tuple[Fraction, ...]:
        """Coordinates of a point."""
        total = [Fraction(0)] * self.dimension
        for name, q in point.parts.items():
            factor = Fraction(int(q.p), int(q.q))
            for k, x in enumerate(self.vectors.get(name, ())):
                total[k] += factor * x
        return tuple(total)

    def of(self, expression: Expression) -> Fraction:
        """Value of an expression."""
        return fraction(self._exact.of(expression))

    @cached_property
    def _exact(self) -> ExactValues:
        vectors = {a: [rational(x) for x in row] for a, row in self.vectors.items()}
        return ExactValues(vectors, {a: rational(q) for a, q in self.values.items()})


class ExactValues:
    """Values of expressions at exact data, each product made once; what is not named is zero."""

    def __init__(self, vectors: Mapping[str, Sequence[Any]], values: Mapping[str, Any]) -> None:
        self.vectors, self.values = vectors, values
        self.products: dict[Any, Any] = {(): fmpq(1)}

    def of(self, expression: Expression) -> Any:
        """Value of an expression, a rational of flint."""
        return sum((q * self._known(key) for key, q in expression.terms.items()), fmpq(0))

    def _known(self, key: Key) -> Any:
        if len(key) == 1:
            return self.values.get(key[0], fmpq(0))
        if key not in self.products:
            one, other = (self.vectors.get(name, ()) for name in key)
            pairs = zip(one, other, strict=False)
            self.products[key] = sum((x * y for x, y in pairs if x and y), fmpq(0))
        return self.products[key]
