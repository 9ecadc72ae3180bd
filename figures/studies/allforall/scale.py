"""Many agents and long runs of all-for-all within a budget of time and memory.

Gaussian mean estimation in d dimensions on the batched engine, synchronous oracle; only the last
iterate is kept, so that memory does not grow with the length.

Run as ``python -m figures.studies.allforall.scale``.

Source: allforall, Algorithm 1.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from algorithms.engine.run import Run
from algorithms.registry import load_method
from algorithms.sweeps.long_runs import long_run
from bounds.allforall.rates import close_weights
from figures.studies.allforall.complexity import expected_gap
from figures.studies.keep import keep_option, kept_at
from synthetic.mean_estimation import gaussian_means, value_bias
from synthetic.noise.sources import source_of
from synthetic.quadratic import Quadratic


@dataclass(frozen=True)
class ScaleStudy:
    """Seconds of wall time, peak memory of the process in GiB, mean gap simulated and exact."""

    agents: int
    dim: int
    rounds: int
    seconds: float
    memory: float
    simulated: float
    exact: float


def scale_study(
    agents: int = 1000,
    dim: int = 10,
    rounds: int = 10_000,
    *,
    precision: float = 0.05,
    seed: int = 1,
) -> ScaleStudy:
    """Run all-for-all once and compare its last mean gap with the exact expectation."""
    centres = np.repeat(np.random.default_rng(seed).random((agents, 1)), dim, axis=1)
    scale = np.ones(agents)
    bias = value_bias(centres)
    mixing = close_weights(bias, np.full(agents, precision))
    step = 0.05 / float(np.linalg.eigvalsh(mixing @ mixing.T)[-1])
    problem = Quadratic(gaussian_means(centres, scale)).map(torch.as_tensor)
    hyper = {"step_size": step, "start": np.full(dim, 0.5), "mixing": mixing}
    noise = source_of(problem, seed, range(1), agents)
    clock = time.perf_counter()
    made = long_run(
        load_method("all_for_all"), problem, hyper, noise, rounds, _models, last_only=True
    )
    seconds = time.perf_counter() - clock
    theta = made["theta"].reshape(agents, dim).numpy()
    simulated = float(((theta - centres) ** 2).sum() / (2 * agents))
    exact = dim * expected_gap(mixing, centres[:, 0], 0.5, scale**2 / dim, step, rounds)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return ScaleStudy(agents, dim, rounds, seconds, memory, simulated, exact)


def _models(_: Quadratic, made: Run) -> dict[str, torch.Tensor]:
    return {"theta": made.theta}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print time and memory of the full size."""
    parser = argparse.ArgumentParser(description="All-for-all with a thousand agents.")
    keep_option(parser)
    with kept_at(parser.parse_args(arguments).keep):
        study = scale_study()
    sys.stdout.write(
        f"N={study.agents} d={study.dim} K={study.rounds}: {study.seconds:.1f} s, "
        f"{study.memory:.2f} GiB, gap {study.simulated:.4g}, exact {study.exact:.4g}\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
