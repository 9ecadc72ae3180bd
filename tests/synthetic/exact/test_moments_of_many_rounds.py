"""Many rounds by one matrix are the rounds one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import synthetic.exact.moments as moments_module
from synthetic.builders import clustered_quadratics
from synthetic.exact.moments import MANY, AffineMap, averaged_gradient_map, moments, step
from synthetic.tables.streaming import two_clusters

ROUNDS = 4 * MANY
# a few hundred rounds of a contraction, each of some hundred well-scaled operations
ROUNDING = 1e-12

SHARED = two_clusters(5, 4, seed=0, batch=2)
SHARED.data["targets"][:] = SHARED.data["targets"][0]
PROBLEMS: dict[str, Any] = {
    "additive": clustered_quadratics(3, 4, seed=1, noise_scale=0.5),
    "streaming": two_clusters(5, 4, seed=0, batch=2),
    "noisy labels": two_clusters(5, 4, seed=0, batch=2, label_variance=np.full(4, 0.3)),
    "noise that dies out": SHARED,
    "one dimension": two_clusters(1, 3, seed=2, batch=1),
}


def one_by_one(affine_map: AffineMap, start: Any) -> tuple[Any, Any]:
    mean, covariance = start, np.zeros((len(start), len(start)))
    means, covariances = [mean], [covariance]
    for _ in range(ROUNDS):
        mean, covariance = step(affine_map, mean, covariance)
        means.append(mean)
        covariances.append(covariance)
    return np.array(means), np.array(covariances)


def gap(left: Any, right: Any) -> float:
    """Largest difference, relative to the size of each round's own entries."""
    size = np.abs(right).max(tuple(range(1, right.ndim)), keepdims=True)
    return float((np.abs(left - right) / np.where(size == 0, 1, size)).max())


@pytest.mark.parametrize("name", PROBLEMS)
def test_one_matrix_for_all_rounds(name: str) -> None:
    problem = PROBLEMS[name]
    weights = np.full(problem.clients, 1 / problem.clients)
    affine_map = averaged_gradient_map(problem, weights, 0.02)
    start = np.linspace(-1, 2, problem.dim)
    path = moments(affine_map, start, ROUNDS)
    means, covariances = one_by_one(affine_map, start)
    assert gap(path.mean, means) < ROUNDING
    assert gap(path.covariance, covariances) < ROUNDING
    other, _ = one_by_one(averaged_gradient_map(problem, weights, 0.021), start)
    assert gap(path.mean, other) > 1e-3  # negative control


@pytest.mark.parametrize("at_once", [1, 60])
def test_pieces_do_not_change_the_path(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    affine_map = averaged_gradient_map(PROBLEMS["streaming"], np.full(4, 0.25), 0.02)
    whole = moments(affine_map, np.zeros(5), ROUNDS)
    monkeypatch.setattr(moments_module, "AT_ONCE", at_once)
    cut = moments(affine_map, np.zeros(5), ROUNDS)
    assert gap(cut.covariance, whole.covariance) < ROUNDING


def test_a_covariance_at_the_start_is_carried_along() -> None:
    affine_map = averaged_gradient_map(PROBLEMS["streaming"], np.full(4, 0.25), 0.02)
    start, spread = np.zeros(5), np.diag(np.arange(1.0, 6.0))
    path = moments(affine_map, start, ROUNDS, spread)
    _, covariance = step(affine_map, start, spread)
    assert np.allclose(path.covariance[0], spread)
    assert np.allclose(path.covariance[1], covariance, rtol=ROUNDING)
