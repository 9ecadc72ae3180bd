"""Equality by value: no proof skips the points at which two expressions happen to agree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from bounds import generic as xp
from tests.verify.cases import SMALL, Sides, claim, numbers
from verify.claim.parameters import Real, plain_numbers
from verify.ladder.assay import assay
from verify.ladder.rung_certificate import prove
from verify.ladder.symbolic_equality import by_value

X, POSITIVE = sympy.Symbol("x", real=True), sympy.Symbol("p", positive=True)
SQUARE = numbers(x=Real(-1, 1), y=Real(-1, 1))
CLIENTS = numbers({"N": 2}, {"N": 3}, x=Real(-1, 1, per=("N",)))

FALSE: dict[str, tuple[Sides, Any]] = {
    "at one number": (lambda w: ({"hit": xp.indicator(2 * w.x == 1, w.x)}, {"0": 0 * w.x}), SQUARE),
    "where two parameters agree": (
        lambda w: ({"hit": xp.indicator(w.x == w.y, w.x)}, {"0": 0 * w.x}), SQUARE,
    ),
    "off where they agree": (
        lambda w: ({"1": 1 + 0 * w.x}, {"apart": xp.indicator(w.x != w.y, w.x)}), SQUARE,
    ),
    "at a product": (
        lambda w: ({"hit": (w.x * w.y == Fraction(1, 4)) + 0 * w.x}, {"0": 0 * w.x}), SQUARE,
    ),
    "at a choice": (
        lambda w: ({"picked": xp.where(w.x == 0, 2 + 0 * w.x, 1 + 0 * w.x)}, {"1": 1 + 0 * w.x}),
        SQUARE,
    ),
    "at a size": (lambda w: ({"1": 1}, {"odd": 2 - 2 * (w.N == 5) + 0 * w.x[..., 0]}), CLIENTS),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_at_equal_values_is_not_proved(name: str) -> None:
    sides, family = FALSE[name]
    assert [e for e in prove(claim(sides, family)) if e.status == "decided"] == []


@pytest.mark.parametrize("name", [n for n in FALSE if n != "at a size"])
def test_what_fails_at_simple_values_alone_is_found(name: str) -> None:
    sides, family = FALSE[name]
    made = assay(claim(sides, family), profile=SMALL)
    assert made.verdict == "violated"


def test_a_problem_is_built_by_value_too() -> None:
    """A family that stores whether x is 0 would prove that it never is."""

    def build(values: Any, shape: Any) -> Any:
        return plain_numbers({**values, "zero": xp.indicator(values["x"] == 0, values["x"])}, shape)

    family = replace(numbers(x=Real(-1, 1)), build=build)
    sides: Sides = lambda w: ({"zero": w.zero}, {"0": 0 * w.x})  # noqa: E731
    assert [e for e in prove(claim(sides, family)) if e.status == "decided"] == []


def test_without_the_comparison_the_same_form_is_proved() -> None:
    """Control: the prover does reach claims of this kind."""
    sides: Sides = lambda w: ({"0": 0 * w.x}, {"square": (w.x - w.y) ** 2})  # noqa: E731
    assert [e.status for e in prove(claim(sides, SQUARE))] == ["decided"]


@pytest.mark.parametrize(
    ("one", "other"),
    [(2 * X, 1), (1, X), (X, POSITIVE), (Fraction(1, 2), X), (sympy.Integer(1), X)],
)
def test_an_open_equality_is_neither_yes_nor_no(one: Any, other: Any) -> None:
    with by_value():
        for answer in (lambda: bool(one == other), lambda: bool(one != other)):
            with pytest.raises(TypeError, match="truth value"):
                answer()
        entries = np.array([one], dtype=object)
        with pytest.raises(TypeError, match="truth value"):
            entries == other  # noqa: B015
    assert (one == other) is False  # sympy's own answer is back


def test_what_signs_decide_is_decided() -> None:
    with by_value():
        assert bool(POSITIVE == POSITIVE)
        assert not POSITIVE == 0  # noqa: SIM201
        assert POSITIVE != 0
        assert sympy.Integer(2) == 2
        assert sympy.Rational(1, 2) == Fraction(1, 2)
        assert sympy.expand((X + 1) ** 2 - X**2 - 2 * X) == 1  # sympy's inner work is untouched
        assert "x" not in (X, POSITIVE)


def test_the_block_leaves_no_trace_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), by_value():
        raise ZeroDivisionError
    assert (2 * X == 1) is False
