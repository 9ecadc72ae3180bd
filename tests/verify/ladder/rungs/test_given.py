"""An instance that comes with a statement is asked about before any search."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.verify.cases import claim, leaf_of, numbers
from verify.catalogue.library import library
from verify.claim import Real
from verify.claim.statement import Statement, statement
from verify.ladder.budgets import PROFILES
from verify.ladder.leaf import assay
from verify.ladder.rungs.given import given_instances

BOX = numbers(x=Real(0, 10), y=Real(0, 10))
GIVEN = [leaf.key for entry in library() for leaf in entry.leaves if [*given_instances(leaf)]]


def products(*first: dict[str, Any], factor: int = 5) -> Statement:
    """The product of two numbers by their squares: false for a factor above 4."""
    sides = lambda w: ({"l": factor * w.x * w.y}, {"r": (w.x + w.y) ** 2})  # noqa: E731
    return claim(sides, BOX, try_first=first)


def totals(family: Any, *first: dict[str, Any]) -> Statement:
    sides = lambda w: ({"l": xp.total(w.x) ** 2}, {"r": 3 * xp.total(w.x**2)})  # noqa: E731
    return claim(sides, family, try_first=first)


def shown(statement: Statement) -> Any:
    """Parameters of the witness."""
    witness = leaf_of(statement).witness
    return None if witness is None else witness["instance"]["params"]


def test_the_first_that_breaks_the_claim_is_the_witness() -> None:
    benign, one, other = {"x": 2, "y": 0.5}, {"x": 3, "y": Fraction(7, 2)}, {"x": 1, "y": 1}
    assert shown(products(one, other)) == {"x": "3/1", "y": "7/2"}
    assert shown(products(benign, other)) == {"x": "1/1", "y": "1/1"}


def test_one_that_does_not_break_it_changes_nothing() -> None:
    benign = {"x": 2, "y": 0.5}
    for factor, word in ((5, "violated"), (4, "proved")):
        alone, beside = (leaf_of(products(*f, factor=factor)) for f in ((), (benign,)))
        assert alone.verdict == beside.verdict == word
        assert alone.witness == beside.witness
        assert alone.tightness == beside.tightness


def test_what_is_searched_afterwards_says_how_far_the_claim_falls() -> None:
    leaf = assay(products({"x": 3, "y": Fraction(7, 2)}), profile=PROFILES["quick"])
    assert leaf.tightness is not None
    assert leaf.tightness["ratio"] == pytest.approx(5 / 4)
    assert [law["along"] for law in leaf.laws] == ["x", "y"]


def test_a_decimal_is_what_is_written() -> None:
    assert shown(products({"x": 0.1, "y": 0.1})) == {"x": "1/10", "y": "1/10"}


def test_sizes_may_be_larger_than_any_that_is_listed() -> None:
    family = numbers({"N": 2}, {"N": 3}, x=Real(0, 10, per=("N",)))
    assert shown(totals(family, {"N": 7, "x": 1})) == {"x": ["1/1"] * 7, "N": 7}
    seen = shown(totals(family, {"N": 4, "x": [1, 2, 2, 1]}))
    assert seen == {"x": ["1/1", "2/1", "2/1", "1/1"], "N": 4}


def test_another_choice_than_the_listed_ones_is_no_instance() -> None:
    family = numbers({"N": 2, "rule": "a"}, {"N": 7, "rule": "b"}, x=Real(0, 10, per=("N",)))
    assert [one.listed for one in given_instances(totals(family, {"rule": "b", "x": 1}))] == [1]
    assert [*given_instances(totals(family, {"rule": "c", "x": 1}))] == []


@each("wrong", [{"x": -1, "y": 1}, {"x": [1, 1], "y": 1}])
def test_what_is_not_in_the_domain_breaks_nothing(wrong: dict[str, Any]) -> None:
    assert shown(products(wrong, factor=5)) == shown(products(factor=5))
    assert leaf_of(products(wrong, factor=4)).verdict == "proved"


@each("wrong", [{"x": 1}, {"x": 1, "z": 1, "y": 1}, 7])
def test_every_parameter_must_be_named(wrong: Any) -> None:
    author = statement("own.products", where="here", latex="x", family=BOX, try_first=[wrong])
    with pytest.raises(InvalidInput, match=r"try_first must be .*: name x, y"):
        author(products().sides)


def test_a_further_family_with_other_parameters_has_none_of_them() -> None:
    more = numbers(x=Real(0, 10), y=Real(0, 10), z=Real(0, 1))
    for factor, word in ((5, "violated"), (4, "proved")):
        made = replace(products({"x": 3, "y": 3}, factor=factor), also=(more,))
        assert leaf_of(made).verdict == word


@each("key", GIVEN)
def test_those_of_the_library_are_the_witnesses_that_are_shown(key: str) -> None:
    """No instance that breaks nothing stands beside a statement."""
    leaf = library().leaf(key)
    first = next(given_instances(leaf))
    witness = leaf_of(leaf).witness
    assert witness is not None
    made = leaf.family.instance(
        {name: value[None] for name, value in first.values.items()},
        {**leaf.family.shapes[first.listed], **first.sizes},
    )[0]
    assert witness["instance"] == made.to_json()
