"""Points are moved onto the equalities that a claim assumes, exactly where the referee is exact."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.each import each
from tests.verify.cases import leaf_of
from verify import Hypothesis, Real, check, numbers, statement
from verify.claim.statement import Statement
from verify.ladder.search.curves import onto
from verify.line import one_line
from verify.reading.parts import equalities as reading

BOX = {name: Real(-2, 2) for name in "xyz"}


def _claim(*given: Any) -> Statement:
    listed = [Hypothesis(f"h{i}", "h", rule) for i, rule in enumerate(given)]

    @statement("t.curve", where="Lemma", latex="x", family=numbers(BOX), given=listed)
    def claim(w: Any) -> Any:
        return {"x": w.x + w.y + w.z}, {"three": 3}

    return claim


EQUALITIES: dict[str, list[Any]] = {
    "the sphere": [lambda w: -abs(w.x**2 + w.y**2 + w.z**2 - 1)],
    "a parabola": [lambda w: -abs(w.y - w.x**2)],
    "a hyperbola": [lambda w: -abs(w.x * w.y - 1)],
    "a square": [lambda w: -((w.x * w.z - 2 * w.y) ** 2)],
    "two margins": [lambda w: w.x**2 - w.y - 1 / 2, lambda w: w.y - w.x**2 + 1 / 2],
    "two equalities": [lambda w: -abs(w.x**2 + w.y**2 - 1), lambda w: -abs(w.z - w.x * w.y)],
    "a circle through a third": [lambda w: -abs(w.x**2 + w.y**2 - Fraction(13, 9))],
    "a length": [lambda w: -abs((w.x**2 + w.y**2) ** (1 / 2) - 1)],
}


@each("name", EQUALITIES)
def test_rational_points_stay_rational_and_meet_every_equality(name: str) -> None:
    claim = _claim(*EQUALITIES[name])
    move = onto(claim, {})
    assert move is not None
    rng = np.random.default_rng(3)
    values: dict[str, Any] = {
        k: np.array([Fraction(int(n), 64) for n in rng.integers(-128, 129, 64)], dtype=object)
        for k in "xyz"
    }
    moved = move(values)
    again = move(moved)
    there = [
        all(_zero(rule, {k: v[j] for k, v in moved.items()}) for rule in EQUALITIES[name])
        for j in range(64)
    ]
    assert np.mean(there) > 0.3
    for j in np.flatnonzero(there):
        assert all(isinstance(moved[k][j], Fraction) for k in "xyz")
        assert all(again[k][j] == moved[k][j] for k in "xyz")  # who is there stays
        assert all(moved[k][j] == values[k][j] or BOX[k].inside(moved[k][j]) for k in "xyz")


class _Point:
    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


def _zero(rule: Any, values: dict[str, Any]) -> bool:
    return abs(float(rule(_Point(values)))) < 1e-12


OTHERS: dict[str, Any] = {
    "an inequality": lambda w: 1 - w.x**2,
    "a margin that is no polynomial": lambda w: -abs(w.x + 2 ** (w.y)),
    "a margin that is seldom above zero": lambda w: w.x - 1.999,
}


@each("name", OTHERS)
def test_what_is_no_equality_of_polynomials_moves_nothing(name: str) -> None:
    assert onto(_claim(OTHERS[name]), {}) is None


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("x*y <= 1/2 for x, y in [-2, 2] given x**2 + y**2 == 1", "proved"),
        ("x*y <= 1/4 for x, y in [-2, 2] given x**2 + y**2 == 1", "violated"),
        ("x + y + z <= 3/2 for x, y, z in [-2, 2] given x**2 + y**2 + z**2 == 1", "violated"),
        ("exp(x) + y <= 37/10 for x, y >= 0 given x**2 + y**2 == 2", "violated"),
        ("x + y <= 3 given x**2 == 2*y**2 + 1", "violated"),
    ],
)
def test_a_line_with_an_equality_between_powers_is_decided(line: str, word: str) -> None:
    found = leaf_of(line)
    assert found.verdict == word, found
    if word == "violated":
        assert found.witness is not None
        margins = found.witness["margins"]
        assert all(m["value"] == "0/1" for name, m in margins.items() if "==" in name)


def test_many_different_instances_are_met_and_the_equality_is_seen_needed() -> None:
    """Only five were found before, and the word was ``inconclusive`` by that."""
    found = check("x + y <= 3/2 for x, y in [-2, 2] given x**2 + y**2 == 1", profile="quick")
    kinds = {item.rung: item for item in found.evidence}
    assert min(kinds["hypotheses"].details["met"].values()) >= 200
    assert kinds["needed"].details["needed"] == ["x ** 2 + y ** 2 == 1"]


def test_single_instances_that_an_equality_leaves_are_enough() -> None:
    found = check("sum_i x[i] <= sqrt(N) given sum_i(x[i]**2) == 1", profile="quick")
    assert found.verdict in ("holds", "proved"), found


def test_an_equality_without_rational_points_is_met_in_floats_and_never_an_accusation() -> None:
    found = check("x*y <= 1 for x, y in [-4, 4] given x**2 + y**2 == 3", profile="quick")
    assert found.witness is None
    assert found.verdict == "inconclusive"
    move = onto(one_line("x <= 1 given x**2 + y**2 == 3"), {})
    assert move is not None
    point = move({"x": np.array([0.5]), "y": np.array([1.0])})
    assert abs(point["x"] ** 2 + point["y"] ** 2 - 3) < 1e-12


def test_a_formula_that_takes_for_ever_is_no_equality(monkeypatch: pytest.MonkeyPatch) -> None:
    """A margin that happens to be below zero at the points tried was read for minutes."""
    monkeypatch.setattr(reading, "READING", 0.2)

    def endless(w: Any) -> Any:
        while w.number == "symbolic":
            pass
        return -abs(w.x) - 1

    clock = time.thread_time()
    assert onto(_claim(endless), {}) is None
    assert 0.2 <= time.thread_time() - clock < 5
