"""Moment recursion against enumeration, closed forms and simulation."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from synthetic.builders import clustered_quadratics
from synthetic.exact.moments import AffineMap, averaged_gradient_map, expected_excess, moments, step
from synthetic.noise.outcomes import enumerate_outcomes
from synthetic.noise.philox import run_key
from synthetic.noise.sources import source_of
from synthetic.quadratic import Quadratic
from synthetic.tables.diabetes import diabetes_split
from synthetic.tables.streaming import two_clusters


def exact_problem(half: bool) -> Quadratic:
    rows = {
        "A": [[["2", "1/2"], ["1/2", "1"]], [["1", "0"], ["0", "3"]]],
        "xi": [["1", "-1/3"], ["0", "2"]],
        "noise_scale": ["1/2", "1"],
        "skew": ["1", "2"],
        "direction": [["3/5", "4/5"], ["0", "1"]],
    }
    return Quadratic({**rows, "half": half})


def averaged_run(problem: Any, weights: Any, eta: Any, start: Any, draws: Any) -> list[Any]:
    """theta' = theta - eta sum_k w_k g_k(theta), draws (R, T, N, w)."""
    path = [start + 0 * draws[:, 0, 0, :1]]
    for t in range(draws.shape[1]):
        g = problem.stochastic_gradients(path[-1], draws[:, t])
        path.append(path[-1] - eta * (weights[:, None] * g).sum(-2))
    return path


@pytest.mark.parametrize("half", [False, True])
def test_equals_enumeration_of_all_outcomes_in_fractions(half: bool) -> None:
    problem = exact_problem(half)
    weights, eta = np.array([Fraction(1), Fraction(1, 3)]), Fraction(1, 10)
    start = np.array([Fraction(2), Fraction(-1)])
    draws, chances = enumerate_outcomes(problem.noise_support(), rounds=2, slots=2)
    runs = averaged_run(problem, weights, eta, start, draws)
    path = moments(averaged_gradient_map(problem, weights, eta), start, 2)
    found = expected_excess(problem, path)
    assert found.shape == (3, 2)
    for t in range(3):
        assert ((chances[:, None] * runs[t]).sum(0) == path.mean[t]).all()
        assert ((chances[:, None] * problem.excess(runs[t])).sum(0) == found[t]).all()


def test_a_wrong_noise_scale_breaks_the_equality() -> None:
    """Negative control of the enumeration test."""
    problem = exact_problem(half=False)
    wrong = Quadratic({**problem.data, "noise_scale": ["1/2", "9/10"]})
    weights, start = np.array([Fraction(1), Fraction(1)]), np.array([Fraction(0), Fraction(1)])
    paths = [
        moments(averaged_gradient_map(p, weights, Fraction(1, 10)), start, 1)
        for p in (problem, wrong)
    ]
    assert (expected_excess(problem, paths[0])[1] > expected_excess(problem, paths[1])[1]).all()


def test_scalar_case_has_its_textbook_closed_form() -> None:
    """R = mu/2 theta^2: E theta_T^2 = q^T theta_0^2 + eta^2 sigma^2 (1 - q^T)/(1 - q)."""
    mu, eta, sigma, rounds = 0.5, 0.3, 2.0, 40
    problem = Quadratic(
        {"A": [[[mu]]], "xi": [[0.0]], "noise_scale": [sigma], "half": True, "law": "gaussian"}
    )
    path = moments(averaged_gradient_map(problem, np.ones(1), eta), np.array([3.0]), rounds)
    q = (1 - eta * mu) ** 2
    powers = q ** np.arange(rounds + 1)
    expected = mu / 2 * (powers * 9 + eta**2 * sigma**2 * (1 - powers) / (1 - q))
    np.testing.assert_allclose(expected_excess(problem, path)[:, 0], expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["gaussian", "sphere", "two_point", "streaming", "samples"])
def test_simulated_means_are_within_six_standard_errors(name: str) -> None:
    if name == "streaming":
        problem: Any = two_clusters(2, clients=4, seed=3)
    elif name == "samples":
        problem = diabetes_split(batch=2, features=("bmi", "s5"))
    else:
        problem = clustered_quadratics(
            3, 2, seed=5, smoothness=4.0, noise_scale=[0.5, 1.0, 2.0], law=name
        )
    tensors = problem.map(torch.as_tensor)
    weights = np.linspace(0.2, 0.6, problem.clients)
    start, eta, rounds = np.ones(problem.dim), 0.05, 6
    path = moments(averaged_gradient_map(problem, weights, eta), start, rounds)
    expected = expected_excess(problem, path)
    source = source_of(tensors, run_key(99), range(40_000), problem.clients)
    draws = torch.stack([source.draw(t) for t in range(rounds)], 1)
    runs = averaged_run(tensors, torch.as_tensor(weights), eta, torch.as_tensor(start), draws)
    for t in (1, rounds):
        sample = tensors.excess(runs[t])
        error = sample.std(0) / math.sqrt(len(sample))
        gap = (sample.mean(0) - torch.as_tensor(expected[t])).abs()
        assert (gap < 6 * error).all()
    # negative control: without the noise the same comparison fails
    silent = AffineMap(
        *(getattr(averaged_gradient_map(problem, weights, eta), n) for n in ("matrix", "offset")),
        np.zeros((problem.dim, problem.dim)),
    )
    quiet = expected_excess(problem, moments(silent, start, rounds))[rounds]
    assert ((sample.mean(0) - torch.as_tensor(quiet)).abs() > 6 * error).any()


def test_leading_axes_and_schedules_equal_single_runs() -> None:
    rng = np.random.default_rng(2)
    A = rng.normal(size=(5, 2, 2, 2))
    data = {"A": A @ A.swapaxes(-1, -2), "xi": rng.normal(size=(5, 2, 2))}
    data["noise_scale"] = rng.uniform(size=(5, 2))
    problem = Quadratic(data)
    etas = rng.uniform(0.01, 0.1, size=(4, 5))
    weights = rng.uniform(size=(5, 2))
    start = rng.normal(size=(5, 2))
    path = moments(lambda t: averaged_gradient_map(problem, weights, etas[t]), start, 4)
    found = expected_excess(problem, path)
    assert found.shape == (5, 5, 2)
    for b in range(5):
        one = problem.map(lambda x, b=b: x[b])
        maps = [averaged_gradient_map(one, weights[b], etas[t, b]) for t in range(4)]
        alone = moments(maps.__getitem__, start[b], 4)
        np.testing.assert_allclose(expected_excess(one, alone), found[b], rtol=1e-12)


def test_torch_equals_numpy() -> None:
    problem = diabetes_split(batch=3)
    weights, start = np.array([0.7, 0.3]), np.ones(problem.dim)
    ours = expected_excess(
        problem, moments(averaged_gradient_map(problem, weights, 0.01), start, 5)
    )
    tensors = problem.map(torch.as_tensor)
    torch_map = averaged_gradient_map(tensors, torch.as_tensor(weights), 0.01)
    theirs = expected_excess(tensors, moments(torch_map, torch.as_tensor(start), 5))
    np.testing.assert_allclose(theirs.numpy(), ours, rtol=1e-10)


def test_one_step_carries_covariance_by_both_sides() -> None:
    matrix, spread = np.array([[0.0, 2.0], [1.0, 0.0]]), np.diag([1.0, 3.0])
    mean, covariance = step(AffineMap(matrix, np.ones(2), np.eye(2)), np.array([1.0, 2.0]), spread)
    assert mean.tolist() == [5.0, 2.0]
    assert covariance.tolist() == [[13.0, 0.0], [0.0, 2.0]]
