"""Noise that grows up to a ball: exact variances by enumeration, and the bound that is attained."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import source_of
from synthetic.registry import make

LAWS: dict[str, dict[str, Any]] = {
    "two_point": {"skew": np.array([2.0, 0.5])},
    "finite": {
        "values": np.tile([-4.0, 0.0, 4.0], (2, 1)),
        "probabilities": np.tile([1 / 32, 15 / 16, 1 / 32], (2, 1)),
    },
    "gaussian": {},
    "sphere": {},
}


def problem(law: str, labels: float = 0.5, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return make(
        "growing",
        {
            "root": rng.normal(size=(2, 2, 2)),
            "targets": rng.normal(size=(2, 2)),
            "law": law,
            "radius": np.asarray(1.0),
            "label_scale": np.full(2, labels),
            **LAWS[law],
        },
    )


@pytest.mark.parametrize("law", ["two_point", "finite"])
@pytest.mark.parametrize("reach", [0.3, 5.0])
def test_mean_and_variance_are_those_of_all_outcomes(law: str, reach: float) -> None:
    """Three words of two or three values, inside the ball and far outside."""
    made = problem(law)
    theta = np.random.default_rng(4).normal(size=2) * reach
    values, chances = made.noise_support()
    exact, stated = made.gradients(theta), made.gradient_variance(theta)
    mean, square = np.zeros((2, 2)), np.zeros(2)
    for places in product(range(values.shape[1]), repeat=3):
        draws, weight = values[:, places], chances[:, places].prod(axis=1)
        g = made.stochastic_gradients(theta, draws)
        mean += weight[:, None] * g
        square += weight * ((g - exact) ** 2).sum(-1)
    np.testing.assert_allclose(mean, exact, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(square, stated, rtol=1e-12)


@pytest.mark.parametrize("law", ["gaussian", "sphere"])
def test_variance_of_densities_is_met_by_samples(law: str) -> None:
    """200,000 draws: within 4 % for fourth moments of this size."""
    made = problem(law)
    source = source_of(made.map(torch.as_tensor), 3, range(200_000), 2)
    theta = np.array([0.3, -0.4])
    tensors = made.map(torch.as_tensor).expand(1)
    drawn = tensors.stochastic_gradients(torch.as_tensor(theta)[None], source.draw(0)).numpy()
    found = ((drawn - made.gradients(theta)) ** 2).sum(-1).mean(0)
    np.testing.assert_allclose(found, made.gradient_variance(theta), rtol=0.04)


@pytest.mark.parametrize("law", LAWS)
def test_a2_holds_everywhere_and_is_attained_on_the_ball(law: str) -> None:
    made = problem(law)
    rng = np.random.default_rng(2)
    points = rng.normal(size=(2000, 2)) * rng.choice([0.1, 1, 10], size=(2000, 1))
    assert (made.gradient_variance(points) <= made.noise_variance * (1 + 1e-12)).all()
    angle = np.linspace(0, np.pi, 2001)
    border = np.stack([np.cos(angle), np.sin(angle)], -1)[:, None] + made.optimum
    largest = made.own_gradient_variance(border).max(axis=0)
    # a grid of 2001 directions misses the top by less than (pi/4000)^2
    np.testing.assert_allclose(largest, made.noise_variance, rtol=1e-5)
    assert (largest > 0.99 * made.noise_variance).all()  # one per cent less would be broken


def test_variance_grows_with_the_gradient_inside_and_stays_outside() -> None:
    made = problem("gaussian", labels=0.0)
    ray = made.optimum + np.array([0.0, 0.25, 0.5, 1.0, 2.0, 4.0])[:, None, None] * np.array([1, 0])
    values = made.own_gradient_variance(ray)
    inside = np.array([[0, 0], [1, 1], [4, 4], [16, 16]]) / 16
    np.testing.assert_allclose(values[:4] / values[3], inside)
    np.testing.assert_allclose(values[3:] / values[3], 1, rtol=1e-12)


def test_inside_the_ball_it_is_streaming_least_squares() -> None:
    """The family ``streaming`` has twice the loss, hence four times the variance."""
    made = problem("gaussian", labels=0.0)
    plain = make("streaming", {"H": made.form, "targets": made.optimum, "batch": 1})
    theta = made.optimum[0] + np.array([0.2, 0.3])
    both = made.gradient_variance(theta)[0], plain.gradient_variance(theta)[0]
    np.testing.assert_allclose(4 * both[0], both[1], rtol=1e-12)
    assert not plain.bounded_variance
    assert made.bounded_variance


def test_unknown_laws_are_refused() -> None:
    with pytest.raises(InvalidInput, match="law must be one of gaussian"):
        make(
            "growing",
            {
                "root": np.ones((1, 1, 1)),
                "targets": np.ones((1, 1)),
                "radius": 1.0,
                "law": "cauchy",
            },
        )


def test_a_finite_law_that_is_not_standardised_is_refused() -> None:
    """The variance that the problem states would be another one than that of its draws."""
    data = dict(problem("finite").data) | {"values": np.tile([-4.0, 0.0, 8.0], (2, 1))}
    with pytest.raises(InvalidInput, match="values must be of mean 0"):
        make("growing", data)
