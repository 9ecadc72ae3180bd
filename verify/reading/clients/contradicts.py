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
    """
    *others, last = hypotheses
    new, zero = _polynomial(last.expr), Fraction(0)
    if new is None:
        return False
    if _impossible(new, last.strict):
        return True
    for other in others:
        known = _polynomial(other.expr)
        if known is None:
            continue
        both = known.keys() & new.keys()
        for times in {-new[m] / known[m] for m in both if new[m] * known[m] < 0}:
            total = {m: new.get(m, zero) + times * known.get(m, zero) for m in {**new, **known}}
            if _impossible(total, last.strict or other.strict):
                return True
    return False


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
    """An expression as a polynomial, what it is divided by left out where that is positive."""
    from verify.certify.algebra.quotients import leaves
    from verify.certify.algebra.ratios import NotRational, Ratios, terms_of

    variables = tuple(sorted(leaves(e), key=str))
    try:
        over, under = Ratios(variables)(e)
    except (NotRational, ZeroDivisionError):
        return None

    def named(exponents: Sequence[int]) -> tuple[tuple[Expr, int], ...]:
        return tuple((v, n) for v, n in zip(variables, exponents, strict=True) if n)

    below = {named(m): c for m, c in terms_of(under).items()}
    if not all(c > 0 and _sign(m) == 2 for m, c in below.items()):
        return None
    return {named(m): c for m, c in terms_of(over).items()}
