"""The exact trade-off of the tolerance: optimality conditions, and where FedBC itself ends."""

from __future__ import annotations

from fractions import Fraction as Q

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.fedbc.tradeoff import tolerance_tradeoff_exact
from bounds.numbers.validate import InvalidInput
from synthetic.quadratic import Quadratic

CURVES = [(Q(3), Q(1)), (Q(1), Q(1)), (Q(1, 2), Q(5))]
OPTIMA = (Q(2), Q(-1))


@pytest.mark.parametrize("curves", CURVES)
@pytest.mark.parametrize("reach", [Q(0), Q(1, 4), Q(1)])
def test_optimality_conditions(curves: tuple[Q, Q], reach: Q) -> None:
    """Forces cancel, multipliers are not negative, constraints are active."""
    found = tolerance_tradeoff_exact(curves, OPTIMA, reach)
    forces = [
        h * (x - c) for h, x, c in zip(curves, (found.first, found.second), OPTIMA, strict=True)
    ]
    assert sum(forces) == 0
    assert forces[0] <= 0  # pulled towards the larger optimum
    assert (found.first - found.server) ** 2 == reach**2 == (found.second - found.server) ** 2


@pytest.mark.parametrize("curves", CURVES)
def test_excess_is_that_of_the_mean_loss(curves: tuple[Q, Q]) -> None:
    def loss(z: Q) -> Q:
        return sum(h * (z - c) ** 2 for h, c in zip(curves, OPTIMA, strict=True)) / 4

    start, found = (tolerance_tradeoff_exact(curves, OPTIMA, s) for s in (Q(0), Q(1, 2)))
    assert found.excess == loss(found.server) - loss(start.server)
    own = zip(curves, (found.first, found.second), OPTIMA, strict=True)
    assert found.local == sum(h * (x - c) ** 2 for h, x, c in own) / 4
    assert (found.excess == 0) == (curves[0] == curves[1])


def test_local_loss_falls_to_zero_and_global_loss_rises() -> None:
    path = [tolerance_tradeoff_exact((Q(3), Q(1)), OPTIMA, Q(k, 8)) for k in range(16)]
    local, excess = [p.local for p in path], [p.excess for p in path]
    assert local == sorted(local, reverse=True)
    assert excess == sorted(excess)
    assert local[-1] == 0 < local[0]
    assert excess[0] == 0 < excess[-1]


@pytest.mark.parametrize("curves", CURVES)
def test_fedbc_ends_there(curves: tuple[Q, Q]) -> None:
    """Exact local solutions, small dual steps, unbounded multipliers."""
    reach = 0.5
    problem = Quadratic(
        {
            "A": torch.tensor([[[float(h)]] for h in curves], dtype=torch.float64),
            "xi": torch.tensor([[-float(c)] for c in OPTIMA], dtype=torch.float64),
            "half": True,
        }
    )
    hyper = {
        "multipliers": np.ones(2),
        "gamma": np.full(2, reach**2),
        "dual_step": 0.2,
        "start": np.zeros(1),
    }
    made = run(load_method("fedbc"), problem, hyper, None, 4000, last_only=True)
    exact = tolerance_tradeoff_exact(curves, OPTIMA, Q(1, 2))
    assert float(made.extras["server"][-1, 0]) == pytest.approx(float(exact.server), abs=1e-6)
    assert float(made.theta[-1, 0, 0]) == pytest.approx(float(exact.first), abs=1e-6)


def test_gamma_zero_with_bounded_multipliers_is_not_the_optimum() -> None:
    """Negative control: multipliers held at lambda_max leave the server off the minimiser."""
    problem = Quadratic(
        {
            "A": torch.tensor([[[3.0]], [[1.0]]], dtype=torch.float64),
            "xi": torch.tensor([[-2.0], [1.0]], dtype=torch.float64),
            "half": True,
        }
    )
    hyper = {
        "multipliers": np.ones(2),
        "gamma": np.zeros(2),
        "dual_step": 0.2,
        "lambda_max": 2.0,
        "start": np.zeros(1),
    }
    made = run(load_method("fedbc"), problem, hyper, None, 4000, last_only=True)
    exact = tolerance_tradeoff_exact((Q(3), Q(1)), OPTIMA, Q(0))
    assert abs(float(made.extras["server"][-1, 0]) - float(exact.server)) > 1e-2


def test_arrays_broadcast() -> None:
    reach = np.array([0.0, 0.5, 10.0])
    found = tolerance_tradeoff_exact((3.0, 1.0), (2.0, -1.0), reach)
    np.testing.assert_allclose(found.local[2], 0)
    np.testing.assert_allclose(found.excess, [0, 0.0625, 0.5625])


def test_order_of_the_devices_is_checked() -> None:
    with pytest.raises(InvalidInput, match="order the devices"):
        tolerance_tradeoff_exact((Q(1), Q(1)), (Q(0), Q(1)), Q(1))
