"""Functions through exact values: found where there is one, with values to spare, else none."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from verify.ladder.rungs.worst_cases.fitted import rational_function

S = sympy.Symbol("s")
POINTS = [Fraction(k, 11) for k in range(1, 11)]


def values(e: sympy.Expr) -> list[tuple[Fraction, Fraction]]:
    """Exact values of an expression."""
    made = []
    for q in POINTS:
        value = sympy.Rational(e.subs(S, sympy.Rational(q.numerator, q.denominator)))
        made.append((q, Fraction(int(value.p), int(value.q))))
    return made


@pytest.mark.parametrize(
    "function",
    [sympy.Integer(0), S - sympy.Rational(1, 2), -1 / (2 * S + 1), (S**2 - 3) / (2 * S**2 + S + 1)],
    ids=str,
)
def test_a_rational_function_is_found(function: sympy.Expr) -> None:
    found = rational_function(values(function), S)
    assert sympy.cancel(found - function) == 0


def test_one_wrong_value_is_seen() -> None:
    known = values(1 / (1 + S))
    known[4] = (known[4][0], known[4][1] + Fraction(1, 1000))
    assert rational_function(known, S) is None


def test_what_is_none_is_not_fitted() -> None:
    assert rational_function([(q, q**9) for q in POINTS], S) is None
