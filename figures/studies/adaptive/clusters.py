r"""Effective against sufficient cluster along runs of All-for-one, and what the difference costs.

N = 20 clients in two clusters of quadratics on R^2, minimisers spread a little inside a cluster so
that biases are positive; weights of Definition 1 from the true ratios. At every round the clients
that client 0 really works with (effective cluster, at the iterate) stand beside those that
Definition 2 guarantees at the excess loss reached (sufficient cluster, with b^2 as the proof of
Lemma 2 needs it, and with b as printed). The cost of the guarantee is the bound of the recursion
with the sufficient variance over the bound with the effective one.

Run as ``python -m figures.studies.adaptive.clusters --seeds 1000 --rounds 200``.

Source: adaptive, Definitions 1 and 2, Lemma 2, Remark 2, Theorem 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import Run, run_chunked
from algorithms.registry import load_method
from bounds.numbers.shapes import Array
from bounds.rates import recursion_upper
from bounds.similarity import step_ratio_lower
from bounds.sufficient import (
    sufficient_cluster,
    sufficient_ratio,
    sufficient_ratio_printed,
    sufficient_variance,
)
from synthetic.builders import clustered_quadratics
from synthetic.noise.philox import run_key
from synthetic.noise.sources import source_of
from synthetic.quadratic import Quadratic

CLIENTS, THRESHOLD, LEVEL = 20, 0.5, 2.5758293035489004
"""N; lambda of the binary rule; two-sided 99 % normal quantile for the bands of the means."""


@dataclass(frozen=True)
class ClusterStudy:
    """Client 0's clusters round by round, means over seeds; arrays (T+1,) and (T,).

    Attributes
    ----------
    phi : str
    excess, band : arrays (T+1,)
        Mean excess loss and half width of its 99 % interval.
    effective, sufficient, printed : arrays (T,)
        Mean number of clients in the effective cluster, in the sufficient one, and in the
        sufficient one as printed.
    subset, printed_subset : arrays (T,)
        Share of seeds in which the sufficient cluster lies inside the effective one.
    effective_bound, sufficient_bound : arrays (T+1,)
        The recursion with the mean of the effective, or of the sufficient, variance.
    cpu_seconds : float
        Of the runs alone, with all N^2 gradients of every round.
    """

    phi: str
    excess: Array
    band: Array
    effective: Array
    sufficient: Array
    printed: Array
    subset: Array
    printed_subset: Array
    effective_bound: Array
    sufficient_bound: Array
    cpu_seconds: float

    @property
    def cost(self) -> Array:
        """Bound with the sufficient over bound with the effective variance, (T+1,)."""
        return self.sufficient_bound / self.effective_bound


def study(
    phi: str = "binary",
    *,
    seeds: int = 200,
    rounds: int = 200,
    spread: float = 0.02,
    sigma: float = 0.5,
    seed: int = 127,
) -> ClusterStudy:
    """Run All-for-one for all clients and follow client 0.

    Parameters
    ----------
    phi : {"binary", "continuous"}
    seeds, rounds : int
        R and T.
    spread : float
        Standard deviation of the minimisers about the centre of their cluster; length.
    sigma : float
        sigma_k of every client; loss / length.
    seed : int
        Of the minimisers and of the noise.
    """
    plain = clustered_quadratics(
        CLIENTS,
        2,
        seed=seed,
        spread=spread,
        separation=2.0,
        strong_convexity=0.5,
        noise_scale=sigma,
        law="gaussian",
    )
    problem = plain.map(torch.as_tensor)
    binary = phi == "binary"
    share = THRESHOLD if binary else float(step_ratio_lower(plain.noise_variance))
    step = share / float(plain.smoothness)
    hyper = {
        "step_size": step,
        "start": np.array([3.0, -2.0]),
        "weights": "true",
        "phi": phi,
        **({"threshold": THRESHOLD} if binary else {}),
    }
    method = load_method("all_for_one")
    slots, key = method.slots(CLIENTS, hyper), run_key(seed, 1)

    def reduce(found: Run) -> dict[str, Any]:
        losses = problem.expand(1).excess(found.theta[..., 0, :])[..., 0]  # (rows, T + 1)
        ratio = found.extras["ratio"][..., 0, :]  # (rows, T, N)
        return {"excess": losses.T, "ratio": ratio.permute(1, 2, 0)}

    begin = time.process_time()
    found = run_chunked(
        method,
        problem,
        hyper,
        lambda rows: source_of(problem, key, rows, slots),
        seeds,
        rounds,
        record=["ratio"],
        reduce=reduce,
    )
    spent = time.process_time() - begin
    excess: Array = found.extras["excess"].T.numpy()
    ratio: Array = found.extras["ratio"].permute(2, 0, 1).numpy()
    return _study(phi, plain, excess, ratio, step, spent)


def table(found: ClusterStudy, every: int = 20) -> str:
    """Text table, one line for every so many rounds."""
    head = ("t", "excess", "+/-", "eff", "suf", "printed", "inside", "pr.in", "bound", "suf.bound")
    lines = [f"phi = {found.phi}", " ".join(f"{name:>9}" for name in head)]
    for t in range(0, len(found.effective), every):
        cells = (
            found.excess[t],
            found.band[t],
            found.effective[t],
            found.sufficient[t],
            found.printed[t],
            found.subset[t],
            found.printed_subset[t],
            found.effective_bound[t],
            found.sufficient_bound[t],
        )
        lines.append(" ".join([f"{t:9d}", *(f"{cell:9.4g}" for cell in cells)]))
    lines.append(f"cost of the guarantee at the end: {found.cost[-1]:.3g} times the bound")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both rules."""
    parser = argparse.ArgumentParser(description="Effective against sufficient cluster.")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    for phi in ("binary", "continuous"):
        found = study(phi, seeds=given.seeds, rounds=given.rounds)
        sys.stdout.write(f"{table(found)}\n{found.cpu_seconds:.1f} s of CPU time\n\n")


def _study(
    phi: str, plain: Quadratic, excess: Array, ratio: Array, step: float, spent: float
) -> ClusterStudy:
    """Numbers of a run: excess (R, T+1) and true ratios (R, T, N) of client 0."""
    bias, slope = (x[0] for x in plain.heterogeneity())
    mu, beta = float(plain.strong_convexity), float(plain.smoothness)
    before = excess[:, :-1]
    suf = sufficient_ratio(bias, slope, mu, before)
    printed = sufficient_ratio_printed(np.sqrt(bias), slope, mu, before)
    effective_on, suf_on, printed_on = (
        sufficient_cluster(r, phi, THRESHOLD) for r in (ratio, suf, printed)
    )
    seeds, rounds = before.shape
    effective_bound, sufficient_bound = (
        recursion_upper(
            float(excess[0, 0]),
            np.full(rounds, step),
            mu,
            beta,
            sufficient_variance(r, phi, plain.noise_variance, THRESHOLD).mean(0),
        )
        for r in (ratio, suf)
    )
    return ClusterStudy(
        phi=phi,
        excess=excess.mean(0),
        # from the first run: of runs that are all at the same place it is zero, not rounding
        band=LEVEL * (excess - excess[:1]).std(0, ddof=1) / np.sqrt(seeds),
        effective=effective_on.sum(-1).mean(0),
        sufficient=suf_on.sum(-1).mean(0),
        printed=printed_on.sum(-1).mean(0),
        subset=(~suf_on | effective_on).all(-1).mean(0),
        printed_subset=(~printed_on | effective_on).all(-1).mean(0),
        effective_bound=effective_bound,
        sufficient_bound=sufficient_bound,
        cpu_seconds=spent,
    )


if __name__ == "__main__":
    main()
