"""FedBC on double wells: exact local solves of engine and twin agree in every piece."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.reference.run import reference_run
from algorithms.registry import load_method
from synthetic.double_well import DoubleWell
from synthetic.noise.sources import Silent
from tests.algorithms.cases import gap, rational, tensors

DATA = {
    "height": rational([2, "1/2", 3]),
    "centre": rational([[0, 1], ["-7/2", -2], ["1/4", -6]]),
    "width": Q(3, 2),
}
HYPER = {
    "start": rational([1, "-1/3"]),
    "multipliers": rational([2, 1, 3]),
    "dual_step": Q(1, 8),
    "gamma": rational([1, 0, "1/2"]),
    "lambda_min": Q(1),
    "lambda_max": Q(4),
}


def solved() -> tuple[Any, Any]:
    """Server models of the engine and of the twin over four rounds."""
    data = {**DATA, "width": np.array(1.5)}
    found = run(
        load_method("fedbc"),
        DoubleWell(tensors(data)),
        {
            k: torch.as_tensor(float(v), dtype=torch.float64) if isinstance(v, Q) else v
            for k, v in tensors(HYPER).items()
        },
        Silent(0),
        4,
    )
    exact = {**DATA, "width": np.array(Q(3, 2), dtype=object)}
    return found.extras["server"], reference_run(
        "fedbc", DoubleWell(exact), HYPER, np.zeros((4, 0, 1)), 4
    )


def test_engine_equals_twin_on_double_wells() -> None:
    found, twin = solved()
    assert gap(found.numpy(), twin["server"]) < 1e-12


def test_exact_solutions_are_stationary() -> None:
    _, twin = solved()
    problem = DoubleWell({**DATA, "width": np.array(Q(3, 2), dtype=object)})
    pieces = set()
    for t, models in enumerate(twin["local_models"]):
        x = rational(models)
        pull = 2 * rational(twin["multipliers"][t])[:, None]
        rest = problem.own_gradients(x) + pull * (x - rational(twin["server"][t]))
        assert (rest == 0).all()
        place = (x - DATA["centre"]) / Q(3, 2)
        pieces |= {int(p > 1) + int(p > 3) for p in place.flat}
    assert pieces == {0, 1, 2}  # the test has seen every piece of the gradient
