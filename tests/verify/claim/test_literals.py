"""Decimal literals in a statement's own functions mean the rational numbers that they say."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers import as_rational
from tests.verify.cases import leaf_of, numbers
from verify import statement
from verify.claim.hypothesis import Hypothesis
from verify.claim.instance import Instance
from verify.claim.literals import exact_literals, first_float
from verify.claim.parameters import Real
from verify.face import check
from verify.terms.claims import as_terms
from verify.world.returned import Inexact
from verify.world.score import score
from verify.world.world import World

SHARE = 0.75
BOX = numbers(x=Real(0, 10), y=Real(0, 10))


def world(number: str = "exact") -> World:
    values = {"x": as_rational([[3]]), "y": as_rational([[7]])}
    if number == "float64":
        values = {name: xp.to_float(value) for name, value in values.items()}
    params = {name: value[0] for name, value in values.items()}
    return World(Instance("numbers", {}, None, {**params, "n": 7}), number)


def plain(w: World) -> Any:
    """0.25 in a text is no literal."""
    return 0.1 * w.x + 1e-3


def nested(w: World) -> Any:
    """Calls itself, and a function of this file."""
    return nested(w) if w is None else plain(w)


def enclosing(factor: int) -> Callable[[World], Any]:
    def inner(w: World) -> Any:
        half = 0.5
        return factor * half * w.x

    return inner


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        (plain, Fraction(301, 1000)),
        (enclosing(3), Fraction(9, 2)),
        (lambda w: w.x * (1 / 3), 1),
        (lambda w: w.x / w.n + 0 * w.y, Fraction(3, 7)),
        (lambda w: (1 / w.n) * w.x, Fraction(3, 7)),
        (lambda w: 2**-3 * w.x * 1.0, Fraction(3, 8)),
        (lambda w: -0.3 * w.x, Fraction(-9, 10)),
        (lambda w: (lambda v: 0.2 * v)(w.y), Fraction(7, 5)),
        (lambda w: (w.x * w.x) ** 0.5, 3),
        (lambda w: (4 * w.x / 3) ** (-3 / 2) * w.x, Fraction(3, 8)),
        (lambda w: plain(w), Fraction(301, 1000)),
        (nested, Fraction(301, 1000)),
        (lambda w: {"a": 0.1 * w.x}["a"], Fraction(3, 10)),
    ],
)
def test_a_literal_is_the_number_that_it_says(rule: Callable[[World], Any], value: Any) -> None:
    found = np.asarray(exact_literals(rule)(world())).item()
    assert (found, type(found)) == (Fraction(value), Fraction)
    in_floats = np.asarray(exact_literals(rule)(world("float64"))).item()
    assert in_floats == pytest.approx(float(value), rel=1e-15)  # the function itself, untouched


@pytest.mark.parametrize(
    "rule",
    [
        lambda w: math.pi * w.x,
        lambda w: float(1) / 3 * w.x,
        lambda w: np.float64(0.5) * w.x,
        lambda w: SHARE * w.x,
        eval("lambda w: 0.5 * w.x"),
        functools.partial(lambda share, w: share * w.x, 0.5),
    ],
)
def test_other_floats_stay_floats(rule: Callable[[World], Any]) -> None:
    assert first_float(exact_literals(rule)(world())) is not None


def test_two_functions_on_one_line_are_told_apart() -> None:
    pair = (lambda w: 0.1 * w.x, lambda w: 0.2 * w.x)
    found = [exact_literals(rule)(world()).item() for rule in pair]
    assert found == [Fraction(3, 10), Fraction(3, 5)]


FILE = "FACTOR = {factor}\ndef rule(w):\n    return {literal} * FACTOR * w.x\n"


def loaded(path: Path, **values: Any) -> dict[str, Any]:
    """Names of a file that is written and run."""
    path.write_text(FILE.format(**values))
    space: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space


def test_other_values_of_a_name_are_seen(tmp_path: Path) -> None:
    """As in a notebook, where a cell is run again after a constant was changed."""
    space = loaded(tmp_path / "cell.py", factor=2, literal=0.5)
    rule = exact_literals(space["rule"])
    assert rule(world()).item() == 3
    space["FACTOR"] = 4
    assert rule(world()).item() == 6
    assert type(rule(world()).item()) is Fraction


def test_a_file_that_has_changed_is_not_believed(tmp_path: Path) -> None:
    """The text says 0.25 now, the function that was loaded still takes a half."""
    path = tmp_path / "cell.py"
    space = loaded(path, factor=2, literal=0.5)
    loaded(path, factor=2, literal=0.25)
    assert exact_literals(space["rule"])(world()).item() == 3.0
    assert type(exact_literals(space["rule"])(world()).item()) is float  # and is refused later


def test_a_function_is_wrapped_once() -> None:
    once = exact_literals(plain)
    assert exact_literals(once) is once
    assert once is exact_literals(plain)


def claim(factor: float) -> Any:
    """x y factor <= (x + y)^2, both with decimals in every function that a record may hold."""
    return statement(
        "mine.decimals",
        where="here",
        latex="",
        family=BOX,
        given=[Hypothesis("x is a tenth", "", lambda w: w.x - 0.1)],
        defines={"half": lambda w: 0.5 * w.x},
    )


def test_a_claim_with_decimals_is_decided_exactly() -> None:
    true = claim(4)(lambda w: ({"a": 0.3 * w.half * w.y}, {"b": 0.0375 * (w.x + w.y) ** 2}))
    false = claim(5)(lambda w: ({"a": 0.3 * w.half * w.y}, {"b": 0.0374 * (w.x + w.y) ** 2}))
    assert check(true).verdict == "proved"
    found = leaf_of(false)
    assert found.verdict == "violated"
    assert found.witness is not None
    assert found.witness["number"] == "rational"


def test_a_computed_third_accuses_nobody() -> None:
    """1/3 as a float times 3 is not 1; as a quotient it is."""
    made = statement("mine.third", where="here", latex="", family=BOX, relation="==")
    assert check(made(lambda w: ({"a": w.x * (1 / 3) * 3}, {"b": w.x}))).verdict == "proved"
    third = 1 / 3
    found = check(made(lambda w: ({"a": w.x * third * 3 + w.y}, {"b": w.x + w.y})))
    assert found.verdict == "inconclusive"
    assert "the left term 'a' of mine.third must be exact, got the float" in found.reason


def ratio_of(w: World) -> Any:
    return 1 / w.n


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        (lambda w: xp.sqrt(1 / w.n * w.x) - xp.sqrt(w.x / w.n), 0),
        (lambda w: xp.sqrt(ratio_of(w) * w.x) - xp.sqrt(w.x / w.n), 0),
        (lambda w: xp.sqrt(w.x) * (1 / w.n) - xp.sqrt(w.x) / w.n, 0),
        (lambda w: xp.where(1 / w.n * w.x == w.x / w.n, w.x, w.y), 3),
        (lambda w: xp.where(w.x * w.n**-1 == w.x / w.n, w.x, w.y), 3),
    ],
)
def test_a_quotient_inside_a_root_or_a_comparison_is_exact_too(
    rule: Callable[[World], Any], value: Any
) -> None:
    """Rounded there, it leaves no float in what comes out, and a true claim seems to fall."""
    found = np.asarray(exact_literals(rule)(world())).item()
    assert abs(found - value) < Fraction(1, 10**30)


def test_a_quotient_in_place_is_exact() -> None:
    def rule(w: World) -> Any:
        share = 1
        share /= w.n
        share **= -1
        return share * w.x

    assert np.asarray(exact_literals(rule)(world())).item() == 21


def program_of(sides: Callable[[World], Any]) -> Any:
    """A claim that asks for the length of an axis, and so is no term."""
    family = numbers({"N": 3}, {"N": 5}, {"N": 7}, u=Real(1 / 8, 3, per=("N",)))
    return statement("literal.program", where="test", latex="x", family=family)(sides)


TRUE_PROGRAMS: dict[str, Callable[[World], Any]] = {
    "a root": lambda w: (
        {"l": xp.sqrt(1 / len(w.u[0, 0]) * xp.total(w.u))},
        {"r": xp.sqrt(xp.total(w.u) / len(w.u[0, 0]))},
    ),
    "an exponential": lambda w: (
        {"l": xp.exp(xp.total(w.u) / len(w.u[0, 0]))},
        {"r": xp.exp(1 / len(w.u[0, 0]) * xp.total(w.u))},
    ),
    "a comparison": lambda w: (
        {"l": xp.where(1 / len(w.u[0, 0]) * xp.total(w.u) <= xp.total(w.u) / len(w.u[0, 0]), 1, 2)},
        {"r": 1 + 0 * w.u[..., 0]},
    ),
}


@pytest.mark.parametrize("name", TRUE_PROGRAMS)
def test_no_true_program_falls_by_a_rounded_quotient(name: str) -> None:
    """Each was ``violated``, by an instance that was scored exactly."""
    assert leaf_of(program_of(TRUE_PROGRAMS[name])).verdict != "violated"


ROOT = math.sqrt(2)


@pytest.mark.parametrize(
    "sides",
    [
        lambda w: ({"l": xp.sqrt(ROOT * ROOT * w.x)}, {"r": xp.sqrt(2 * w.x)}),
        lambda w: ({"l": xp.sqrt(w.x) * ROOT}, {"r": xp.sqrt(2 * w.x)}),
        lambda w: ({"l": xp.where(w.x * ROOT * ROOT <= 2 * w.x, 1, 2)}, {"r": 1 + 0 * w.x}),
        lambda w: ({"l": xp.power(w.x, ROOT * ROOT)}, {"r": w.x**2}),
    ],
)
def test_a_float_of_another_place_is_refused_wherever_it_goes(sides: Any) -> None:
    claim = statement("literal.float", where="test", latex="x", family=BOX)(sides)
    with pytest.raises(
        Inexact, match="the left term 'l' of literal.float must be exact, got the float"
    ):
        score(as_terms(claim), world().instance, "exact")
    found = check(claim)
    assert (found.verdict, found.rung) == ("inconclusive", "hypotheses")
