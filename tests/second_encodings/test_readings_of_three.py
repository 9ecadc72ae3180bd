"""Every leaf of aggregation, fedbc and hcct is what one reading of a second encoding says.

Where the literal reading of the second encoding is another one, `differences_*` says why. The
sides are compared within the hypotheses of both; where these differ, that is told there too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.second_encodings import (
    aggregation,
    differences_aggregation,
    differences_fedbc,
    differences_hcct,
    fedbc,
    hcct,
)
from tests.second_encodings.compare import compare
from tests.second_encodings.record import Second
from verify.catalogue.library import library
from verify.claim import Statement

ENCODINGS: dict[str, Second] = {**aggregation.ENCODINGS, **fedbc.ENCODINGS, **hcct.ENCODINGS}
OTHERS: dict[str, dict[str, Second]] = {**aggregation.OTHERS, **fedbc.OTHERS, **hcct.OTHERS}
DIFFERENCES: dict[str, str] = {
    **differences_aggregation.DIFFERENCES,
    **differences_fedbc.DIFFERENCES,
    **differences_hcct.DIFFERENCES,
}
LEAVES: dict[str, Statement] = {
    leaf.key: leaf
    for entry in library()
    for leaf in entry.leaves
    if leaf.key.split("@")[0] in ENCODINGS and leaf.sides is not None
}
COUNT = 120
READING: dict[str, str] = {
    "aggregation.lemma2@any-schedule": "past, round",
    "aggregation.lemma2@corollary-steps": "past, round, steps of Corollary 4",
    "aggregation.lemma2@halving": "past, round",
    "aggregation.lemma2@shares-between": "past, round, p in the centre",
    "aggregation.theorem3@rounds": "past, round",
    "aggregation.theorem3@final-model": "past, round",
    "aggregation.theorem3@eq2-timing": "past, round",
    "aggregation.corollary4@final-model": "past, round, end, in between",
    "aggregation.theorem3@shares-between": "past",
    "aggregation.eq13": "past, round",
    "aggregation.corollary4@T-rounds": "past, round, end, T rounds",
    "aggregation.corollary4@T-rounds-endless": "past, round, endless",
    "aggregation.eq14": "past",
    "aggregation.eq17": "past",
    "aggregation.eq19": "past",
    **{
        f"fedbc.{part}@{devices}{letter}": f"closed_domain{option}"
        for devices in ("V", "A")
        for part, letter, option in (
            ("lemmaB1ii", "-dual", "+mean_last"),
            ("lemmaB1ii", "-gradient", "+gradient_G+mean_last"),
            ("lemmaB2", "", ""),
            ("theorem1", "", "+each_G"),
            ("explicit90", "-dual", ""),
            ("explicit90", "-gradient", "+gradient_G"),
            ("explicit90", "-each", "+each_G"),
        )
    },
    "fedbc.corollary46/orders@projected": "closed_domain+first_one",
    "fedbc.corollary46/constants@projected": "closed_domain+first_one",
    "hcct.theorem1@error-exact-labels": "absolute error",
    "hcct.theorem1@absolute-loss": "atoms",
    "hcct.lemma1/sum@averaged-models": "averaged",
    "hcct.theorem2@own-models-printed": "own_models",
    "hcct.theorem2@own-models-averaged-sum": "own_models+averaged_sum",
    "hcct.theorem2@algorithm-averaged-sum": "averaged_sum",
    "hcct.theorem2@algorithm-common-start-averaged-sum": "averaged_sum",
    "hcct.corollary1/recalled@own-models": "own",
}
APART = {
    "fedbc.grad/18@sum", "fedbc.grad/18@mean", "fedbc.grad/18@one",
    "fedbc.corollary46/orders@relaxed", "fedbc.corollary46/constants@relaxed",
    "hcct.corollary1/S1", "hcct.corollary1/S2", "hcct.corollary1/S3", "hcct.corollary1/S4",
    "hcct.corollary1/stationary",
}  # fmt: skip
"""Leaves that no reading of the second encodings is: another left side, ties that rounding breaks,
limits."""


EMPTY = {
    "aggregation.theorem3@space", "aggregation.corollary4@space", "hcct.theorem1@whole-space",
}  # fmt: skip
"""Leaves whose hypotheses no instance meets: there is nothing to compare."""


@pytest.mark.parametrize("key", sorted(LEAVES.keys() - APART - EMPTY))
def test_one_reading_of_the_second_encoding_has_the_sides_of_the_leaf(key: str) -> None:
    part = key.split("@")[0]
    second = OTHERS[part][READING[key]] if key in READING else ENCODINGS[part]
    found = compare(second, LEAVES[key], count=COUNT)
    told = found.result == "hypotheses differ" and key in DIFFERENCES
    assert found.same or told, str(found)


@pytest.mark.parametrize("key", sorted((READING.keys() | APART) - DIFFERENCES.keys()))
def test_a_leaf_in_another_reading_is_told(key: str) -> None:
    pytest.fail(f"{key} stands in no differences file")


def test_every_named_leaf_exists() -> None:
    named = READING.keys() | APART | EMPTY | DIFFERENCES.keys()
    assert not named - LEAVES.keys()
    assert all(READING[key] in OTHERS[key.split("@")[0]] for key in READING)


def test_a_planted_slip_is_seen() -> None:
    """Negative control: half of the noise term of (9) is lost."""
    key = "aggregation.theorem3@shares-between"
    second, leaf = ENCODINGS["aggregation.theorem3"], LEAVES[key]

    def halved(w: Any) -> Any:
        left, right = aggregation.theorem3(w)
        return left, {**right, "noise": right["noise"] / 2}

    found = compare(replace(second, sides=halved), leaf, count=COUNT)
    assert not found.same
