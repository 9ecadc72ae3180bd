"""Vectors, inductions and classes of functions: what is false by a millionth is never proved.

Each claim stands beside a true one that is proved; the false one is the same with a constant that
a known instance reaches.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
import sympy

from tests.each import each
from tests.trusted.certify.prover.test_induction import BELOW, LARGE, K, T, c, q, t, x, y
from tests.verify.reading.test_class_proofs import PROVED
from verify.certify.prover.induction import by_induction
from verify.certify.prover.lifting import lifts
from verify.certify.prover.prove import Hypothesis, certify

MILLIONTH = sympy.Rational(1, 10**6)
u, v, w = sympy.symbols("u v w", real=True)
f, g = sympy.symbols("f g", real=True)
L, s = sympy.symbols("L s", positive=True)


def _drawn(kind: str, number: int) -> tuple[Any, Any]:
    draw = random.Random(f"planted {kind} {number}")
    one, other = (sympy.Rational(draw.randint(1, 40), draw.randint(1, 40)) for _ in range(2))
    return one, other


VECTORS: dict[str, Any] = {
    # equal where p s u = r v
    "Young": lambda p, r, e: (2 * p * r * u * v, (1 - e) * (p**2 * s * u**2 + r**2 * v**2 / s), []),
    # equal where u = v
    "mean": lambda p, r, e: ((p * u + r * v) ** 2, (1 - e) * (p + r) * (p * u**2 + r * v**2), []),
    # equal where u - v and v - w are p : r
    "triangle": lambda p, r, e: (
        (u - w) ** 2 * (1 - e),
        (1 - e) ** 2 * (p + r) * ((u - v) ** 2 / p + (v - w) ** 2 / r),
        [],
    ),
    # equal for f with this gradient step
    "descent": lambda p, r, e: (
        g,
        f - p * (2 - p) * u**2 / (2 * L) * (1 + e),
        [Hypothesis("smooth", f - u * (p * u / L) + L * (p * u / L) ** 2 / 2 - g)],
    ),
}


@each("kind", VECTORS)
@each("number", range(8))
def test_vectors(kind: str, number: int) -> None:
    p, r = _drawn(kind, number)
    if kind == "descent":
        p = p / 41  # a step shorter than 2/L
    left, right, given = VECTORS[kind](p, r, sympy.Integer(0))
    found = certify(left, right, "<=", given)
    assert found is not None
    assert lifts(found, ["u", "v", "w"])
    left, right, given = VECTORS[kind](p, r, MILLIONTH)
    assert certify(left, right, "<=", given) is None


ROUNDS: dict[str, Any] = {
    "telescoping sum": lambda p, e: (
        sympy.Sum(p * y[t], (t, 0, T - 1)),
        (1 - e) * p * (x[0] - x[T]),
        "<=",
        [Hypothesis("a round", x[t] - x[t + 1] - y[t])],
    ),
    "geometric sum": lambda p, e: (
        sympy.Sum(p * q**t, (t, 0, T - 1)),
        (1 - e) * p * (1 - q**T) / (1 - q),
        "==",
        [BELOW],
    ),
    "contraction": lambda p, e: (
        x[T],
        q**T * x[0] + (1 - e) * p * c * (1 - q**T) / (1 - q),
        "<=",
        [BELOW, Hypothesis("a round", q * x[t] + p * c - x[t + 1])],
    ),
    "falling": lambda p, e: (
        x[T],
        (1 - e) * K / (T + LARGE),
        "<=",
        [
            Hypothesis("start", K / 2 - x[0]),
            Hypothesis("K", K - p * c),
            Hypothesis("a round", (1 - 2 / (t + 2)) * x[t] + p * c / (t + 2) ** 2 - x[t + 1]),
        ],
    ),
}


@pytest.mark.parametrize("kind", ROUNDS)
@pytest.mark.parametrize("number", range(3))
def test_inductions(kind: str, number: int) -> None:
    p, _ = _drawn(kind, number)
    assert by_induction(*ROUNDS[kind](p, sympy.Integer(0)), T, t) is not None
    assert by_induction(*ROUNDS[kind](p, MILLIONTH), T, t) is None


@pytest.mark.parametrize("name", ["gradient-1", "gradient-slope-value"])
@pytest.mark.parametrize("power", [6, 9, 12])
def test_rates_over_a_class(name: str, power: int) -> None:
    """However close to the true rate, what is below it is not proved."""
    from verify.ladder.rungs.certificate import prove

    almost = 1 - Fraction(1, 10**power)
    assert [e for e in prove(PROVED[name].claim(name)) if e.status == "decided"]
    assert not [e for e in prove(PROVED[name].claim(name, almost)) if e.status == "decided"]
