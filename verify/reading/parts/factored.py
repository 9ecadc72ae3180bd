"""What sympy's `cancel` and `factor` give, to the letter, in a small part of their time.

Rational functions of symbols are calculated with in flint; everything else goes to sympy.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy

from verify.certify.algebra.ratios import NotRational
from verify.reading.parts.quotients import KEPT, ring_of, symbols_of

Expr = Any  # sympy carries no types

__all__ = ["cancelled", "degree_in", "factored", "factors_of"]


@lru_cache(KEPT)
def cancelled(e: Expr) -> Expr:
    """What `sympy.cancel` gives."""
    try:
        ring = ring_of(symbols_of(e))
        return ring.cancelled(ring(e))
    except NotRational:
        return sympy.cancel(e)


@lru_cache(KEPT)
def factored(e: Expr) -> Expr:
    """What `sympy.factor` gives."""
    try:
        ring = ring_of(symbols_of(e))
        return ring.factored(ring(e))
    except NotRational:
        return sympy.factor(e)


def degree_in(e: Expr, s: Expr) -> int | None:
    """The degree of a polynomial in a symbol; None of what is no polynomial in it."""
    try:
        ring = ring_of(symbols_of(e, s))
        q, place = ring(e), ring.variables.index(s)
        return None if q.under.degrees()[place] else max(int(q.over.degrees()[place]), 0)
    except NotRational:
        return int(sympy.degree(e, s)) if e.is_polynomial(s) else None


def factors_of(e: Expr) -> tuple[Expr, list[tuple[Expr, int]]]:
    """The constant and the irreducible factors of a polynomial, in any order.

    Raises
    ------
    sympy.PolynomialError
        Where it is none.
    """
    try:
        ring = ring_of(symbols_of(e))
        q = ring(e)
    except NotRational:
        return tuple(sympy.factor_list(e))
    if not q.under.is_constant():
        raise sympy.PolynomialError("a polynomial expected")
    number, factors = ring.factors(q.over)
    return sympy.Rational(number, int(q.under.leading_coefficient())), factors
