"""E-values against brute force: the formula by hand, exact means, and what they must refuse."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from verify.verdict.e_values import GRID, e_value, e_value_in_favour, log_e_process
from verify.verdict.verdict import ACCUSE

X = np.array([0.0, 3.5, 0.2, 1.0, 7.25])


def by_hand(x: list[float], bound: float) -> float:
    """Mean over the grid of the product of 1 + l (x/bound - 1)."""
    wealth = [math.prod(1 + bet * (v / bound - 1) for v in x) for bet in GRID]
    return sum(wealth) / len(wealth)


@pytest.mark.parametrize("bound", [0.5, 1.0, 4.0])
def test_e_process_is_the_mean_wealth_of_the_bets(bound: float) -> None:
    process = np.exp(log_e_process(X, bound))
    expected = [by_hand(list(X[: n + 1]), bound) for n in range(len(X))]
    np.testing.assert_allclose(process, expected, rtol=1e-12)  # a few roundings each
    assert e_value(X, bound) == pytest.approx(expected[-1], rel=1e-12)


@pytest.mark.parametrize(
    ("values", "chances"), [([0.0, 2.0], [0.5, 0.5]), ([0.0, 1.0, 9.0], [0.5, 0.4, 0.1])]
)
def test_mean_of_the_e_value_is_one_at_the_bound_and_less_below(
    values: list[float], chances: list[float]
) -> None:
    bound = sum(v * p for v, p in zip(values, chances, strict=True))

    def expectation(claimed: float) -> float:
        runs = itertools.product(range(len(values)), repeat=4)
        return sum(
            math.prod(chances[j] for j in run)
            * e_value(np.array([values[j] for j in run]), claimed)
            for run in runs
        )

    assert expectation(bound) == pytest.approx(1.0, rel=1e-12)
    assert expectation(1.5 * bound) < 1.0
    assert expectation(bound / 1.5) > 1.0, "and more above it, or it could not accuse"


def test_scale_does_not_matter() -> None:
    assert e_value(1024 * X, 1024 * 2.0) == pytest.approx(e_value(X, 2.0), rel=1e-12)


def test_long_series_neither_overflow_nor_vanish() -> None:
    assert e_value(np.full(10**5, 2.0), 1.0) == pytest.approx(math.exp(690), rel=1e-9)
    assert 0 <= e_value(np.zeros(10**5), 1.0) < 1e-6


@pytest.mark.parametrize(("x", "accused"), [([0.0, 0.0], False), ([0.0, 1e-9], True)])
def test_a_bound_of_zero_falls_to_one_positive_sample(x: list[float], accused: bool) -> None:
    assert (e_value(np.array(x), 0.0) >= ACCUSE) == accused


def test_small_violations_are_seen_and_the_boundary_is_not() -> None:
    x = np.random.default_rng(11).exponential(1.0, 20_000)
    assert e_value(x * 1.1 / x.mean(), 1.0) >= ACCUSE
    assert e_value(x / x.mean(), 1.0) < 20


def test_favour_needs_room_below_the_bound() -> None:
    x = np.random.default_rng(12).random(2_000)  # mean 1/2, at most 1
    assert e_value_in_favour(x, 0.6, 1.0) >= ACCUSE
    assert e_value_in_favour(x, float(x.mean()), 1.0) < 20
    assert e_value_in_favour(x, 0.4, 1.0) < 1
    assert e_value_in_favour(x, 1.0, 1.0) == 1e300, "the ceiling itself is proved"


def test_favour_mirrors_accusation() -> None:
    x = np.array([0.25, 0.5, 1.0])
    assert e_value_in_favour(x, 0.75, 1.0) == e_value(1.0 - x, 0.25)
