"""A witness counts only where its statement looks for instances."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from verify.claim import Family, Hypothesis, Real, numbers, quadratics, statement
from verify.claim.instance import Instance
from verify.claim.parameters import plain_numbers
from verify.claim.statement import Statement
from verify.ledger.witness import recomputed
from verify.world.domain import outside
from verify.world.referee import rescore
from verify.world.score import score

SHAPES = ({"N": 1, "rule": "mean"}, {"N": 2, "rule": "mean"})
BOX = {"x": Real(0, 4), "share": Real(0, 1, domain=(0, 1)), "p": Real(-1, 1, per=("N",))}


def claim(family: Family) -> Statement:
    return statement(
        "domain.claim", family=family, given=[Hypothesis("any", "x", lambda w: w.x * 0 + 1)]
    )(lambda w: ({"y": -w.x}, {"zero": 0 * w.x}))


FAMILY = claim(Family(BOX, SHAPES))


def plain(**params: Any) -> Instance:
    good = {"x": Fraction(1), "share": Fraction(1, 2), "p": np.zeros(2), "N": 2, "rule": "mean"}
    return Instance("numbers", {}, None, {**good, **params}, {})


@pytest.mark.parametrize("params", [{}, {"x": Fraction(99)}, {"N": 5, "p": np.zeros(5)}])
def test_instances_of_the_family_are_inside(params: dict[str, Any]) -> None:
    assert outside(FAMILY, plain(**params)) == ""


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"x": Fraction(-1)}, "x = -1 lies outside its domain"),
        ({"share": Fraction(3, 2)}, "share = 1.5 lies outside"),
        ({"p": np.zeros((2, 1))}, "p has 2 axes instead of 1"),
        ({"p": np.zeros(3)}, "p has 3 entries along N"),
        ({"rule": "maximum"}, "those of no listed shape"),
        ({"more": 1}, "those of no listed shape"),
    ],
)
def test_others_are_outside_and_it_is_said_why(params: dict[str, Any], says: str) -> None:
    assert says in outside(FAMILY, plain(**params))


def test_a_missing_parameter_is_outside() -> None:
    params = {name: value for name, value in plain().params.items() if name != "x"}
    assert outside(FAMILY, Instance("numbers", {}, None, params, {})) == "x is missing"


def test_another_family_of_problems_is_outside() -> None:
    assert "not of plain numbers" in outside(FAMILY, Instance("quadratic", {}, None, {}, {}))


def test_parameters_of_runs_have_their_domain_too() -> None:
    runs = quadratics(({"N": 1, "d": 1, "rounds": 1},), {"rate": Real(0, 1, domain=(0, 1))})
    made = runs.instance(
        runs.decode(np.full((1, runs.width(runs.shapes[0])), 0.5), runs.shapes[0]), runs.shapes[0]
    )[0]
    one = claim(runs)
    assert outside(one, made) == ""
    params = {**made.params, "rate": 2.0}
    assert "rate = 2" in outside(one, Instance(made.family, made.data, made.method, params, {}))


def test_a_forged_witness_is_not_confirmed() -> None:
    """Negative x breaks the claim and meets its hypothesis, but is no instance of it."""
    one = claim(numbers({"x": Real(0, 4)}))
    forged = {
        "instance": {"family": "numbers", "data": {}, "method": None, "params": {"x": "-1/1"}},
        "number": "rational",
        "relation": "<=",
        "quantifier": "all",
        "left": "1/1",
        "right": "0/1",
        "margins": {"any": {"value": "1/1", "strict": False}},
    }
    again = recomputed(one, json.loads(json.dumps(forged)))
    assert not again.confirmed
    assert "lies outside its domain" in again.differences[0]


# -- relations between values that a family names --------------------------------------------------

SUM = {"shares sum to one": lambda i: -abs(i.params["p"].sum(axis=-1) - 1)}


def shares(values: Any, shape: Any) -> Instance:
    """Shares made of weights."""
    p = values["p"] / values["p"].sum(axis=-1)[..., None]
    return Instance("numbers", {}, None, {"p": p, **shape}, {})


def at_most_half(build: Any, constraints: Any = SUM) -> Statement:
    """The first share is at most a half: false of shares, and of weights that are none."""
    family = Family(
        {"p": Real(1 / 8, 1, per=("N",), domain=(0, 1))},
        ({"N": 1}, {"N": 2}, {"N": 3}),
        build,
        constraints=constraints,
    )
    return statement("domain.shares", family=family)(lambda w: ({"p": w.p[..., 0]}, {"b": 1 / 2}))


def test_values_that_are_not_what_they_are_called_are_outside() -> None:
    one = at_most_half(plain_numbers)
    for p, says in ([2, 1], ""), ([2, 2], "shares sum to one does not hold"):
        shape = {"p": np.array([Fraction(x, 3) for x in p]), "N": 2}
        made = Instance("numbers", {}, None, shape, {})
        assert outside(one, made) == says
        assert rescore(one, made).violated == (not says)


def test_the_search_counts_no_instance_that_misses_a_constraint() -> None:
    u = np.random.default_rng(3).random((50, 2))
    for build, share in (plain_numbers, 0), (shares, 50):
        one = at_most_half(build)
        shape = {"N": 2}
        found = score(one, one.family.instance(one.family.decode(u, shape), shape))
        assert found.feasible.sum() == share
        assert found.part(slice(3)).feasible.sum() == min(share, 3)
        assert not found.blank.any()


def test_without_the_constraint_the_same_weights_break_the_claim() -> None:
    """Negative control: it is the constraint that refuses them."""
    one = at_most_half(plain_numbers, {})
    made = Instance("numbers", {}, None, {"p": np.array([Fraction(1)] * 2), "N": 2}, {})
    assert outside(one, made) == ""
    assert rescore(one, made).violated


def test_a_yes_or_no_is_a_constraint_too() -> None:
    one = at_most_half(plain_numbers, {"equal": lambda i: i.params["p"] == i.params["p"][..., :1]})
    for p, met in ([1, 1], True), ([1, 0], False):
        shape = {"p": np.array([Fraction(x) for x in p]), "N": 2}
        made = Instance("numbers", {}, None, shape, {})
        assert rescore(one, made).violated == met
        assert bool(outside(one, made)) != met


def test_one_of_several_families_is_enough() -> None:
    one = replace(at_most_half(plain_numbers), also=(at_most_half(plain_numbers, {}).family,))
    made = Instance("numbers", {}, None, {"p": np.array([Fraction(1)] * 2), "N": 2}, {})
    assert outside(one, made) == ""
    assert rescore(one, made).violated


def test_constraints_must_be_functions() -> None:
    with pytest.raises(InvalidInput, match="constraints must be functions of the instance by name"):
        at_most_half(plain_numbers, {"sum": 1})
