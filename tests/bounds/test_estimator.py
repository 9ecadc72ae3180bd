"""Moments and law of the estimated ratio: enumeration, bivariate normals, simulation, faults."""

from __future__ import annotations

from fractions import Fraction as Q
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

import bounds.estimator_law as law
from bounds.estimator import (
    aged_ratio,
    estimator_covariance_along,
    estimator_covariance_gaussian,
    estimator_gap_mean,
    estimator_gap_variance_along,
    estimator_gap_variance_gaussian,
    estimator_own_mean,
    estimator_own_variance_along,
    estimator_own_variance_gaussian,
    plug_in_ratio,
    plug_in_threshold,
    two_point_cumulants,
)
from bounds.estimator_law import (
    estimated_ratio_mean,
    estimated_ratio_survival,
    estimated_ratio_variance,
    switch_off_at_optimum,
    switch_off_probability,
)
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput

OWN, OTHER = as_rational([2, "1/3"]), as_rational(["3/2", -1])
DIRECTION = as_rational(["3/5", "4/5"])
SCALES, SKEWS, BATCH = (Q(1), Q(3, 2)), (Q(2), Q(1, 3)), 2


def outcomes() -> tuple[Any, Any, Any]:
    """Z_own, Z_gap and probability of every outcome of two draws for each of two clients."""
    values = []
    for scale, skew in zip(SCALES, SKEWS, strict=True):
        share = 1 / (1 + skew**2)
        values.append([(scale * skew, share), (-scale / skew, 1 - share)])
    found = []
    for draws in product(*[values[0]] * BATCH, *[values[1]] * BATCH):
        own, other = draws[:BATCH], draws[BATCH:]
        g = OWN + DIRECTION * (sum(x for x, _ in own) / BATCH)
        k = OTHER + DIRECTION * (sum(x for x, _ in other) / BATCH)
        chance = Q(1)
        for _, p in draws:
            chance *= p
        found.append(((g**2).sum(), ((k - g) ** 2).sum(), chance))
    own_z, gap_z, chances = (np.array(x, dtype=object) for x in zip(*found, strict=True))
    return own_z, gap_z, chances


def test_means_and_variances_equal_enumeration_exactly() -> None:
    own_z, gap_z, p = outcomes()
    assert p.sum() == 1
    gap, size = ((OTHER - OWN) ** 2).sum(), (OWN**2).sum()
    mean_own, mean_gap = (own_z * p).sum(), (gap_z * p).sum()
    variances = [s**2 for s in SCALES]
    assert mean_gap == estimator_gap_mean(gap, *variances, BATCH)
    assert mean_own == estimator_own_mean(size, variances[0], BATCH)
    own, other = (two_point_cumulants(s, m, BATCH) for s, m in zip(SCALES, SKEWS, strict=True))
    found = estimator_own_variance_along(OWN, DIRECTION, own)
    assert (own_z**2 * p).sum() - mean_own**2 == found
    found = estimator_gap_variance_along(OWN, OTHER, DIRECTION, own, other)
    assert (gap_z**2 * p).sum() - mean_gap**2 == found
    found = estimator_covariance_along(OWN, OTHER, DIRECTION, own)
    assert (own_z * gap_z * p).sum() - mean_own * mean_gap == found


def test_forgetting_the_shared_draws_is_noticed() -> None:
    """Negative controls: independent Z, or a skew of the wrong sign."""
    own_z, gap_z, p = outcomes()
    truth = (own_z * gap_z * p).sum() - (own_z * p).sum() * (gap_z * p).sum()
    own = two_point_cumulants(SCALES[0], SKEWS[0], BATCH)
    flipped = own[0], -own[1], own[2]
    assert truth != 0
    assert truth != estimator_covariance_along(OWN, OTHER, DIRECTION, flipped)


def test_fair_signs_along_a_line_have_no_third_cumulant() -> None:
    assert two_point_cumulants(Q(1), Q(1), 1) == (1, 0, -2)


def test_gaussian_moments_agree_with_simulation() -> None:
    rng, runs, d, b = np.random.default_rng(5), 400_000, 3, 2
    g, k = np.array([1.0, -0.5, 0.25]), np.array([0.5, 0.5, 0.0])
    own, other = 1.5, 0.75
    hat_g = g + rng.normal(size=(runs, d)) * np.sqrt(own / b / d)
    hat_k = k + rng.normal(size=(runs, d)) * np.sqrt(other / b / d)
    z_own, z_gap = (hat_g**2).sum(1), ((hat_k - hat_g) ** 2).sum(1)
    gap, size = ((k - g) ** 2).sum(), (g**2).sum()
    for draws, mean, variance in (
        (
            z_own,
            estimator_own_mean(size, own, b),
            estimator_own_variance_gaussian(size, own, b, d),
        ),
        (
            z_gap,
            estimator_gap_mean(gap, own, other, b),
            estimator_gap_variance_gaussian(gap, own, other, b, d),
        ),
    ):
        assert abs(draws.mean() - mean) < 6 * (variance / runs) ** 0.5
        # six standard errors of a variance, from the sample's fourth moment
        spread = ((draws - draws.mean()) ** 2).std() / runs**0.5
        assert abs(draws.var() - variance) < 6 * spread
    both = (z_own - z_own.mean()) * (z_gap - z_gap.mean())
    covariance = estimator_covariance_gaussian(g, k, own, b)
    assert abs(both.mean() - covariance) < 6 * both.std() / runs**0.5
    assert abs(covariance) > 60 * both.std() / runs**0.5  # and says something


def test_plug_in_ratio_changes_sign_at_the_threshold() -> None:
    gap, own, other, b = Q(1, 3), Q(2), Q(5), 4
    limit = plug_in_threshold(gap, other, b)
    assert plug_in_ratio(gap, limit, own, other, b) == 0
    assert plug_in_ratio(gap, limit + 1, own, other, b) > 0
    # at the optimum of equal clients of equal noise it is -1, whatever b_alpha
    assert [plug_in_ratio(Q(0), Q(0), Q(3), Q(3), m) for m in (1, 100)] == [-1, -1]


def test_aged_ratio_is_the_ratio_after_contraction() -> None:
    gap, size, rho = Q(1, 2), Q(3), Q(9, 10)
    for rounds in range(4):
        later = 1 - gap / (size * rho ** (2 * rounds))
        assert aged_ratio(1 - gap / size, rho, rounds) == later


# -- law ----------------------------------------------------------------------------------


CASES = [
    ([0.7], [0.5], 1.0, 2.0, 3),
    ([1.0, 0.2], [0.8, -0.4], 1.0, 1.0, 1),
    ([0.3] * 10, [0.3] * 10, 1.0, 0.5, 2),
    ([0.0] * 3, [0.0] * 3, 1.0, 1.0, 1),
    ([0.2, 0.1], [-2.0, 1.0], 0.5, 4.0, 2),
    ([5.0, 1.0], [4.0, 2.5], 1.0, 3.0, 1),
]


@pytest.mark.parametrize(("g", "k", "own", "other", "b"), CASES)
def test_law_agrees_with_simulation(g: Any, k: Any, own: float, other: float, b: int) -> None:
    rng, runs, d = np.random.default_rng(11), 400_000, len(g)
    hat_g = np.array(g) + rng.normal(size=(runs, d)) * np.sqrt(own / b / d)
    hat_k = np.array(k) + rng.normal(size=(runs, d)) * np.sqrt(other / b / d)
    ratio = np.maximum(0, 1 - ((hat_k - hat_g) ** 2).sum(1) / (hat_g**2).sum(1))
    given = (np.array(g), np.array(k), own, other, b)
    # ratios lie in [0, 1]: Hoeffding at 1e-9
    radius = (np.log(2e9) / (2 * runs)) ** 0.5
    assert abs(estimated_ratio_mean(*given) - ratio.mean()) < radius
    assert abs(switch_off_probability(*given) - (ratio == 0).mean()) < radius
    assert abs(estimated_ratio_survival(0.5, *given) - (ratio > 0.5).mean()) < radius
    assert abs(estimated_ratio_variance(*given) - ratio.var()) < 3 * radius


@pytest.mark.parametrize(("g", "k"), [(0.7, 0.5), (0.0, 0.0), (-1.0, 2.0), (3.0, 2.5)])
def test_switching_off_on_the_line_is_an_orthant_probability(g: float, k: float) -> None:
    """In one dimension: (hat_g - hat_k / 2) hat_k <= 0."""
    from scipy.stats import multivariate_normal

    own, other = 1.5, 0.5
    mean = np.array([g - k / 2, k])
    cov = np.array([[own + other / 4, -other / 2], [-other / 2, other]])
    both = sum(
        multivariate_normal.cdf([0, 0], mean=s * mean, cov=cov, abseps=1e-12) for s in (1, -1)
    )
    found = switch_off_probability(np.array([g]), np.array([k]), own, other, 1)
    assert found == pytest.approx(1 - both, abs=1e-7)


@pytest.mark.parametrize("dim", [1, 2, 10, 100])
@pytest.mark.parametrize("ratio", [0.25, 1.0, 4.0])
def test_switching_off_at_the_optimum_is_a_central_f(dim: int, ratio: float) -> None:
    zero = np.zeros(dim)
    for b in (1, 64):
        found = switch_off_probability(zero, zero, ratio, 1.0, b)
        assert found == pytest.approx(switch_off_at_optimum(dim, ratio), abs=1e-9)


def test_more_draws_bring_the_estimate_to_the_ratio() -> None:
    g, k = np.array([1.0, 0.0]), np.array([0.75, 0.25])
    truth = 1 - 0.125
    bias = [truth - float(estimated_ratio_mean(g, k, 1.0, 1.0, b)) for b in (1, 4, 16, 256)]
    assert all(later < earlier for earlier, later in pairwise(bias))
    assert 0 < bias[-1] < 0.01
    off = [float(switch_off_probability(g, k, 1.0, 1.0, b)) for b in (1, 4, 16)]
    assert off[0] > off[1] > off[2]


def test_survival_falls_with_x_and_broadcasts() -> None:
    x = np.linspace(0, 0.999, 7)[:, None]
    g = np.array([[1.0, 0.5], [0.1, 0.0]])
    found = estimated_ratio_survival(x, g, g, 1.0, 2.0, np.array([1, 3]))
    assert found.shape == (7, 2)
    assert (np.diff(found, axis=0) < 0).all()


def test_a_wrong_eigenvalue_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: equal weights of the two chi-squares give one half at the optimum."""
    real = law._ratio_cdf
    monkeypatch.setattr(law, "_ratio_cdf", lambda limit, d, a, b: real(limit * 0 + 1, d, a, b))
    zero = np.zeros(2)
    wrong = float(switch_off_probability(zero, zero, 1.0, 1.0, 1))
    assert abs(wrong - float(switch_off_at_optimum(2))) > 0.1


def test_bad_input_is_named() -> None:
    one = np.ones(2)
    with pytest.raises(InvalidInput, match="x must be in"):
        estimated_ratio_survival(1.0, one, one, 1.0, 1.0, 1)
    with pytest.raises(InvalidInput, match="variance must be positive"):
        switch_off_probability(one, one, 0.0, 1.0, 1)
    with pytest.raises(InvalidInput, match="b_alpha must be positive"):
        estimator_gap_mean(1.0, 1.0, 1.0, 0)
    with pytest.raises(InvalidInput, match="other_gradient must be of length 2"):
        switch_off_probability(one, np.ones(3), 1.0, 1.0, 1)
