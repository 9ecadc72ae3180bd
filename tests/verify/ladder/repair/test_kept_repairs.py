"""Repairs from a corpus: each is judged again, and told only if its own evidence bears it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.verify.cases import claim
from tests.verify.cli.test_mended import MENDS
from verify.claim.parameters import Family, Real, plain_numbers
from verify.claim.statement import Statement
from verify.ladder import PROFILES, Kept, Leaf, assay
from verify.ladder.repair.mends import Mend, scaled_term
from verify.ladder.repair.recipes import mend_of
from verify.ladder.search.seeds import KeptRepair, Malformed, Seeds

QUICK = PROFILES["quick"]
FULL = replace(PROFILES["default"], ladders=0)
BOX = {"x": Real(1, 8), "y": Real(1, 8)}


def of(left: Callable[[Any], Any]) -> Statement:
    family = Family(BOX, ({},), plain_numbers)
    return claim(lambda w: ({"left": left(w)}, {"square": (w.x + w.y) ** 2}), family)


FALSE = of(lambda w: 5 * w.x * w.y)


@cache
def full_search() -> Leaf:
    """Made once: it takes many seconds."""
    return assay(FALSE, profile=FULL)


@cache
def left_by_a_full_search() -> Kept:
    leaf = full_search()
    assert leaf.keep is not None
    assert leaf.repairs
    return Kept.from_json(json.loads(json.dumps(leaf.keep().to_json())))


@pytest.mark.parametrize("mend", MENDS, ids=str)
def test_a_mend_comes_back_from_its_recipe(mend: Mend) -> None:
    again = mend_of(json.loads(json.dumps(mend.recipe)))
    parts = ("text", "size", "symbol", "factor", "part", "swapped", "program", "tex", "recipe")
    for name in parts:
        one, other = getattr(mend, name), getattr(again, name)
        assert json.dumps(one, default=str) == json.dumps(other, default=str), name


@pytest.mark.parametrize(
    "recipe",
    [
        None,
        [],
        "scaled_term",
        [["scaled_term"]],
        ["exec", "import os"],
        ["scaled_term", "", "2", "3"],
        ["scaled_term", 2, "2"],
        ["scaled_term", "", 2],
        ["scaled_term", "", "1/0"],
        ["scaled_term", "", "9" * 40],
        ["seen_as", "x", ["+1"]],
        ["times_product", "", [], "1", ""],
        ["times_product", "", [["x", 0]], "1", ""],
        ["times_product", "", [["x", 10**6]], "1", ""],
        ["times_product", "", [["x", True]], "1", ""],
        ["times_product", "", [["x"]], "1", ""],
        ["further_term", {"x": 1}, "1"],
        ["at_most", [["x", 1]], "1", 1],
        ["by_form", "x", "x", ["z", "1", "0", "1", 0]],
        ["by_form", "x", "x", ["y", "1", "0", "1/3", 0]],
        ["by_form", "x", "x", ["y", "1", "0", "1"]],
    ],
    ids=repr,
)
def test_what_is_no_recipe_is_refused(recipe: Any) -> None:
    with pytest.raises(Malformed):
        mend_of(recipe)


@pytest.mark.slow
def test_a_quick_run_tells_what_a_full_search_has_found() -> None:
    kept = left_by_a_full_search()
    assert len(kept.repairs) == 1
    (told,) = assay(FALSE, profile=QUICK, kept=kept).repairs
    full = full_search().repairs[0]
    assert (told["mend"], told["word"]) == (full["mend"], full["word"])
    assert assay(FALSE, profile=QUICK).repairs == ()


@pytest.mark.slow
def test_what_it_tells_is_kept_again() -> None:
    leaf = assay(FALSE, profile=QUICK, kept=left_by_a_full_search())
    assert leaf.keep is not None
    again = assay(FALSE, profile=QUICK, kept=leaf.keep())
    assert [one["mend"] for one in again.repairs] == [one["mend"] for one in leaf.repairs]


def under(mend: Mend, kept: Kept) -> Kept:
    """The same evidence under another change."""
    (one,) = left_by_a_full_search().repairs
    return replace(kept, repairs=(replace(one, changes=(list(mend.recipe),)),))


@pytest.mark.parametrize(
    "mend",
    [
        scaled_term("", Fraction(9, 8)),
        scaled_term("square", Fraction(1)),
        scaled_term("no such term", Fraction(2)),
        mend_of(["scaled_symbol", "no such symbol", "2"]),
        mend_of(["further_term", [["z", 1]], "8"]),
    ],
    ids=str,
)
@pytest.mark.slow
def test_a_change_that_does_not_stand_is_not_told(mend: Mend) -> None:
    kept = left_by_a_full_search()
    assert assay(FALSE, profile=QUICK, kept=under(mend, kept)).repairs == ()


@pytest.mark.slow
def test_no_word_from_less_than_a_full_search() -> None:
    kept = left_by_a_full_search()
    (one,) = kept.repairs

    def repairs(*families: Seeds) -> Any:
        less = replace(kept, repairs=(KeptRepair(one.changes, Kept(families)),))
        return assay(FALSE, profile=QUICK, kept=less).repairs

    (own,) = one.kept.families
    assert repairs(own)
    assert not repairs(replace(own, evaluations=QUICK.evaluations))
    assert not repairs()
    assert not repairs(own, own)
    moved = replace(own.points[0], ratio=1 / 2)
    assert not repairs(replace(own, points=(moved, *own.points[1:]), certificate=()))
