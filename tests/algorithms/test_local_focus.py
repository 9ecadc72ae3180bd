"""Clients that train alone draw from their own laws, whoever else is followed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from synthetic.noise.sources import Given, source_of
from synthetic.tables.least_squares import LeastSquares

ROUNDS, CLIENTS = 30, 4
COUNTS = [2, 8, 3, 5]


def federation() -> Any:
    """One feature; what lies beyond a client's rows is far off."""
    labels = np.full((CLIENTS, 8), 50.0)
    for k, count in enumerate(COUNTS):
        labels[k, :count] = np.arange(count) + k
    data = {"X": np.ones((CLIENTS, 8, 1)), "y": labels, "counts": COUNTS, "batch": 1}
    return LeastSquares(data).map(torch.as_tensor)


def models(focus: list[int], start: Any, given: bool) -> torch.Tensor:
    problem, local = federation(), load_method("local")
    hyper = {"step_size": 0.05, "starts": start, "focus": focus}
    source: Any = source_of(problem, 1, range(7), local.slots(CLIENTS, hyper))
    if given:  # whole rounds, of which nothing is left out
        source = Given(torch.stack([source.draw(t) for t in range(ROUNDS)], 1))
    return run(local, problem, hyper, source, ROUNDS).theta


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("focus", [[0], [1], [3, 0], [2, 1], [1, 2, 3]], ids=str)
def test_a_followed_client_has_the_model_that_it_has_among_all(
    focus: list[int], given: bool
) -> None:
    start = np.arange(CLIENTS, dtype=float)[:, None]
    everybody = models(list(range(CLIENTS)), start, given)
    assert torch.equal(models(focus, start, given), everybody[..., focus, :])
    moved = models(focus, start[::-1].copy(), given)
    assert not torch.equal(moved, everybody[..., focus, :])  # negative control
    assert everybody.max() < 20  # nobody has drawn beyond its rows
