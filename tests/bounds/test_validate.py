"""Bad input gives one sentence with name, condition, value and remedy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
import torch

from bounds.numbers import Ball, Undecided, as_rational
from bounds.numbers import validate as v
from bounds.numbers.symbolic import Symbolic

BAD = [
    (lambda: v.positive("mu", 0.0), "mu must be positive, got 0: "),
    (lambda: v.positive("mu", float("nan")), "mu must be positive, got nan: "),
    (lambda: v.positive("mu", Fraction(-1, 2)), "mu must be positive, got -1/2: "),
    (lambda: v.nonnegative("b", np.array([1.0, -2.0])), "b must be non-negative, got -2 at index"),
    (lambda: v.nonnegative("b", torch.tensor([[1.0, -2.0]])), r"got -2 at index \(0, 1\)"),
    (lambda: v.nonnegative("b", as_rational([1, -2])), r"b must be non-negative, got -2 at index"),
    (lambda: v.probability("p", [0.5, 1.5]), r"p must be in \[0, 1\], got 1.5 at index \(1,\)"),
    (lambda: v.finite("x", np.array([np.inf])), "x must be finite, got inf at index"),
    (lambda: v.symmetric("A", np.array([[1.0, 2.0], [0.0, 1.0]])), "A must be symmetric"),
    (lambda: v.symmetric("A", as_rational([[1, 2], [0, 1]])), "A must be symmetric"),
    (lambda: v.symmetric("A", np.ones(3)), "A must be square on its last two axes"),
    (lambda: v.same_shape(("a", np.ones(2)), ("b", np.ones(3))), r"b must be of the shape \(2,\)"),
    (
        lambda: v.in_interval(
            "step_size", 0.9, 0, 0.5, closed="high", describe="(0, 1/beta]", remedy="lower it"
        ),
        r"step_size must be in \(0, 1/beta\] = \(0, 0.5\], got 0.9: lower it\.",
    ),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_messages(call: object, message: str) -> None:
    with pytest.raises(v.InvalidInput, match=message):
        call()  # type: ignore[operator]
    with v.unchecked():
        call()  # type: ignore[operator]


def test_good_input_passes_on_every_kind() -> None:
    for x in (1, 1.0, Fraction(1), Ball(1), np.ones(2), torch.ones(2), as_rational([1, 1])):
        v.positive("x", x)
        v.nonnegative("x", x)
        v.probability("x", x)
        v.in_interval("x", x, 0, 1)
    v.finite("x", as_rational([1]))
    v.symmetric("A", np.eye(2))
    v.symmetric("A", torch.eye(2))


def test_symbols_pass_and_wide_balls_raise() -> None:
    v.positive("x", Symbolic(sympy.Symbol("x")))
    v.in_interval("x", np.array([Symbolic(sympy.Symbol("x"))], dtype=object), 0, 1)
    with pytest.raises(v.InvalidInput):
        v.positive("x", Symbolic(sympy.Symbol("x", negative=True)))
    with pytest.raises(Undecided):
        v.positive("x", Ball(-1, 1))


def test_whether_checks_are_on_is_told() -> None:
    assert v.checking()
    with v.unchecked():
        assert not v.checking()
    assert v.checking()
