"""Silent quadratics, and where the baselines end on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from algorithms.engine.run import run
from algorithms.registry import load_method
from synthetic.quadratic import Quadratic
from tests.algorithms.cases import federation

N, D = 3, 2
STEP, START = 1 / 32, np.array([1.5, -1.0])
BASE = {"step_size": STEP, "start": START}
LONG = 1500  # rounds after which a contraction of at most 0.98 has met rounding
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def quiet(clients: Any = range(N), **more: Any) -> Quadratic:
    """These clients without noise."""
    data = federation().select(list(clients)).data
    return Quadratic({"A": data["A"], "xi": data["xi"], **more})


def final(name: str, problem: Quadratic, rounds: int = LONG, **hyper: Any) -> Any:
    """Models after a silent run, numpy (F, d)."""
    method = load_method(name)
    return run(method, problem, {**BASE, **hyper}, None, rounds, last_only=True).theta[-1].numpy()
