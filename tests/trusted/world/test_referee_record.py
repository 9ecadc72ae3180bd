"""The opinion of the referee by hand: the outcome told, its margins, terms and symbols."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers import Ball, Undecided
from tests.verify.cases import assume, claim, exactly, fractions, numbers
from verify.claim.instance import Instance
from verify.claim.parameters import Real
from verify.world.referee import Rescored, exact_instance, rescore
from verify.world.world import World

ANY = numbers(x=Real(-4, 4), y=Real(-4, 4), z=Real(-4, 4))

# (left, right) by outcome, and the place of the outcome with the least room
WORST = {
    "<= and relative": ("<=", [1, 30, 5], [2, 40, 4], 2),
    "<= by ratio and not by difference": ("<=", [10, 2], [20, 3], 1),
    ">= and relative": (">=", [4, 40, 2], [5, 30, 1], 0),
    ">= by ratio": (">=", [30, 3], [20, 1], 0),
    "== by difference": ("==", [1, 5, 9], [1, 2, 8], 1),
    "== below": ("==", [1, 2, 8], [1, 5, 9], 1),
    "the first of equals": ("<=", [1, 2, 1], [1, 2, 1], 0),
}


@pytest.mark.parametrize("name", WORST)
def test_the_outcome_with_the_least_room_is_told(name: str) -> None:
    relation, left, right, place = WORST[name]

    def sides(w: World) -> Any:
        exact = w.number == "exact"
        chance = [[f"1/{len(left)}"] * len(left)]
        w.outcome_weights = fractions(chance) if exact else fractions(chance).astype(float)
        return {"l": fractions([left]), "none": 0 * w.x}, {"r": fractions([right])}

    made = claim(sides, ANY, over="path", relation=relation)
    opinion = rescore(made, exactly(made, {"x": 1, "y": 0, "z": 0}))
    assert (opinion.left, opinion.right) == (left[place], right[place])
    assert opinion.relation == relation
    assert {k: v for k, v in opinion.terms[0].items() if k != "-(none)"} == {
        "l": left[place],
        "none": 0,
    }
    assert opinion.terms[1]["r"] == right[place]
    holds = {"<=": left[place] <= right[place], ">=": left[place] >= right[place]}
    assert opinion.related is holds.get(relation, left[place] == right[place])


def test_every_outcome_must_meet_the_hypotheses() -> None:
    def margin(w: World) -> Any:
        return fractions([[1, 0, 2]]) + 0 * w.x

    for strict, assumed in (((), True), ({"h"}, False)):
        made = claim(
            lambda w: ({"2": 2}, {"1": 1}), ANY, given=assume({"h": margin}, strict=strict)
        )
        opinion = rescore(made, exactly(made, {"x": 1, "y": 0, "z": 0}))
        assert opinion.margins == {"h": (0, bool(strict))}
        assert (opinion.assumed, opinion.violated) == (assumed, assumed)


@pytest.mark.parametrize(
    ("a", "b", "assumed"),
    [(1, 1, True), (0, 1, True), (1, 0, False), (-1, 1, False), (1, -1, False), (0, 0, False)],
)
def test_all_hypotheses_must_hold(a: int, b: int, assumed: bool) -> None:
    given = assume({"a": lambda w: w.x, "b": lambda w: w.y}, strict={"b"})
    made = claim(lambda w: ({"2": 2}, {"1": 1}), ANY, given=given)
    opinion = rescore(made, exactly(made, {"x": a, "y": b, "z": 0}))
    assert opinion.margins == {"a": (a, False), "b": (b, True)}
    assert (opinion.assumed, opinion.violated, opinion.satisfied) == (assumed, assumed, False)


@pytest.mark.parametrize("place", ["left", "right", "margin", "nowhere"])
def test_one_ball_anywhere_makes_it_an_opinion_about_balls(place: str) -> None:
    def root(w: World, here: str) -> Any:
        return xp.sqrt(w.x) if here == place else w.x

    made = claim(
        lambda w: ({"l": root(w, "left") - w.x}, {"r": root(w, "right") + 1}),
        ANY,
        given=assume({"h": lambda w: root(w, "margin")}),
    )
    opinion = rescore(made, exactly(made, {"x": 2, "y": 0, "z": 0}))
    assert opinion.number == ("rational" if place == "nowhere" else "ball")


# -- the opinion as a record -----------------------------------------------------------------------


@pytest.mark.parametrize("decided", [True, False])
@pytest.mark.parametrize("related", [True, False])
@pytest.mark.parametrize("assumed", [True, False])
def test_accusation_and_support_need_a_decision_and_the_hypotheses(
    decided: bool, related: bool, assumed: bool
) -> None:
    opinion = Rescored("rational", "<=", 1, 2, ({}, {}), {}, decided, related, assumed)
    assert opinion.violated is (decided and assumed and not related)
    assert opinion.satisfied is (decided and assumed and related)


@pytest.mark.parametrize(
    ("relation", "left", "right", "ratio"),
    [
        ("<=", Fraction(1), Fraction(2), 0.5),
        (">=", Fraction(1), Fraction(2), 2.0),
        ("==", Fraction(1), Fraction(2), 1.5),
        ("<=", Ball(1), Ball(4), 0.25),
    ],
)
def test_an_opinion_measures_as_the_search_does(
    relation: str, left: Any, right: Any, ratio: float
) -> None:
    opinion = Rescored("ball", relation, left, right, ({}, {}), {}, True, True, True)
    assert opinion.ratio == ratio
    assert isinstance(opinion.ratio, float)


HUGE = Fraction(10) ** 400


@pytest.mark.parametrize(
    ("relation", "left", "right", "ratio"),
    [
        ("<=", 3 * HUGE, 2 * HUGE, 1.5),
        (">=", 3 * HUGE, 2 * HUGE, 2 / 3),
        ("<=", Ball(2 * HUGE), Ball(8 * HUGE), 0.25),
        ("<=", HUGE, Fraction(1), np.inf),
        ("<=", Fraction(1), HUGE, 0.0),
        ("<=", Fraction(1), Fraction(0), np.inf),
        ("<=", Fraction(0), Fraction(0), 0.0),
        ("==", 3 * HUGE, 2 * HUGE, np.nan),
    ],
)
def test_beyond_floats_the_exact_quotient_is_measured(
    relation: str, left: Any, right: Any, ratio: float
) -> None:
    opinion = Rescored("rational", relation, left, right, ({}, {}), {}, True, True, True)
    assert opinion.ratio == ratio or np.isnan([opinion.ratio, ratio]).all()
    assert isinstance(opinion.ratio, float)
    undecided = Rescored("ball", relation, 3 * HUGE, 2 * HUGE, ({}, {}), {}, False, True, True)
    assert np.isnan(undecided.ratio), "nothing is said of what was not decided"


def test_the_numbers_of_a_witness_by_hand() -> None:
    margins = {"a": (Fraction(1, 3), True), "b": (Fraction(0), False)}
    opinion = Rescored(
        "rational", ">=", Fraction(1, 2), Fraction(3), ({}, {}), margins, True, False, True
    )
    told = {
        "number": "rational",
        "relation": ">=",
        "quantifier": "all",
        "left": "1/2",
        "right": "3/1",
        "margins": {"a": {"value": "1/3", "strict": True}, "b": {"value": "0/1", "strict": False}},
    }
    assert opinion.numbers() == told
    assert opinion.numbers("some") == {**told, "quantifier": "some"}


def test_what_an_opinion_tells_by_hand() -> None:
    made = claim(
        lambda w: ({"x": w.x, "-y": -w.y}, {"z": w.double}),
        ANY,
        defines={"double": lambda w: 2 * w.z},
        given=assume({"h": lambda w: w.x}),
    )
    opinion = rescore(made, exactly(made, {"x": "1/2", "y": "1/3", "z": "1/4"}))
    assert (opinion.number, opinion.relation) == ("rational", "<=")
    assert (opinion.left, opinion.right) == (Fraction(1, 2), Fraction(5, 6))
    assert opinion.terms == (
        {"x": Fraction(1, 2), "-y": 0},
        {"z": Fraction(1, 2), "-(-y)": Fraction(1, 3)},
    )
    assert opinion.margins == {"h": (Fraction(1, 2), False)}
    assert opinion.symbols == {
        "x": Fraction(1, 2),
        "y": Fraction(1, 3),
        "z": Fraction(1, 4),
        "double": Fraction(1, 2),
    }
    assert list(opinion.symbols) == sorted(opinion.symbols)
    assert (opinion.decided, opinion.related, opinion.assumed) == (True, True, True)
    assert opinion.detail == ""


def test_only_single_exact_numbers_are_told_as_symbols() -> None:
    family = numbers({"T": 3}, x=Real(0, 1), r=Real(0, 1, per=("T",)))
    made = claim(
        lambda w: ({"x": w.x, "T": w.T, "c": w.const}, {"r": xp.total(w.r)}),
        family,
        defines={"const": lambda w: 1, "whole": lambda w: np.array([[1]])},
        given=assume({"h": lambda w: w.whole}),
    )
    opinion = rescore(made, exactly(made, {"x": 1, "r": [1, 2, 3]}))
    assert opinion.symbols == {"x": 1}


# -- undecided -------------------------------------------------------------------------------------


def test_more_bits_are_asked_for_until_it_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def fragile(w: World) -> Any:
        asked.append(len(str((xp.sqrt(w.x) * 1).item().lo.denominator)))
        if len(asked) < 3:
            raise Undecided("cannot tell")
        return {"x": w.x}, {"y": w.x}

    made = claim(fragile, ANY)
    opinion = rescore(made, exactly(made, {"x": 2, "y": 0, "z": 0}))
    assert opinion.satisfied
    assert asked[0] < asked[1] < asked[2], "each time with more digits"
    assert [round(digits / asked[0]) for digits in asked] == [1, 2, 6], "128, 256 and 768 bits"


def test_what_no_precision_decides_is_told_as_undecided() -> None:
    def never(w: World) -> Any:
        raise Undecided("cannot tell")

    made = claim(never, ANY, relation=">=")
    opinion = rescore(made, exactly(made, {"x": 2, "y": 0, "z": 0}))
    assert opinion == Rescored(
        "ball",
        ">=",
        0,
        0,
        ({}, {}),
        {},
        False,
        True,
        False,
        "undecided at 768 bits: cannot tell",
        {},
    )


def test_an_undecided_hypothesis_is_no_hypothesis_that_holds() -> None:
    zero = assume({"h": lambda w: xp.sqrt(w.x) * xp.sqrt(w.y) - xp.sqrt(w.x * w.y)})
    made = claim(lambda w: ({"2": 2}, {"1": 1}), ANY, given=zero)
    opinion = rescore(made, exactly(made, {"x": 2, "y": 3, "z": 0}))
    assert not opinion.decided
    assert not opinion.violated
    assert "undecided at 768 bits" in opinion.detail


# -- the same instance in exact numbers ------------------------------------------------------------


def test_every_float_becomes_the_fraction_that_it_is() -> None:
    one = Instance(
        "numbers",
        {"a": np.array([0.1, 0.5]), "law": "none", "n": 3, "k": np.array([2**40])},
        "local",
        {"x": 0.1, "y": Fraction(1, 3), "T": 7, "on": True},
        {"x": (1, 2)},
    )
    exact = exact_instance(one)
    assert (exact.family, exact.method, exact.units) == ("numbers", "local", {"x": (1, 2)})
    assert exact.data["a"].tolist() == [Fraction(0.1), Fraction(1, 2)]
    assert (exact.data["law"], exact.data["n"]) == ("none", 3)
    assert exact.data["k"].dtype == object, "machine words would overflow"
    assert exact.data["k"].item() ** 2 == 2**80
    assert exact.params == {"x": Fraction(0.1), "y": Fraction(1, 3), "T": 7, "on": True}
    assert exact.params["on"] is True


# -- what is kept between claims, and what can be kept ---------------------------------------------


def test_exact_worlds_are_handed_on_and_used_again() -> None:
    made = claim(lambda w: ({"x": w.x}, {"y": w.y}), ANY)
    instance = exactly(made, {"x": 1, "y": 2, "z": 0})
    worlds: dict[int, World] = {}
    first = rescore(made, instance, worlds)
    (bits,) = worlds
    assert bits == 128
    world = worlds[bits]
    assert rescore(made, instance, worlds) == first
    assert worlds == {bits: world}
    assert worlds[bits] is world
    assert "z" not in world.read
    rescore(claim(lambda w: ({"x": w.x}, {"z": w.z}), ANY), instance, worlds)
    assert "z" in world.read, "another claim reads the same world"


@pytest.mark.parametrize(
    ("left", "right", "margin", "short"),
    [
        (1, 2, 3, True),
        (1, 2, None, True),
        (10**400, 2, 3, False),
        (1, 10**400, 3, False),
        (1, 2, 10**400, False),
        (Ball(Fraction(10**400)), 2, 3, False),
        (10**400, 10**400, 10**400, False),
    ],
)
def test_a_witness_holds_what_can_be_read_again(
    left: Any, right: Any, margin: Any, short: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verify.verdict.evidence.LONGEST", 400)
    margins = {} if margin is None else {"a": (1, False), "b": (margin, True)}
    made = Rescored("rational", "<=", left, right, ({}, {}), margins, True, False, True)
    assert made.can_be_read is short
