"""The recursion of the grouping paper's convergence part is the method `hcct`, run by the engine.

The method trains everybody alone in its first epoch and forms the groups itself; its trace names
them. Every sign of the noise is one replicate of the engine's run.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from synthetic.noise.sources import Given
from synthetic.quadratic import Quadratic
from verify.claim.instance import Instance
from verify.statements.hcct.quantities import Training, epochs
from verify.world.world import World

SCHEDULES = {"0|1*3": 0.0, "0|1 01*2": 1e6, "0|1|2 02|1": 0.25}
"""Groups of every epoch, and the tradeoff under which the method forms them. Clients 0 and 2 are
above their optima and client 1 below: on the line cosines are 1 or -1."""
CURVATURE, SHARE, SIGMA, STEP = 0.5, 0.25, 0.75, 0.375
OPTIMUM, SIZES, START = [-1.0, 2.0, -1.5], [1.0, 3.0, 2.0], 0.25


def recursion(schedule: str, averaged: bool, step: float = STEP) -> Any:
    """w^0 .. w^T under every sign, (T + 1, R, N), by the statements' recursion."""
    n = len(epochs(schedule)[0].split("|"))
    known = {
        "optimum": OPTIMUM[:n],
        "size": SIZES[:n],
        "share": [SHARE] * n,
        "curvature": CURVATURE,
        "sigma": SIGMA,
        "start": START,
        "step_size": step,
    }
    arrays = {name: np.asarray(x, dtype=float)[None] for name, x in known.items()}
    world = World(Instance("numbers", {}, None, {**arrays, "N": n, "schedule": schedule}))
    made = Training(world, averaged).models
    width = made[-1].shape[1]
    return np.stack([np.broadcast_to(x[0], (width, n)) for x in made])


def by_engine(schedule: str, models: str) -> tuple[Any, Any]:
    """The same by the method, and the groups of every epoch, (R, T, N, N)."""
    n, rounds = len(epochs(schedule)[0].split("|")), len(epochs(schedule))
    problem = Quadratic(
        {
            "A": torch.full((n, 1, 1), CURVATURE, dtype=torch.float64),
            "half": True,
            "xi": -torch.tensor(OPTIMUM[:n], dtype=torch.float64)[:, None],
            "law": "two_point",
            "noise_scale": torch.full((n,), SIGMA * SHARE, dtype=torch.float64),
        }
    )
    signs = np.array(list(product((1.0, -1.0), repeat=rounds * n))).reshape(-1, rounds, n, 1)
    hyper = {
        "step_size": STEP,
        "start": np.array([START]),
        "client_weights": np.array(SIZES[:n]),
        "tradeoff": SCHEDULES[schedule],
        "models": models,
    }
    made = run(load_method("hcct"), problem, hyper, Given(torch.as_tensor(signs)), rounds)
    return made.theta[..., 0].transpose(0, 1).numpy(), made.extras["groups"].numpy()


def same_group(word: str) -> Any:
    """Matrix of a partition such as "01|2"."""
    group = {int(i): k for k, clients in enumerate(word.split("|")) for i in clients}
    return np.array([[float(group[i] == group[j]) for j in sorted(group)] for i in sorted(group)])


@pytest.mark.parametrize("models", ["averaged", "own"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_recursion_is_the_method(schedule: str, models: str) -> None:
    paths, groups = by_engine(schedule, models)
    for t, word in enumerate(epochs(schedule)):
        assert (groups[:, t] == same_group(word)).all()
    # a few products of floats near one
    np.testing.assert_allclose(recursion(schedule, models == "averaged"), paths, atol=1e-12)


@pytest.mark.parametrize("schedule", list(SCHEDULES)[1:])
def test_the_other_reading_and_another_step_are_seen(schedule: str) -> None:
    """Negative control."""
    paths, _ = by_engine(schedule, "averaged")
    assert abs(recursion(schedule, averaged=False) - paths).max() > 1e-2
    assert abs(recursion(schedule, averaged=True, step=2 * STEP) - paths).max() > 1e-2


def test_a_schedule_reads_as_epochs() -> None:
    assert epochs("02|1*3 0|1|2") == ["02|1", "02|1", "02|1", "0|1|2"]
