"""Equality by value: no proof skips the points at which two expressions happen to agree."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from bounds import generic as xp
from bounds.numbers import Ball
from bounds.numbers.symbolic import NotReadable, Symbolic
from tests.verify.cases import SMALL, Sides, claim, numbers
from verify.claim.parameters import Real, plain_numbers
from verify.ladder import assay
from verify.ladder.rungs.certificate import prove

X = Symbolic(sympy.Symbol("x", real=True))
POSITIVE = Symbolic(sympy.Symbol("p", positive=True))
SQUARE = numbers(x=Real(-1, 1), y=Real(-1, 1))
CLIENTS = numbers({"N": 2}, {"N": 3}, x=Real(-1, 1, per=("N",)))

FALSE: dict[str, tuple[Sides, Any]] = {
    "at one number": (lambda w: ({"hit": xp.indicator(2 * w.x == 1, w.x)}, {"0": 0 * w.x}), SQUARE),
    "where two parameters agree": (
        lambda w: ({"hit": xp.indicator(w.x == w.y, w.x)}, {"0": 0 * w.x}),
        SQUARE,
    ),
    "off where they agree": (
        lambda w: ({"1": 1 + 0 * w.x}, {"apart": xp.indicator(w.x != w.y, w.x)}),
        SQUARE,
    ),
    "at a product": (
        lambda w: ({"hit": (w.x * w.y == Fraction(1, 4)) + 0 * w.x}, {"0": 0 * w.x}),
        SQUARE,
    ),
    "at a choice": (
        lambda w: ({"picked": xp.where(w.x == 0, 2 + 0 * w.x, 1 + 0 * w.x)}, {"1": 1 + 0 * w.x}),
        SQUARE,
    ),
    "at a size": (lambda w: ({"1": 1}, {"odd": 2 - 2 * (w.N == 5) + 0 * w.x[..., 0]}), CLIENTS),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_at_equal_values_is_not_proved(name: str) -> None:
    sides, family = FALSE[name]
    assert [e for e in prove(claim(sides, family)) if e.status == "decided"] == []


@pytest.mark.parametrize("name", [n for n in FALSE if n != "at a size"])
def test_what_fails_at_simple_values_alone_is_found(name: str) -> None:
    sides, family = FALSE[name]
    made = assay(claim(sides, family), profile=SMALL.word_alone())
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
    for answer in (lambda: bool(one == other), lambda: bool(one != other)):
        with pytest.raises(NotReadable, match="truth value"):
            answer()
    entries = np.array([one], dtype=object)
    with pytest.raises(NotReadable, match="truth value"):
        entries == other  # noqa: B015


def test_what_signs_decide_is_decided() -> None:
    assert (POSITIVE == POSITIVE) is True
    assert not POSITIVE == 0  # noqa: SIM201
    assert POSITIVE != 0
    assert POSITIVE
    assert (POSITIVE > 0, POSITIVE <= 0) == (True, False)
    assert Symbolic(sympy.Integer(2)) == 2
    assert Symbolic(sympy.Rational(1, 2)) == Fraction(1, 2)
    assert Symbolic(sympy.expand(((X + 1) ** 2 - X**2 - 2 * X).expr)) == 1
    assert "x" not in (X, POSITIVE)


def test_what_signs_leave_open_is_refused() -> None:
    for ask in (lambda: bool(X), lambda: bool(X < 1), lambda: bool((POSITIVE > 1) & (X == 0))):
        with pytest.raises(NotReadable, match="truth value"):
            ask()
    with pytest.raises(TypeError, match="unhashable"):
        {X}  # noqa: B018
    with pytest.raises(NotReadable, match="conditions on symbols are no numbers"):
        (X == 1) == (POSITIVE == 1)  # noqa: B015
    with pytest.raises(NotReadable, match="is no number"):
        (X == 1) + 1  # a yes or no that is open is no 0 or 1


def test_conditions_join_and_arithmetic_stays_symbolic() -> None:
    both, either = (X > 0) & (POSITIVE > 0), (X > 0) | (POSITIVE > 0)
    assert (both.expr, either) == ((X > 0).expr, True)
    assert (~(X > 0)).expr == (X <= 0).expr
    for value in (
        1 + X,
        X - 1,
        2 - X,
        X / 3,
        1 / X,
        X**2,
        2**X,
        -X,
        abs(X),
        Fraction(1, 2) * X,
        X * sympy.Symbol("y"),
        sympy.Symbol("y") * X,
        np.float64(2) * X,
    ):
        assert isinstance(value, Symbolic)
    for strange in ("1", None, np.array(None)):
        with pytest.raises(TypeError):
            X + strange
    for mixed in (lambda: X + Ball(1), lambda: Ball(1) / X, lambda: Ball(1) > X):
        with pytest.raises(NotReadable):
            mixed()


@pytest.mark.parametrize(
    "ask", [int, float, range, np.zeros, np.sqrt, np.exp, lambda x: [1, 2][x], lambda x: [1, 2][:x]]
)
def test_what_takes_a_plain_number_is_refused(ask: Callable[[Any], Any]) -> None:
    with pytest.raises(NotReadable, match="asked of x"):
        ask(X)


def test_symbols_can_be_pickled_and_not_changed() -> None:
    assert pickle.loads(pickle.dumps(X)).expr == X.expr
    with pytest.raises(AttributeError):
        X.expr = 1  # type: ignore[misc]
