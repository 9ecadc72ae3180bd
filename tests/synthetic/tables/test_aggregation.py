"""Problems of the aggregation paper: logistic regression, label-sorted shards."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from bounds.aggregation_rules import heterogeneity_gap
from bounds.numbers.validate import InvalidInput
from synthetic.tables.label_shards import (
    accuracy,
    even_split,
    label_imbalance,
    label_task,
    shard_split,
    split_problem,
)
from synthetic.tables.logistic import RegularisedLogistic

TASK = label_task(2000, seed=3)


def _table(seed: int, **more: Any) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3, 6, 2))
    y = np.where(rng.random((3, 6)) < 0.5, 1.0, -1.0)
    return {"X": X, "y": y, "ridge": np.array(0.25), **more}


def test_minimisers_of_given_centres_are_the_minimisers_that_give_those_centres() -> None:
    given = RegularisedLogistic(_table(1, optimum=np.random.default_rng(2).normal(size=(3, 2))))
    found = RegularisedLogistic(_table(1, centre=given.centre))
    np.testing.assert_allclose(found.optimum, given.optimum, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.optimal_value, given.optimal_value, rtol=1e-13)


def test_newton_reaches_the_minimum_of_separable_data() -> None:
    X = np.array([[[40.0], [60.0]], [[-50.0], [-1.0]]])
    problem = RegularisedLogistic({"X": X, "y": np.sign(X[..., 0]), "ridge": np.array(1e-3)})
    assert np.abs(problem.own_gradients(problem.optimum)).max() < 1e-12


def test_one_minimiser_for_all_means_no_heterogeneity() -> None:
    common = np.broadcast_to(np.array([0.5, -0.25]), (3, 2)).copy()
    problem = RegularisedLogistic(_table(4, optimum=common))
    shares = np.array([0.2, 0.3, 0.5])
    slope = (shares[:, None] * problem.gradients(common[0])).sum(0)
    assert np.abs(slope).max() < 1e-15
    assert heterogeneity_gap(problem.excess(common[0]), shares) == 0


def test_second_moment_on_a_ball() -> None:
    problem = RegularisedLogistic(_table(5, optimum=np.zeros((3, 2))))
    rng = np.random.default_rng(6)
    theta = rng.normal(size=(500, 2)) * 3
    moment = (problem.gradients(theta) ** 2).sum(-1) + problem.gradient_variance(theta)
    radius2 = (theta**2).sum(-1)[:, None]
    assert (moment <= problem.client_smoothness**2 * radius2 + problem.noise_variance).all()
    assert (moment > problem.client_smoothness**2 * radius2 / 16).any()


def test_rational_data_keeps_loss_and_gradient_enclosed() -> None:
    fraction = np.frompyfunc(Q, 1, 1)
    X = fraction(np.array([[[1.0], [2.0]], [[3.0], [-1.0]]]))
    one = fraction(np.ones((2, 2)))
    data = {"X": X, "y": one, "ridge": fraction(np.array(0.5)), "optimum": X[:, 0]}
    problem = RegularisedLogistic(data)
    slope = problem.own_gradients(problem.optimum)
    assert all(0 in (v.lo, v.hi) or v.lo < 0 < v.hi for v in slope.flat)
    assert all(v.hi - v.lo < Q(1, 2**90) for v in slope.flat)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": np.zeros((3, 6))}, "y must be 1 or -1"),
        ({"optimum": np.zeros((3, 2)), "centre": np.zeros((3, 2))}, "centre must be absent"),
        ({"batch": 0}, "batch must be a positive integer"),
    ],
)
def test_bad_tables_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        RegularisedLogistic(_table(1) | change)


def test_splits_are_partitions_and_shards_concentrate_labels() -> None:
    even = even_split(TASK, 20)
    assert sorted(even.flat) == list(range(2000))
    assert label_imbalance(TASK, even) < 1e-12
    found = [label_imbalance(TASK, shard_split(TASK, 20, size, seed=1)) for size in (20, 50, 100)]
    assert found == sorted(found)
    assert found[-1] == pytest.approx(0.9)
    for size in (20, 50, 100):
        rows = shard_split(TASK, 20, size, seed=1)
        assert len(set(rows.flat)) == rows.size == 2000


def test_the_task_can_be_learnt_and_shards_are_heterogeneous() -> None:
    whole = split_problem(TASK, even_split(TASK, 1), ridge=0.001)
    assert accuracy(TASK, whole.optimum[0]) > 0.9
    assert accuracy(TASK, 0 * whole.optimum[0]) == 0
    shares, gaps = np.full(20, 1 / 20), []
    for split in (even_split(TASK, 20), shard_split(TASK, 20, 100, seed=1)):
        problem = split_problem(TASK, split, ridge=0.001)
        gaps.append(float(heterogeneity_gap(problem.excess(whole.optimum[0]), shares)))
    assert 0 < gaps[0] < gaps[1] / 3


def test_shards_must_fit() -> None:
    with pytest.raises(InvalidInput, match="shard must be at most 100"):
        shard_split(TASK, 20, 101, seed=1)
