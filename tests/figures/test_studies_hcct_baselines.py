"""HCCT and its baselines on tasks that are known: exact special cases, then clear orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from figures.studies.hcct.baselines import (
    CLIENTS,
    DIM,
    PATTERNS,
    STEP,
    MethodOnDraws,
    baselines_study,
    federation,
    gainers,
)

THREE, ONE, EACH = PATTERNS.values()
SAME = THREE.groups[:, None] == THREE.groups


@pytest.fixture(scope="module")
def found() -> Mapping[str, Mapping[str, MethodOnDraws]]:
    return {label: baselines_study(pattern) for label, pattern in PATTERNS.items()}


def pooled(forms: Any, optima: Any, sizes: Any, rounds: int) -> Any:
    """Gradient descent on the pooled squared error from zero, (d,)."""
    share = sizes / sizes.sum()
    form = np.einsum("k,kij->ij", share, forms)
    right = np.einsum("k,kij,kj->i", share, forms, optima)
    point = np.zeros(DIM)
    for t in range(rounds):
        point = point - STEP * 0.995**t * (form @ point - right)
    return point


def test_one_global_model_is_descent_on_the_pooled_rows() -> None:
    methods = {"fedavg": {}, "bipartition": {"stationary": 0.2, "restless": 1e3}, "fedfa": {}}
    made = baselines_study(ONE, 2, methods)
    drawn, problem = federation(ONE, 2)
    for r, known in enumerate(drawn):
        expected = pooled(problem.form[r], problem.optimum[r], known.sizes, ONE.rounds)
        for name in ("fedavg", "bipartition"):  # a group that is never cut
            np.testing.assert_allclose(made[name].models[r], [expected] * CLIENTS, atol=1e-12)
        assert abs(made["fedfa"].models[r] - expected).max() > 1e-3  # negative control: weights
        np.testing.assert_allclose(
            made["fedavg"].loss[r], [known.excess(k, expected) for k in range(CLIENTS)], atol=1e-12
        )


def test_without_a_weight_on_samples_hcct_is_training_alone() -> None:
    made = baselines_study(EACH, 2, {"local": {}, "hcct": {"tradeoff": 0.0}, "fedavg": {}})
    np.testing.assert_allclose(made["hcct"].models, made["local"].models, atol=1e-12)
    assert gainers(made)["hcct"] <= 0.1  # equal up to rounding
    assert abs(made["fedavg"].models - made["local"].models).max() > 0.1  # negative control


def test_groups_of_separated_tasks_are_found_and_reach_their_optima() -> None:
    """Without noise every task's optimum is exact; IFCA begins beside them."""
    pattern = replace(THREE, noise=0.0, rounds=300)
    drawn, _ = federation(pattern, 2)
    beside = np.array([0.8 * known.models for known in drawn])
    methods: dict[str, dict[str, Any]] = {
        "ifca": {"starts": beside},
        "fedavg": {},
        "bipartition": {"stationary": 0.1, "restless": 0.4},
    }
    made = baselines_study(pattern, 2, methods)
    for name in ("ifca", "bipartition"):
        groups = made[name].groups
        assert groups is not None
        assert (groups == SAME).all()
        assert made[name].loss.max() < 1e-6
    assert made["fedavg"].loss.min() > 0.1
    same_tasks = baselines_study(replace(pattern, tasks=1), 2, {"fedavg": {}})
    assert same_tasks["fedavg"].loss.max() < 1e-6  # negative control: it is the tasks that hinder


def test_only_hcct_is_ahead_of_training_alone_on_three_tasks(
    found: Mapping[str, Mapping[str, MethodOnDraws]],
) -> None:
    losses = {name: made.loss.mean() for name, made in found["three tasks (Digit)"].items()}
    assert losses["hcct"] < losses["local"]
    assert all(losses["local"] < losses[name] for name in losses if name not in ("local", "hcct"))
    assert losses["fedavg"] > 10 * losses["hcct"]
    groups = found["three tasks (Digit)"]["hcct"].groups
    assert groups is not None
    assert not (groups > SAME).any()  # parts of the true groups, never two tasks together


def test_hcct_is_near_the_best_of_global_and_independent_training(
    found: Mapping[str, Mapping[str, MethodOnDraws]],
) -> None:
    same, each = found["one task (FMNIST)"], found["a task each (CIFAR-10)"]
    assert same["hcct"].loss.mean() < 1.1 * same["fedavg"].loss.mean()
    assert same["fedavg"].loss.mean() < 0.1 * same["local"].loss.mean()
    assert each["local"].loss.mean() < each["hcct"].loss.mean() < 2 * each["local"].loss.mean()
    assert each["fedavg"].loss.mean() > 5 * each["hcct"].loss.mean()
    assert gainers(same)["hcct"] > 0.9 > gainers(each)["hcct"]


def test_no_draws_are_refused() -> None:
    with pytest.raises(InvalidInput, match="draws must be at least 1"):
        baselines_study(ONE, 0)
