"""A run whose state is the error keeps its digits where the error is small."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.centred import centred
from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.builders import clustered_quadratics
from synthetic.noise.sources import Addressed
from synthetic.tables.diabetes import diabetes_split
from synthetic.tables.streaming import two_clusters

ROUNDS, DIM, CLIENTS = 60, 3, 4
CASES: dict[str, dict[str, Any]] = {
    "local": {},
    "all_for_one": {"focus": [2]},
    "fedavg": {"focus": [0], "client_weights": np.array([1.0, 0, 1, 0])},
    "naive_all_for_all": {"focus": [1], "mixing": np.full((CLIENTS, CLIENTS), 0.25)},
}


def federation(dtype: torch.dtype) -> Any:
    """Two clusters of clients; whoever is alike has one optimum, where the noise dies out."""
    return two_clusters(DIM, CLIENTS, seed=1, batch=2).map(
        lambda x: torch.as_tensor(x, dtype=dtype)
    )


def errors(name: str, dtype: torch.dtype, move: bool, rounds: int = ROUNDS) -> Any:
    """theta - theta* of the followed clients, (R, T + 1, F, d), in float64."""
    problem, method = federation(dtype), load_method(name)
    hyper: dict[str, Any] = {"step_size": 0.05, "start": np.ones(DIM), **CASES[name]}
    chosen = hyper.get("focus", list(range(CLIENTS)))
    slots = method.slots(CLIENTS, hyper)
    noise = Addressed("two_point", (1, 2), range(3), slots, problem.noise_width, dtype=dtype)
    if move:
        problem, hyper = centred(method, problem, hyper)
        return run(method, problem, hyper, noise, rounds).theta.double()
    theta = run(method, problem, hyper, noise, rounds).theta
    return theta.double() - problem.optimum[chosen].double()


@pytest.mark.parametrize("name", CASES)
def test_errors_are_those_of_the_run_as_it_is(name: str) -> None:
    moved, plain = (errors(name, torch.float64, move, rounds=8) for move in (True, False))
    # eight float64 rounds at models of size 1
    torch.testing.assert_close(moved, plain, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("name", ["local", "fedavg"])
def test_small_errors_keep_their_digits_in_float32(name: str) -> None:
    true = errors(name, torch.float64, True)[:, -1]
    moved, plain = (errors(name, torch.float32, move)[:, -1] for move in (True, False))
    size = true.abs().amax()
    assert size < 1e-9  # the noise dies out with the error
    # a relative rounding of 6e-8 in each of a few operations of 60 rounds
    assert (moved - true).abs().amax() < 1e-3 * size
    assert (plain - true).abs().amax() > size / 2  # negative control: not one digit


def test_what_cannot_be_moved_is_refused() -> None:
    both = {"step_size": 0.1, "start": np.ones(DIM)}
    with pytest.raises(InvalidInput, match="focus must be clients of one optimum"):
        centred(load_method("fedavg"), federation(torch.float64), both)
    rows = diabetes_split(batch=2).map(torch.as_tensor)
    with pytest.raises(InvalidInput, match="problem must be of a family that can be moved"):
        centred(load_method("local"), rows, both)
    quadratics = clustered_quadratics(CLIENTS, DIM, seed=1, noise_scale=0.5).map(torch.as_tensor)
    there, hyper = centred(load_method("local"), quadratics, both)
    assert there.optimum.abs().max() == 0
    torch.testing.assert_close(hyper["starts"], 1 - quadratics.optimum)
