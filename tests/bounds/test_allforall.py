"""Lower bounds below exact Bayes gaps, rates above recursions, printed forms that fall."""

from __future__ import annotations

from fractions import Fraction as Q
from math import comb, exp, log

import numpy as np
import pytest

from bounds.allforall import constructions as made
from bounds.allforall import lower, rates, sgd


def test_total_variation_of_tosses() -> None:
    z = Q(1, 3)
    assert lower.total_variation(z, 0) == 0
    assert lower.total_variation(z, 1) == lower.total_variation(z, 2) == z
    assert lower.total_variation(z, 3) == z * (3 - z**2) / 2
    p, n = (1 + z) / 2, 5
    direct = sum(
        abs(comb(n, k) * (p**k * (1 - p) ** (n - k) - p ** (n - k) * (1 - p) ** k))
        for k in range(n + 1)
    )
    assert lower.total_variation(z, n) == direct / 2


MANY = 900


@pytest.mark.parametrize(("agents", "informative"), [(1, 1), (4, 1), (4, 3)])
def test_best_method_needs_more_samples_than_the_bounds(agents: int, informative: int) -> None:
    share = 1 / 40
    bound = lower.convex_samples_lower(1.0, share, agents, informative)
    few = int(bound)
    assert 60 * few >= MANY
    assert lower.convex_bayes_gap(share, 1.0, agents, informative, few) > share


def test_with_many_samples_the_gap_is_reached() -> None:
    """Negative control of the test above."""
    assert lower.convex_bayes_gap(1 / 40, 1.0, 1, 1, MANY) < 1 / 40


def test_posterior_product_without_tosses_is_a_quarter() -> None:
    assert lower.posterior_product(Q(1, 2), 0) == Q(1, 4)
    assert lower.posterior_product(Q(1, 2), 3) < lower.posterior_product(Q(1, 2), 1) < Q(1, 4)


def test_fano_printed_exceeds_the_error_of_a_perfect_channel() -> None:
    error = np.array(1e-6)
    content = lower.symmetric_channel_information(8, error)
    assert content == pytest.approx(log(8), abs=1e-4)
    assert lower.fano_printed(content, 8) > 0.6
    assert lower.fano_lower(content, 8) < error


def test_coin_divergence_is_within_the_printed_constant() -> None:
    delta = np.linspace(0.01, 0.25, 25)
    assert (lower.coin_divergence(delta) <= 8.8 * delta**2).all()
    assert (lower.coin_information(delta) <= lower.coin_divergence(delta)).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_convex_coordinate_has_the_derived_minimum(sign: int) -> None:
    delta = Q(1, 5)
    at = made.convex_minimiser(sign, np.array(delta, dtype=object), delta)
    value = made.convex_coordinate(at, sign, delta, delta)
    assert value == made.convex_minimum(sign, delta)
    assert (made.convex_minimum_printed(sign, delta) == value) == (sign == 1)


def test_greedy_packing_keeps_its_distance() -> None:
    assert made.greedy_packing(1) == 1
    assert made.greedy_packing(2) == 3
    assert made.greedy_packing(8) >= 2


def test_close_weights_are_stochastic_and_counted() -> None:
    bias = np.array([[0.0, 0.4, 1.0], [0.4, 0.0, 0.4], [1.0, 0.4, 0.0]])
    eps = np.full(3, 0.8)
    np.testing.assert_allclose(rates.close_weights(bias, eps).sum(-1), 1)
    assert rates.close_agents(2 * bias, eps).tolist() == [2, 3, 2]


def test_repaired_descent_follows_the_slow_axis() -> None:
    low = 0.05
    path = 0.5 * low * (1 - 0.5 * low) ** (2 * 40)
    printed = sgd.lemma4_printed(0.5 * low, 0.5, 1.0, 1.0, 0.0, 40)
    repaired = sgd.lemma4_upper(0.5 * low, 0.5, 1.0, 1.0, 0.0, 40, low, 1.0)
    assert sum(printed.values()) < path <= sum(repaired.values())


def test_doubling_is_a_geometric_sum() -> None:
    assert rates.doubling_samples_upper(1, 1, np.ones(3)) == 4 * (1 + 4 + 16)


@pytest.mark.parametrize("precision", [0.3, 0.01, 1e-4])
def test_rounds_for_a_precision_invert_the_bounds_over_the_horizon(precision: float) -> None:
    distance, smoothness, variance, mu = 2.5, 3.0, 0.7, 0.4
    rounds = sgd.lemma5_rounds_upper(distance, smoothness, variance, precision)
    reached = sgd.lemma5_horizon_upper(distance, smoothness, variance, rounds)
    assert max(reached.values()) <= precision / 2 * (1 + 1e-12)
    assert sum(reached.values()) >= precision / 2  # and not far below
    step = sgd.precision_step(mu, smoothness, variance, precision)
    steps = sgd.precision_rounds(distance, mu, step, precision)
    assert exp(-mu * step * steps) * distance == pytest.approx(precision)
