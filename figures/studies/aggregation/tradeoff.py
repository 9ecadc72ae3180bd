r"""Speed against error: the constants V and E of Corollary 4 and what runs really do.

Aligned quadratics without noise, so that every number is exact up to rounding: rho-bar and
rho-tilde over all iterations (the form of the corollary that its proof supports), V and E from
them, the gap F(w_T) - F* at the end, and the first iteration at which it is a hundredth of its
first value.

Run as ``python -m figures.studies.aggregation.tradeoff``.

Source: aggregation, Corollary 4, Section 2.3, Figure 5.
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
from bounds import aggregation as closed
from bounds.aggregation_rules import aggregation_weights, heterogeneity_gap, weighting_skew
from bounds.numbers.shapes import Array
from synthetic.quadratic import Quadratic

TEMPERATURES = tuple(2.0**k for k in range(-6, 8))


@dataclass(frozen=True)
class Strategy:
    """One strategy on one federation.

    Attributes
    ----------
    name : str
    temperature : float or None
        Loss.
    low, high : float
        rho-bar over all iterations, virtual averages included, and rho-tilde over the same.
    speed, error, bound : float
        V, E and V/(T + gamma) + E; loss.
    gap : float
        F(w_T) - F*; loss.
    reached : int
        First iteration with F - F* at most a hundredth of its first value or, where the strategy
        does not get there, -1.
    early : float
        F(w_t) - F* after ``early`` iterations over its first value.
    skewed : float
        Largest |alpha_i - p_i| of the last round.
    """

    name: str
    temperature: float | None
    low: float
    high: float
    speed: float
    error: float
    bound: float
    gap: float
    reached: int
    early: float
    skewed: float


def federation(
    clients: int = 20,
    dim: int = 5,
    *,
    heterogeneity: float = 1.0,
    condition: float = 4.0,
    seed: int = 0,
) -> Quadratic:
    """Aligned quadratics: curvatures log-uniform in [1, condition], minimisers normal."""
    rng = np.random.default_rng(seed)
    curvature = condition ** rng.random((clients, dim))
    curvature[0, 0], curvature[-1, -1] = 1.0, condition
    optimum = heterogeneity * rng.normal(size=(clients, dim))
    form = curvature[..., None] * np.eye(dim)
    return Quadratic({"A": form, "xi": -optimum, "half": True, "law": "none"})


def minimiser(problem: Quadratic, shares: Array) -> Array:
    """w* of F = sum p_i F_i, (d,)."""
    hessian = (shares[:, None, None] * problem.hessian).sum(0)
    pulled = np.einsum("nij,nj->ni", problem.hessian, problem.optimum)
    return np.linalg.solve(hessian, (shares[:, None] * pulled).sum(0))


def trade_off(
    problem: Quadratic,
    *,
    rounds: int = 2000,
    local_steps: int = 1,
    temperatures: Sequence[float] = TEMPERATURES,
    count: int = 3,
    start: float = 5.0,
    early: int = 10,
) -> tuple[Strategy, ...]:
    """Run all strategies with the steps of Corollary 4 from (start, ..., start), equal shares.

    Parameters
    ----------
    rounds : int
        T, iterations; a multiple of ``local_steps``.
    count : int
        k of FedMax(k).
    early : int
        Iterations after which the early progress is noted.
    """
    clients = problem.clients
    shares = np.full(clients, 1 / clients)
    best = minimiser(problem, shares)
    steps = np.array(
        [
            closed.aggregation_step_size(problem.strong_convexity, problem.smoothness, t)
            for t in range(rounds)
        ]
    )
    common = {
        "step_sizes": steps,
        "start": np.full(problem.dim, start),
        "local_steps": local_steps,
        "focus": [0],
    }
    known = _Known(problem, shares, best, rounds, local_steps, early)
    out = [
        known.strategy("FedAvg", None, {**common, "rule": "fedavg"}),
        known.strategy("FedMax", None, {**common, "rule": "fedmax"}),
        known.strategy(f"FedMax({count})", None, {**common, "rule": "fedmaxk", "count": count}),
    ]
    out += [
        known.strategy("FedSoftMax", t, {**common, "rule": "fedsoftmax", "temperature": t})
        for t in temperatures
    ]
    return tuple(out)


@dataclass(frozen=True)
class _Known:
    """A federation and what is the same for all strategies."""

    problem: Quadratic
    shares: Array
    best: Array
    rounds: int
    local_steps: int
    early: int

    def strategy(self, name: str, temperature: float | None, hyper: Mapping[str, Any]) -> Strategy:
        """Run one strategy and measure it."""
        method, problem, best = load_method("aggregation"), self.problem, self.best
        made = run(method, problem.map(torch.as_tensor), hyper, None, self.rounds)
        theta = made.theta[:, 0].numpy()  # (T + 1, d)
        alpha = made.extras["alpha"].numpy()  # (T, N)
        models = made.extras["models"][:-1].numpy()  # (T, N, d)
        wide = problem.expand()
        slope = (wide.own_gradients(models) ** 2).sum(-1).max()
        ideal = problem.excess(best)
        along = wide.excess(theta)
        last = aggregation_weights(
            str(hyper["rule"]),
            along[-1],
            self.shares,
            temperature=_array(temperature),
            count=int(hyper.get("count", 1)),
        )
        weights = np.concatenate([alpha, last[None]])
        low = float(weighting_skew(weights, along, self.shares).min())
        high = float(weighting_skew(weights, ideal, self.shares).max())
        gaps = (self.shares * (along - ideal)).sum(-1)
        gamma = heterogeneity_gap(ideal, self.shares)
        mu, smoothness = problem.strong_convexity, problem.smoothness
        squared = ((theta[0] - best) ** 2).sum()
        speed = closed.speed_constant(
            mu, smoothness, slope, 0, gamma, squared, low, self.local_steps
        )
        error = closed.learning_error(mu, smoothness, gamma, low, high)
        delay = closed.aggregation_delay(mu, smoothness)
        terms = closed.aggregation_bound_upper(speed, error, delay, self.rounds)
        reached = np.flatnonzero(gaps <= gaps[0] / 100)
        return Strategy(
            name,
            temperature,
            low,
            high,
            float(speed),
            float(error),
            float(sum(terms.values())),
            float(gaps[-1]),
            int(reached[0]) if reached.size else -1,
            float(gaps[self.early] / gaps[0]),
            float(np.abs(alpha[-1] - self.shares).max()),
        )


def _array(temperature: float | None) -> Array:
    return None if temperature is None else np.array(temperature)


def main() -> int:
    """Print one line per strategy for three degrees of heterogeneity."""
    for heterogeneity in (0.25, 1.0, 4.0):
        problem = federation(heterogeneity=heterogeneity)
        for local_steps in (1, 5):
            found = trade_off(problem, local_steps=local_steps)
            for s in found:
                sys.stdout.write(
                    f"h={heterogeneity} E={local_steps} {s.name:10} T={s.temperature} "
                    f"rho {s.low:.3f}..{s.high:.3f} V={s.speed:.4g} E={s.error:.4g} "
                    f"bound={s.bound:.4g} gap={s.gap:.3g} t1%={s.reached} early={s.early:.3g} "
                    f"|a-p|={s.skewed:.3g}\n"
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
