"""Rational functions as quotients of polynomials of flint, which are cancelled in no time.

Where all that is wanted of an expression is its polynomials, sympy's way to them takes most of the
time of a search: it builds every intermediate result as an expression again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import sympy
from flint import Ordering, fmpq, fmpq_mpoly_ctx

Expr = Any  # sympy carries no types
Polynomial = Any  # of flint, over the rationals

__all__ = ["NotRational", "Ratios", "quotient_of", "terms_of"]


class NotRational(ValueError):
    """An expression has no form, or no short one, as a quotient of polynomials."""


class Ratios:
    """Expressions as numerators and denominators, each subexpression worked out once.

    Parameters
    ----------
    variables : sequence of expressions
        Symbols and indexed symbols, in the order of the exponents.
    values : mapping, optional
        Expressions that stand for some of the other symbols.
    most : int
        Terms that a numerator or a denominator may have.
    """

    def __init__(
        self,
        variables: Sequence[Expr],
        values: Mapping[Expr, Expr] | None = None,
        most: int = 2_000,
    ) -> None:
        context = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(variables))], Ordering.lex)
        self._one = context.constant(1)
        self._most = most
        self._known: dict[Expr, tuple[Polynomial, Polynomial]] = {
            v: (x, self._one) for v, x in zip(variables, context.gens(), strict=True)
        }
        self._values = dict(values or {})

    def __call__(self, e: Expr) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator without a common factor.

        Raises
        ------
        NotRational
            For other symbols and functions, irrational powers, and what is too long.
        """
        found = self._known.get(e)
        if found is None:
            found = self._known[e] = self._read(e)
        return found

    def _read(self, e: Expr) -> tuple[Polynomial, Polynomial]:
        if e in self._values:
            return self(self._values[e])
        if e.is_Rational:
            return self._one * fmpq(int(e.p), int(e.q)), self._one
        if e.is_Add:
            return self._sum([self(part) for part in e.args])
        if e.is_Mul:
            over, under = self._one, self._one
            for part in e.args:
                a, b = self(part)
                over, under = self._times(over, a), self._times(under, b)
            return self._lowest(over, under)
        if e.is_Pow and e.exp.is_Integer:
            a, b = self(e.base)
            n = int(e.exp)
            if n < 0:
                if not a:
                    raise NotRational(f"{e} divides by zero")
                a, b = b, a
            return self._power(a, abs(n)), self._power(b, abs(n))
        raise NotRational(f"{e} is not rational")

    def _sum(self, parts: Sequence[tuple[Polynomial, Polynomial]]) -> tuple[Polynomial, Polynomial]:
        """Terms over one denominator are added first."""
        by_denominator: list[tuple[Polynomial, Polynomial]] = []
        for over, under in parts:
            for i, (other, same) in enumerate(by_denominator):
                if same == under:
                    by_denominator[i] = other + over, under
                    break
            else:
                by_denominator.append((over, under))
        total, under = by_denominator[0]
        for over, other in by_denominator[1:]:
            common = under.gcd(other)
            mine, theirs = under / common, other / common
            total = self._times(total, theirs) + self._times(over, mine)
            under = self._times(under, theirs)
        return self._lowest(total, under)

    def _lowest(self, over: Polynomial, under: Polynomial) -> tuple[Polynomial, Polynomial]:
        if under.is_constant():
            return over / under.leading_coefficient(), self._one
        common = over.gcd(under)
        return (over, under) if common.is_one() else (over / common, under / common)

    def _times(self, one: Polynomial, other: Polynomial) -> Polynomial:
        if len(one) * len(other) > 8 * self._most:
            raise NotRational("the product has too many terms")
        found = one * other
        if len(found) > self._most:
            raise NotRational("the product has too many terms")
        return found

    def _power(self, base: Polynomial, exponent: int) -> Polynomial:
        found = self._one
        for _ in range(exponent if len(base) > 1 else 0):
            found = self._times(found, base)
        return found if len(base) > 1 else base**exponent


def terms_of(polynomial: Polynomial) -> dict[tuple[int, ...], Fraction]:
    """Coefficients by exponents."""
    return {
        tuple(map(int, m)): Fraction(int(c.p), int(c.q)) for m, c in polynomial.to_dict().items()
    }


def quotient_of(over: Polynomial, under: Polynomial, variables: Sequence[Expr]) -> Expr:
    """The expression ``over / under``, both with whole coefficients without a common factor.

    The leading coefficient of what is divided by is positive.
    """
    if not over:
        return sympy.Integer(0)
    if under.leading_coefficient() < 0:
        over, under = -over, -under
    one, other = _content(over), _content(under)
    ratio = one / other
    top = _expression(over * (fmpq(ratio.p) / one), variables)
    return top / _expression(under * (fmpq(ratio.q) / other), variables)


def _content(polynomial: Polynomial) -> Any:
    """The largest positive number that leaves whole coefficients."""
    coefficients = polynomial.coeffs()
    return fmpq(gcd(*(int(c.p) for c in coefficients)), lcm(*(int(c.q) for c in coefficients)))


def _expression(polynomial: Polynomial, variables: Sequence[Expr]) -> Expr:
    return sympy.Add(
        *(
            sympy.Mul(
                sympy.Rational(int(c.p), int(c.q)),
                *(v ** int(e) for v, e in zip(variables, m, strict=True) if e),
            )
            for m, c in polynomial.to_dict().items()
        )
    )
