"""Work of the sweeps in the tests: a module of its own, so that other processes find it."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run_chunked
from algorithms.registry import load_method
from synthetic.noise.philox import run_key
from synthetic.noise.sources import Addressed
from synthetic.quadratic import Quadratic

CLIENTS, DIM = 3, 2


def problem() -> Quadratic:
    """A small noisy federation."""
    rng = np.random.default_rng(3)
    eye = np.eye(DIM) * rng.uniform(0.5, 2, (CLIENTS, 1, 1))
    return Quadratic(
        {
            "A": torch.as_tensor(eye),
            "xi": torch.as_tensor(rng.normal(size=(CLIENTS, DIM))),
            "sigma": torch.ones(CLIENTS, dtype=torch.float64),
            "noise_scale": torch.ones(CLIENTS, dtype=torch.float64),
            "skew": torch.ones(CLIENTS, dtype=torch.float64),
            "law": "two_point",
            "half": False,
        }
    )


def source(seed: int, rows: range) -> Addressed:
    """Two-point draws, decided by integers."""
    return Addressed(
        "two_point", run_key(seed), rows, CLIENTS, problem().noise_width, dtype=torch.float64
    )


def train(step: float, seed: int, first: int, last: int) -> dict[str, Any]:
    """Last models, the draws of the first round as integers, and the process."""
    rows = range(first, last)
    hyper = {"step_size": step, "start": np.zeros(DIM)}
    made = run_chunked(
        load_method("fedavg"),
        problem(),
        hyper,
        lambda inner: source(seed, rows[inner.start : inner.stop]),
        len(rows),
        4,
        chunk=2,
        last_only=True,
    )
    draws = (source(seed, rows).draw(0) > 0).to(torch.int64)
    return {"theta": made.theta.numpy(), "draws": draws.numpy(), "process": os.getpid()}
