"""The one comparison: every case by hand, both sides of each tolerance, and orderings."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from verify.verdict import relation
from verify.verdict.relation import GUARD, ROUNDING, broken, meets, ratio, room, same, stricter

SIZES = st.floats(1e-6, 1e6)
INEQUALITIES = ("<=", ">=")


@each(
    ("name", "left", "right", "expected"),
    [
        ("<=", 1, 2, 0.5),
        ("<=", 3, 2, 1.5),
        ("<=", 0, 2, 0),
        ("<=", 0, 0, 0),
        ("<=", 1, 0, np.inf),
        (">=", 1, 2, 2),
        (">=", 2, 1, 0.5),
        (">=", 1, 0, 0),
        (">=", 0, 1, np.inf),
        ("==", 2, 2, 1),
        ("==", 1, 2, 1.5),
        ("==", 2, 1, 1.5),
        ("==", 0, 0, 1),
        ("==", 0, 3, 2),
        ("==", -1, 1, 3),
        ("<=", np.nan, 1, np.nan),
        ("<=", 1, np.nan, np.nan),
        ("==", np.nan, 1, np.nan),
        (">=", np.nan, 0, np.nan),
    ],
)
def test_ratio_by_hand(name: str, left: float, right: float, expected: float) -> None:
    found = ratio(name, left, right)
    assert found == expected or (np.isnan(found) and np.isnan(expected))


def test_ratio_goes_entry_by_entry() -> None:
    found = ratio("<=", np.array([[1.0, 3.0]]), np.array([[2.0], [4.0]]))
    assert found.tolist() == [[0.5, 1.5], [0.25, 0.75]]


@pytest.mark.parametrize("name", ["<=", ">=", "=="])
def test_exact_numbers_are_measured_in_floats(name: str) -> None:
    third, two = np.array([Fraction(1, 3)], dtype=object), np.array([Fraction(2)], dtype=object)
    for function in (ratio, room):
        found = function(name, third, two)
        assert found.dtype == np.float64
        assert found == function(name, third.astype(float), two.astype(float))
        assert function(name, Fraction(1, 3), 2).dtype == np.float64


def test_sides_that_vanish_or_explode_have_finite_room() -> None:
    # 0/0 is none of the searches' business, and warns nobody
    assert room("<=", 0.0, 0.0) == 0
    assert np.isnan(room("<=", np.inf, np.inf))
    assert np.isnan(room("==", np.inf, np.inf))


@each(
    ("name", "left", "right", "expected"),
    [
        ("<=", 1, 1, False),
        ("<=", 1 + 2 * ROUNDING, 1, True),
        ("<=", 1 + ROUNDING / 2, 1, False),
        ("<=", 0, 0, False),
        ("<=", 1e-30, 0, True),
        ("<=", -1, -2, True),
        ("<=", -2, -1, False),
        (">=", 1, 1, False),
        (">=", 1, 1 + 2 * ROUNDING, True),
        (">=", 1, 1 + ROUNDING / 2, False),
        (">=", 2, 1, False),
        (">=", 1, 2, True),
        ("==", 1, 1 + ROUNDING / 2, False),
        ("==", 1, 1 + 2 * ROUNDING, True),
        ("==", 1 + 2 * ROUNDING, 1, True),
        ("==", 1, -1, True),
        ("<=", -1e6, -1e6 * (1 + ROUNDING / 2), False),
        (">=", 0, 0, False),
        ("==", 0, 0, False),
        # rounding is measured against the larger side, which these two tell apart from the smaller
        ("==", 657.70996159521, 657.7099609375, False),
        ("<=", 12.597656262597656, 12.59765625, False),
    ],
)
def test_broken_by_hand(name: str, left: float, right: float, expected: bool) -> None:
    assert bool(broken(name, left, right)) is expected


@pytest.mark.parametrize(
    ("name", "right", "original", "expected"),
    [
        ("<=", 1, 2, True),
        ("<=", 2, 1, False),
        ("<=", 1, 1, False),
        (">=", 2, 1, True),
        (">=", 1, 2, False),
        ("==", 1, 2, True),
        ("==", 2, 1, True),
        ("==", 1, 1, False),
        ("<=", 1 - ROUNDING / 2, 1, False),
        ("<=", 1 - 2 * ROUNDING, 1, True),
    ],
)
def test_stricter_by_hand(name: str, right: float, original: float, expected: bool) -> None:
    assert bool(stricter(name, right, original)) is expected


@pytest.mark.parametrize(
    ("margin", "strict", "expected"),
    [
        (0.0, False, True),
        (0.0, True, False),
        (GUARD, True, False),
        (2 * GUARD, True, True),
        (-GUARD, False, True),
        (-2 * GUARD, False, False),
        (-GUARD / 2, True, False),
        (1.0, True, True),
        (-1.0, False, False),
        (-1.0, True, False),
        (np.nan, False, False),
        (np.nan, True, False),
    ],
)
def test_margins_by_hand(margin: float, strict: bool, expected: bool) -> None:
    assert bool(meets(margin, strict)) is expected


@pytest.mark.parametrize(
    ("name", "left", "right", "expected"),
    [
        ("<=", 1, 3, 0.5),
        ("<=", 3, 1, -0.5),
        ("<=", 0, 0, 0),
        (">=", 3, 1, 0.5),
        (">=", 1, 3, -0.5),
        ("==", 1, 3, -2),
        ("==", 3, 1, -2),
        ("==", 1, 1, 0),
        ("<=", -3, 1, 1),
        ("<=", 0, 1e-300, 1),
    ],
)
def test_room_by_hand(name: str, left: float, right: float, expected: float) -> None:
    assert float(room(name, left, right)) == expected


@given(st.sampled_from(INEQUALITIES), SIZES, SIZES)
def test_what_has_room_is_not_broken_and_uses_less_than_all(
    name: str, left: float, right: float
) -> None:
    assert bool(broken(name, left, right)) == bool(ratio(name, left, right) > 1 / (1 - ROUNDING))
    if room(name, left, right) >= 0:
        assert not broken(name, left, right)
        assert ratio(name, left, right) <= 1
    else:
        assert ratio(name, left, right) > 1


@given(SIZES, SIZES)
def test_the_two_inequalities_are_each_other_with_sides_exchanged(a: float, b: float) -> None:
    assert ratio("<=", a, b) == ratio(">=", b, a)
    assert broken("<=", a, b) == broken(">=", b, a)
    assert room("<=", a, b) == room(">=", b, a)
    for function in (ratio, broken, room):
        assert function("==", a, b) == function("==", b, a)


@given(SIZES, st.floats(1.01, 100))
def test_the_worst_outcome_is_the_one_with_the_least_room(right: float, factor: float) -> None:
    left = np.array([right / factor, right * factor, right])
    assert int(np.argmin(room("<=", left, right))) == 1
    assert int(np.argmin(room(">=", left, right))) == 0


@pytest.mark.parametrize(
    ("name", "left", "right", "expected"),
    [
        ("<=", 1, 1, True),
        ("<=", 2, 1, False),
        (">=", 1, 1, True),
        (">=", 1, 2, False),
        ("==", 1, 1, True),
        ("==", 1, 2, False),
        ("<=", 1, 2, True),
        (">=", 2, 1, True),
    ],
)
def test_exact_numbers_know_no_tolerance(name: str, left: int, right: int, expected: bool) -> None:
    assert relation.RELATED[name](Fraction(left), Fraction(right)) is expected
    tiny = Fraction(1, 10**40)
    assert relation.RELATED["<="](Fraction(1), 1 - tiny) is False
    assert relation.RELATED[">="](1 - tiny, Fraction(1)) is False
    assert relation.RELATED["=="](1 - tiny, Fraction(1)) is False


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (1.0, 1.0, True),
        (1.0, 1 + ROUNDING / 2, True),
        (1.0, 1 + 2 * ROUNDING, False),
        (0.0, 0.0, True),
        (0.0, 1e-300, False),
        (-1.0, 1.0, False),
        (np.inf, np.inf, True),
        (1 + 2 * ROUNDING, 1.0, False),
        (-1.0, -1.0 - ROUNDING / 2, True),
    ],
)
def test_same_floats(first: float, second: float, expected: bool) -> None:
    assert same(first, second) is expected


def test_a_wider_band_may_be_asked_for() -> None:
    assert same(1.0, 1.05, band=0.1)
    assert not same(1.0, 1.2, band=0.1)
    assert same(1.0, 0.5, band=0.5), "the edge belongs to it"


def test_the_tolerances_stand_in_their_order() -> None:
    # a margin is held tighter than a ratio; an accusation needs more than support
    assert 0 < GUARD < ROUNDING < 1e-6
    assert relation.ACCUSE > relation.SUPPORT > 1
    assert 2 ** (relation.GROWTH * relation.LEAST_DOUBLINGS) == 4
    assert (relation.GUARD, relation.ROUNDING) == (1e-12, 1e-9)
    assert (relation.ACCUSE, relation.SUPPORT, relation.LARGEST) == (1e6, 1e3, 1e300)
    assert (relation.MIXED, relation.MOVED) == (1e-6, 1e-6)
    assert (relation.LEAST_MET, relation.LEAST_MET_SHAPE) == (200, 32)


# -- one program, evaluated in two ways ------------------------------------------------------------

NAN, INF = float("nan"), float("inf")


@each(
    ("first", "second", "expected"),
    [
        ([1.0], [1.0], False),
        ([1.0], [1.0 + 1e-9], False),
        ([1.0], [1.0 + 1e-5], True),
        ([1.0], [2.0], True),
        ([NAN], [NAN], False),
        ([NAN], [1.0], True),
        ([1.0], [NAN], True),
        ([INF], [INF], False),
        ([INF], [-INF], True),
        ([INF], [1.0], True),
        ([0.0], [1e-13], False),
        ([0.0], [1e-9], True),
        ([1e9, 1.0], [1e9, 2.0], False),
        ([1e5, 1.0], [1e5, 2.0], True),
        ([INF, 1.0], [INF, 1.0], False),
        ([INF, 1.0], [INF, 2.0], True),
        ([INF, 0.0], [INF, 1e-9], True),
        # the edge belongs to rounding, and the scale of a row is that of the larger evaluation
        ([1.0, 0.0], [1.0, relation.MIXED + GUARD], False),
        ([1.0, 0.0], [1 - 9e-7, 1e-6 + 5e-13], False),
    ],
)
def test_what_rounding_does_not_explain_differs(
    first: list[float], second: list[float], expected: bool
) -> None:
    rows = np.array([first, first]), np.array([second, first])
    assert relation.differs(*rows).tolist() == [expected, False]


def test_rows_of_any_further_axes_are_compared_as_wholes() -> None:
    first = np.zeros((2, 3, 4))
    second = first.copy()
    second[1, 2, 3] = 1
    assert relation.differs(first, second).tolist() == [False, True]
    assert relation.differs(first[:, :0], second[:, :0]).tolist() == [False, False]
