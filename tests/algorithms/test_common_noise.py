"""Methods on one key meet the same noise: a difference between two of them is a paired one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from synthetic.noise.sources import source_of
from synthetic.tables.streaming import two_clusters

CLIENTS, DIM, STEP = 4, 3, 0.05
START = np.array([1.0, -0.5, 0.25])


def models(
    name: str, key: int = 1, rounds: int = 1, replicates: int = 5, **more: Any
) -> torch.Tensor:
    """Models of all followed clients after every round, (R, T + 1, F, d)."""
    problem = two_clusters(DIM, CLIENTS, seed=0, batch=1).map(torch.as_tensor)
    method, hyper = load_method(name), {"step_size": STEP, "start": START, **more}
    source = source_of(problem, key, range(replicates), method.slots(CLIENTS, hyper))
    return run(method, problem, hyper, source, rounds).theta


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("fedavg", {}),
        ("scaffold", {}),
        (
            "all_for_one",
            {
                "weights": "fixed",
                "samples": "shared",
                "weight_matrix": np.full((CLIENTS, CLIENTS), 0.25),
            },
        ),
    ],
)
def test_the_first_average_is_that_of_the_clients_alone(name: str, more: dict[str, Any]) -> None:
    alone = models("local")[:, 1].mean(-2, keepdim=True)
    found = models(name, **more)[:, 1]
    torch.testing.assert_close(found, alone.expand_as(found), rtol=1e-12, atol=1e-12)
    other = models(name, key=2, **more)[:, 1]
    assert (other - alone).abs().min() > 1e-9  # negative control: another key


def test_paired_differences_spread_less_than_differences_on_two_keys() -> None:
    heavy = np.array([8.0, 1, 1, 1])  # of the client that is compared
    local = models("local", 1, 40, 400)[:, -1, 0, 0]
    paired, apart = (
        local - models("fedavg", key, 40, 400, client_weights=heavy)[:, -1, 0, 0] for key in (1, 2)
    )
    assert paired.std() < 0.7 * apart.std()
