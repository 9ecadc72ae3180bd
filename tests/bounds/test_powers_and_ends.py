"""Powers with irrational exponents, and exponentials of what is far below zero, as balls."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers import Ball, Undecided
from bounds.numbers.symbolic import NotReadable, Symbolic, applied
from bounds.numbers.validate import InvalidInput
from tests.each import each

ROOT = Ball(2).sqrt()


@each("exponent", (-40_000_000, -(2**24) - 1, Fraction(-(10**12), 3)))
def test_exp_of_a_large_negative_number_is_near_zero(exponent: Any) -> None:
    """It was an OverflowError, which ended the leaf."""
    found = Ball(exponent).exp()
    assert found.lo == 0
    assert 0 < found.hi < Fraction(1, 10**1000)
    assert xp.exp(exponent) * 5 <= 1


def test_of_a_ball_that_begins_far_below_the_upper_end_counts() -> None:
    found = Ball(-(10**9), 1).exp()
    assert found.lo == 0
    assert math.e <= float(found.hi) < math.e + 1e-12
    near = Ball(-(2**24)).exp()
    assert near.lo > 0, "the smallest argument of which the digits are computed"
    with pytest.raises(OverflowError, match="too many digits for a ball"):
        Ball(-(10**9), 2**24 + 1).exp()


@each(
    ("base", "exponent", "value"),
    [
        (2, ROOT, 2 ** math.sqrt(2)),
        (ROOT, ROOT, math.sqrt(2) ** math.sqrt(2)),
        (Ball(Fraction(1, 3)), -ROOT, 3 ** math.sqrt(2)),
        (Ball(8), Fraction(1, 3), 2.0),
        (Ball(0), ROOT, 0.0),
        (1, ROOT, 1.0),
    ],
)
def test_a_power_with_any_exponent(base: Any, exponent: Any, value: float) -> None:
    """It was a TypeError: 'int' and 'Ball'."""
    found = base**exponent
    assert isinstance(found, Ball)
    assert float(found.lo) == pytest.approx(value)
    assert found.lo <= found.hi
    assert float(found.rad) < 1e-30


def test_a_float_to_a_ball_is_a_float() -> None:
    """A fraction comes here as a float in Python 3.11: as a ball it would be another number."""
    for base in (0.5, Fraction(1, 3), np.float64(2.0)):
        assert type(base**ROOT) is float
        assert base**ROOT == pytest.approx(float(base) ** math.sqrt(2))
    assert math.isnan((-1.0) ** ROOT)
    assert (np.array([0.5, 2.0]) ** ROOT)[1] == pytest.approx(2 ** math.sqrt(2))


@each(
    ("power", "error"),
    [
        (lambda: Ball(-2) ** ROOT, InvalidInput),
        (lambda: Ball(0) ** -ROOT, InvalidInput),
        (lambda: Ball(-1, 1) ** ROOT, Undecided),
        (lambda: ROOT ** "2", TypeError),
    ],
)
def test_of_what_is_not_positive_it_has_no_value(
    power: Callable[[], Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        power()


def test_a_function_of_no_real_number_is_not_readable() -> None:
    """It was a TypeError of sympy, told as a fault of a reader."""
    import sympy

    x = Symbolic(sympy.Symbol("x", real=True))
    for nothing in (applied("log", 0), applied("sqrt", -1)):
        with pytest.raises(NotReadable, match="no real number"):
            applied("Max", x, nothing)
        with pytest.raises(NotReadable, match="no real number"):
            _ = x >= nothing
    assert str(applied("Max", x, 1).expr) == "Max(1, x)"
