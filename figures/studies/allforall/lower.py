r"""Real methods on the instance behind the lower bound: how far above it they are.

Agent 1 and its m - 1 close agents toss coins of bias delta = 2 eps/(r B), all others fair ones;
one agent is drawn per sample (asynchronous oracle). Within [-r, r] every gradient is -B xi, so the
iterates of averaging are a walk on a lattice and all expectations are exact. All-for-all with the
indicator weights moves the models of the block exactly as averaging does; both run through the
engine beside the exact walk.

Run as ``python -m figures.studies.allforall.lower``.

Source: allforall, Theorem 1, Theorem 2.1, Section 4.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy.stats import binom

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.allforall.lower import convex_samples_lower
from synthetic.lower_bound import SignFamily
from synthetic.noise.sources import source_of

METHODS = ("averaging", "no collaboration", "single model")


@dataclass(frozen=True)
class LowerStudy:
    """Samples until the expected gap of agent 1 is at most eps.

    Attributes
    ----------
    agents, close : int
        N and m = N_1^eps(b/4).
    scale : float
        r B/eps.
    bound : float
        (15/1024) (rB/eps)^2 N/m, below which no method can be.
    best : int
        Samples of the best possible method, the posterior majority of signs.
    samples : dict
        By method, mean gap over the iterates as in Theorem 2.1, at the better one of the printed
        step and twice or four times it.
    upper : float
        4 D^2 B^2 N/(eps^2 m) with D = 2 r.
    """

    agents: int
    close: int
    scale: float
    bound: float
    best: int
    samples: dict[str, int]
    upper: float


def lower_study(agents: int, close: int, scale: float) -> LowerStudy:
    """Exact counts for one instance, eps = r = 1.

    Parameters
    ----------
    agents, close : int
    scale : float
        r B/eps, at least 16.
    """
    delta = 2 / scale
    # helpers with positive weight, and how many of these toss biased coins
    asked = {"averaging": close, "no collaboration": 1, "single model": agents}
    samples = {}
    for method, helpers in asked.items():
        share = delta * min(close, helpers) / helpers
        samples[method] = min(
            _fewest(lambda k, h=helpers, s=share, f=factor: walk_gap(agents, h, s, scale, k, f))  # type: ignore[misc]
            for factor in (1.0, 2.0, 4.0)
        )
    return LowerStudy(
        agents,
        close,
        scale,
        float(convex_samples_lower(scale, 1, agents, close)),
        _fewest(lambda t: bayes_gap(agents, close, scale, t)),
        samples,
        16 * scale**2 * agents / close,
    )


def walk_gap(
    agents: int, helpers: int, share: float, size: float, rounds: int, factor: float = 1.0
) -> float:
    """E of the mean gap of agent 1 over x^0, ..., x^{K-1}, for eps = r = 1 and start 0.

    Parameters
    ----------
    helpers : int
        Agents with weight 1/helpers.
    share : float
        Mean bias of their coins: xi = 1 with chance 1/2 + share; agent 1's own bias is 2/B.
    size : float
        B.
    factor : float
        Step over the printed one, sqrt(D^2/(2 K N B^2 sum lambda^2)) with D = 2.
    """
    step = factor * np.sqrt(4 * helpers / (2 * rounds * agents)) / size
    move = step * size * agents / helpers
    reach = int(np.ceil(1 / move)) + 1
    places = move * np.arange(-reach, reach + 1)
    awake = helpers / agents
    inside = np.abs(places) < 1
    up = awake * np.where(inside, 0.5 + share, places < 0)
    down = awake - up
    gap = 4 * np.abs(1 - places)  # 2 delta B |x - r| inside, delta = 2/B
    gap = np.where(places > 1, size * (places - 1), gap)
    after = np.diag(1 - up - down) + np.diag(up[:-1], 1) + np.diag(down[1:], -1)
    # gap summed over the first k rounds, and the k-step kernel, by doubling k
    summed, kernel = np.zeros(len(places)), np.eye(len(places))
    for bit in f"{rounds:b}":
        summed, kernel = summed + kernel @ summed, kernel @ kernel
        if bit == "1":
            summed, kernel = summed + kernel @ gap, kernel @ after
    return float(summed[reach] / rounds)


def simulated_gap(
    method: str, agents: int, close: int, size: float, rounds: int, replicates: int = 4000
) -> tuple[float, float]:
    """The mean gap of `walk_gap` by a registered method, on eps = r = 1, and its standard error.

    Parameters
    ----------
    method : {"weighted_averaging", "all_for_all"}
        At the printed step, with the weights 1/m inside the block of close agents.
    """
    tosses = np.where(np.arange(agents) < close, 2 / size, 0)
    data = {"signs": [1.0], "delta": tosses, "radius": 1.0, "size": size}
    problem = SignFamily({k: torch.as_tensor(np.asarray(v)) for k, v in data.items()})
    noise = source_of(problem, 5, range(replicates), agents)
    awake = np.eye(agents)[np.random.default_rng(7).integers(agents, size=(replicates, rounds))]
    block = np.eye(agents)
    block[:close, :close] = 1 / close
    step = np.sqrt(4 * close / (2 * rounds * agents)) / size
    own: dict[str, Any] = {"step_size": step, "oracle": "asynchronous"}
    if method == "all_for_all":  # Algorithm 1 carries no factor N
        own = {"step_size": agents * step}
    hyper = {"start": np.zeros(1), "participation": awake, "mixing": block, **own}
    places = run(load_method(method), problem, hyper, noise, rounds).theta[:, :rounds, 0]
    gap = (problem.losses(places)[..., 0] - problem.optimal_value[0]).mean(-1)
    return float(gap.mean()), float(gap.std() / replicates**0.5)


def bayes_gap(agents: int, close: int, scale: float, samples: int) -> float:
    """4 eps (1 - TV) of the posterior majority, the least expected gap after T samples."""
    seen = np.arange(samples + 1)
    chance = binom.pmf(seen, samples, close / agents)
    kept = seen[chance > 1e-14]
    p = 0.5 + 2 / scale
    # TV = P(majority right) - P(majority wrong); ties cancel
    right = binom.sf(kept // 2, kept, p)
    wrong = binom.cdf((kept - 1) // 2, kept, p)
    return float(4 * (1 - chance[kept] @ (right - wrong)))


def _fewest(gap: Callable[[int], float]) -> int:
    """Smallest number, to one in 200, with gap at most eps = 1, by doubling and bisection."""
    low, high = 0, 1
    while gap(high) > 1:
        low, high = high, 2 * high
    while high - low > max(1, high // 200):
        middle = (low + high) // 2
        low, high = (low, middle) if gap(middle) <= 1 else (middle, high)
    return high


def main() -> int:
    """Print samples over the lower bound."""
    for agents, close, scale in ((1, 1, 64), (10, 10, 64), (10, 5, 32), (10, 1, 32), (100, 10, 32)):
        study = lower_study(agents, close, scale)
        above = {"best possible": study.best, **study.samples, "bound of Theorem 2.1": study.upper}
        text = ", ".join(f"{name} {value / study.bound:.1f}" for name, value in above.items())
        case = f"N={agents} m={close} rB/eps={scale}"
        sys.stdout.write(f"{case}: bound {study.bound:g}; times it: {text}\n")
    exact = walk_gap(3, 2, 2 / 16, 16, 24)
    for method in ("weighted_averaging", "all_for_all"):
        gap, error = simulated_gap(method, 3, 2, 16, 24)
        sys.stdout.write(f"{method}: mean gap {gap:.4f} +- {error:.4f}, exact {exact:.4f}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
