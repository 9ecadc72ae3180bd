"""Personalisation by one step: exact on quadratics, in the order of Table 3 where that is clear."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch

from figures.studies.fedbc.personal import METHODS, Scores, personal_study, personalised
from synthetic.quadratic import Quadratic
from synthetic.tables.alpha_beta import alpha_beta
from synthetic.tables.softmax_devices import ROWS, SoftmaxDevices

MULTIPLIERS = {"multipliers": torch.full((2,), 0.25, dtype=torch.float64)}
HYPER: Mapping[str, Mapping[str, Any]] = {
    "fedavg": {},
    "fedbc": {**MULTIPLIERS, "local": "gradient"},
    "per_fedavg": {"inner_step": 0.2},
    "per_fedbc": {**MULTIPLIERS, "inner_step": 0.2},
    "pfedme": {"mu": 1.0, "local": "argmin"},
}


def pair(first: float, second: float) -> Quadratic:
    """Two devices on the line with these curvatures and the optima 1 and -2."""
    return Quadratic(
        {
            "A": torch.tensor([first, second], dtype=torch.float64)[:, None, None],
            "half": True,
            "xi": torch.tensor([[-1.0], [2.0]], dtype=torch.float64),
            "law": "none",
        }
    )


def trained(method: str, problem: Quadratic, rounds: int, step: float, **more: Any) -> Scores:
    common = {"start": torch.zeros(1, dtype=torch.float64), "step_size": 0.1}
    hyper = {**common, **HYPER[method], **more}
    return personalised(method, problem, hyper, None, rounds, step)


@pytest.mark.parametrize("method", METHODS)
def test_a_step_of_one_over_the_curvature_ends_at_the_own_optimum(method: str) -> None:
    found = trained(method, pair(2, 2), 5, 1 / 2)
    for tuned in (found.server_tuned, found.own_tuned):
        np.testing.assert_allclose(tuned, 0, atol=1e-24)
    assert found.server.min() > 0.1
    assert trained(method, pair(2, 2), 5, 1 / 3).own_tuned.max() > 1e-3  # negative control


@pytest.mark.parametrize("method", METHODS)
def test_a_shorter_step_leaves_its_share_of_the_excess(method: str) -> None:
    found, curvature, step = trained(method, pair(1, 3), 5, 0.1), np.array([1, 3]), 0.1
    kept = (1 - step * curvature) ** 2
    np.testing.assert_allclose(found.server_tuned, kept * found.server, rtol=1e-12)
    np.testing.assert_allclose(found.own_tuned, kept * found.own, rtol=1e-12)


def test_looking_ahead_pays_after_the_step_and_costs_before_it() -> None:
    """With one local step the server rests where weights a (1 - alpha a) balance, or a alone."""
    curvature, alpha, optima = np.array([1.0, 3.0]), 0.2, np.array([1.0, -2.0])
    plain = trained("fedavg", pair(1, 3), 600, alpha)
    ahead = trained("per_fedavg", pair(1, 3), 600, alpha)
    for found, weights in ((plain, curvature), (ahead, curvature * (1 - alpha * curvature))):
        rest = weights @ optima / weights.sum()
        expected = curvature * (rest - optima) ** 2 / 2
        np.testing.assert_allclose(found.server, expected, rtol=1e-9)
    assert plain.server.mean() < ahead.server.mean()
    assert ahead.server_tuned.mean() < plain.server_tuned.mean()


def test_per_fedavg_with_the_step_of_newton_does_not_move() -> None:
    """Every device's model one step ahead is its optimum, where the gradient vanishes."""
    found = trained("per_fedavg", pair(2, 2), 5, 1 / 2, inner_step=0.5)
    np.testing.assert_allclose(found.server, [1, 4], rtol=1e-12)  # still at zero
    moved = trained("per_fedavg", pair(2, 2), 5, 1 / 2, inner_step=0.25)
    assert abs(moved.server - [1, 4]).max() > 0.1  # negative control


def test_personal_models_of_pfedme_are_proximal_points() -> None:
    found = trained("pfedme", pair(2, 2), 400, 0.0)
    # at rest z = -1/2 and theta = (a m + mu z)/(a + mu): a third of the way is left
    np.testing.assert_allclose(found.server, [9 / 4, 9 / 4], rtol=1e-9)
    np.testing.assert_allclose(found.own, found.server / 9, rtol=1e-9)


def test_gradients_at_own_models_are_those_of_the_own_losses() -> None:
    devices = alpha_beta(3, alpha=0, beta=0, most=60, seed=1)
    problem = SoftmaxDevices([devices], 48, torch.float64)
    rng = np.random.default_rng(1)
    models, along = (torch.as_tensor(rng.normal(size=(1, 3, problem.dim)) / 10) for _ in range(2))
    step = 1e-5  # central differences: error of order step^2
    change = problem.own_losses(models + step * along) - problem.own_losses(models - step * along)
    slope = (problem.own_gradients(models) * along).sum(-1)
    torch.testing.assert_close(slope, change / (2 * step), rtol=1e-6, atol=1e-9)
    same = models[:, :1].expand(models.shape)
    torch.testing.assert_close(problem.own_losses(same), problem.losses(models[:, 0]))
    sizes = problem.train.sizes[0].tolist()
    assert sizes[0] == 48  # every training row once in a batch
    every = (torch.arange(48).double() + 0.5) * ROWS / 48
    drawn = problem.own_stochastic_gradients(models, every.expand(1, 3, -1))
    torch.testing.assert_close(drawn[:, 0], problem.own_gradients(models)[:, 0])


def test_tuning_helps_on_softmax_devices_and_most_after_looking_ahead() -> None:
    found = personal_study(rounds=60)
    for name, scores in found.items():
        assert scores.own_tuned.mean() < scores.own.mean(), name
        assert scores.server_tuned.mean() < scores.server.mean(), name
    gains = {name: (s.server - s.server_tuned).mean() for name, s in found.items()}
    assert gains["per_fedavg"] > 2 * gains["fedavg"]
    assert gains["per_fedbc"] > 2 * gains["fedbc"]
    assert found["fedbc"].own_tuned.mean() < found["fedavg"].own_tuned.mean()
    np.testing.assert_array_equal(found["fedavg"].own, found["fedavg"].server)
