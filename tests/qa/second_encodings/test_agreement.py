"""Two encodings of every main result, read literally, say the same, or it is written where not."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.each import each
from tests.qa.second_encodings.compare import Comparison, compare
from tests.qa.second_encodings.differences import DIFFERENCES, READINGS
from tests.qa.second_encodings.record import Second
from verify.catalogue.library import library
from verify.claim import Family, Statement
from verify.claim.axes import part_of
from verify.statements.fedbc.corollary import LONG
from verify.statements.fedbc.quantities import runs, size

MAIN = ("theorem", "lemma", "corollary", "property")


def _papers() -> Iterator[str]:
    here = {path.parent.name for path in Path(__file__).parent.glob("*/encodings.py")}
    return (name for name in library().papers if name in here)


PAPERS = tuple(_papers())
_OF_PAPERS = [
    importlib.import_module(f"tests.qa.second_encodings.{name}.encodings") for name in PAPERS
]
ENCODINGS: dict[str, Second] = {
    key: second for paper in _OF_PAPERS for key, second in paper.ENCODINGS.items()
}
OTHERS: dict[str, dict[str, Second]] = {
    key: readings for paper in _OF_PAPERS for key, readings in getattr(paper, "OTHERS", {}).items()
}


WIDER: dict[str, Family] = {
    "fedbc.lemmaB2": runs(size(2, 2), size(2, 1), size(3, 2), domain="own"),
    "fedbc.corollary46": LONG,
}
"""Where encodings of an order are compared whose family is one ray: any runs, for the sides."""


def _literal() -> dict[str, Statement]:
    """Parts of the main results as printed, under the first option of every axis."""
    found: dict[str, Statement] = {}
    for entry in library():
        if entry.form != "printed" or entry.paper not in PAPERS:
            continue
        axes, leaves = library().axes[entry.paper], {leaf.key: leaf for leaf in entry.leaves}
        for key in axes.under(leaves, axes.literal):
            if entry.kind in MAIN or leaves[key].kind in MAIN:
                part, leaf = part_of(key), leaves[key]
                also = (*leaf.also, WIDER[part]) if part in WIDER else leaf.also
                found[part] = replace(leaf, also=also)
    return found


LITERAL = _literal()
COUNT = 600


def _compared(second: Second, key: str) -> Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # outside their domain sides are NaN
        return compare(second, LITERAL[key], count=COUNT)


def test_every_main_result_is_encoded_twice() -> None:
    assert set(ENCODINGS) == set(LITERAL)


def test_differences_are_of_encodings_that_exist() -> None:
    assert set(DIFFERENCES) <= set(ENCODINGS)


@each("key", sorted(ENCODINGS))
def test_what_is_encoded_is_said(key: str) -> None:
    second = ENCODINGS[key]
    assert second.words if second.sides else second.missing
    assert second.strict <= set(second.given)


@each("key", sorted(set(ENCODINGS) & set(LITERAL)))
def test_encodings_agree_or_differ_as_written_down(key: str) -> None:
    found = _compared(ENCODINGS[key], key)
    assert found.same != (key in DIFFERENCES), f"{LITERAL[key].key}: {found}"


@each("key", sorted(READINGS))
def test_encodings_agree_where_the_open_place_is_read_alike(key: str) -> None:
    assert key in DIFFERENCES
    found = _compared(OTHERS[key][READINGS[key]], key)
    assert found.same, f"{LITERAL[key].key}: {found}"


PLANTED = "adaptive.theorem2.const"


def test_a_wrong_factor_is_found() -> None:
    right = ENCODINGS[PLANTED]
    sides = right.sides
    assert sides is not None

    def slipped(w):  # type: ignore[no-untyped-def]
        left, bound = sides(w)
        return left, {name: term / 2 for name, term in bound.items()}

    found = compare(replace(right, sides=slipped), LITERAL[PLANTED])
    assert found.result == "sides differ"
    assert found.instance is not None


def test_a_factor_of_both_sides_is_no_difference() -> None:
    right = ENCODINGS[PLANTED]
    sides = right.sides
    assert sides is not None

    def scaled(w):  # type: ignore[no-untyped-def]
        return tuple({k: 3 * w.mu * v for k, v in side.items()} for side in sides(w))

    found = compare(replace(right, sides=scaled), LITERAL[PLANTED])
    assert found.same
    assert "factor" in found.how


def test_a_missing_hypothesis_is_found() -> None:
    found = compare(replace(ENCODINGS[PLANTED], given={}, strict=frozenset()), LITERAL[PLANTED])
    assert found.result == "hypotheses differ"


def test_an_encoding_without_sides_is_not_compared_with_one_that_has_them() -> None:
    found = compare(Second(None, missing="no constant"), LITERAL[PLANTED])
    assert found.result == "not comparable"
    assert not found.same
