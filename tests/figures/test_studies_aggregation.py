"""Studies of the aggregation paper: speed against error, limits of the weights, shards."""

from __future__ import annotations

import numpy as np
import pytest

from figures.studies.aggregation.shards import rounds_to, shard_study, smoothness
from figures.studies.aggregation.tradeoff import federation, trade_off
from figures.studies.aggregation.weights import (
    mirrored,
    resting_point,
    tilted_hessian,
    weights_limit,
)

SHARES = np.full(20, 1 / 20)


def test_corollary_holds_and_temperature_trades_speed_for_error() -> None:
    problem = federation(heterogeneity=1.0)
    found = trade_off(problem, rounds=800, temperatures=(1.0, 4.0, 16.0, 64.0))
    assert all(0 <= s.gap <= s.bound for s in found)
    average, most, _, *soft = found
    assert (average.low, average.high, average.error) == pytest.approx((1, 1, 0))
    assert most.speed < soft[0].speed < soft[-1].speed < average.speed
    assert [s.speed for s in soft] == sorted(s.speed for s in soft)
    assert [s.gap for s in soft] == sorted((s.gap for s in soft), reverse=True)
    assert most.gap > soft[0].gap > soft[-1].gap > average.gap
    assert soft[0].early < soft[-1].early < average.early


def test_the_paper_s_error_is_far_above_the_true_one() -> None:
    found = trade_off(federation(heterogeneity=1.0), rounds=400, temperatures=(4.0,))
    soft = found[-1]
    assert soft.error > 10 * soft.gap


def test_weights_tend_to_the_shares_without_heterogeneity_only_in_general() -> None:
    same = weights_limit(federation(heterogeneity=0.0), temperature=1.0, rounds=1000)
    other = weights_limit(federation(heterogeneity=1.0), temperature=4.0, rounds=1000)
    assert same.apart < 1e-8
    assert same.heterogeneity == 0
    assert other.apart == pytest.approx(other.formula, rel=1e-3)
    assert other.formula > 0.05


@pytest.mark.parametrize("temperature", [1.0, 4.0, 16.0])
def test_heterogeneous_clients_may_still_get_their_shares(temperature: float) -> None:
    found = weights_limit(mirrored(2.0), temperature=temperature, rounds=1000)
    assert found.heterogeneity == 2
    assert found.formula == 0
    # J = 1 + r^2/T, and steps 1/t turn it into a power
    assert found.predicted == pytest.approx(1 + 4 / temperature)
    assert found.rate_to_shares == pytest.approx(found.predicted, rel=0.03)


def test_constant_steps_cycle_where_the_tilted_loss_is_stiff() -> None:
    stiff = weights_limit(mirrored(2.0), temperature=0.25, rounds=400, constant=True)
    mild = weights_limit(mirrored(2.0), temperature=4.0, rounds=400, constant=True)
    assert stiff.stiffness > 2 > mild.stiffness
    assert stiff.apart > 0.4
    assert mild.apart < 1e-12


def test_noise_leaves_the_weights_at_the_order_of_the_step() -> None:
    from synthetic.quadratic import Quadratic

    data = federation(heterogeneity=0.0).data
    noisy = Quadratic({**data, "law": "gaussian", "noise_scale": np.ones(20)})
    found = weights_limit(noisy, temperature=1.0, rounds=600, start=0.0, replicates=16)
    assert found.rate_to_shares == pytest.approx(1, abs=0.3)
    assert found.predicted > 4


def test_resting_point_minimises_the_tilted_loss_and_its_error_is_bounded() -> None:
    problem = federation(heterogeneity=1.0)
    for temperature in (0.5, 8.0):
        point = resting_point(problem, SHARES, temperature)
        scaled = problem.excess(point + 1e-3 * np.eye(5)[:, None, :][:, 0]) / temperature
        here = np.log((SHARES * np.exp(problem.excess(point) / temperature)).sum())
        assert (np.log((SHARES * np.exp(scaled)).sum(-1)) > here).all()
        assert np.linalg.eigvalsh(tilted_hessian(problem, SHARES, temperature, point))[0] >= 1
        found = weights_limit(problem, temperature=temperature, rounds=16)
        assert 0 < found.error <= found.error_bound


def test_measures_of_a_curve() -> None:
    path = np.array([0.0, 0.5, 0.95, 0.9])
    assert rounds_to(path, 0.9) == 2
    assert rounds_to(path, 0.99) == 3
    assert smoothness(path) > smoothness(np.array([0.0, 0.3, 0.6, 0.9])) == pytest.approx(0)


def test_fedsoftmax_gains_with_the_heterogeneity_of_the_shards() -> None:
    found = shard_study(
        ("IID", "TNIID"),
        ("FedAvg", "FedSoftMax(1/4)"),
        clients=20,
        rows=100,
        rounds=60,
        replicates=2,
    )
    plain, soft, shard_plain, shard_soft = found
    assert shard_plain.heterogeneity > 10 * plain.heterogeneity
    assert abs(soft.rounds_to_90 - plain.rounds_to_90) <= 4
    assert shard_soft.rounds_to_90 < 0.75 * shard_plain.rounds_to_90
    assert shard_soft.apart > soft.apart
