"""Mended claims are held to laws, kept instances, larger sizes, units and the origin."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.verify.cases import SMALL, claim, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.repair.again import contradictions_of_mend
from verify.ladder.repair.candidates import plainest, sharp_factors
from verify.ladder.repair.held import Trials, trials_of
from verify.ladder.repair.mends import Mend, mended, scaled_term
from verify.ladder.repair.monomials import further_term, times_product
from verify.ladder.repair.repairs import Judged, may_be_mended, repairs_of
from verify.ladder.rungs.climb import Climb

BUDGET = replace(SMALL, evaluations=1_500)
EACH = Real(1 / 8, 8, log=True, per=("N",))
SHORT = Real(1, 2, log=True)
POINT = Real(-4, 4)


def climbed(statement: Statement) -> Climb:
    climb = Climb(statement, BUDGET, 0, "cpu")
    assert list(climb.searched())
    assert climb.witness is not None
    return climb


def against(statement: Statement, *mends: Mend) -> str:
    climb = climbed(statement)
    found = trials_of(climb, ()).against(mended(statement, mends))
    return "" if found is None else found.why


def sums() -> Statement:
    """The sum of N numbers is at most the first: by N where all are one number."""
    return claim(
        lambda w: ({"l": w.x.sum(axis=-1)}, {"r": w.x.max(axis=-1)}),
        numbers({"N": 2}, {"N": 3}, x=EACH),
    )


def test_a_factor_that_is_enough_at_the_listed_sizes_falls_at_eight_times_of_them() -> None:
    assert "breaks it" in against(sums(), scaled_term("", Fraction(4)))
    assert against(sums(), times_product("", {"N": 1})) == ""  # control: the right one stands


def test_a_factor_that_is_enough_in_the_range_falls_beyond_it() -> None:
    one = claim(lambda w: ({"l": 2 * w.k * w.x}, {"r": w.x}), numbers(k=SHORT, x=SHORT))
    assert "breaks it" in against(one, scaled_term("", Fraction(16)))
    assert against(one, times_product("", {"k": 1}, Fraction(2))) == ""


def gaps(**more: Any) -> Statement:
    """2 (x - y)^2 <= (x - y)^2 does not change with the origin."""
    return claim(
        lambda w: ({"l": 2 * (w.x - w.y) ** 2}, {"r": (w.x - w.y) ** 2}),
        numbers(x=replace(POINT, **more), y=replace(POINT, **more)),
    )


def test_a_mend_moves_with_the_origin_where_the_claim_does_not_change_with_it() -> None:
    climb = climbed(gaps())
    assert set(trials_of(climb, ()).origin) == {"x", "y"}
    more = (scaled_term("", Fraction(2)), further_term({"|x|": 1}, Fraction(1)))
    assert against(gaps(), *more) == "it changes when the origin is moved"
    assert against(gaps(), more[0]) == ""
    # control: where the claim itself has an origin nothing is asked
    own = claim(lambda w: ({"l": 2 * w.x**2}, {"r": w.x**2 + 0 * w.y}), numbers(x=POINT, y=POINT))
    assert "x" not in trials_of(climbed(own), ()).origin
    assert against(own, *more) == ""


def test_a_mend_keeps_the_units_of_the_claim() -> None:
    length = gaps(unit=(0, 1))
    more = (scaled_term("", Fraction(2)), further_term({"|x|": 1}, Fraction(1)))
    trials = replace(trials_of(climbed(length), ()), origin=())
    found = trials.against(mended(length, more))
    assert found is not None
    assert found.why == "it changes with the units"
    assert trials.against(mended(length, more[:1])) is None


def test_what_falls_is_not_judged_and_its_instance_is_learnt() -> None:
    """Of the factors 2, 3, 4 a search of the mended claim alone would let one stand."""
    judged: list[int] = []

    def judge(_: Statement, number: int) -> Judged:
        judged.append(number)
        return Judged("holds", "planted", 1.0, None)

    climb = climbed(sums())
    with np.errstate(all="ignore"):
        told = [repair.mend for repair in repairs_of([climb], judge)]
    assert told
    assert not [mend for mend in told if mend.endswith("times the right side") and "N" not in mend]


def test_a_table_has_no_mends() -> None:
    table = claim(lambda w: ({"l": 2 * w.one}, {"r": w.one}), numbers({"N": 1}, one=Real(1, 1)))
    assert not may_be_mended(table)
    assert may_be_mended(sums())


@pytest.mark.parametrize(
    ("most", "first"),
    [(1.25, "5/4"), (1.2499, "5/4"), (1.05, "21/20"), (4 / 3, "4/3"), (2.0, "2")],
)
def test_sharp_constants_come_before_coarse_ones(most: float, first: str) -> None:
    mends = [*sharp_factors("<=", most)]
    assert str(mends[0].factor) == first
    assert str(next(iter(sharp_factors(">=", most))).factor) == str(1 / Fraction(first))
    assert all(float(mend.factor or 0) >= most * (1 - 1e-9) for mend in mends)


def test_the_plainest_fraction_has_the_smallest_denominator() -> None:
    assert plainest(0.3, 0.34) == Fraction(1, 3)
    assert plainest(2.5, 3.5) == 3
    assert [*sharp_factors("<=", 1.0)] == []
    assert [*sharp_factors("<=", 1e6)] == []


def test_a_planted_wrong_mend_in_a_record_is_contradicted() -> None:
    statement = sums()
    leaf = {
        "laws": [],
        "tightness": {"ratio": 2.0, "instance": {"N": 2, "x": [1.0, 1.0]}},
    }
    wrong = {"changes": [["scaled_term", "", "4"]]}
    right = {"changes": [["times_product", "", [["N", 1]], "1", ""]]}
    assert [*contradictions_of_mend(statement, leaf, wrong)]
    assert [*contradictions_of_mend(statement, leaf, right)] == []
    assert [*contradictions_of_mend(statement, leaf, {"changes": []})]
    assert isinstance(trials_of(climbed(statement), ()), Trials)
