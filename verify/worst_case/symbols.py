"""Polynomials in symbols as points and expressions: the way in for claims that were read elsewhere.

Some symbols stand for vectors (of any dimension, so that a product of two is an inner product),
some for numbers of which nothing is known (values of functions); the others are parameters and have
values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq

from verify.worst_case.forms import NotQuadratic
from verify.worst_case.points import Expression, Number, SymbolicPoint, rational
from verify.worst_case.problem import ClassProblem

__all__ = ["NotQuadratic", "SymbolSet"]


@dataclass(frozen=True)
class SymbolSet:
    """What symbols stand for in a problem.

    Attributes
    ----------
    vectors : mapping of symbol to SymbolicPoint
    numbers : mapping of symbol to Expression
    parameters : mapping of symbol to number

    Examples
    --------
    >>> x, g, f, h = sympy.symbols("x g f h")
    >>> known = SymbolSet.fresh(ClassProblem(), vectors=(x, g), numbers=(f,), parameters={h: 1 / 2})
    >>> sorted(map(str, known.point(x - h * g).parts.items()))
    ["('g', -1/2)", "('x', 1)"]
    >>> sorted(map(str, known.expression((x - h * g) ** 2 + 3 * f).terms.items()))
    ["(('f',), 3)", "(('g', 'g'), 1/4)", "(('g', 'x'), -1)", "(('x', 'x'), 1)"]
    """

    vectors: Mapping[Any, SymbolicPoint]
    numbers: Mapping[Any, Expression]
    parameters: Mapping[Any, Number]

    @classmethod
    def fresh(
        cls,
        problem: ClassProblem,
        *,
        vectors: tuple[Any, ...],
        numbers: tuple[Any, ...] = (),
        parameters: Mapping[Any, Number] | None = None,
    ) -> SymbolSet:
        """Symbols that stand for new vectors and numbers of a problem, under their own names."""
        return cls(
            {s: problem.point(str(s)) for s in vectors},
            {s: problem.number(str(s)) for s in numbers},
            parameters or {},
        )

    def point(self, formula: Any) -> SymbolicPoint:
        """A formula that is linear in vectors, without values or constants, as a point."""
        total = SymbolicPoint({})
        for symbols, q in self._terms(formula):
            if len(symbols) != 1 or symbols[0] not in self.vectors:
                raise NotQuadratic(f"no vector: {sympy.Mul(*symbols)}")
            total = total + self.vectors[symbols[0]] * q
        return total

    def expression(self, formula: Any) -> Expression:
        """A formula that is quadratic in vectors and linear in values as an expression."""
        total = Expression({})
        for symbols, q in self._terms(formula):
            kinds = [s in self.vectors for s in symbols]
            if not symbols:
                total = total + Expression({(): q})
            elif kinds == [True, True]:
                one, other = (self.vectors[s] for s in symbols)
                total = total + (one @ other) * q
            elif kinds == [False]:
                total = total + self.numbers[symbols[0]] * q
            else:
                raise NotQuadratic(f"no inner product or value: {sympy.Mul(*symbols)}")
        return total

    def _terms(self, formula: Any) -> list[tuple[list[Any], Any]]:
        """Monomials in vectors and numbers with rational factors."""
        values = {
            s: sympy.Rational(int(q.p), int(q.q))
            for s, q in ((s, rational(q)) for s, q in self.parameters.items())
        }
        known = [*self.vectors, *self.numbers]
        made = sympy.sympify(formula).xreplace(values)
        try:
            polynomial = sympy.Poly(made, *known, domain=sympy.QQ)
        except (sympy.PolynomialError, sympy.CoercionFailed) as error:
            raise NotQuadratic(f"no polynomial with rational factors: {made}") from error
        found = []
        for powers, q in polynomial.terms():
            symbols = [s for s, k in zip(known, powers, strict=True) for _ in range(k)]
            if q:
                found.append((symbols, fmpq(int(q.p), int(q.q))))
        return found
