"""Rational functions of one number through exact values."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq_mat

from verify.worst_case.points import fraction, rational

MOST = 6
"""Largest sum of the degrees of numerator and denominator that is tried."""

SPARE = 2
"""Values beyond those that fix the function, which it must meet too."""

__all__ = ["rational_function"]


def rational_function(values: Sequence[tuple[Fraction, Fraction]], symbol: Any) -> Any:
    """The simplest quotient of polynomials with given values; None where there is none.

    Parameters
    ----------
    values : sequence of pairs
        Arguments and values, more than enough to fix the function.
    symbol : sympy symbol

    Examples
    --------
    >>> import sympy
    >>> s = sympy.Symbol("s")
    >>> known = [(Fraction(k, 7), -1 / (2 * Fraction(k, 7) + 1)) for k in range(1, 7)]
    >>> sympy.cancel(rational_function(known, s) + 1 / (2 * s + 1))
    0
    """
    from sympy import Rational

    def plain(q: Fraction) -> Any:
        return Rational(q.numerator, q.denominator)

    for total in range(min(MOST, len(values) - 1 - SPARE) + 1):
        for below in range(total + 1):
            above = total - below
            rows = [
                [*(q**k for k in range(above + 1)), *(-c * q**k for k in range(below + 1))]
                for q, c in values
            ]
            found = _only_solution(rows)
            if found is None:
                continue
            below_at = (sum(c * q**k for k, c in enumerate(found[above + 1 :])) for q, _ in values)
            if not all(below_at):  # a common factor would hide a wrong value
                continue
            numerator = sum(plain(c) * symbol**k for k, c in enumerate(found[: above + 1]))
            return numerator / sum(plain(c) * symbol**k for k, c in enumerate(found[above + 1 :]))
    return None


def _only_solution(rows: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """Coefficients that all rows are orthogonal to, as sympy's numbers; None if not one line."""
    width = len(rows[0])
    reduced, rank = fmpq_mat([[rational(q) for q in row] for row in rows]).rref()
    if rank != width - 1:
        return None
    pivots = [next(c for c in range(width) if reduced[r, c] != 0) for r in range(rank)]
    (free,) = {*range(width)} - {*pivots}
    made = [Fraction(0)] * width
    made[free] = Fraction(1)
    for r, pivot in enumerate(pivots):
        made[pivot] = -fraction(reduced[r, free])
    return made
