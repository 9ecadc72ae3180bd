"""Weights of Definition 1: identities in exact arithmetic, conventions, orderings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from bounds import similarity as sim
from bounds.generic import total
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput

unit = st.fractions(min_value=0, max_value=1, max_denominator=20)
variance = st.fractions(min_value=Fraction(1, 9), max_value=9, max_denominator=20)
threshold = st.fractions(min_value=Fraction(1, 20), max_value=1, max_denominator=20)


@st.composite
def clients(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Ratios with r_0 = 1, variances, and phi of a drawn rule."""
    n = draw(st.integers(1, 4))
    r = as_rational([Fraction(1), *(draw(unit) for _ in range(n - 1))])
    sigma2 = as_rational([draw(variance) for _ in range(n)])
    rule = draw(st.sampled_from(sorted(sim.PHI)))
    return r, sigma2, sim.phi_by_name(rule, r, draw(threshold), draw(st.integers(1, 3)))


@given(clients())
def test_identities_hold_exactly(data: tuple[Any, Any, Any]) -> None:
    r, sigma2, phi = data
    alpha = sim.collaboration_weights(r, phi, sigma2)
    assert total(alpha * r) == 1
    assert total(alpha) == sim.weight_sum(r, phi, sigma2) == 1 / sim.step_ratio(r, phi, sigma2)
    assert total(alpha**2 * sigma2) == sim.weighted_variance(r, phi, sigma2)
    assert sim.weight_sum(r, phi, sigma2) >= 1
    assert sim.weighted_variance(r, phi, sigma2) <= sim.effective_variance(r, phi, sigma2)
    assert sim.step_ratio(r, phi, sigma2) >= sim.step_ratio_lower(sigma2)
    assert sim.step_size_limit(r, phi, sigma2, 2) == sim.step_ratio(r, phi, sigma2) / 2


@given(clients(), st.permutations(range(4)))
def test_permuting_clients_permutes_weights(data: tuple[Any, Any, Any], order: list[int]) -> None:
    r, sigma2, phi = data
    order = [j for j in order if j < len(r)]
    alpha = sim.collaboration_weights(r, phi, sigma2)
    moved = sim.collaboration_weights(r[order], phi[order], sigma2[order])
    assert (moved == alpha[order]).all()


@given(st.lists(unit, min_size=1, max_size=4), threshold)
def test_phi_is_below_the_identity_and_binary_psi_above_threshold_phi(
    values: list[Fraction], level: Fraction
) -> None:
    r = as_rational(values)
    for rule in sim.PHI:
        phi = sim.phi_by_name(rule, r, level, 2)
        assert (phi <= r).all()
        assert (phi >= 0).all()
    phi = sim.phi_binary(r, level)
    assert (sim.psi(r, phi) >= sim.step_ratio_binary_lower(level) * phi).all()


def test_a_wrong_normalisation_is_caught() -> None:
    """Negative control: sigma_k in place of sigma_k^2 breaks sum alpha r = 1."""
    r, sigma2 = as_rational([1, "1/2"]), as_rational([4, 1])
    wrong = r * sim.effective_variance(r, r, sigma2) / as_rational([2, 1])
    assert total(wrong * r) != 1


def test_ratio_from_gradients() -> None:
    gradients = np.array([[1.0, 0.0], [1.0, 0.5], [-1.0, 0.0], [1.0, 0.0]])
    for cast in (lambda x: x, torch.tensor, as_rational):
        found = sim.similarity_ratio(cast(gradients))
        assert np.asarray(found, dtype=float).tolist() == [1.0, 0.75, 0.0, 1.0]
    found = sim.similarity_ratio(gradients, gradients[1])
    assert found[1] == 1


def test_ratio_when_the_own_gradient_vanishes() -> None:
    gradients = np.array([[0.0], [0.5], [0.0], [1e-9]])
    for cast in (lambda x: x, torch.tensor, as_rational):
        found = sim.similarity_ratio(cast(gradients))
        assert np.asarray(found, dtype=float).tolist() == [1.0, 0.0, 1.0, 0.0]


def test_batches_give_remark_1() -> None:
    r, batch = as_rational([1, "1/3", "2/3"]), as_rational([1, 2, 5])
    sigma2 = 7 / batch
    scale = sim.effective_variance(r, r, sigma2) / sigma2
    assert (scale == sim.batch_weight_scale(r**2, batch)).all()


def test_leading_axes_and_thresholds_per_instance() -> None:
    rng = np.random.default_rng(0)
    r, sigma2 = rng.uniform(size=(5, 4, 3)), rng.uniform(1, 2, size=(5, 1, 3))
    r[..., 0] = 1
    levels = rng.uniform(0.1, 1, size=(5, 1))
    phi = sim.phi_by_name("binary", r, levels)
    alpha = sim.collaboration_weights(r, phi, sigma2)
    for b in range(5):
        one = sim.phi_binary(r[b], levels[b, 0])
        expected = sim.collaboration_weights(r[b], one, sigma2[b])
        np.testing.assert_allclose(alpha[b], expected, rtol=1e-14)  # order of summation


def test_bad_input_is_named() -> None:
    one = np.ones(2)
    with pytest.raises(InvalidInput, match="sigma2 must be positive, got -1 at index"):
        sim.collaboration_weights(one, one, -one)
    with pytest.raises(InvalidInput, match="phi must be one of binary, continuous, power"):
        sim.phi_by_name("binray", one)
    with pytest.raises(InvalidInput, match="threshold must be given"):
        sim.phi_by_name("binary", one)
    with pytest.raises(InvalidInput, match="exponent must be an integer >= 1"):
        sim.phi_power(one, 0)
