"""The referee: exact decisions, more bits where balls overlap, nothing taken on trust."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
import pytest

import verify.world.referee as module
from bounds import generic as xp
from bounds.numbers import Ball
from bounds.numbers.validate import InvalidInput
from tests.verify.cases import (
    FIXED,
    assume,
    claim,
    exactly,
    fixed_runs,
    fractions,
    numbers,
    sampled,
)
from verify.claim.instance import Instance
from verify.claim.laws import coin, expectation, uniform
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import verdict
from verify.world.noise_plan import NotAvailable
from verify.world.referee import exact_instance, rescore
from verify.world.world import World

ANY = numbers(x=Real(-4, 4), y=Real(-4, 4), z=Real(-4, 4))


@pytest.mark.parametrize(
    ("relation", "left", "right", "violated"),
    [
        ("<=", "1/3", "1/3", False),
        ("<=", "1/2", "1/3", True),
        (">=", "1/3", "1/2", True),
        (">=", "1/2", "1/3", False),
        ("==", "1/3", "1/3", False),
        ("==", "1/3", "33/100", True),
    ],
)
def test_rationals_are_decided_without_rounding(
    relation: str, left: str, right: str, violated: bool
) -> None:
    made = claim(lambda w: ({"x": w.x}, {"y": w.y}), ANY, relation=relation)
    opinion = rescore(made, exactly(made, {"x": left, "y": right, "z": 0}))
    assert opinion.decided
    assert opinion.number == "rational"
    assert opinion.violated == violated
    assert opinion.satisfied == (not violated)
    words = verdict([Evidence("exact", "decided", witness=opinion.numbers())]).word
    assert (words == "violated") == violated


@pytest.mark.parametrize(
    ("margin", "strict", "assumed"),
    [
        (0, False, True),
        (0, True, False),
        ("-1/1000000000000000000000", False, False),
        ("1/1000000000000000000000", True, True),
    ],
)
def test_hypotheses_are_decided_exactly(margin: Any, strict: bool, assumed: bool) -> None:
    made = claim(
        lambda w: ({"2": 2}, {"1": 1}),
        ANY,
        given=assume({"x": lambda w: w.x}, strict={"x"} if strict else ()),
    )
    opinion = rescore(made, exactly(made, {"x": margin, "y": 0, "z": 0}))
    assert opinion.assumed == assumed
    assert opinion.violated == assumed


def test_a_float_stands_for_the_fraction_that_it_is() -> None:
    made = claim(lambda w: ({"l": w.x + w.y}, {"r": w.z}), ANY)
    floats = Instance("numbers", {}, None, {"x": 0.1, "y": 0.2, "z": 0.3})
    opinion = rescore(made, floats)
    assert opinion.left == Fraction(0.1) + Fraction(0.2) != Fraction(0.1 + 0.2)
    assert opinion.violated, "the doubles 0.1 and 0.2 do add up to more than the double 0.3"
    assert rescore(made, exactly(made, {"x": "1/10", "y": "2/10", "z": "3/10"})).satisfied


# -- balls -----------------------------------------------------------------------------------------

BELOW = Fraction(isqrt(2 * 10**120), 10**60)
"""The root of 2 cut off after 60 digits: only arithmetic of 200 bits and more can tell."""


def root(right: Fraction) -> tuple[Statement, Instance]:
    made = claim(lambda w: ({"root": xp.sqrt(w.x)}, {"y": w.y}), ANY)
    return made, exactly(made, {"x": 2, "y": right, "z": 0})


def test_precision_is_raised_until_balls_part(monkeypatch: pytest.MonkeyPatch) -> None:
    opinion = rescore(*root(BELOW))
    assert (opinion.number, opinion.decided, opinion.violated) == ("ball", True, True)
    assert isinstance(opinion.left, Ball)
    above = rescore(*root(BELOW + Fraction(1, 10**60)))
    assert (above.decided, above.satisfied) == (True, True)
    monkeypatch.setattr(module, "BITS", (128,))
    short = rescore(*root(BELOW))
    assert not short.decided
    assert not short.violated
    assert "undecided at 128 bits" in short.detail


def test_balls_that_never_part_accuse_nobody() -> None:
    made = claim(lambda w: ({"x": xp.sqrt(w.x) * xp.sqrt(w.y)}, {"y": xp.sqrt(w.x * w.y)}), ANY)
    opinion = rescore(made, exactly(made, {"x": 2, "y": 3, "z": 0}))
    assert not opinion.decided
    assert not opinion.violated
    assert verdict([Evidence("exact", "decided", witness=opinion.numbers())]).word != "violated"


def test_roots_of_squares_stay_rational() -> None:
    made, _ = root(BELOW)
    opinion = rescore(made, exactly(made, {"x": "4/9", "y": "2/3", "z": 0}))
    assert (opinion.number, opinion.satisfied) == ("rational", True)


# -- outcomes --------------------------------------------------------------------------------------


def test_the_worst_outcome_is_compared() -> None:
    def sides(w: World) -> Any:
        exact = w.number == "exact"
        w.outcome_weights = fractions([["1/2", "1/2"]]) if exact else np.full((1, 2), 0.5)
        return {"l": fractions([[1, 3]]) if exact else np.array([[1.0, 3.0]])}, {"r": w.x}

    made = claim(sides, ANY, over="path")
    assert rescore(made, exactly(made, {"x": 2, "y": 0, "z": 0})).violated
    assert rescore(made, exactly(made, {"x": 3, "y": 0, "z": 0})).satisfied
    in_mean = replace(made, over="mean")
    assert rescore(in_mean, exactly(made, {"x": 2, "y": 0, "z": 0})).satisfied


# -- constants from raw data -----------------------------------------------------------------------

RUNS = fixed_runs((2, 1, 1))


def _excess(w: World) -> Any:
    return w.problem.excess(w.run().theta[..., -1, :])[..., 0]


# with beta and the claimed sigma of the problem: a crude but true bound for one short step
BOUND = claim(
    lambda w: (
        {"E excess": _excess(w)},
        {
            "start": 4 * w.beta * xp.squared_norm(w.start) + 64 * w.beta,
            "noise": xp.total(w.sigma2) / w.beta,
        },
    ),
    RUNS,
    defines=FIXED,
    over="mean",
)


def tampered(**fields: Any) -> Instance:
    one = exact_instance(sampled(RUNS, 1, 3)[0])
    data = {k: fields.get(k, v) for k, v in one.data.items()}
    params = {**one.params, **{k: v for k, v in fields.items() if k not in data}}
    return Instance(one.family, data, one.method, params)


def test_the_untampered_instance_is_no_witness() -> None:
    assert rescore(BOUND, tampered()).satisfied


def test_constants_follow_the_raw_data() -> None:
    steep = tampered(A=1000 * tampered().data["A"])
    assert rescore(BOUND, steep).satisfied, "beta grew with the matrices"
    ratio = rescore(BOUND, steep).symbols["beta"] / rescore(BOUND, tampered()).symbols["beta"]
    assert ratio == 1000


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"beta": Fraction(1, 10**9)}, "constant that the problem derives, got 'beta'"),
        ({"sigma2": fractions([0, 0])}, "constant that the problem derives, got 'sigma2'"),
        ({"noise_scale": fractions([10**6, 10**6])}, "sigma must be at least noise_scale"),
        ({"sigma": fractions(["1/1000000", "1/1000000"])}, "sigma must be"),
        ({"A": fractions([[[-1]], [[1]]])}, "A must be positive semi-definite"),
    ],
)
def test_tampered_constants_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        rescore(BOUND, tampered(**fields))


def test_laws_without_finite_support_are_not_available() -> None:
    with pytest.raises(NotAvailable, match="gaussian"):
        rescore(BOUND, tampered(law="gaussian"))


# -- what the family names -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "violated"), [(0, True), ("1/2", True), (2, True), ("-1/1000", False), (-1, False)]
)
def test_an_instance_that_is_none_of_the_family_is_no_witness(x: Any, violated: bool) -> None:
    family = Family(ANY.box, constraints={"x is a share": lambda i: i.params["x"]})
    made = claim(lambda w: ({"2": 2}, {"1": 1}), family)
    opinion = rescore(made, exactly(made, {"x": x, "y": 0, "z": 0}))
    assert (opinion.violated, opinion.assumed, opinion.decided) == (violated, violated, True)
    assert opinion.detail == ("" if violated else "x is a share does not hold")
    assert (opinion.left, opinion.right) == (2, 1)


# -- how many outcomes -----------------------------------------------------------------------------


def test_the_referee_enumerates_no_more_outcomes_than_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert module.CAP == 1024
    assert module.BITS == (128, 256, 768)
    assert Fraction(1, 2**64) == module.TOUCH, "far below what two floats differ by"
    monkeypatch.setattr(module, "CAP", 4)
    assert rescore(BOUND, tampered()).decided
    monkeypatch.setattr(module, "CAP", 3)
    with pytest.raises(NotAvailable, match=r"2\^2 outcomes, above 3"):
        rescore(BOUND, tampered())


def test_balls_that_agree_to_many_digits_are_a_tie_and_others_are_none() -> None:
    made = claim(lambda w: ({"x": xp.sqrt(w.x) * xp.sqrt(w.y)}, {"y": xp.sqrt(w.x * w.y)}), ANY)
    opinion = rescore(made, exactly(made, {"x": 2, "y": 3, "z": 0}))
    assert (opinion.tie, opinion.assumed, opinion.decided) == (True, True, False)
    assert opinion.related, "a tie accuses nobody"
    assert opinion.ratio == pytest.approx(1, abs=1e-12)
    assert not rescore(*root(BELOW)).tie

    def wide(w: World) -> Any:
        return {"x": Ball(0, 2) * w.x}, {"y": w.x}

    apart = claim(wide, ANY)
    assert not rescore(apart, exactly(apart, {"x": 2, "y": 0, "z": 0})).tie


@pytest.mark.parametrize(
    ("left", "right", "near"),
    [
        (Ball(1, 1 + 2 * module.TOUCH), 1, True),
        (1, Ball(1, 1 + 2 * module.TOUCH), True),
        (Ball(1, 1 + 3 * module.TOUCH), 1, False),
        (Ball(-1 - 2 * module.TOUCH, -1), -1, True),
        # the larger end of what is apart against the smaller end of the size
        (Ball(0, module.TOUCH), Ball(0, module.TOUCH), False),
    ],
)
def test_a_tie_is_within_the_distance_that_is_said(left: Any, right: Any, near: bool) -> None:
    assert module._touch(left, right) is near


@pytest.mark.parametrize(
    ("left", "good", "bad", "said"),
    [
        (lambda w: expectation(lambda z: z, coin(w.x)), (Fraction(1, 2), 1), (2, 1), "NO_CHANCE"),
        (lambda w: expectation(lambda z: z, coin(w.x)), (1, 1), (-2, 1), "NO_CHANCE"),
        (lambda w: expectation(lambda z: z, uniform(w.x, w.y)), (1, 3), (3, 1), "NO_ORDER"),
    ],
    ids=["more than one", "less than nothing", "ends in the wrong order"],
)
def test_an_instance_without_its_random_variable_breaks_nothing(
    left: Any, good: tuple[Any, Any], bad: tuple[Any, Any], said: str
) -> None:
    made = claim(lambda w: ({"mean": xp.absolute(left(w))}, {"none": 0 * w.z}), ANY)
    worlds: dict[int, World] = {}
    for x, y in (good, bad):
        instance = exactly(made, {"x": x, "y": y, "z": 0})
        worlds.clear()
        for _ in range(2):  # whoever comes to its worlds later is told too
            opinion = rescore(made, instance, worlds)
            assert opinion.violated == opinion.assumed == ((x, y) == good)
            assert opinion.detail == ("" if (x, y) == good else getattr(module, said))
