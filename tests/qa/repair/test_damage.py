"""The bench of damage measures what it says: its originals stand, and looser is not found."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tests.qa.repair.damage import BUDGET, ORIGINALS, as_tight, drawn, originals
from tests.verify.cases import changed, claim, numbers, scaled
from verify.claim.statement import Statement
from verify.ladder.leaf import assay, judge_of
from verify.world.world import World


def original(name: str) -> Statement:
    sides, box, shapes = ORIGINALS[name]
    return claim(sides, numbers(*shapes, **box))


@pytest.mark.parametrize("name", ORIGINALS)
def test_no_original_falls(name: str) -> None:
    assert assay(original(name), profile=BUDGET).verdict in ("proved", "holds")


@pytest.mark.parametrize("name", ORIGINALS)
def test_looser_is_not_as_tight(name: str) -> None:
    one = original(name)
    assert as_tight(one, one)
    assert as_tight(scaled(one, Fraction(1, 2)), one)
    assert not as_tight(scaled(one, Fraction(2)), one)


@pytest.mark.slow
def test_what_is_drawn_is_false_and_the_same_each_time() -> None:
    few = [list(drawn(seed=5, count=2)) for _ in range(2)]
    assert [d.name for d in few[0]] == [d.name for d in few[1]]
    assert all(assay(d.statement, profile=BUDGET).verdict == "violated" for d in few[0])


@pytest.mark.slow
def test_a_false_mend_that_a_small_climb_misses_is_not_told() -> None:
    one = originals()["hcct.lemma1.refined/any-models"]
    less = replace(one, given=tuple(h for h in one.given if h.name != "unbiased for the group"))

    def rule(w: World, left: Any, right: Any) -> Any:
        return left, {**right, "squared": 9 * right["squared"]}

    false = changed(less, rule)  # |g + n|^2 <= 9 |g|^2 + sigma^2: false at n = 8 g
    small = BUDGET.word_alone()
    assert "holds" in {assay(false, profile=small, seed=seed).verdict for seed in range(6)}
    assert {judge_of(BUDGET, seed)(false, 0).word for seed in range(6)} == {"violated"}
