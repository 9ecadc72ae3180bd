"""Rational functions that are asked for again and again, each worked out once.

Also their values at one point, which tell two of them apart for a small part of the work of
cancelling: where the values differ the functions do.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any
from zlib import crc32

import sympy

from verify.certify.algebra.ratios import NotRational, Ratios, quotient_of

Expr = Any  # sympy carries no types

KEPT = 4_000
"""Expressions of which an answer is kept: those of a few claims."""

LARGE = 997
"""Values of symbols are whole numbers below it."""

__all__ = ["cancelled", "factors_of", "leaves", "polynomial_terms", "value_of"]


@lru_cache(KEPT)
def cancelled(expression: Expr) -> Expr:
    """Numerator over denominator without a common factor."""
    variables = tuple(sorted(_leaves(expression), key=str))
    try:
        over, under = Ratios(variables)(expression)
    except (NotRational, ZeroDivisionError):
        return sympy.cancel(expression)
    return quotient_of(over, under, variables)


@lru_cache(KEPT)
def factors_of(polynomial: Expr) -> tuple[Expr, tuple[tuple[Expr, int], ...]]:
    """The constant and the irreducible factors of a polynomial, with their multiplicities."""
    constant, factors = sympy.factor_list(polynomial)
    return constant, tuple(factors)


def leaves(expression: Expr) -> set[Expr]:
    """Symbols and indexed symbols of a rational expression, an indexed symbol counting once."""
    return set(_leaves(expression))


def polynomial_terms(
    polynomial: Expr, variables: tuple[Expr, ...]
) -> dict[tuple[int, ...], Fraction]:
    """Coefficients by exponents of variables, which are all that the polynomial contains.

    Raises
    ------
    sympy.PolynomialError, sympy.CoercionFailed
        Where it is no polynomial, and where it contains others.
    """
    own, terms = _terms(polynomial)
    if not set(own) <= set(variables):
        raise sympy.CoercionFailed(f"{polynomial} is no polynomial in {variables}")
    places = [variables.index(v) for v in own]
    found = {}
    for exponents, coefficient in terms:
        monomial = [0] * len(variables)
        for place, e in zip(places, exponents, strict=True):
            monomial[place] = e
        found[tuple(monomial)] = coefficient
    return found


@lru_cache(KEPT)
def value_of(expression: Expr) -> Fraction | None:
    """The value where each symbol is a whole number that its name gives; None where there is none.

    Parameters
    ----------
    expression : sympy expression
        Rational in symbols and indexed symbols.

    Returns
    -------
    Fraction or None
        None also where the expression is not rational.
    """
    e = expression
    if e.is_Rational:
        return Fraction(int(e.p), int(e.q))
    if e.is_Symbol or isinstance(e, sympy.Indexed):
        return Fraction(crc32(str(e).encode()) % LARGE + 1)
    if not (e.is_Add or e.is_Mul or (e.is_Pow and e.exp.is_Integer)):
        return None
    parts = [value_of(part) for part in e.args]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    if e.is_Pow:
        power = int(e.exp)
        return known[0] ** power if known[0] or power > 0 else None
    total = known[0]
    for part in known[1:]:
        total = total + part if e.is_Add else total * part
    return total


@lru_cache(KEPT)
def _leaves(expression: Expr) -> frozenset[Expr]:
    if expression.is_Symbol or isinstance(expression, sympy.Indexed):
        return frozenset([expression])
    return frozenset(leaf for part in expression.args for leaf in _leaves(part))


@lru_cache(KEPT)
def _terms(polynomial: Expr) -> tuple[tuple[Expr, ...], tuple[tuple[Any, Fraction], ...]]:
    own = tuple(sorted(_leaves(polynomial), key=str))
    if not own:
        return (), (((), _fraction(polynomial)),)
    terms = sympy.Poly(polynomial, *own, domain="QQ").terms()
    return own, tuple((tuple(m), _fraction(c)) for m, c in terms)


def _fraction(number: Expr) -> Fraction:
    return Fraction(int(number.p), int(number.q))
