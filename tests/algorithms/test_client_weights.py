"""A client of weight two is two clients alike: in every method with a server that takes weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import algorithms.engine.counted as counted
import algorithms.scaffold as scaffold
from algorithms.engine.run import run
from algorithms.registry import METHODS, load_method
from bounds.numbers.validate import InvalidInput
from tests.algorithms.baselines import BASE, CLOSE, N, quiet
from tests.each import each

TWICE = (0, 0, 1, 2)  # client 0 once more
WEIGHTS = np.array([2.0, 1.0, 1.0])
ROUNDS = 6
DUAL = {"dual_step": 0.05, "gamma_step": 0.01}
PULLED: dict[str, dict[str, Any]] = {
    "apfl": {"mixing": 0.25, "mixing_step": 0.05, "local_steps": 2},
    "ditto": {"pull": 0.5},
    "fedavg": {"local_steps": 3},
    "fedbc": {"multipliers": 0.5, **DUAL},
    "fedprox": {"mu": 0.5},
    "ifca": {"start": None, "starts": np.array([[1.5, -1.0], [-2.0, 0.5]])},
    "maxfl": {"margin": 0.5},
    "per_fedavg": {"inner_step": 0.05, "local_steps": 2},
    "per_fedbc": {"multipliers": 0.5, "inner_step": 0.05, **DUAL},
    "pfedme": {"mu": 2.0, "step_size": 0.3, "local_steps": 2},
    "q_fedavg": {"fairness": 2, "local_steps": 2},
    "scaffold": {"local_steps": 3, "server_step": 0.75},
}
"""Methods with weights and a server's model; where they need more than a step and a start."""
OTHERS = {"aggregation", "bipartition", "flsc", "hcct", "wga_bc"}
"""Methods with weights in groups or losses of their own, which have tests of their own."""


def servers(name: str, clients: Any, weights: Any, **more: Any) -> Any:
    """The server's models of a silent run."""
    hyper = {**BASE, **PULLED[name], "client_weights": weights, **more}
    hyper = {key: value for key, value in hyper.items() if value is not None}
    found = run(load_method(name), quiet(clients), hyper, None, ROUNDS).extras
    return found["servers" if name == "ifca" else "server"]


def test_every_method_that_takes_weights_is_here() -> None:
    taking = {name for name in METHODS if "client_weights" in load_method(name).axes}
    assert taking == set(PULLED) | OTHERS


@each("name", PULLED)
def test_a_client_of_weight_two_is_two_clients(name: str) -> None:
    weighted, doubled = servers(name, range(N), WEIGHTS), servers(name, TWICE, None)
    torch.testing.assert_close(weighted, doubled, **CLOSE)
    plain = servers(name, range(N), None)
    assert (weighted - plain).abs().max() > 1e-3  # negative control


@each("name", PULLED)
def test_weights_have_no_unit(name: str) -> None:
    left, right = (servers(name, range(N), factor * WEIGHTS) for factor in (1, 7))
    torch.testing.assert_close(left, right, **CLOSE)


@pytest.mark.parametrize(
    ("name", "room", "part", "fault"),
    [
        ("fedavg", counted, "averaged", lambda t, state, hyper, models: models.mean(-2)),
        ("scaffold", scaffold, "mean_of_all", lambda values, weights: values.mean(-2)),
        ("scaffold", scaffold, "average", lambda models, shares, otherwise: models.mean(-2)),
    ],
)
def test_a_forgotten_weight_is_seen(
    name: str, room: Any, part: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = __import__(f"algorithms.{name}", fromlist=[name])
    doubled = servers(name, TWICE, None)
    monkeypatch.setattr(user if room is counted else room, part, fault)
    assert (servers(name, range(N), WEIGHTS) - doubled).abs().max() > 1e-3


def test_scaffold_ends_where_the_weighted_gradients_vanish() -> None:
    problem = quiet()
    hyper = {**BASE, "local_steps": 3, "client_weights": WEIGHTS}
    end = run(load_method("scaffold"), problem, hyper, None, 1200).extras["server"][-1]
    weights = torch.as_tensor(WEIGHTS)[:, None]
    assert (weights * problem.gradients(end)).sum(0).abs().max() < 1e-9
    assert problem.gradients(end).sum(0).abs().max() > 1e-2  # negative control


@each("name", ["scaffold", "q_fedavg", "per_fedavg", "pfedme"])
@pytest.mark.parametrize(
    ("weights", "message"),
    [([1.0, -1.0, 1.0], "non-negative"), ([0.0, 0.0, 0.0], "not all zero")],
)
def test_weights_that_are_none_are_refused(name: str, weights: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"client_weights must be .*{message}"):
        servers(name, range(N), np.array(weights))
