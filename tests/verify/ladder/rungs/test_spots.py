"""A number that stands in a program is a value at which it is tried."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from bounds import generic as xp
from tests.verify.cases import claim, leaf_of, numbers
from verify.claim import Real
from verify.claim.literals import numbers_in
from verify.claim.statement import Statement
from verify.ladder.rungs.spots import further_spots, numbers_of, spots
from verify.ladder.search.pool import Pool
from verify.world.noise_plan import AllOutcomes

POINT = 3 / 11


def away(w: Any) -> Any:
    """Five of a point, its square elsewhere."""
    return xp.where(w.x != 1 / 7, w.x**2, 5)


def at_a_seventh(high: int) -> Statement:
    """True but at 1/7, where the left side is 5."""
    return claim(
        lambda w: (
            {"l": xp.where(w.x != 1 / 7, w.x**2, 5)},
            {"r": xp.where(w.x != 1 / 7, w.x**2 + w.x, high)},
        ),
        numbers(x=Real(0, 1, domain=(0, 1))),
    )


def test_a_claim_that_is_false_at_a_number_of_its_own_is_broken_there() -> None:
    """It held: no search of [0, 1] meets 1/7."""
    leaf = leaf_of(at_a_seventh(4))
    assert leaf.verdict == "violated"
    assert leaf.witness is not None
    assert leaf.witness["instance"]["params"] == {"x": "1/7"}


def window(low: str, high: str, bound: int) -> Statement:
    """That what is between two numbers far out is nowhere counted, or once at most."""
    first, second = Fraction(low), Fraction(high)

    def sides(w: Any) -> Any:
        inside = xp.indicator(w.x > first, w.x) * xp.indicator(w.x < second, w.x)
        return {"inside": inside}, {"bound": bound + 0 * w.x}

    return claim(sides, numbers(x=Real(0, 1)))


@pytest.mark.parametrize("ends", [("500", "500.25"), ("1/3", "0.33334")])
def test_between_two_numbers_of_a_claim_it_is_tried(ends: tuple[str, str]) -> None:
    """It held: no number of the program lies in the window, and no search meets it."""
    false, true = window(*ends, 0), window(*ends, 1)
    found = [*further_spots(false, Pool(false, AllOutcomes()), 0)]
    assert Fraction(ends[0]) < found[0].values["x"] < Fraction(ends[1])
    assert not [*further_spots(true, Pool(true, AllOutcomes()), 0)]


def in_both(bound: int) -> Statement:
    """That no point, or at most so many, lies in a window for x and another for y."""

    def sides(w: Any) -> Any:
        first = xp.indicator(w.x > Fraction(37, 100), w.x) * xp.indicator(w.x < Fraction(3, 8), w.x)
        second = xp.indicator(w.y > Fraction(3, 5), w.y) * xp.indicator(
            w.y < Fraction(61, 100), w.y
        )
        return {"both": first * second}, {"bound": bound + 0 * w.x}

    return claim(sides, numbers(x=Real(0, 1), y=Real(0, 1)))


def test_several_parameters_are_numbers_of_a_claim_at_once() -> None:
    """It was left open: the windows meet in a part of 1/20000 of the square."""
    false, true = in_both(0), in_both(1)
    assert [*further_spots(false, Pool(false, AllOutcomes()), 0)]
    assert not [*further_spots(true, Pool(true, AllOutcomes()), 0)]


def test_a_true_one_is_not() -> None:
    assert leaf_of(at_a_seventh(6)).verdict != "violated"
    true = at_a_seventh(6)
    assert not [*spots(true, Pool(true, AllOutcomes()), 0)]


def test_what_exact_arithmetic_cannot_tell_there_is_a_doubt() -> None:
    """The fractions of both branches are computed, and one divides by zero."""
    divided = claim(
        lambda w: (
            {"l": xp.where(w.x != 1 / 7, 1 / (w.x - 1 / 7) ** 2, 5)},
            {"r": xp.where(w.x != 1 / 7, 1 / (w.x - 1 / 7) ** 2, 4)},
        ),
        numbers(x=Real(0, 1, domain=(0, 1))),
    )
    assert leaf_of(divided).verdict in ("inconclusive", "violated")


def sum_to(wrong: int) -> Statement:
    """A sum by a recursion that goes wrong from 901 numbers on, at most so many times the sum."""

    def sides(w: Any) -> Any:
        total, count = 0, w.x.shape[-1]
        for step in range(count):
            total = total + w.x[..., step] * (999 if count > 900 and step == 0 else 1)
        return {"l": total}, {"r": xp.total(w.x) * wrong}

    return claim(sides, numbers({"N": 2}, {"N": 3}, x=Real(1, 2, domain=(1, 2), per=("N",))))


def test_a_size_that_stands_in_the_program_is_tried() -> None:
    false, true = sum_to(1), sum_to(3)
    assert "N" in false.family.growing
    found = [*spots(false, Pool(false, AllOutcomes()), 0)]
    assert {candidate.shape["N"] for candidate in found} == {901, 999, 1000}
    assert not [*spots(true, Pool(true, AllOutcomes()), 0)]
    assert leaf_of(false).verdict == "violated"
    assert leaf_of(true).verdict != "violated"


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (lambda w: w.x + 1 / 7, Fraction(1, 7)),
        (lambda w: w.x + 0.3, Fraction(3, 10)),
        (lambda w: away(w), Fraction(1, 7)),
        (lambda w: w.x + POINT, Fraction(3, 11)),
        (lambda w: [k * 17 for k in (w.x,)], Fraction(17)),
        (lambda w: w.x + 1.23456789012345, Fraction("1.23456789012345")),
    ],
)
def test_numbers_are_read_as_they_were_written(function: Any, found: Fraction) -> None:
    assert found in numbers_in(function)


def test_of_what_is_no_program_there_are_none() -> None:
    assert numbers_in(len) == frozenset()
    assert numbers_in(lambda w: w.x) == frozenset()
    assert Fraction(1, 7) in numbers_of(at_a_seventh(4))


def seventh(depth: int) -> Any:
    return seventh(depth - 1) if depth else Fraction(1, sum((3, 4)))


def test_a_number_is_found_wherever_the_program_has_it_from() -> None:
    """It is a constant of the term: no matter how many calls away it is typed, or worked out."""
    made = claim(
        lambda w: (
            {"l": xp.where(w.x != seventh(9), w.x**2, 5)},
            {"r": xp.where(w.x != seventh(9), w.x**2 + w.x, 4)},
        ),
        numbers(x=Real(0, 1, domain=(0, 1))),
    )
    assert Fraction(1, 7) in numbers_of(made)
    assert Fraction(1, 7) not in numbers_in(made.sides), "the text of the program does not tell"
    assert leaf_of(made).verdict == "violated"
