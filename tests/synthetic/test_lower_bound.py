"""The sign family knows its losses, its noise and its minimiser."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from bounds.allforall.lower import convex_bayes_gap
from bounds.numbers.validate import InvalidInput
from synthetic.lower_bound import SignFamily

DATA: dict[str, Any] = {
    "signs": np.array([1.0, -1.0]),
    "delta": np.array([0.25, 0.0, 0.5]),
    "radius": np.array(2.0),
    "size": np.array(3.0),
}
POINTS = np.array([[0.5, -0.3], [3.0, 1.0], [-2.5, 0.7]])


def test_gradients_are_slopes_of_the_losses() -> None:
    problem, step = SignFamily(DATA), 1e-6
    for c in range(2):
        move = step * np.eye(2)[c]
        slope = (problem.own_losses(POINTS + move) - problem.own_losses(POINTS - move)) / (2 * step)
        np.testing.assert_allclose(problem.own_gradients(POINTS)[:, c], slope, atol=1e-8)


def test_samples_average_to_the_gradient_with_square_at_most_b() -> None:
    problem = SignFamily(DATA)
    values, chances = problem.noise_support()
    np.testing.assert_allclose(chances.sum(-1), 1)
    mean, square = 0, 0
    for s in range(values.shape[-1]):
        answer = problem.own_stochastic_gradients(POINTS, values[:, s : s + 1])
        mean = mean + chances[:, s, None] * answer
        square = square + chances[:, s] * (answer**2).sum(-1)
    np.testing.assert_allclose(mean, problem.own_gradients(POINTS), atol=1e-15)
    np.testing.assert_allclose(square, 9)  # B^2: no point lies on a kink
    variance = square - (problem.own_gradients(POINTS) ** 2).sum(-1)
    np.testing.assert_allclose(problem.own_gradient_variance(POINTS), variance)


def test_minimiser_and_minimum() -> None:
    problem = SignFamily(DATA)
    np.testing.assert_allclose(problem.own_losses(problem.optimum), problem.optimal_value)
    rng = np.random.default_rng(3)
    points = rng.normal(scale=3, size=(500, 2))
    assert (problem.losses(points) >= problem.optimal_value - 1e-12).all()


def test_gap_of_the_start_is_the_bayes_gap_without_samples() -> None:
    scale = Q(32)  # r B / eps with eps = r = 1
    data = {"signs": [1], "delta": [2 / scale], "radius": 1, "size": scale}
    exact = {k: np.array(v, dtype=object) for k, v in data.items()}
    gap = SignFamily(exact).excess(np.array([Q(0)], dtype=object))
    assert gap[0] == convex_bayes_gap(Q(1), scale, 1, 1, 0) == 4


@pytest.mark.parametrize(("name", "value"), [("signs", [0.5, 1.0]), ("delta", [0.1, 0.2, 0.6])])
def test_impossible_coins_are_refused(name: str, value: list[float]) -> None:
    with pytest.raises(InvalidInput, match=name):
        SignFamily({**DATA, name: np.array(value)})
