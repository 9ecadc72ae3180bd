"""Linear operators: with bounded singular values, symmetric, or skew-symmetric."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from typing import ClassVar

from verify.worst_case.function import (
    Condition,
    Function,
    MatrixCondition,
    OperatorClass,
    OracleAnswer,
)
from verify.worst_case.points import Expression, Number, combined, rational

__all__ = ["LinearOperator", "SkewLinearOperator", "SymmetricLinearOperator", "TransposedOperator"]


@dataclass(frozen=True)
class TransposedOperator(OperatorClass):
    """The transpose of a linear operator; what is known of it stands with the operator."""

    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition]:
        """None of its own, as long as it is the transpose of an operator of the problem."""
        kinds = [one.kind for one in f.problem.functions]
        if not any(isinstance(k, LinearOperator) and k.transposed is f for k in kinds):
            raise ValueError("a transpose must be given to a LinearOperator: make one with it")
        yield from ()


@dataclass(frozen=True)
class LinearOperator(OperatorClass):
    """x -> M x with singular values at most L, met with its transpose.

    Exact: Bousselmi, Hendrickx, Glineur, SIAM J. Optim. 34 (2024), Theorem 3.1.

    Attributes
    ----------
    L : number
    transposed : Function
        M^T, a function of the class `TransposedOperator` of the same problem.
    """

    L: Number
    transposed: Function = field(compare=False)
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition | MatrixCondition]:
        """<x, M^T u> = <M x, u>, and both are no longer than L allows."""
        for i in f.met:
            for j in self.transposed.met:
                same = combined([], [(1, i.x, j.g), (-1, i.g, j.x)])
                yield Condition(f"transpose {i.name} {j.name}", same, equality=True)
        for one in (f, self.transposed):
            yield _bounded(one, self.L)


@dataclass(frozen=True)
class SymmetricLinearOperator(OperatorClass):
    """x -> M x, symmetric with eigenvalues between mu and L. Exact, as above."""

    mu: Number
    L: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition | MatrixCondition]:
        """Symmetry between pairs, and the matrix of <M x - mu x, L y - M y>."""
        mu, L = rational(self.mu), rational(self.L)
        for i, j in combinations(f.met, 2):
            form = combined([], [(1, i.x, j.g), (-1, j.x, i.g)])
            yield Condition(f"symmetry {i.name} {j.name}", form, equality=True)

        def product(i: OracleAnswer, j: OracleAnswer) -> Expression:
            low, high = (i.g - i.x * mu, j.g - j.x * mu), (i.x * L - i.g, j.x * L - j.g)
            return combined([], [(0.5, low[0], high[1]), (0.5, low[1], high[0])])

        yield MatrixCondition(f"eigenvalues of {f.name}", _matrix(f.met, product))


@dataclass(frozen=True)
class SkewLinearOperator(OperatorClass):
    """x -> M x, skew-symmetric with singular values at most L. Exact, as above."""

    L: Number
    differentiable: ClassVar[bool] = True

    def conditions(self, f: Function) -> Iterator[Condition | MatrixCondition]:
        """Skew symmetry between pairs, and images no longer than L allows."""
        for i, j in combinations_with_replacement(f.met, 2):
            form = combined([], [(1, i.x, j.g), (1, j.x, i.g)])
            yield Condition(f"skew {i.name} {j.name}", form, equality=True)
        yield _bounded(f, self.L)


def _bounded(f: Function, L: Number) -> MatrixCondition:
    """L^2 <x_i, x_j> - <g_i, g_j> as a matrix."""
    square = rational(L) ** 2

    def product(i: OracleAnswer, j: OracleAnswer) -> Expression:
        return combined([], [(square, i.x, j.x), (-1, i.g, j.g)])

    return MatrixCondition(f"singular values of {f.name}", _matrix(f.met, product))


def _matrix(
    met: Sequence[OracleAnswer], product: Callable[[OracleAnswer, OracleAnswer], Expression]
) -> list[list[Expression]]:
    return [[product(i, j) for j in met] for i in met]
