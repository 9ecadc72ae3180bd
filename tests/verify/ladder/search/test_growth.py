"""Claims up to an unnamed constant: a growing ray refutes them, one bad instance does not."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.verify.cases import assume, claim, numbers
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.ladder import PROFILES, Leaf, assay
from verify.verdict.verdict import breaks
from verify.world.ray_numbers import ray_numbers
from verify.world.referee import exact_instance, rescore

BETA = Real(0.1, 10, unit=(1, -2), log=True)
ETA = Real(0.01, 1, unit=(-1, 2), log=True)
LENGTH = Real(0.1, 2, unit=(0, 1), log=True)
POSITIVE = Real(1 / 8, 8, log=True)
SHARE = Real(1 / 8, 1 / 2, domain=(0, 1))
SMALL = replace(PROFILES["quick"], evaluations=2_000)


def order(sides: Any, family: Family, **more: Any) -> Statement:
    return claim(sides, family, relation="<~", **more)


def found(statement: Statement) -> Leaf:
    return assay(statement, profile=SMALL)


def replayed(statement: Statement, leaf: Leaf) -> bool:
    """Whether the witness still refutes the claim, read from JSON and scored again."""
    assert leaf.witness is not None
    stored = json.loads(json.dumps(leaf.witness))
    far = exact_instance(Instance.from_json(stored["instance"]))
    score = rescore(statement, far)
    if "near" not in stored:
        return score.assumed and breaks({**score.numbers(), "relation": "<~"})
    near = exact_instance(Instance.from_json(stored["near"]["instance"]))
    again = ray_numbers(statement, rescore(statement, near), score, near, far)
    assert again["doublings"] == stored["doublings"]
    return breaks(again)


# -- falsehoods ------------------------------------------------------------------------------------

BROKEN: dict[str, Statement] = {
    "a square too much": order(
        lambda w: ({"b": w.beta**2 * w.x**2}, {"c": w.beta * w.x**2}),
        numbers(beta=BETA, x=LENGTH),
    ),
    "two symbols confused": order(
        lambda w: ({"b": w.beta * w.x**2}, {"c": w.eta * w.x**2}),
        numbers(beta=BETA, eta=ETA, x=LENGTH),
    ),
    "only with two quantities together": order(
        # along each quantity alone the ratio is bounded
        lambda w: ({"l": w.x * w.y}, {"r": (w.x - w.y) ** 2 + w.x + w.y}),
        numbers(x=POSITIVE, y=POSITIVE),
    ),
    "only with powers one and two": order(
        lambda w: ({"l": w.x**2}, {"r": (w.x - w.y**2) ** 2 + w.x}),
        numbers(x=POSITIVE, y=POSITIVE),
    ),
    "only for one client": order(
        lambda w: ({"l": xp.largest(w.x)}, {"r": xp.smallest(w.x)}),
        numbers({"N": 2}, x=Real(1, 2, log=True, per=("N",))),
    ),
    "towards the end of a range": order(
        lambda w: ({"l": 1 / (1 - w.share)}, {"r": 1 + 0 * w.share}), numbers(share=SHARE)
    ),
    "in a size": order(
        lambda w: ({"l": w.T * w.x}, {"r": w.x}), numbers({"T": 1}, {"T": 4}, x=POSITIVE)
    ),
    "out of the box alone": order(
        lambda w: ({"l": w.x**2}, {"r": w.x}), numbers(x=Real(1 / 2, 1, log=True))
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_wrong_power_is_refuted_by_a_ray(name: str) -> None:
    leaf = found(BROKEN[name])
    assert leaf.verdict == "violated"
    assert leaf.witness is not None
    assert breaks(leaf.witness)
    assert replayed(BROKEN[name], leaf)
    # the far point alone, or a ray without growth, accuses nobody
    assert not breaks({k: v for k, v in leaf.witness.items() if k != "near"})
    assert not breaks({**leaf.witness, "doublings": 10**4})


NOTHING: dict[str, Statement] = {
    "everywhere": order(lambda w: ({"l": w.x}, {"r": 0 * w.x}), numbers(x=POSITIVE)),
    "where one number is zero": order(
        lambda w: ({"l": w.x + w.y}, {"r": w.x}), numbers(x=Real(0, 1), y=POSITIVE)
    ),
    "where two numbers are zero": order(
        lambda w: ({"l": w.z}, {"r": w.x + w.y}), numbers(x=Real(0, 1), y=Real(0, 1), z=POSITIVE)
    ),
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_right_side_of_zero_refutes_at_one_instance(name: str) -> None:
    leaf = found(NOTHING[name])
    assert leaf.verdict == "violated"
    assert leaf.witness is not None
    assert Fraction(leaf.witness["right"]) == 0 < Fraction(leaf.witness["left"])
    assert "near" not in leaf.witness
    assert replayed(NOTHING[name], leaf)
    assert not breaks({**leaf.witness, "right": "1/1000000"})
    assert not breaks({**leaf.witness, "left": "0/1"})


@pytest.mark.parametrize("form", ["explicit", "repaired"])
def test_other_forms_are_treated_alike(form: str) -> None:
    statement = replace(BROKEN["a square too much"], key=f"test.claim.{form}", form=form)
    assert found(statement).verdict == "violated"


# -- truths ----------------------------------------------------------------------------------------

TRUE: dict[str, Statement] = {
    "a hundred times too small": order(
        lambda w: ({"b": w.beta * w.x**2}, {"c": w.beta * w.x**2 / 100}),
        numbers(beta=BETA, x=LENGTH),
    ),
    "a logarithm on the left": order(
        lambda w: ({"l": xp.log(1 + w.x) * w.y}, {"r": w.y + 0 * w.x}),
        numbers(x=POSITIVE, y=POSITIVE),
        given=assume({"x <= 2^60": lambda w: 2**60 - w.x}),
    ),
    "a constant of a million that shows slowly": order(
        lambda w: ({"l": w.x}, {"r": w.x / 10**6 + 1}), numbers(x=POSITIVE)
    ),
    "the same along a ray of two": order(
        lambda w: ({"l": w.x * w.y}, {"r": w.x * w.y / 10**6 + 1}), numbers(x=POSITIVE, y=POSITIVE)
    ),
    "a constant of 2^50": order(
        lambda w: ({"l": w.x}, {"r": w.x / 2**50 + 1}), numbers(x=POSITIVE)
    ),
    "a hypothesis ends every ray": order(
        lambda w: ({"l": w.x**2}, {"r": w.x}),
        numbers(x=POSITIVE),
        given=assume({"x <= 10^6": lambda w: 10**6 - w.x}),
    ),
    "a domain ends every ray": order(
        lambda w: ({"l": 1 + 0 * w.share}, {"r": 1 - w.share / 2}), numbers(share=SHARE)
    ),
    "zero on both sides": order(
        lambda w: ({"l": w.x * w.y}, {"r": w.x}), numbers(x=Real(0, 1), y=SHARE)
    ),
    "an excluded zero": order(
        lambda w: ({"l": w.x * w.y}, {"r": w.x / 10**6}),
        numbers(x=Real(0, 1), y=SHARE),
        given=assume({"x > 0": lambda w: w.x}, strict=["x > 0"]),
    ),
    "a quantity that is fixed": order(
        lambda w: ({"l": w.x * w.c**2}, {"r": w.x * w.c}), numbers(x=POSITIVE, c=Real(3, 3))
    ),
    "an order that is negative at small sizes": order(
        lambda w: ({"l": w.T**2 * w.x}, {"r": (w.T**2 - 4) * w.x}),
        numbers({"T": 1}, {"T": 2}, {"T": 3}, x=POSITIVE),
    ),
    "an order that is negative throughout the list": order(
        lambda w: ({"l": w.T**2 * w.x}, {"r": (w.T**2 - 16) * w.x}), numbers({"T": 2}, x=POSITIVE)
    ),
    "a bounded fraction of sizes": order(
        lambda w: ({"l": (w.T + 1000) * w.x}, {"r": w.T * w.x}),
        numbers({"T": 1}, {"T": 4}, x=POSITIVE),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_claim_up_to_a_constant_is_not_accused(name: str) -> None:
    leaf = found(TRUE[name])
    assert leaf.witness is None
    if leaf.verdict == "inconclusive":
        assert "explicit" in leaf.reason
    else:
        assert leaf.verdict == "proved"
        assert "with the constant" in leaf.reason


def test_a_size_that_is_counted_up_to_is_left_alone() -> None:
    # a sum over T terms has no closed form here: no ray may run it a billion times
    statement = order(
        lambda w: ({"l": sum((w.x for _ in range(w.T)), start=0 * w.x)}, {"r": w.x}),
        numbers({"T": 1}, {"T": 4}, x=POSITIVE),
    )
    assert found(statement).verdict == "inconclusive"


@pytest.mark.parametrize("power", [0, 3, 19])
def test_a_ray_that_is_too_short_or_not_one_of_twos_has_no_length(power: int) -> None:
    statement = BROKEN["a square too much"]
    near, far = (
        Instance(
            "numbers",
            {},
            None,
            {"beta": np.array(Fraction(b), dtype=object), "x": np.array(Fraction(x), dtype=object)},
        )
        for b, x in ((1, 1), (Fraction(2) ** power, 3 if power == 19 else 1))
    )
    both = rescore(statement, near), rescore(statement, far)
    made = ray_numbers(statement, *both, near, far)
    assert made["doublings"] == (0 if power == 19 else power)
    assert not breaks(made)
