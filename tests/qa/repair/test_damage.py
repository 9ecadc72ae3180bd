"""The bench of damage measures what it says: its originals stand, and looser is not found."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.qa.repair.damage import BUDGET, ORIGINALS, as_tight, drawn
from tests.verify.cases import claim, numbers, scaled
from verify.claim.statement import Statement
from verify.ladder.leaf import assay


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


def test_what_is_drawn_is_false_and_the_same_each_time() -> None:
    few = [list(drawn(seed=5, count=2)) for _ in range(2)]
    assert [d.name for d in few[0]] == [d.name for d in few[1]]
    assert all(assay(d.statement, profile=BUDGET).verdict == "violated" for d in few[0])
