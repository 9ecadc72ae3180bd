"""Claims that are false by a millionth, each beside a true one: none is proved."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy

from tests.each import each
from tests.trusted.certify.claims import N, a, b, s, t, total, u, v, x, z
from verify.certify.prover.prove import Hypothesis, certify

MILLIONTH = sympy.Rational(1, 10**6)

Claim = tuple[Any, Any, str, list[Hypothesis]]


def _young(p: Any, q: Any, slack: Any) -> Claim:
    return 2 * p * q * a * b, (1 - slack) * (p**2 * s * a**2 + q**2 * b**2 / s), "<=", []


def _means(p: Any, q: Any, slack: Any) -> Claim:
    return 4 * p * q * s * t, (1 - slack) * (p * s + q * t) ** 2, "<=", []


def _shares(p: Any, q: Any, slack: Any) -> Claim:
    return total(p * u * v), (p - slack) * total(v), "<=", [Hypothesis("u <= 1", 1 - u)]


def _counted(p: Any, q: Any, slack: Any) -> Claim:
    return total(p * u), (p - slack) * N, "<=", [Hypothesis("u <= 1", 1 - u)]


def _cauchy(p: Any, q: Any, slack: Any) -> Claim:
    return p * total(z) ** 2, (p - slack) * N * total(z**2), "<=", []


def _tangent(p: Any, q: Any, slack: Any) -> Claim:
    return 1 + p * x, sympy.exp(p * x) - slack, "<=", []


def _root(p: Any, q: Any, slack: Any) -> Claim:
    return p * sympy.sqrt(s * t), (p - slack) * (s + t) / 2, "<=", []


def _largest(p: Any, q: Any, slack: Any) -> Claim:
    return p * x, sympy.Max(p * x, q * x) - slack, "<=", []


def _corner(p: Any, q: Any, slack: Any) -> Claim:
    limits = [Hypothesis("first", 1 - x), Hypothesis("second", 1 - a)]
    return p * x + q * a, p + q - slack, "<=", limits


def _numbers(p: Any, q: Any, slack: Any) -> Claim:
    return p / q, p / q - slack, "<=", []


KINDS: tuple[Callable[..., Claim], ...] = (
    _young,
    _means,
    _shares,
    _counted,
    _cauchy,
    _tangent,
    _root,
    _largest,
    _corner,
    _numbers,
)


def _drawn(kind: int, number: int) -> tuple[Any, Any]:
    draw = random.Random(f"planted {kind} {number}")
    return tuple(sympy.Rational(draw.randint(1, 40), draw.randint(1, 40)) for _ in range(2))  # type: ignore[return-value]


PLANTED = [(k, n) for k, kind in enumerate(KINDS) for n in ((0, 2) if kind is _root else range(10))]
"""Numbers drawn for each kind; of a root those that are not searched for ten seconds."""
POINT = {a: 1, b: 1, s: 1, t: 1, x: 1, N: 2}


@each(("kind", "number"), PLANTED)
def test_a_claim_that_is_false_by_a_millionth_is_never_proved(kind: int, number: int) -> None:
    p, q = _drawn(kind, number)
    assert certify(*KINDS[kind](p, q, 0)) is not None
    left, right, relation, given = KINDS[kind](p, q, MILLIONTH)
    assert certify(left, right, relation, given) is None
    # it is false indeed: at a point that meets the hypotheses the left side is larger
    at: dict[Any, Any] = dict(POINT)
    if kind == 0:
        at[b] = p * at[a] / q
    elif kind == 1:
        at[t] = p * at[s] / q
    elif kind in (5, 7):
        at[x] = 0 if kind == 5 else (1 if p >= q else -1)
    assert _at(left - right, at) > 0
    assert all(_at(h.expr, at) >= 0 for h in given)


def _at(expression: Any, at: dict[Any, Any]) -> Any:
    """Value where every client's numbers are 1."""
    ones = dict.fromkeys(sympy.sympify(expression).atoms(sympy.Indexed), 1)
    return sympy.sympify(expression).xreplace(ones).doit().subs(at).doit()


def test_numbers_that_no_float_tells_apart() -> None:
    tiny = sympy.Rational(Fraction(1, 10**40))
    assert certify(1, 1 + tiny, "<=") is not None
    assert certify(1 + tiny, 1, "<=") is None
    assert certify(1, 1, "<=") is not None
    assert certify(1, 1, "<") is None
