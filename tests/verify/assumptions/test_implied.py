"""Every arrow between assumptions is decided by the ladder, and so is every gap."""

from __future__ import annotations

import pytest

from tests.verify.cases import leaf_of
from verify.assumptions.implied import GAPS, IMPLICATIONS, Implication, implied_by
from verify.face import check


@pytest.mark.parametrize("one", IMPLICATIONS, ids=lambda one: one.claim.key)
def test_an_arrow_stands_and_its_constant_is_the_best(one: Implication) -> None:
    found = check(one.claim)
    assert found.stands, found
    assert found.tightness is not None
    assert found.tightness["ratio"] > 0.9  # a smaller constant would fall


@pytest.mark.parametrize("one", GAPS, ids=lambda one: one.claim.key)
def test_a_gap_has_a_witness(one: Implication) -> None:
    """By most seeds: some gaps are narrow, and a search may end on the bound itself."""
    made = [leaf_of(one.claim, seed=seed) for seed in range(3)]
    found = [leaf for leaf in made if leaf.verdict == "violated"]
    assert len(found) >= 2, made
    assert all(leaf.witness is not None and leaf.witness["number"] == "rational" for leaf in found)


def test_what_follows_is_found_by_its_premises() -> None:
    assert [str(one) for one in implied_by("strong convexity")] == [
        "strong convexity  =>  PL with the same mu"
    ]
    assert len(implied_by("smoothness")) >= 3
    assert implied_by() == ()
