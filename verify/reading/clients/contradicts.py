"""Whether the hypotheses of a case contradict each other.

Two cheap looks come before the search for a proof of that: a point that meets all hypotheses shows
that there is none, and where the newest hypothesis, alone or with another one, says of a number
that it is positive which cannot be, the search would find no other answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from verify.reading.clients.points import met_at_a_point

__all__ = ["FALSEHOOD", "contradict", "opposed"]

Expr = Any  # sympy carries no types
Polynomial = Mapping[tuple[tuple[Expr, int], ...], Fraction]
"""Coefficients by what they stand before: symbols and their exponents."""

FALSEHOOD = (1, 0, "<=")
"""What is claimed where a case cannot happen: its hypotheses are the whole proof."""


def contradict(hypotheses: Sequence[Any], degree: int) -> bool:
    """Whether the hypotheses are seen to contradict each other.

    Parameters
    ----------
    hypotheses : sequence of Hypothesis
        The newest last.
    degree : int
        Largest number of facts multiplied with each other in the search for a contradiction.
    """
    from verify.certify.prover.prove import searched

    if met_at_a_point(hypotheses):
        return False
    return opposed(hypotheses) or searched(*FALSEHOOD, hypotheses, degree) is not None


def opposed(hypotheses: Sequence[Any]) -> bool:
    """Whether the last hypothesis contradicts the signs of its symbols, alone or with one other.

    That is so where it, or its sum with a multiple of the other, has no term that can be positive.
    One of the two must be strict: the search, too, tells that from what rounding leaves of zero.
    """
    *others, last = hypotheses
    new = _polynomial(last.expr)
    if new is None:
        return False
    known = [_polynomial(h.expr) for h in others if h.strict or last.strict]
    return _impossible(new, last.strict) or any(
        _impossible(_plus(new, times, other), True)
        for other in known
        if other is not None
        for times in {-new[m] / other[m] for m in other.keys() & new.keys()}
        if times > 0
    )


def _plus(one: Polynomial, times: Fraction, other: Polynomial) -> Polynomial:
    """The sum of a polynomial and a multiple of another one."""
    zero = Fraction(0)
    return {m: one.get(m, zero) + times * other.get(m, zero) for m in {**one, **other}}


def _impossible(polynomial: Polynomial, strict: bool) -> bool:
    """Whether what is said to be (strictly) positive is negative, or zero, term by term."""
    signs = [_sign(m) for m, c in polynomial.items() if c]
    below = all(c <= 0 for c in polynomial.values()) and 0 not in signs
    return below and (strict or 2 in signs)


@lru_cache(4_000)
def _sign(monomial: tuple[tuple[Expr, int], ...]) -> int:
    """2 of a product that is positive, 1 of one that is not negative, 0 of any other."""
    if all(s.is_positive for s, _ in monomial):
        return 2
    return int(all(s.is_nonnegative or (n % 2 == 0 and s.is_real) for s, n in monomial))


@lru_cache(4_000)
def _polynomial(e: Expr) -> Polynomial | None:
    """The coefficients of an expression; None of one that is no polynomial."""
    from verify.certify.algebra.quotients import leaves
    from verify.certify.algebra.ratios import NotRational, Ratios, terms_of

    variables = tuple(sorted(leaves(e), key=str))
    try:
        over, under = Ratios(variables)(e)
    except (NotRational, ZeroDivisionError):
        return None
    if not under.is_constant():
        return None

    def named(exponents: Sequence[int]) -> tuple[tuple[Expr, int], ...]:
        return tuple((v, n) for v, n in zip(variables, exponents, strict=True) if n)

    return {named(m): c for m, c in terms_of(over).items()}
