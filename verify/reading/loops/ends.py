r"""Smaller claims that imply one: a formula at the ends of what its symbols may be.

A formula that is linear in a number v, with a factor of a sign that is seen or claimed, is at least
what it is at the end of v on the side where it falls; that end is what a hypothesis linear in v
says.  And a polynomial in K is not negative if no coefficient is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.loops.forms import neat
from verify.reading.loops.points import Points
from verify.reading.parts.factored import degree_in, factored

Expr = Any  # sympy carries no types

SIMPLE = 3
"""Degree up to which a formula stays as it is."""
MOST = 8
"""Numbers that are put at an end, one after the other."""

__all__ = ["at_ends"]


def at_ends(
    e: Expr, first: Sequence[Expr], known: Sequence[Hypothesis], seen: Points, rounds: Expr
) -> Iterator[Expr]:
    """Formulas that are not negative only if the given one is not.

    Parameters
    ----------
    e : expression
    first : sequence of symbols
        That are put at an end if they can.
    known : sequence of Hypothesis
    seen : Points
        At which what is yielded is not negative.
    rounds : symbol
        K.
    """
    e = neat(e)
    for _ in range(MOST):
        parts = _by_rounds(e, rounds)
        if len(parts) > 1 and all(seen.hold(c) for c in parts):
            for c in parts:
                yield from at_ends(c, first, known, seen, rounds)
            return
        found = next(_nearer(e, first, known, seen), None) if _degree(e) > SIMPLE else None
        if found is None:
            break
        e, slope = found
        if not slope.is_nonnegative:
            yield slope
    yield e


def _by_rounds(e: Expr, rounds: Expr) -> list[Expr]:
    """The coefficients of a polynomial in K."""
    over, under = sympy.fraction(e)
    if not over.has(rounds) or under.has(rounds) or not over.is_polynomial(rounds):
        return [e]
    return [neat(c / under) for c in sympy.Poly(over, rounds).all_coeffs() if c != 0]


def _degree(e: Expr) -> int:
    over = sympy.fraction(e)[0]
    free = sorted(over.free_symbols, key=str)
    return int(sympy.Poly(over, *free).total_degree()) if free else 0


def _nearer(
    e: Expr, first: Sequence[Expr], known: Sequence[Hypothesis], seen: Points
) -> Iterator[tuple[Expr, Expr]]:
    """The formula with one of its symbols at an end, and a factor that is not negative then."""
    over, under = sympy.fraction(e)
    if not (under.is_positive or under == 1):
        return
    for v in first:
        if under.has(v) or degree_in(over, v) != 1:
            continue
        slope = neat(sympy.diff(over, v))
        sign = next((n for n in (1, -1) if seen.hold(n * slope)), 0)
        for h in sorted(known, key=lambda h: len(h.expr.free_symbols) == 1) if sign else ():
            end = _end(h.expr, v, sign)
            if end is not None:
                found = neat(e.xreplace({v: end}))
                if seen.hold(found):
                    yield found, sympy.expand(sign * slope)


@lru_cache(maxsize=2_000)
def _end(known: Expr, v: Expr, sign: int) -> Expr | None:
    """What v is at least (at most, with the sign -1) as a formula that is not negative says."""
    over, under = sympy.fraction(sympy.together(known))
    if not (under.is_positive or under == 1) or not over.has(v) or not over.is_polynomial(v):
        return None
    poly = sympy.Poly(over, v)
    if poly.degree() != 1:
        return None
    factor, rest = (factored(c) for c in poly.all_coeffs())
    fits = factor.is_positive if sign > 0 else factor.is_negative
    return factored(-rest / factor) if fits else None
