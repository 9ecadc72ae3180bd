r"""All-for-one, the naive scheme, all-for-all and its time-adaptive variant on Bernoulli means.

Every scheme runs through the engine under the synchronous oracle; beside the measured error of each
agent stands its exact expectation. A round of N samples serves all agents, except that all-for-one
serves its target alone, so that a model for every agent needs N runs.

Agent i's model of all-for-one, which is also that of the naive scheme, tends to
:math:`\sum_j\lambda_{ij}m_j` and so keeps its bias; all-for-all tends to m up to noise wherever
:math:`W = \Lambda\Lambda^\top` is invertible, as it is for these six agents.

Run as ``python -m figures.studies.allforall.schemes``.

Source: allforall, Equations 6 and 7, Section 5, Algorithms 1 and 2.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.allforall.rates import close_weights
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.exact.runs import all_for_all_round, averaging_moments
from synthetic.mean_estimation import bernoulli_means, interval_agents, skew_of, value_bias
from synthetic.noise.sources import Given, source_of
from synthetic.quadratic import Quadratic

START = 0.0
STEP, PRECISION = 1 / 8, 1 / 32
"""Of the schemes whose step and weights stay."""
EPOCHS = (8, 16, 32, 64)
"""Rounds of the time-adaptive epochs but the last; step and precision are halved after each."""
FIRST_STEP, FIRST_PRECISION = 1 / 2, 1 / 2


@dataclass(frozen=True)
class SchemeCurve:
    """One scheme after P numbers of rounds.

    Attributes
    ----------
    samples : int array (P,)
        Of all agents together, until every agent has a model.
    exact, measured, error : arrays (P, N)
        E (x_i - m_i)^2/2 of every agent: exactly, its mean over the replicates, and the standard
        error of that mean.
    """

    samples: Array
    exact: Array
    measured: Array
    error: Array

    @property
    def deviation(self) -> float:
        """Largest gap of measured and exact in standard errors."""
        # where nothing is random yet both are equal up to rounding
        return float((abs(self.measured - self.exact) / np.maximum(self.error, 1e-12)).max())


def schemes_study(
    chances: Array | None = None, rounds: int = 256, replicates: int = 1000, seed: int = 1
) -> Mapping[str, SchemeCurve]:
    """Run every scheme.

    Parameters
    ----------
    chances : array (N,), optional
        Means of the agents, strictly between 0 and 1; by default the midpoints of a grid of 6.
    rounds : int
        Of the schemes that serve all agents at once, at least N; all-for-one has 1/N of them.
    replicates, seed : int
        Of the addressed draws, which all schemes share.
    """
    means = interval_agents(6) if chances is None else np.asarray(chances, dtype=float)
    n = len(means)
    require(rounds >= n, "rounds", f"at least the {n} agents", rounds, "run longer")
    problem = Quadratic(bernoulli_means(skew_of(means)))
    bias = value_bias(problem.optimum)
    mixing = close_weights(bias, np.full(n, PRECISION))
    long, short = (np.unique(np.geomspace(1, k, 7).astype(int)) for k in (rounds, rounds // n))
    epoch = np.searchsorted(np.cumsum(EPOCHS), np.arange(rounds), side="right")
    halves = 0.5 ** np.arange(len(EPOCHS) + 1)
    mixings = np.stack([close_weights(bias, np.full(n, FIRST_PRECISION * h)) for h in halves])
    steps = FIRST_STEP * halves[epoch]

    tensors = problem.map(torch.as_tensor)
    source = source_of(tensors, seed, range(replicates), n)
    draws = Given(torch.stack([source.draw(t) for t in range(rounds)], 1))

    def losses(name: str, noted: Array, **hyper: Any) -> Array:
        """(R, P, F)."""
        known = {"step_size": STEP, "start": np.array([START]), **hyper}
        made = run(load_method(name), tensors, known, draws, int(noted[-1])).theta[..., 0]
        return (made.numpy()[:, noted] - means[hyper.get("focus", range(n))]) ** 2 / 2

    def curve(samples: Array, exact: Array, found: Array) -> SchemeCurve:
        return SchemeCurve(samples, exact, found.mean(0), found.std(0, ddof=1) / replicates**0.5)

    one = [losses("weighted_averaging", short, mixing=mixing, focus=[i]) for i in range(n)]
    naive = losses("naive_all_for_all", long, mixing=mixing)
    every = losses("all_for_all", long, mixing=mixing)
    adaptive = losses(
        "all_for_all_adaptive", long, mixings=mixings, lengths=list(EPOCHS), step_sizes=steps
    )
    fixed = together(problem, np.full(rounds, STEP), [mixing] * rounds, long)
    turned = together(problem, steps, mixings[epoch], long)
    return {
        "alone": curve(n * long, averaged(problem, np.eye(n), long), losses("local", long)),
        "all-for-one": curve(
            n**2 * short, averaged(problem, mixing, short), np.concatenate(one, -1)
        ),
        "naive": curve(n * long, averaged(problem, mixing, long), naive),
        "all-for-all": curve(n * long, fixed, every),
        "time-adaptive": curve(n * long, turned, adaptive),
    }


def averaged(problem: Quadratic, mixing: Array, noted: Array) -> Array:
    """Exact errors of one weighted averaging per agent, (P, N)."""
    n, rows = problem.clients, []
    for k in noted:
        mean, variance = averaging_moments(
            mixing,
            np.ones((n, 1)),
            problem.optimum,
            np.full((n, 1), START),
            problem.noise_variance[:, None],
            np.full(n, STEP),
            int(k),
        )
        rows.append(((mean - problem.optimum) ** 2 + variance)[:, 0] / 2)
    return np.array(rows)


def together(
    problem: Quadratic, steps: Array, mixings: Array | Sequence[Array], noted: Array
) -> Array:
    """Exact errors of all-for-all with a step and a matrix for every round, (P, N)."""
    error = START - problem.optimum[:, 0]
    second, path = np.outer(error, error), [error**2 / 2]
    for eta, mixing in zip(steps, mixings, strict=True):
        second = all_for_all_round(
            second, mixing @ mixing.T, np.ones(len(error)), problem.noise_variance, eta
        )
        path.append(second.diagonal() / 2)
    return np.array(path)[noted]


def main() -> int:
    """Print samples, exact and measured mean errors."""
    for name, curve in schemes_study().items():
        sys.stdout.write(f"{name}: within {curve.deviation:.1f} standard errors of the exact one\n")
        for samples, exact, measured, error in zip(
            curve.samples, curve.exact, curve.measured, curve.error, strict=True
        ):
            means = f"mean {exact.mean():.5f} measured {measured.mean():.5f}"
            agent = f"first agent {exact[0]:.5f} measured {measured[0]:.5f} +- {error[0]:.5f}"
            sys.stdout.write(f"{samples:6d} samples {means} {agent}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
