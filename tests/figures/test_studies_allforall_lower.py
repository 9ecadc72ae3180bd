"""No method beats the lower bound; the exact walk is what the engine does."""

from __future__ import annotations

import numpy as np
import pytest

from bounds.allforall.lower import convex_bayes_gap
from figures.studies.allforall.lower import (
    METHODS,
    bayes_gap,
    lower_study,
    simulated_gap,
    walk_gap,
)

AGENTS, CLOSE, SIZE, ROUNDS = 3, 2, 16.0, 24
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


def test_simulation_agrees_with_the_exact_walk() -> None:
    """By averaging and by all-for-all on the same draws, asynchronous oracle."""
    gap, error = simulated_gap("weighted_averaging", AGENTS, CLOSE, SIZE, ROUNDS)
    every, _ = simulated_gap("all_for_all", AGENTS, CLOSE, SIZE, ROUNDS)
    assert gap == pytest.approx(every, abs=1e-12)  # the same paths up to rounding
    assert abs(gap - walk_gap(AGENTS, CLOSE, DELTA, SIZE, ROUNDS)) < 5 * error
    # negative control: the walk of coins with twice the bias is told apart
    assert abs(gap - walk_gap(AGENTS, CLOSE, 2 * DELTA, SIZE, ROUNDS)) > 5 * error
