r"""The synthetic study of the adaptive paper: all algorithms on streaming least squares.

N = 20 clients aim at target i mod 2 with features of identity covariance; the targets are standard
normal, one pair per seed and the same for every algorithm, models start at zero, the batch is 2 and
the step 1/(2 beta) for d = 2 and 1/(4 beta) for d = 10 with beta = 2. All seeds run in one batch.
What the paper does not state (targets, start, lambda, the baselines' parameters, rounds) is a
setting below.

Run as ``python -m figures.studies.adaptive.synth --seeds 100 --rounds 400``.

Source: adaptive, Section 5, Figures 2a and 2b, Table S1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import Run
from algorithms.grouping.oracle import cluster_weights
from algorithms.registry import load_method
from algorithms.sweeps.long_runs import long_run
from bounds.numbers.validate import require
from figures.studies.adaptive.curves import CLIENTS, AdaptiveStudy, AlgorithmCurve
from figures.studies.adaptive.observations import table
from figures.studies.keep import keep_option, kept_at
from synthetic.noise.philox import run_key
from synthetic.noise.sources import source_of
from synthetic.tables.streaming import StreamingLeastSquares, two_clusters

BETA = 2.0
LABELS = np.arange(CLIENTS) % 2
CHUNK = 2**17  # words of noise per round and chunk: a step's arrays then stay in the caches
TINY = 1e-300
STEPS = MappingProxyType({2: 1 / (2 * BETA), 10: 1 / (4 * BETA)})
ROUNDS = MappingProxyType({2: 120, 10: 400})
"""Rounds before float64 itself ends the descent of the fastest algorithm, or 400."""

Setting = tuple[str, Mapping[str, Any]]
ALGORITHMS: Mapping[str, Setting] = MappingProxyType(
    {
        "All-for-one-bin": (
            "all_for_one",
            {"weights": "estimated", "phi": "binary", "threshold": 0.5},
        ),
        "All-for-one-cont": ("all_for_one", {"weights": "estimated"}),
        "exact ratios, bin": (
            "all_for_one",
            {"weights": "true", "phi": "binary", "threshold": 0.5},
        ),
        "exact ratios, cont": ("all_for_one", {"weights": "true"}),
        "oracle": ("all_for_one", {"weights": "fixed"}),
        "FedAvg": ("fedavg", {}),
        "Local": ("local", {}),
        "Ditto": ("ditto", {"pull": 0.1}),
        "CoBo": ("cobo", {"coupling": 0.01, "weight_step": 0.01}),
        "WGA-BC": ("wga_bc", {"mixing": 0.1, "correction_rate": 0.1}),
        "APFL": ("apfl", {"mixing": 0.9}),
    }
)
"""Algorithm -> method and hyper-parameters beyond step and start."""
WEAK: Mapping[str, Setting] = MappingProxyType(
    {
        **ALGORITHMS,
        "Ditto": ("ditto", {"pull": 0.001}),
        "CoBo": ("cobo", {"coupling": 0.0001, "weight_step": 0.01}),
        "WGA-BC": ("wga_bc", {"mixing": 0.001, "correction_rate": 0.1}),
        "APFL": ("apfl", {"mixing": 0.999}),
    }
)
"""The same with baselines a hundred times closer to Local, the reading kindest to the paper."""


def federation(
    dim: int, seeds: int, *, label_variance: float = 0.0, seed: int = 127
) -> StreamingLeastSquares:
    """The paper's federation for a batch of seeds, on tensors.

    Parameters
    ----------
    dim, seeds : int
        d and R.
    label_variance : float
        Loss; zero for the paper's exact labels.
    seed : int
        Of the targets.

    Returns
    -------
    StreamingLeastSquares
        Targets (R, N, d), standard normal in each cluster and seed; sigma_k = 1 for all, as
        batches are equal (Remark 1).
    """
    require(seeds >= 1, "seeds", "at least 1", seeds, "pass a positive int")
    more: dict[str, Any] = {"sigma": np.ones(CLIENTS)}
    if label_variance > 0:
        more["label_variance"] = np.full(CLIENTS, label_variance)
    known = two_clusters(dim, CLIENTS, seed=seed, instances=seeds, **more)
    return known.map(torch.as_tensor)


def study(
    dim: int,
    *,
    seeds: int = 100,
    rounds: int | None = None,
    label_variance: float = 0.0,
    algorithms: Mapping[str, Setting] = ALGORITHMS,
    seed: int = 127,
) -> AdaptiveStudy:
    """Run all algorithms on the same client optima.

    Parameters
    ----------
    dim : int
        2 or 10, the dimensions with a step size in the paper.
    seeds : int
        R.
    rounds : int, optional
        T; by default `ROUNDS`.
    label_variance : float
        Loss.
    algorithms : mapping
        Name -> (method, hyper-parameters).
    seed : int
        Of targets and noise.

    Returns
    -------
    Study

    Source
    ------
    adaptive, Figures 2a and 2b.
    """
    require(dim in STEPS, "dim", f"one of {sorted(STEPS)}", dim, "the paper has no other")
    problem = federation(dim, seeds, label_variance=label_variance, seed=seed)
    length = ROUNDS[dim] if rounds is None else rounds
    curves = tuple(
        _curve(name, setting, problem, length, STEPS[dim], seed)
        for name, setting in algorithms.items()
    )
    return AdaptiveStudy(dim, seeds, length, label_variance, STEPS[dim], curves)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of the study."""
    parser = argparse.ArgumentParser(description="Synthetic study of the adaptive paper.")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=None)
    parser.add_argument("--dim", type=int, choices=sorted(STEPS), action="append")
    parser.add_argument("--label-variance", type=float, action="append")
    parser.add_argument("--weak", action="store_true", help="baselines close to Local")
    keep_option(parser)
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    for dim in given.dim or sorted(STEPS):
        for variance in given.label_variance or (0.0, 0.01):
            with kept_at(given.keep):
                found = study(
                    dim,
                    seeds=given.seeds,
                    rounds=given.rounds,
                    label_variance=variance,
                    algorithms=WEAK if given.weak else ALGORITHMS,
                )
            sys.stdout.write(table(found) + "\n\n")
            sys.stdout.flush()


def _curve(
    name: str,
    setting: Setting,
    problem: StreamingLeastSquares,
    rounds: int,
    step_size: float,
    seed: int,
) -> AlgorithmCurve:
    """Run one algorithm, a few seeds at a time, and keep a number per seed and round."""
    method, hyper = load_method(setting[0]), dict(setting[1])
    hyper |= {"step_size": step_size, "start": np.zeros(problem.dim)}
    if hyper.get("weights") == "fixed":
        hyper["weight_matrix"] = cluster_weights(LABELS)
    slots, seeds = method.slots(CLIENTS, hyper), problem.leading[0]
    weights = [name for name in method.traces if name == "weights"]  # not every method has them
    chunk = max(1, CHUNK // (slots * problem.noise_width))
    begin, parts = time.process_time(), []
    for first in range(0, seeds, chunk):
        rows = range(first, min(first + chunk, seeds))
        some = StreamingLeastSquares(
            {**problem.data, "targets": problem.data["targets"][rows.start : rows.stop]}
        )
        noise = source_of(some, run_key(seed, 1), rows, slots)
        made = long_run(method, some, hyper, noise, rounds, _numbers, record=weights)
        parts.append([made[name].numpy() for name in ("loss", "inside", "outside")])
    spent = time.process_time() - begin
    loss, inside, outside = (np.concatenate(p) for p in zip(*parts, strict=True))  # (R, T + 1)
    root = max(1, seeds - 1) ** 0.5
    logs, floor = np.log10(np.maximum(loss, TINY)), np.maximum(loss.mean(0), TINY)
    return AlgorithmCurve(
        name,
        _floats(logs.mean(0)),
        _floats(logs.std(0)),
        _floats(np.log10(floor)),
        _floats(inside.mean(0)),
        _floats(outside.mean(0)),
        spent,
        _floats(inside.std(0) / root),
        _floats(outside.std(0) / root),
    )


def _numbers(problem: StreamingLeastSquares, found: Run) -> dict[str, torch.Tensor]:
    """Excess loss over clients (R, T + 1); shares of helpers inside and outside (R, T or 0)."""
    loss = problem.expand(1).own_excess(found.theta).mean(-1)
    weights = found.extras.get("weights")
    if weights is None or weights.shape[-2:] != (CLIENTS, CLIENTS):
        none = torch.zeros((len(loss), 0), dtype=torch.float64)
        return {"loss": loss, "inside": none, "outside": none}
    on = (weights > 0).double().numpy()
    same = LABELS[:, None] == LABELS[None, :]
    helpers = same & ~np.eye(CLIENTS, dtype=bool)
    shares = {"inside": on[..., helpers].mean(-1), "outside": on[..., ~same].mean(-1)}
    return {"loss": loss, **{name: torch.from_numpy(x) for name, x in shares.items()}}


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in values)


if __name__ == "__main__":
    main()
