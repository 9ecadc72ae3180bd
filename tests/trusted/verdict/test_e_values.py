"""E-values by hand: the bets, the ends of bounds, and many claims at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from verify.verdict.e_values import GRID, e_value, e_value_in_favour, log_e_process, log_e_values
from verify.verdict.relation import LARGEST

ROWS = np.array([[0.0, 3.0, 1.0, 8.0], [2.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.5]])
BOUNDS = np.array([0.5, 2.0, 3.0])


def test_bets_are_geometric_from_a_thousandth() -> None:
    assert len(GRID) == 24
    assert (GRID[0], GRID[-1]) == (pytest.approx(1e-3), pytest.approx(0.9))
    assert np.diff(np.log(GRID)) == pytest.approx(math.log(900) / 23)


def test_many_claims_at_once_are_each_of_them_alone() -> None:
    alone = [log_e_process(x, bound)[-1] for x, bound in zip(ROWS, BOUNDS, strict=True)]
    assert log_e_values(ROWS, BOUNDS) == pytest.approx(alone, rel=1e-12, abs=1e-12)
    assert log_e_values(ROWS[:1], BOUNDS[:1]) == pytest.approx(alone[:1], rel=1e-12)


def test_many_claims_by_hand() -> None:
    # one sample, twice its bound: the mean wealth is 1 plus the mean bet
    found = log_e_values(np.array([[2.0], [1.0]]), np.array([1.0, 1.0]))
    assert found == pytest.approx([math.log(1 + GRID.mean()), 0.0], abs=1e-15)


def test_a_bound_of_zero_is_refuted_by_anything_above_it() -> None:
    x = np.array([[0.0, 0.0], [0.0, 1e-9], [0.0, 0.5], [3.0, 3.0]])
    top = np.log(LARGEST)
    assert log_e_values(x, np.zeros(4)).tolist() == [0.0, top, top, top]
    assert [e_value(row, 0.0) for row in x] == [1.0, LARGEST, LARGEST, LARGEST]


def test_nothing_is_larger_than_the_largest() -> None:
    huge = np.full((1, 4000), 1e6)
    assert log_e_values(huge, np.ones(1)).tolist() == [np.log(LARGEST)]
    assert log_e_values(0 * huge, np.ones(1)) < -1


def test_a_bound_at_its_ceiling_is_certain() -> None:
    x = np.array([0.0, 1.0])
    assert e_value_in_favour(x, 1.0, 1.0) == LARGEST
    assert e_value_in_favour(x, 2.0, 1.0) == LARGEST
    assert e_value_in_favour(np.ones(2), 1.0, 1.0) == LARGEST, "also where nothing is below it"
    assert e_value_in_favour(x, 0.5, 1.0) == e_value(1 - x, 0.5)
