"""Client-gradient steps per CPU second of All-for-one: N = 20 clients, d = 10, 200 replicates.

Run from the checkout: ``python benchmarks/engine.py [rounds]``.
One round costs R * N * N gradients.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import torch

from algorithms.engine import run_chunked
from algorithms.registry import load_method
from synthetic.noise import Addressed, Noise, Silent
from synthetic.quadratic import Quadratic

CLIENTS, DIM, REPLICATES = 20, 10, 200


def federation(dtype: torch.dtype) -> Quadratic:
    """Random well-conditioned quadratics with unit Gaussian noise."""
    rng = np.random.default_rng(0)
    root = rng.normal(size=(CLIENTS, DIM, DIM)) / np.sqrt(DIM)
    data = {
        "A": root @ root.swapaxes(-1, -2) + np.eye(DIM),
        "xi": rng.normal(size=(CLIENTS, DIM)),
        "noise_scale": np.ones(CLIENTS),
    }
    tensors = {name: torch.as_tensor(x, dtype=dtype) for name, x in data.items()}
    return Quadratic({**tensors, "law": "gaussian"})


def speed(weights: str, dtype: torch.dtype, addressed: bool, rounds: int) -> float:
    """Client-gradient steps per CPU second."""
    method, problem = load_method("all_for_one"), federation(dtype)
    hyper: dict[str, Any] = {
        "step_size": 0.01,
        "start": np.ones(DIM),
        "weights": weights,
        "weight_matrix": np.full((CLIENTS, CLIENTS), 1 / CLIENTS),
    }
    slots = method.slots(CLIENTS, hyper)

    def noise(rows: range) -> Noise:
        if addressed:
            return Addressed("gaussian", (1, 2), rows, slots, DIM, dtype=dtype)
        return Silent(slots, DIM, (len(rows),), dtype=dtype)

    def go(steps: int) -> None:
        run_chunked(method, problem, hyper, noise, REPLICATES, steps, record=(), last_only=True)

    go(1)  # warm caches
    begin = time.process_time()
    go(rounds)
    return rounds * REPLICATES * CLIENTS**2 / (time.process_time() - begin)


def main() -> None:
    """Print one line per setting."""
    torch.set_num_threads(1)
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    for dtype in (torch.float64, torch.float32):
        for weights in ("true", "fixed"):
            for addressed in (True, False):
                label = "Philox noise" if addressed else "zero draws"
                rate = speed(weights, dtype, addressed, rounds)
                print(f"{dtype!s:14} {weights:6} {label:13} {rate / 1e6:8.2f} M steps/s")


if __name__ == "__main__":
    main()
