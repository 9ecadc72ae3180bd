"""Main results that fall have the kind of a second, blind review, but for those that it names."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.places import EXPECTED
from tests.qa.kinds import pencil
from verify.catalogue.library import library

FALLS = json.loads((EXPECTED / "quick.json").read_text())["fails"]
REVIEWED: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("review.toml").read_text())[
    "result"
]
KINDS = {"empty", "slip", "condition", "constant", "order", "open"}
# As many as the review found; a kind that is mended takes one away.
MOST_THAT_DIFFER = 8


def test_every_main_result_that_falls_is_reviewed_once() -> None:
    fallen = [
        entry.key
        for paper in library().papers
        for entry in library().results(paper)
        if entry.key in FALLS
    ]
    assert [result["key"] for result in REVIEWED] == fallen


def _complaint(result: dict[str, Any], told: str) -> str:
    """What is wrong with the kind that the program told; nothing where it is as reviewed."""
    if "differs" in result:
        return "mended: take its `differs` away" if told == result["kind"] else ""
    return "" if told == result["kind"] else f"reviewed as {result['kind']}: {result['why']}"


@pytest.mark.parametrize("result", REVIEWED, ids=lambda result: result["key"])
def test_the_program_has_the_kind_of_the_review(result: dict[str, Any]) -> None:
    assert not _complaint(result, FALLS[result["key"]]["kind"])


def test_another_kind_and_a_mended_one_are_noticed() -> None:
    for result in REVIEWED:
        others = KINDS - {result["kind"]}
        flagged = {told for told in KINDS if _complaint(result, told)}
        assert flagged == ({result["kind"]} if "differs" in result else others)


def test_few_differ() -> None:
    assert sum("differs" in result for result in REVIEWED) <= MOST_THAT_DIFFER


def test_each_line_of_the_table_is_filled() -> None:
    for result in REVIEWED:
        assert result.keys() <= {"key", "kind", "why", "told", "differs", "seen"}
        assert result["kind"] in KINDS
        assert result["told"] in {"printed", "read", "both"}
        assert len(result["why"]) > 40


def test_the_pencil_has_what_differs() -> None:
    for result in REVIEWED:
        assert ("seen" in result) == ("differs" in result)
        assert "seen" not in result or callable(getattr(pencil, result["seen"]))


@pytest.mark.parametrize(
    ("ratio", "number", "factor"),
    [
        (pencil.star_of_agents, 512, 2**4),
        (pencil.misplaced_weights, 2**14, 2**2),
        (pencil.two_sampled, 2000, 2**2),
        (pencil.wrong_group, 2**12, 2),
    ],
)
def test_what_is_an_order_grows_by_its_power(
    ratio: Callable[[int], float], number: int, factor: int
) -> None:
    assert ratio(number) > 10
    # The logarithm under N^2 takes 7 % at N = 2^14, the others are nearer to their limits.
    assert ratio(2 * number) / ratio(number) == pytest.approx(factor, rel=0.08)


def test_the_flat_direction_is_exponential() -> None:
    # e^(8) from 16 to 32, but for (1 - 1/(2 T^2))^(2T), which tends to 1.
    assert pencil.flat_direction(32) / pencil.flat_direction(16) > 2500


def test_a_quotation_of_fano_is_wrong_without_its_logarithm() -> None:
    for points in (16, 2**20):
        printed, right = pencil.printed_fano(points)
        assert printed > 0 >= right, "the error is 0"


def test_small_noise_is_what_the_sample_numbers_lack() -> None:
    # Precision goes down at fixed noise: the number suffices, up to a constant and the logarithm.
    assert all(pencil.samples_needed(2.0**-k, 1, 4) < 1 for k in (6, 8, 10, 12))
    # Noise goes down at fixed precision: the rounds that remain are not in the number.
    few, more = (pencil.samples_needed(2.0**-6, 2.0**-k, 4) for k in (8, 12))
    assert more == pytest.approx(16 * few)
