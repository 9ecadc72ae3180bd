r"""Rounds up to 90 % accuracy and smoothness of the curves on label-sorted shards.

The synthetic task of `synthetic.tables.label_shards` stands in for the images of the paper: parity
of ten labels by regularised logistic regression, N = 50 clients with 200 rows, mini-batches of 64,
steps falling by 0.99 a round. IID splits, shards of 50 rows (about four labels per client) and of
200 rows (one label) stand for the paper's three frameworks. What the paper does not state
(temperature, seeds, smoothness formula) is a setting below.

Run as ``python -m figures.studies.aggregation.shards``.

Source: aggregation, Section 3, Tables 2 to 4, Figures 2 to 5.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.aggregation_rules import heterogeneity_gap
from bounds.numbers.shapes import Array
from synthetic.noise.sources import source_of
from synthetic.tables.label_shards import (
    LabelTask,
    accuracy,
    even_split,
    label_imbalance,
    label_task,
    shard_split,
    split_problem,
)

FRAMEWORKS: Mapping[str, int] = MappingProxyType({"IID": 0, "NIID": 50, "TNIID": 200})
"""Rows per shard; 0 for an IID split."""
STRATEGIES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "FedAvg": {"rule": "fedavg"},
        "FedSoftMax(1)": {"rule": "fedsoftmax", "temperature": 1.0},
        "FedSoftMax(1/4)": {"rule": "fedsoftmax", "temperature": 0.25},
        "FedSoftMax(1/16)": {"rule": "fedsoftmax", "temperature": 0.0625},
        "FedMax(5)": {"rule": "fedmaxk", "count": 5},
        "FedMax": {"rule": "fedmax"},
    }
)


@dataclass(frozen=True)
class Curves:
    """One strategy in one framework, over replicates.

    Attributes
    ----------
    framework, strategy : str
    imbalance, heterogeneity : float
        Mean total variation distance of the labels; Gamma at the minimiser of F.
    rounds_to_90 : float
        R_90, mean over replicates; the number of rounds where a replicate does not get there.
    rounds_error : float
        Standard error of it.
    final : float
        Accuracy after the last round.
    smoothness : float
        sd(diff)/|mean(diff)| of the accuracies over rounds, mean over replicates.
    apart : float
        Largest |alpha_i - p_i| of the last round.
    """

    framework: str
    strategy: str
    imbalance: float
    heterogeneity: float
    rounds_to_90: float
    rounds_error: float
    final: float
    smoothness: float
    apart: float


@dataclass(frozen=True)
class ShardRun:
    """Models and weights of one strategy in one framework.

    Attributes
    ----------
    framework, strategy : str
    task : Task
    split : int array (N, n)
    heterogeneity : float
        Gamma at the minimiser of F.
    theta : array (R, rounds + 1, d)
    alpha : array (R, rounds, N)
        Weights that end each round.
    """

    framework: str
    strategy: str
    task: LabelTask
    split: Array
    heterogeneity: float
    theta: Array
    alpha: Array


def shard_runs(
    frameworks: Sequence[str] = tuple(FRAMEWORKS),
    strategies: Sequence[str] = tuple(STRATEGIES),
    *,
    clients: int = 50,
    rows: int = 200,
    rounds: int = 50,
    local_steps: int = 2,
    step_size: float = 4.0,
    replicates: int = 4,
    seed: int = 1,
) -> Iterator[ShardRun]:
    """Train all strategies in all frameworks from the model 0."""
    task = label_task(clients * rows, seed=seed)
    for framework in frameworks:
        size = FRAMEWORKS[framework]
        split = even_split(task, clients)
        if size:
            split = shard_split(task, clients, min(size, rows), seed=seed)
        problem = split_problem(task, split, ridge=0.001, batch=min(64, rows))
        whole = split_problem(task, split.reshape(1, -1), ridge=0.001).optimum[0]
        shares = np.full(clients, 1 / clients)
        gamma = float(heterogeneity_gap(problem.excess(whole), shares))
        tensors = problem.map(torch.as_tensor)
        # the minimisers once, so that no strategy computes them again
        tensors.__dict__["optimum"] = torch.as_tensor(problem.optimum)
        decay = 0.99 ** (np.arange(rounds * local_steps) // local_steps)
        for name in strategies:
            hyper = {
                **STRATEGIES[name],
                "step_sizes": step_size * decay,
                "local_steps": local_steps,
                "start": np.zeros(problem.dim),
                "focus": [0],
            }
            noise = source_of(tensors, seed, range(replicates), clients)
            made = run(
                load_method("aggregation"),
                tensors,
                hyper,
                noise,
                rounds * local_steps,
                record=["alpha"],
            )
            yield ShardRun(
                framework,
                name,
                task,
                split,
                gamma,
                made.theta[..., ::local_steps, 0, :].numpy(),
                made.extras["alpha"].numpy()[..., local_steps - 1 :: local_steps, :],
            )


def shard_study(
    frameworks: Sequence[str] = tuple(FRAMEWORKS),
    strategies: Sequence[str] = tuple(STRATEGIES),
    *,
    goal: float = 0.9,
    **settings: Any,
) -> tuple[Curves, ...]:
    """Numbers of every run of `shard_runs`, which takes the other settings."""
    out = []
    for made in shard_runs(frameworks, strategies, **settings):
        seen = accuracy(made.task, made.theta)
        reached = np.array([rounds_to(path, goal) for path in seen])
        shares = 1 / made.alpha.shape[-1]
        out.append(
            Curves(
                made.framework,
                made.strategy,
                label_imbalance(made.task, made.split),
                made.heterogeneity,
                float(reached.mean()),
                float(reached.std(ddof=1) / np.sqrt(len(reached))),
                float(seen[:, -1].mean()),
                float(np.mean([smoothness(path) for path in seen])),
                float(np.abs(made.alpha[..., -1, :] - shares).max()),
            )
        )
    return tuple(out)


def rounds_to(path: Array, goal: float) -> int:
    """First round with this accuracy, the number of rounds where there is none."""
    hits = np.flatnonzero(path >= goal)
    return int(hits[0]) if hits.size else len(path) - 1


def smoothness(path: Array) -> float:
    """Standard deviation of the one-round changes over their mean; larger means rougher.

    Examples
    --------
    >>> smoothness(np.array([0.0, 1.0, 2.0, 3.0]))
    0.0
    """
    change = np.diff(path)
    return float(change.std() / abs(change.mean()))


def main() -> int:
    """Print one line per framework and strategy."""
    for c in shard_study():
        sys.stdout.write(
            f"{c.framework:6} TV={c.imbalance:.3f} Gamma={c.heterogeneity:.3g} {c.strategy:16} "
            f"R90={c.rounds_to_90:.2f}+-{c.rounds_error:.2f} final={c.final:.4f} "
            f"smoothness={c.smoothness:.3g} |a-p|={c.apart:.3g}\n"
        )
    return 0


__all__ = [
    "Curves",
    "ShardRun",
    "LabelTask",
    "rounds_to",
    "shard_runs",
    "shard_study",
    "smoothness",
]

if __name__ == "__main__":
    raise SystemExit(main())
