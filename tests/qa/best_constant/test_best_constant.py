"""The best constant is named, proved where it can be, and never where it is not one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from examples.folklore import never_hurts
from tests.qa.best_constant.claims import CLASSES, CONSTANTS, LINES
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay
from verify.ladder.repair import best_constant as room
from verify.ladder.repair.best_constant import Factor, best_constant, short_factors, with_factor
from verify.ladder.rungs.climb import Climb
from verify.ledger.costs import best_constants
from verify.line import one_line
from verify.terms.claims import as_terms
from verify.verdict.evidence import Evidence


def claim(name: str) -> Statement:
    """A claim of the bench."""
    return one_line(LINES[name][0], "constant.line") if name in LINES else CLASSES[name][0]


@cache
def found(name: str) -> Evidence | None:
    """What is told of a claim of the bench."""
    return told(claim(name))


def told(made: Statement) -> Evidence | None:
    """What is told of a claim."""
    climb = Climb(as_terms(made), PROFILES["quick"], 0, "cpu")
    with np.errstate(all="ignore"):
        for _ in climb.evidence():
            pass
        return best_constant(climb) if climb.witness is not None else None


@pytest.mark.parametrize("name", CONSTANTS)
@pytest.mark.every(3)
def test_the_best_constant_is_named(name: str) -> None:
    item = found(name)
    assert item is not None
    assert item.status == "reported"
    assert Fraction(item.details["constant"]) == CONSTANTS[name]
    assert item.details["proved"]
    assert item.summary.endswith(", proved")


@pytest.mark.parametrize("name", CONSTANTS)
@pytest.mark.every(6)
def test_a_claim_with_its_constant_is_not_broken_and_with_less_it_is(name: str) -> None:
    made, factor = as_terms(claim(name)), CONSTANTS[name]
    least = 1 / factor if made.relation == ">=" else factor
    for part, broken in ((1, False), (Fraction(99, 100), True)):
        climb = Climb(with_factor(made, Factor((least * part) ** 2)), PROFILES["quick"], 0, "cpu")
        for _ in climb.searched():
            pass
        assert (climb.witness is not None) is broken


def test_it_is_told_before_anything_else() -> None:
    leaf = assay(claim("readme"), profile=replace(PROFILES["quick"], ladders=0))
    stored = [item.to_json() for item in leaf.evidence]
    assert leaf.verdict == "violated"
    assert best_constants(stored) == ["best constant 5/4, attained at x = y = 1, proved"]


def test_roots_are_named() -> None:
    item = told(one_line("abs(x)+abs(y) <= sqrt(x**2+y**2) for real x, y", "constant.root"))
    assert item is not None
    assert item.details["constant"] == "sqrt(2)"


NONE = {
    "unbounded": "x**2 <= x for x >= 0",
    "no sign": "x <= y for real x, y",
    "a further term": "x*y <= x**2 for real x, y",
}


@pytest.mark.parametrize("name", NONE)
def test_where_no_constant_helps_none_is_told(name: str) -> None:
    assert told(one_line(NONE[name], "constant.none")) is None


def test_a_worst_case_at_an_end_of_its_ranges_gives_no_constant() -> None:
    """Control: where the worst case depends on numbers, programmes alone name no constant."""
    assert told(never_hurts) is None


def test_a_constant_that_is_too_small_is_not_taken(monkeypatch: Any) -> None:
    """Control: a wrong ratio from the search, below the truth, falls before the referee."""
    monkeypatch.setattr(room, "short_factors", lambda value: iter([Factor(Fraction(36, 25))]))
    assert told(claim("readme")) is None


def test_short_factors_are_near() -> None:
    assert [str(one) for one in short_factors(1.25 - 1e-9)] == ["5/4"]
    assert [str(one) for one in short_factors(2**0.5)] == ["sqrt(2)"]
    assert [*short_factors(1.23473912)] == []


def test_a_claim_about_a_single_instance_has_no_constant_and_keeps_its_word() -> None:
    """Numbers of a table: there is nothing that a search could make larger."""
    table = library().find("aggregation.stability@fedavg+each-framework+larger-smoother")
    assert table is not None
    leaf = assay(table, profile=PROFILES["quick"])
    assert leaf.verdict == "violated"
    assert not best_constants([one.to_json() for one in leaf.evidence])
