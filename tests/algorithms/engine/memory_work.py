"""A capped run in a process of its own: how far its memory rises above where it began, in MiB."""

from __future__ import annotations

import resource
import sys
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import Run, run_chunked
from algorithms.registry import load_method
from synthetic.noise.sources import Addressed, source_of
from synthetic.quadratic import Quadratic
from synthetic.tables.streaming import two_clusters
from synthetic.tables.user_loss import UserLoss

MIB = 2**20
WORK: dict[str, tuple[str, int, int, int, int, int]] = {
    # method, clients, dimension, replicates, points of the grid, cap in MiB
    "grid": ("fedavg", 20, 10, 2000, 20, 128),
    "grid of pairs": ("all_for_one", 20, 10, 250, 4, 128),
    "trace": ("all_for_one", 40, 20, 160, 1, 256),
    "compiled": ("all_for_one", 40, 20, 160, 1, 256),
    "view": ("fedavg", 10, 5, 20_000, 1, 128),
}


APART = ("rows", "servers", "solves")
"""Runs of other kinds, under a cap of `CAP` MiB: all samples of a loss, many models, Hessians."""
CAP = 64


def apart(work: str, replicates: int) -> None:
    rng = np.random.default_rng(0)
    clients, dim = (16, 12) if work != "solves" else (16, 40)
    if work == "rows":
        table = torch.as_tensor(rng.normal(size=(clients, 40, dim + 1)), dtype=torch.float32)
        problem: Any = UserLoss(
            {
                "samples": table,
                "dim": dim,
                "batch": 2,
                "sigma": torch.ones(clients),
                "loss": lambda theta, s: ((theta * s[:-1]).sum() - s[-1]) ** 2,
            }
        )
    else:
        form = np.broadcast_to(np.eye(dim), (clients, dim, dim)).copy()
        problem = Quadratic(
            {
                "A": form,
                "xi": rng.normal(size=(clients, dim)),
                "noise_scale": np.ones(clients),
                "law": "gaussian",
            }
        ).map(lambda x: torch.as_tensor(x, dtype=torch.float32))
    name, hyper = {
        "rows": ("all_for_one", {"start": np.zeros(dim)}),
        "servers": ("ifca", {"starts": rng.normal(size=(40, dim))}),
        "solves": ("fedprox", {"start": np.zeros(dim), "mu": np.linspace(0.1, 1, replicates)}),
    }[work]
    method, settings = load_method(name), {"step_size": 0.01, **hyper}
    slots = max(clients, method.slots(clients, settings))
    run_chunked(
        method,
        problem,
        settings,
        lambda rows: source_of(problem, (1, 2), rows, slots),
        replicates,
        3,
        record=(),
        last_only=True,
        chunk=replicates,
        memory=CAP * MIB,
        reduce=lambda made: {"end": made.theta[..., -1, 0, 0]},
    )


def used(work: str) -> float:
    """MiB by which the most that this process ever held rises in a run."""
    if work in APART:
        apart(work, 2)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        apart(work, 1500)
        return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    name, clients, dim, replicates, points, cap = WORK[work]
    compile: Any = {"trace": "trace", "compiled": True}.get(work, False)
    method = load_method(name)

    def go(clients: int, dim: int, replicates: int, rounds: int) -> Run:
        problem = two_clusters(dim, clients, seed=3, batch=1).map(
            lambda x: torch.as_tensor(x, dtype=torch.float32)
        )
        grid = torch.linspace(0.05, 0.1, points)[:, None] / dim
        hyper = {"step_size": grid if points > 1 else 0.1 / dim, "start": torch.zeros(dim)}
        slots = method.slots(clients, hyper)

        def noise(rows: range) -> Addressed:
            return source_of(problem, (1, 2), rows, slots)

        return run_chunked(
            method,
            problem,
            hyper,
            noise,
            replicates,
            rounds,
            chunk=replicates,
            record=(),
            last_only=work != "view",
            compile=compile,
            memory=cap * MIB,
            reduce=lambda made: {"end": made.theta[..., -1, 0, 0]},
        )

    go(4, 2, 2, 6)  # what is loaded, or compiled, once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    go(clients, dim, replicates, 40 if work == "view" else 8)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(used(sys.argv[1]))
