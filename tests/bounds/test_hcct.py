"""Utilities, divergences, bounds and counts of the grouping paper against cases known by hand."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.hcct import convergence, counts, utility
from bounds.hcct import divergence as distance
from bounds.hcct import generalization as general
from bounds.numbers.validate import InvalidInput

MASSES = st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any)


def law(values: list[int]) -> Any:
    return np.array([Q(v, sum(values)) for v in values], dtype=object)


def test_utility_by_hand_in_fractions() -> None:
    gradients = np.array([[Q(3), Q(4)], [Q(3), Q(4)], [Q(-3), Q(-4)]], dtype=object)
    sizes = np.array([Q(1), Q(2), Q(1)], dtype=object)
    both, all_three = (np.array([Q(k) for k in m], dtype=object) for m in ([1, 1, 0], [1, 1, 1]))
    assert list(utility.utilities(gradients, sizes, both, Q(3))) == [0, 0, 0]
    assert list(utility.similarities(gradients, sizes, all_three)) == [1, 1, -1]
    alone = np.array([Q(0), Q(0), Q(1)], dtype=object)
    gain = utility.merge_benefit(gradients, sizes, both, alone, Q(3), Q(7))
    assert gain == 1 - Q(9, 4) - (2 - 2) - (1 - 3)
    assert utility.pair_threshold(gradients, sizes, both, alone) == 2 / (Q(2, 3) + 1 - Q(3, 4))


def test_a_vanishing_mean_has_cosine_zero_and_a_single_client_one() -> None:
    gradients, sizes = np.array([[1.0], [-1.0], [0.0]]), np.ones(3)
    assert list(utility.similarities(gradients, sizes, np.array([1.0, 1.0, 0.0]))) == [0, 0, 0]
    assert list(utility.similarities(gradients, sizes, np.array([0.0, 0.0, 1.0]))) == [0, 0, 1]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(MASSES, MASSES)
def test_classes_of_events_are_ordered(first: list[int], second: list[int]) -> None:
    p, q = law(first), law(second)
    thresholds = distance.threshold_divergence(p, q)
    assert 0 <= thresholds <= distance.l1_distance(p, q) <= 2
    gaps = [abs(sum(p[:k]) - sum(q[:k])) for k in range(4)]
    assert thresholds == 2 * max(gaps)


def test_thresholds_miss_what_all_events_see() -> None:
    p, q = law([1, 0, 1]), law([0, 2, 0])
    assert distance.threshold_divergence(p, q) == 1
    assert distance.l1_distance(p, q) == 2


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(1, 12), st.fractions(0, 1))
def test_mean_excess_of_a_sample_mean_is_below_its_bound(n: int, chance: Q) -> None:
    """(w - z)^2/2 on [0, 1], z a coin: excess risk p(1 - p)/(2n), L = mu = 1."""
    assert chance * (1 - chance) / (2 * n) <= general.expected_excess_upper(1, 1, Q(n))
    half = general.estimation_upper(Q(1), Q(1), Q(n), Q(1, 2))
    assert half == 4 * general.expected_excess_upper(1, 1, Q(n))


def test_the_bound_speaks_from_eight_over_delta_on() -> None:
    """The loss w^2/2 on [-1, 1] varies by L^2/(2 mu) = 1/2."""
    for n in (100, 159, 160, 161, 1000):
        bound = general.estimation_upper(1.0, 1.0, float(n), 0.05)
        assert (bound >= 0.5) == (n <= general.samples_before_it_speaks(0.05))


@pytest.mark.parametrize("level", [0.0, 1.0, 2.0])
def test_level_outside_is_refused(level: float) -> None:
    with pytest.raises(InvalidInput, match="level must be in"):
        general.estimation_upper(1.0, 1.0, 5.0, level)


def test_triple_sum_is_the_double_sum() -> None:
    rng = np.random.default_rng(4)
    eta, k = rng.random(6), rng.random(6)
    by_hand = sum(eta[t] * sum(eta[s] ** 2 * k[s] for s in range(t)) for t in range(6))
    assert convergence.triple_sum(eta, k) == pytest.approx(by_hand)
    ones = np.ones(6)
    assert convergence.triple_sum(eta, ones) == pytest.approx(
        (eta * convergence.squares_before(eta)).sum()
    )


def test_fixed_groups_bound_is_the_printed_one_without_drift() -> None:
    eta, k = np.array([0.5, 0.25]), np.array([1.0, 1.0])
    printed = convergence.theorem2_printed(eta, 1.0, 2.0, k, 3.0, 2, True)
    fixed = convergence.fixed_groups_upper(eta, 1.0, 2.0, k, 3.0, 2)
    assert {name: printed[name] for name in fixed} == fixed
    assert sum(fixed.values()) < sum(printed.values())


def test_counts_by_enumeration() -> None:
    for n in range(2, 9):
        merged = sum(counts.step_cosines(n, size, n - size) for size in range(2, n))
        assert counts.worst_case_cosines(n) == n * (n - 1) + merged
    assert counts.worst_case_printed(3) == -4
