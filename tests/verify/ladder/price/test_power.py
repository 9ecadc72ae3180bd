"""Mutants are counted and killed on claims checked by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import SMALL, claim, found, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import assay
from verify.ladder.price.power import measure_power
from verify.ladder.search.pool import Pool
from verify.world.noise_plan import AllOutcomes

UNIT = Real(0, 1, domain=(0, 1))
WIDE = Real(1 / 8, 8, log=True)


def power(statement: Statement) -> Any:
    return measure_power(found(statement, 200)[0]).power


def test_an_identity_kills_every_mutant() -> None:
    made = power(claim(lambda w: ({"x": w.x}, {"r": w.x + 0 * w.y}), numbers(x=WIDE, y=WIDE)))
    assert made["counted"] > 0
    assert made["killed"] == made["counted"]
    assert made["survivors"] == []


def test_mutants_of_a_loose_bound_survive_and_are_listed() -> None:
    # x <= 4: the term may lose a tenth, not all of itself
    made = power(claim(lambda w: ({"x": w.x}, {"four": 4 + 0 * w.x}), numbers(x=UNIT)))
    assert "0.9 [four]" in made["survivors"]
    assert "0 [four]" not in made["survivors"]
    assert made["counted"] == made["killed"] + len(made["survivors"])


def test_a_mutant_that_is_never_below_the_claim_is_not_counted() -> None:
    # the right side does not depend on y: no change of y is a mutant
    made = power(claim(lambda w: ({"x": w.x}, {"r": w.x + 0 * w.y}), numbers(x=WIDE, y=WIDE)))
    names = {"0.9 y", "y^2", "0 y", "y + 1", "y - 1"}
    assert not names & set(made["survivors"])
    only_x = power(claim(lambda w: ({"x": w.x}, {"r": w.x}), numbers(x=WIDE)))
    assert made["counted"] == only_x["counted"]


@pytest.mark.parametrize(("rows", "asked"), [(64, False), (63, True)])
def test_a_symbol_that_many_instances_do_not_hear_is_not_changed_again(
    rows: int, asked: bool
) -> None:
    heard: list[str] = []

    def sides(w: Any) -> Any:
        heard.extend(set(w._changed))
        return {"x": w.x + 0 * w.y}, {"r": 2 * w.x}

    pool = Pool(claim(sides, numbers(x=WIDE, y=WIDE)), AllOutcomes())
    for number in (1, 2):
        points = np.random.default_rng(number).uniform(1, 2, (2, rows))
        pool.evaluate({"x": points[0], "y": points[1]}, {}, keep=True)
    made = measure_power(pool).power
    assert made is not None
    assert made["counted"] == 5  # of x and of the term, all killed or listed
    assert heard.count("y") == (10 if asked else 5)
    assert heard.count("x") > 5, "what survives is tried on every batch"


def test_a_claim_that_is_false_counts_no_mutant() -> None:
    false = claim(lambda w: ({"x": 2 * w.x}, {"r": w.x + 0 * w.y}), numbers(x=WIDE, y=WIDE))
    leaf = assay(false, profile=SMALL)
    assert (leaf.verdict, leaf.power) == ("violated", None)


# nothing is tried as a proof, so that instances must decide
UNPROVED = replace(SMALL, proof=0)
SLACK: dict[str, tuple[Any, str]] = {
    "left is zero": (lambda x: ({"0": 0 * x}, {"x": x}), "inconclusive"),
    "left is far below": (lambda x: ({"x": x / 1000}, {"r": 5 + x}), "holds"),
    "tight": (lambda x: ({"x^2": x * x}, {"x": x}), "holds"),
}


@pytest.mark.parametrize("name", SLACK)
def test_only_instances_that_kill_something_support_a_claim(name: str) -> None:
    sides, expected = SLACK[name]
    leaf = assay(claim(lambda w: sides(w.x), numbers(x=UNIT)), profile=UNPROVED)
    assert leaf.power is not None
    assert leaf.verdict == expected
    assert (leaf.power["killed"] == 0) == (expected == "inconclusive")


@pytest.mark.parametrize(("high", "word"), [(0.0, "inconclusive"), (1.0, "holds")])
def test_a_family_in_which_nothing_happens_supports_nothing(high: float, word: str) -> None:
    # the claim is tight, yet instances with x = 0 alone cannot tell it from a false one
    family = numbers(x=Real(0, high, domain=(0, 1)))
    leaf = assay(claim(lambda w: SLACK["tight"][0](w.x), family), profile=UNPROVED)
    assert leaf.verdict == word
    assert (leaf.rung == "power") == (word == "inconclusive")
