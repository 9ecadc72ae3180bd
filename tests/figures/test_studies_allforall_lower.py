"""No method beats the lower bound; the exact walk is what the engine does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine import run
from algorithms.registry import load_method
from bounds.allforall_lower import convex_bayes_gap
from figures.studies.allforall_lower import METHODS, bayes_gap, lower_study, walk_gap
from synthetic.lower_bound import SignFamily
from synthetic.noise import source_of

AGENTS, CLOSE, SIZE, ROUNDS, REPLICATES = 3, 2, 16.0, 24, 4000
DELTA = 2 / SIZE


@pytest.mark.parametrize(("agents", "close", "scale"), [(1, 1, 32), (6, 3, 16), (20, 2, 16)])
def test_all_methods_are_above_the_lower_bound(agents: int, close: int, scale: float) -> None:
    study = lower_study(agents, close, scale)
    assert study.bound < study.best
    for method in METHODS:
        assert study.best <= study.samples[method]
    assert study.samples["averaging"] <= study.upper
    assert study.samples["averaging"] <= min(study.samples.values()) * 1.01


def test_posterior_majority_has_the_exact_gap() -> None:
    exact = convex_bayes_gap(np.float64(1), np.float64(20), 5, 2, 9)
    assert bayes_gap(5, 2, 20, 9) == pytest.approx(float(exact), rel=1e-12)


def _paths() -> dict[str, Any]:
    """Averaging over the close agents and all-for-all on the same draws, asynchronous oracle."""
    delta = np.where(np.arange(AGENTS) < CLOSE, DELTA, 0)
    data = {"signs": [1.0], "delta": delta, "radius": 1.0, "size": SIZE}
    problem = SignFamily({k: torch.as_tensor(np.asarray(v)) for k, v in data.items()})
    noise = source_of(problem, 5, range(REPLICATES), AGENTS)
    drawn = np.random.default_rng(7).integers(AGENTS, size=(REPLICATES, ROUNDS))
    awake = np.eye(AGENTS)[drawn]
    block = np.zeros((AGENTS, AGENTS))
    block[:CLOSE, :CLOSE] = 1 / CLOSE
    block[CLOSE:, CLOSE:] = np.eye(AGENTS - CLOSE)
    step = np.sqrt(4 * CLOSE / (2 * ROUNDS * AGENTS)) / SIZE
    common = {"start": np.zeros(1), "participation": awake, "mixing": block}
    averaging = {**common, "step_size": step, "oracle": "asynchronous"}
    every = {**common, "step_size": AGENTS * step}
    return {
        name: run(load_method(name), problem, hyper, noise, ROUNDS).theta[..., 0, 0].numpy()
        for name, hyper in (("weighted_averaging", averaging), ("all_for_all", every))
    }


def test_simulation_agrees_with_the_exact_walk() -> None:
    paths = _paths()
    np.testing.assert_allclose(paths["weighted_averaging"], paths["all_for_all"], atol=1e-12)
    x = paths["all_for_all"][:, :ROUNDS]
    gap = np.where(x > 1, SIZE * (x - 1), 4 * np.abs(1 - x)).mean(axis=1)
    exact = walk_gap(AGENTS, CLOSE, DELTA, SIZE, ROUNDS)
    error = gap.std() / np.sqrt(REPLICATES)
    assert abs(gap.mean() - exact) < 5 * error
    # negative control: the walk of coins with twice the bias is told apart
    assert abs(gap.mean() - walk_gap(AGENTS, CLOSE, 2 * DELTA, SIZE, ROUNDS)) > 5 * error
