r"""HCCT's groups beside IFCA, FLSC, MaxFL, FedFA and bipartition, on regressions with known tasks.

Twelve clients have one of three tasks 120 degrees apart and equally many rows, or one task and
half-normal numbers of rows, or a task each: the patterns of the paper's three data sets, with its
epochs, step sizes and values of alpha. Training takes exact gradients of the mean squared error,
measured from each client's least value, through the engine; a client's loss is the exact excess
risk :math:`\lVert w - w_k \rVert^2/2` of the model that it ends with. Numbers are means over draws
of the rows.

Run as ``python -m figures.studies.hcct.baselines``.

Source: hcct, Section 7.1, Tables 3 and 4, in a version that needs no data set.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.grouped_tasks import Tasks, half_normal_sizes, rotated_regressions
from synthetic.quadratic import Quadratic

CLIENTS, DIM, ROWS, LEAST, STEP = 12, 4, 20, 6, 0.1


@dataclass(frozen=True)
class Pattern:
    """Who shares a task, whether sizes are half-normal, epochs, and the alpha of HCCT."""

    tasks: int
    half_normal: bool
    rounds: int
    tradeoff: float
    noise: float = 0.5

    @property
    def groups(self) -> Array:
        """Task of every client, (N,)."""
        return np.arange(CLIENTS) % self.tasks


PATTERNS = {
    "three tasks (Digit)": Pattern(3, False, 20, 1.0),
    "one task (FMNIST)": Pattern(1, True, 50, 100.0),
    "a task each (CIFAR-10)": Pattern(CLIENTS, True, 50, 1.0),
}
METHODS: Mapping[str, Mapping[str, Any]] = {
    "local": {},
    "fedavg": {},
    "maxfl": {"margin": 0.1},
    "fedfa": {},
    "ifca": {},
    "flsc": {"count": 2},
    "bipartition": {"stationary": 0.2, "restless": 0.4},
    "hcct": {},
}
"""Registered methods, and settings that the paper leaves open. IFCA and FLSC have three models."""


@dataclass(frozen=True)
class MethodOnDraws:
    """One method on R draws of the rows.

    Attributes
    ----------
    models : array (R, N, d)
        What the clients end with.
    loss : array (R, N)
        Excess risk of each.
    groups : array (R, N, N), or None
        One where two clients trained together in the last epoch, for methods that form groups.
    """

    models: Array
    loss: Array
    groups: Array | None


def federation(pattern: Pattern, draws: int) -> tuple[list[Tasks], Quadratic]:
    """Tables of every draw, and their mean squared errors as quadratics, leading axis R."""
    require(draws >= 1, "draws", "at least 1", draws, "draw some")
    drawn = []
    for seed in range(draws):
        sizes = half_normal_sizes(CLIENTS, ROWS, seed) if pattern.half_normal else [ROWS] * CLIENTS
        drawn.append(
            rotated_regressions(
                pattern.groups.tolist(),
                [max(n, LEAST) for n in sizes],
                dim=DIM,
                seed=seed,
                angle=2 * np.pi / pattern.tasks,
                noise=pattern.noise,
            )
        )
    form = [[x.T @ x / len(y) for x, y in known.tables] for known in drawn]
    best = [[np.linalg.solve(x.T @ x, x.T @ y) for x, y in known.tables] for known in drawn]
    return drawn, Quadratic({"A": np.array(form), "xi": -np.array(best), "half": True})


def baselines_study(
    pattern: Pattern, draws: int = 20, methods: Mapping[str, Mapping[str, Any]] = METHODS
) -> Mapping[str, MethodOnDraws]:
    """Train by every method."""
    drawn, problem = federation(pattern, draws)
    tensors = problem.map(torch.as_tensor)
    common = {
        "step_sizes": STEP * 0.995 ** np.arange(pattern.rounds),
        "start": np.zeros(DIM),
        # several models from one place would never be told apart
        "starts": np.random.default_rng(pattern.tasks).normal(size=(draws, 3, DIM)) / 2,
        "tradeoff": pattern.tradeoff,
        "client_weights": np.array([t.sizes for t in drawn]),
    }
    truth = np.array([known.models[pattern.groups] for known in drawn])
    found = {}
    for name, more in methods.items():
        rule = load_method(name)
        taken = {k: v for k, v in common.items() if k in rule.axes}
        if name not in ("ifca", "flsc"):
            taken.pop("starts", None)  # theirs would be one per client
        made = run(rule, tensors, {**taken, **more}, None, pattern.rounds, last_only=True)
        models = made.theta[:, -1].numpy()
        loss = ((models - truth) ** 2).sum(-1) / 2
        found[name] = MethodOnDraws(models, loss, _groups(made.extras))
    return found


def _groups(extras: Mapping[str, torch.Tensor]) -> Array | None:
    """Who trains with whom, from the traces of methods that form groups."""
    if "groups" in extras:
        return extras["groups"][:, -1].numpy()
    if "taken" not in extras:
        return None
    taken = extras["taken"][:, -1].numpy()  # (R, N, K)
    return (taken[:, :, None] == taken[:, None]).all(-1).astype(float)


def gainers(found: Mapping[str, MethodOnDraws]) -> Mapping[str, float]:
    """Share of the clients whose loss is smaller than after training alone."""
    alone = found["local"].loss
    return {name: float((outcome.loss < alone).mean()) for name, outcome in found.items()}


def main() -> int:
    """Print mean losses, shares of clients that gain, and of pairs grouped as their tasks are."""
    for label, pattern in PATTERNS.items():
        found = baselines_study(pattern)
        shares = gainers(found)
        same = pattern.groups[:, None] == pattern.groups
        sys.stdout.write(f"{label}\n")
        for name, outcome in found.items():
            row = f"{name:12} loss {outcome.loss.mean():.4f} gain {shares[name]:.2f}"
            if outcome.groups is not None:
                row += f" pairs as their tasks {(outcome.groups == same).mean():.2f}"
            sys.stdout.write(f"{row}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
