"""Streaming least squares with noisy labels: moments, limits, units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from synthetic.exact.moments import averaged_gradient_map, expected_excess, moments
from synthetic.tables.streaming import StreamingLeastSquares

H = np.array([[[1.0, 0.3], [0.3, 0.5]], [[2.0, 0.0], [0.0, 1.0]]])
TARGETS = np.array([[1.0, -1.0], [0.5, 2.0]])
THETA = np.array([0.25, 0.5])


def problem(label_variance: Any = (0.5, 2.0), batch: int = 2) -> StreamingLeastSquares:
    data = {"H": H, "targets": TARGETS, "batch": batch, "label_variance": np.array(label_variance)}
    return StreamingLeastSquares(data)


def drawn(p: StreamingLeastSquares, runs: int, seed: int = 3) -> Any:
    words = np.random.default_rng(seed).normal(size=(runs, 2, p.noise_width))
    return p.stochastic_gradients(THETA, words / p.noise_width**0.5)


def test_variance_and_covariance_agree_with_simulation() -> None:
    p, runs = problem(), 400_000
    g = drawn(p, runs)
    # eight standard errors: products of four normals have heavy tails
    error = 8 * g.std(0) / runs**0.5
    assert (abs(g.mean(0) - p.gradients(THETA)) < error).all()
    centred = g - p.gradients(THETA)
    squares = (centred**2).sum(-1)
    assert (
        abs(squares.mean(0) - p.gradient_variance(THETA)) < 8 * squares.std(0) / runs**0.5
    ).all()
    products = centred[..., :, None] * centred[..., None, :]
    expected = p.gradient_covariance(THETA, np.zeros((2, 2)))
    assert (abs(products.mean(0) - expected) < 8 * products.std(0) / runs**0.5).all()
    trace = expected[..., [0, 1], [0, 1]].sum(-1)
    np.testing.assert_allclose(trace, p.gradient_variance(THETA), rtol=1e-12)
    silent = problem((0.0, 0.0)).gradient_variance(THETA)  # negative control
    assert (abs(squares.mean(0) - silent) > 8 * squares.std(0) / runs**0.5).all()


def test_exact_labels_are_the_limit() -> None:
    exact = StreamingLeastSquares({"H": H, "targets": TARGETS})
    words = np.random.default_rng(1).normal(size=(5, 2, 6))
    zero = problem((0.0, 0.0))
    left = zero.stochastic_gradients(THETA, words / 6**0.5)
    right = exact.stochastic_gradients(THETA, words[..., :4] / 2)
    np.testing.assert_allclose(left, right, rtol=1e-12)
    assert (zero.losses(THETA) == exact.losses(THETA)).all()
    assert zero.noise_width == 6
    assert exact.noise_width == 4


def test_noise_adds_its_variance_to_the_loss_and_not_to_the_excess() -> None:
    p, exact = problem(), problem((0.0, 0.0))
    np.testing.assert_allclose(p.losses(THETA), np.array([0.5, 2.0]) + exact.losses(THETA))
    assert (p.excess(THETA) == exact.excess(THETA)).all()
    assert p.own_gradient_variance(TARGETS) == pytest.approx(4 * np.array([0.5 * 1.5, 6.0]) / 2)


def test_local_training_ends_at_the_level_of_the_recursion() -> None:
    """H = I: (4 eta - 4 eta^2 (1 + (d+1)/b)) E = 4 eta^2 s^2 d / b."""
    p = StreamingLeastSquares(
        {"H": np.eye(2)[None], "targets": np.ones((1, 2)), "label_variance": np.array([0.3])}
    )
    eta = 0.25
    path = moments(averaged_gradient_map(p, np.ones(1), eta), np.zeros(2), 200)
    level = 4 * eta**2 * 0.3 * 2 / 2 / (4 * eta - 4 * eta**2 * 2.5)
    assert expected_excess(p, path)[-1, 0] == pytest.approx(level, rel=1e-10)
