r"""How the estimated ratios switch collaboration off, and what b_alpha and the refresh cost.

Two tables. The first is exact: for clients with one gradient and one variance (true ratio 1), the
mean of the estimated ratio and the chance that it is zero, against the signal-to-noise ratio
:math:`\lVert \nabla R_i \rVert^2 b_\alpha / \sigma_i^2`. The second simulates All-for-one with
phi_cont on two clusters of quadratics under Gaussian noise: final excess loss for each b_alpha and
refresh interval, after equal rounds and at equal cost.

Run as ``python -m figures.studies.adaptive.estimator_trade --seeds 40``.

Source: adaptive, Equation (1), Section 4 (frequency of updates), Table S1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import run
from algorithms.grouping.oracle import cluster_weights
from algorithms.registry import load_method
from bounds.estimator import plug_in_ratio
from bounds.estimator_law import estimated_ratio_mean, switch_off_probability
from bounds.numbers.validate import require
from synthetic.noise.philox import run_key
from synthetic.noise.sources import source_of
from synthetic.quadratic import Quadratic

CLIENTS, DIM, STEP, ROUNDS = 8, 2, 0.125, 120
LABELS = np.arange(CLIENTS) % 2


@dataclass(frozen=True)
class LawRow:
    """Estimate between equal clients at one signal-to-noise ratio.

    Attributes
    ----------
    dim : int
    signal : float
        ||grad R_i||^2 b_alpha / sigma_i^2.
    plug_in, mean : float
        1 - E Z_ik / E Z_i, which may be negative, and the mean of the estimated ratio; the true
        ratio is 1.
    off : float
        Probability that the estimate is zero.
    """

    dim: int
    signal: float
    plug_in: float
    mean: float
    off: float


@dataclass(frozen=True)
class TradeRow:
    """All-for-one with one choice of b_alpha and refresh interval.

    Attributes
    ----------
    name : str
    b_alpha, refresh : int
        Zero for methods without an estimate.
    gradients : float
        Per client that asks and round, N (1 + b_alpha / refresh) for All-for-one.
    excess : float
        log10 of the excess loss averaged over clients, seeds and the last tenth of the rounds.
    inside, outside : float
        Share of helpers with a positive weight in the own and the other cluster, last tenth.
    budget_excess : float
        The same logarithm around the round by which N T / 4 gradients per client are spent, so
        that rows compare at one cost; nan where the run ends before.
    """

    name: str
    b_alpha: int
    refresh: int
    gradients: float
    excess: float
    inside: float
    outside: float
    budget_excess: float


def law_table(
    dims: Sequence[int] = (1, 2, 10), signals: Sequence[float] = (0, 0.25, 1, 4, 16, 64)
) -> tuple[LawRow, ...]:
    """Exact mean and switching-off between equal clients.

    Parameters
    ----------
    dims : sequence of int
    signals : sequence of float
        Signal-to-noise ratios, at least zero.
    """
    rows = []
    for dim in dims:
        for signal in signals:
            g = np.zeros(dim)
            g[0] = signal**0.5
            rows.append(
                LawRow(
                    dim,
                    float(signal),
                    float(plug_in_ratio(0.0, signal, 1.0, 1.0, 1)),
                    float(estimated_ratio_mean(g, g, 1.0, 1.0, 1)),
                    float(switch_off_probability(g, g, 1.0, 1.0, 1)),
                )
            )
    return tuple(rows)


def trade_table(
    b_alphas: Sequence[int] = (1, 4, 16),
    refreshes: Sequence[int] = (1, 8, 40),
    *,
    seeds: int = 40,
    sigma: float = 1.0,
    separation: float = 4.0,
    seed: int = 127,
) -> tuple[TradeRow, ...]:
    """Simulated excess loss for every pair of b_alpha and refresh interval, and three references.

    Parameters
    ----------
    b_alphas, refreshes : sequences of int
    seeds : int
        Noise outcomes, in one batch.
    sigma : float
        Standard deviation of a gradient; loss / length.
    separation : float
        Distance of the clusters' optima; length.
    seed : int
        Of the noise.
    """
    require(seeds >= 1, "seeds", "at least 1", seeds, "pass a positive int")
    problem = _clusters(sigma, separation)
    settings: list[tuple[str, str, dict[str, Any]]] = [
        ("Local", "local", {}),
        ("oracle", "all_for_one", {"weights": "fixed", "weight_matrix": cluster_weights(LABELS)}),
        ("exact ratios", "all_for_one", {"weights": "true"}),
    ]
    settings += [
        ("estimated", "all_for_one", {"weights": "estimated", "b_alpha": b, "refresh": q})
        for b in b_alphas
        for q in refreshes
    ]
    return tuple(_row(problem, *setting, seeds, seed) for setting in settings)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="The estimator of the similarity ratios.")
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--sigma", type=float, default=1.0)
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)
    lines = [" d   signal  plug-in     mean  P(zero)"]
    lines += [
        f"{r.dim:2d} {r.signal:8.2f} {r.plug_in:8.3f} {r.mean:8.3f} {r.off:8.3f}"
        for r in law_table()
    ]
    lines += ["", "method       b_alpha refresh gradients  excess inside outside  at budget"]
    lines += [
        f"{r.name:12} {r.b_alpha:7d} {r.refresh:7d} {r.gradients:9.1f} {r.excess:7.2f} "
        f"{r.inside:6.2f} {r.outside:7.2f} {r.budget_excess:10.2f}"
        for r in trade_table(seeds=given.seeds, sigma=given.sigma)
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def _clusters(sigma: float, separation: float) -> Quadratic:
    optima = torch.zeros(CLIENTS, DIM, dtype=torch.float64)
    optima[:, 0] = torch.as_tensor(LABELS * separation)
    eye = torch.eye(DIM, dtype=torch.float64).expand(CLIENTS, DIM, DIM).clone()
    scale = torch.full((CLIENTS,), sigma, dtype=torch.float64)
    return Quadratic({"A": eye, "xi": -optima, "noise_scale": scale, "law": "gaussian"})


def _row(
    problem: Quadratic, name: str, method_name: str, extra: dict[str, Any], seeds: int, seed: int
) -> TradeRow:
    method = load_method(method_name)
    hyper = {"step_size": STEP, "start": np.array([1.0, 8.0]), **extra}
    slots = method.slots(CLIENTS, hyper)
    noise = source_of(problem, run_key(seed), range(seeds), slots)
    weights = [name for name in method.traces if name == "weights"]  # not every method has them
    found = run(method, problem, hyper, noise, ROUNDS, record=weights)
    loss = problem.expand(1).own_excess(found.theta).mean(-1)  # (R, T + 1)
    b, q = int(extra.get("b_alpha", 0)), int(extra.get("refresh", 0))
    gradients = float(CLIENTS * (1 + (b / q if q else 0))) if name != "Local" else 1.0
    inside = outside = float("nan")
    if "weights" in found.extras:
        on = (found.extras["weights"] > 0).double()[:, -ROUNDS // 10 :].numpy()
        same = LABELS[:, None] == LABELS[None, :]
        inside = float(on[..., same & ~np.eye(CLIENTS, dtype=bool)].mean())
        outside = float(on[..., ~same].mean())
    budget = int(CLIENTS * ROUNDS / 4 / gradients)
    return TradeRow(
        name,
        b,
        q,
        gradients,
        _level(loss[:, -ROUNDS // 10 :]),
        inside,
        outside,
        _level(loss[:, max(0, budget - 2) : budget + 3]) if budget <= ROUNDS else float("nan"),
    )


def _level(loss: Any) -> float:
    return float(loss.mean().log10())


if __name__ == "__main__":
    main()
