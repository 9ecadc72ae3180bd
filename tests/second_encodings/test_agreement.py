"""Two encodings of every main result say the same, or it is written down where they part."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.second_encodings.compare import Comparison, compare
from tests.second_encodings.differences import DIFFERENCES
from tests.second_encodings.record import Second
from verify.catalogue.library import library
from verify.claim import Statement

MAIN = ("theorem", "lemma", "corollary", "property")


def _papers() -> Iterator[str]:
    here = {path.stem for path in Path(__file__).parent.glob("*.py")}
    return (name for name in library().papers if name in here)


PAPERS = tuple(_papers())
ENCODINGS: dict[str, Second] = {
    key: second
    for name in PAPERS
    for key, second in importlib.import_module(f"tests.second_encodings.{name}").ENCODINGS.items()
}


def _parts() -> dict[str, list[Statement]]:
    """Printed leaves of the main results by part, all readings of it."""
    found: dict[str, list[Statement]] = {}
    for entry in library():
        if entry.form == "printed" and entry.paper in PAPERS:
            for leaf in entry.leaves:
                if entry.kind in MAIN or leaf.kind in MAIN:
                    found.setdefault(leaf.key.split("@")[0], []).append(leaf)
    return found


PARTS = _parts()


@cache
def _outcomes(key: str) -> tuple[Comparison, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # outside their domain sides are NaN
        return tuple(compare(ENCODINGS[key], leaf, count=600) for leaf in PARTS[key])


def test_every_main_result_is_encoded_twice() -> None:
    assert set(ENCODINGS) == set(PARTS)


def test_differences_are_of_encodings_that_exist() -> None:
    assert set(DIFFERENCES) <= set(ENCODINGS)


@pytest.mark.parametrize("key", sorted(ENCODINGS))
def test_what_is_encoded_is_said(key: str) -> None:
    second = ENCODINGS[key]
    assert second.words if second.sides else second.missing
    assert second.strict <= set(second.given)


@pytest.mark.parametrize("key", sorted(set(ENCODINGS) & set(PARTS)))
def test_encodings_agree_in_one_reading_or_differ_as_written_down(key: str) -> None:
    outcomes = _outcomes(key)
    shown = "\n".join(f"{leaf.key}: {o}" for leaf, o in zip(PARTS[key], outcomes, strict=True))
    agreed = any(outcome.same for outcome in outcomes)
    assert agreed != (key in DIFFERENCES), shown


PLANTED = "allforall.lemma4c"


def test_a_wrong_factor_is_found() -> None:
    right = ENCODINGS[PLANTED]
    sides = right.sides
    assert sides is not None

    def slipped(w):  # type: ignore[no-untyped-def]
        left, bound = sides(w)
        return left, {name: term / 2 for name, term in bound.items()}

    found = compare(replace(right, sides=slipped), PARTS[PLANTED][0])
    assert found.result == "sides differ"
    assert found.instance is not None


def test_a_factor_of_both_sides_is_no_difference() -> None:
    right = ENCODINGS[PLANTED]
    sides = right.sides
    assert sides is not None

    def scaled(w):  # type: ignore[no-untyped-def]
        return tuple({k: 3 * w.mu * v for k, v in side.items()} for side in sides(w))

    found = compare(replace(right, sides=scaled), PARTS[PLANTED][0])
    assert found.same
    assert "factor" in found.how


def test_a_missing_hypothesis_is_found() -> None:
    found = compare(replace(ENCODINGS[PLANTED], given={}, strict=frozenset()), PARTS[PLANTED][0])
    assert found.result == "hypotheses differ"


def test_an_encoding_without_sides_is_not_compared_with_one_that_has_them() -> None:
    found = compare(Second(None, missing="no constant"), PARTS[PLANTED][0])
    assert found.result == "not comparable"
    assert not found.same
