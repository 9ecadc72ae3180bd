"""Evidence as plain data, by hand: what is written, what is read, and numbers of any size."""

from __future__ import annotations

import sys
from fractions import Fraction
from math import log10
from typing import Any

import pytest

from bounds.numbers import Ball
from bounds.numbers.validate import InvalidInput
from verify.verdict.evidence import (
    LONGEST,
    Evidence,
    can_be_read,
    in_figures,
    number_from_json,
    number_to_json,
)

# -- records ---------------------------------------------------------------------------------------


def test_evidence_without_anything_says_its_rung_and_status_alone() -> None:
    bare = Evidence("search", "decided")
    assert (bare.counted, bare.tried, bare.guard, bare.worst) == (0, 0, 0.0, None)
    assert bare.to_json() == {"rung": "search", "status": "decided"}
    # what is empty by itself is written where it is asked for by every reader
    assert Evidence("", "").to_json() == {"rung": "", "status": ""}


def test_what_is_not_empty_is_written() -> None:
    made = Evidence("search", "decided", "one", 3, 4, 0.5, 1e-9, power={"killed": 0}, details={})
    assert made.to_json() == {
        "rung": "search",
        "status": "decided",
        "summary": "one",
        "counted": 3,
        "tried": 4,
        "worst": 0.5,
        "guard": 1e-9,
        "power": {"killed": 0},
    }
    assert "witness" not in Evidence("search", "decided", witness={}).to_json()


@pytest.mark.parametrize(
    "field",
    [
        {"counted": "3"},
        {"counted": 0.5},
        {"worst": "1"},
        {"guard": None},
        {"witness": []},
        {"details": None},
        {"summary": 3},
        {"rung": None},
    ],
)
def test_a_field_of_another_kind_is_refused_by_name(field: dict[str, Any]) -> None:
    (name,) = field
    with pytest.raises(InvalidInput, match=f"^{name} of evidence must be as a rung writes it, got"):
        Evidence.from_json({"rung": "search", "status": "decided", **field})


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (3, "3/1"),
        (Fraction(-2, 6), "-1/3"),
        (0.1, 0.1),
        (1.0, 1.0),
        (Ball(0), {"ball": ["0", "0"]}),
    ],
)
def test_numbers_are_written_by_their_kind(value: Any, written: Any) -> None:
    found = number_to_json(value)
    assert found == written
    assert type(found) is type(written)


def test_numbers_of_any_length_are_written_and_read() -> None:
    long, before = Fraction(10**6000 + 1, 3), sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(5000)
        assert number_from_json(number_to_json(long)) == long
        assert sys.get_int_max_str_digits() == 5000, "the limit of others is as it was"
    finally:
        sys.set_int_max_str_digits(before)


def test_a_text_may_be_so_long_and_no_longer() -> None:
    assert LONGEST == 200_000
    text = "1" * LONGEST
    assert number_from_json(text) > 10 ** (LONGEST - 1) - 1
    with pytest.raises(InvalidInput, match="number must be"):
        number_from_json(text + "1")


@pytest.mark.parametrize("raw", ["1e5", "0.5", "1/ 2", " 1", "1_000", "١", "1/00", "", "nan"])
def test_only_whole_numbers_and_quotients_of_them_are_read(raw: str) -> None:
    with pytest.raises(InvalidInput, match="number must be"):
        number_from_json(raw)


@pytest.mark.parametrize(
    "raw", [{"ball": ["1/0", "1/1"]}, {"ball": "x"}, {"ball": None}, {"ball": [1]}, 1j, [1, 2]]
)
def test_a_spoilt_ball_is_no_number(raw: Any) -> None:
    with pytest.raises(InvalidInput, match="number must be"):
        number_from_json(raw)


def test_a_refusal_shows_eighty_characters() -> None:
    for length, shown in ((78, "x" * 78 + "'"), (79, "x" * 79 + "...")):
        with pytest.raises(InvalidInput, match=f"got '{shown}: check the file"):
            number_from_json("x" * length)


@pytest.mark.parametrize(
    ("low", "high", "written"),
    [
        # eighteen digits of the larger end, outward
        (Fraction(1, 3), Fraction(2, 3), ["333333333333333333", "666666666666666667"]),
        (Fraction(1, 3000), Fraction(2, 3), ["333333333333333", "666666666666666667"]),
        (Fraction(-2, 3), Fraction(1, 3), ["-666666666666666667", "333333333333333334"]),
        (Fraction(-1, 3), Fraction(2, 3), ["-333333333333333334", "666666666666666667"]),
    ],
)
def test_a_ball_is_written_a_little_larger(low: Any, high: Any, written: list[str]) -> None:
    found: Any = number_from_json(number_to_json(Ball(low, high)))
    unit = Fraction(1, 10**18)
    assert [found.lo, found.hi] == [int(text) * unit for text in written]


def test_a_ball_beyond_floats_is_written_in_as_many_digits() -> None:
    size = Fraction(10) ** 500
    found: Any = number_from_json(number_to_json(Ball(2 * size / 3, 2 * size / 3)))
    assert 0 <= 2 * size / 3 - found.lo < Fraction(10) ** 483
    assert 0 <= found.hi - 2 * size / 3 < Fraction(10) ** 483
    assert found.lo == int(found.lo / 10**482) * Fraction(10) ** 482


# -- figures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "figures"),
    [
        (Fraction(1, 3), "0.333333"),
        (Ball(Fraction(1, 4), Fraction(3, 4)), "0.5"),
        (0.1, "0.1"),
        (float("inf"), "inf"),
        (7, "7"),
        (Fraction(10) ** 400, "1e+400"),
        (-3 * Fraction(10) ** 400, "-3e+400"),
        (Fraction(123456789) * Fraction(10) ** 400, "1.23457e+408"),
        (Ball(Fraction(10) ** 400), "1e+400"),
        (10**309, "1e+309"),
    ],
)
def test_six_figures_of_any_number(value: Any, figures: str) -> None:
    assert in_figures(value) == figures


def test_what_can_be_read_is_read_again_and_what_cannot_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("verify.verdict.evidence.LONGEST", 500)
    short, long = Fraction(10) ** 400, Fraction(10) ** 501
    for number in (short, 1 / short, Ball(short), Ball(0, short), 7, Fraction(0), 0.5):
        assert can_be_read(number)
        number_from_json(number_to_json(number))
    for number in (long, 1 / long, -long, Ball(long), Ball(0, long), Ball(-long, 0)):
        assert not can_be_read(number)
        with pytest.raises(InvalidInput, match="a float or a ball"):
            number_from_json(number_to_json(number))


def test_what_can_be_read_is_judged_by_its_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 64 digits below the limit: a ball is rounded outwards, a float has no digits."""
    bits = 1000
    monkeypatch.setattr("verify.verdict.evidence.LONGEST", bits * log10(2) + 64)
    longest = 2 ** (bits - 2)  # bits - 1, and one of the denominator
    assert not can_be_read(Fraction(longest))
    assert can_be_read(Fraction(longest // 2))
    assert can_be_read(Ball(Fraction(longest // 2)))
    assert not can_be_read(Ball(0, Fraction(longest)))
    monkeypatch.setattr("verify.verdict.evidence.LONGEST", 64 + 0.1)
    assert can_be_read(0.5), "no end is exact"
    assert not can_be_read(Fraction(1)), "one bit each"
