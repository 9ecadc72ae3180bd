r"""Measured error under the bounds of three more papers: exact, refined, repaired, printed.

* all-for-all: two clusters of agents on unit quadratics, W of full rank, Theorem 3.b repaired at
  its own horizon step, against the exact mean gap;
* generalised FedAvg: the gap of FedAvg on aligned quadratics without noise, Corollary 4 as printed,
  and the refined iteration unrolled and turned into a gap by smoothness;
* HCCT: two fixed groups of unit quadratics with noise, Theorem 2 as printed and for fixed groups.

All left sides are exact. Source: allforall, Theorem 3; aggregation, Corollary 4; hcct, Theorem 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds import aggregation
from bounds.aggregation_rules import heterogeneity_gap
from bounds.allforall import rates as allforall_rates
from bounds.hcct import convergence as hcct_convergence
from figures.studies.aggregation.tradeoff import federation, minimiser
from figures.studies.allforall.complexity import expected_gap
from figures.style import BLACK, BLUE, GREEN, RED, letter, panels, slope_triangle, violation
from synthetic.mean_estimation import value_bias

TITLE = "Exact error under the bounds of three more papers"
SEEDS = "0 (federation of the second panel)"
TOLERANCES: dict[str, tuple[float, float]] = {}
AGENTS, LONGEST = 20, 12
HORIZONS = tuple(2**k for k in range(LONGEST + 1))
SHARE, APART, SIGMA = 0.5, 0.1, 0.5
STEP, GROUPED = 0.05, 6


def compute(profile: str) -> dict[str, Any]:  # noqa: ARG001 (as of every figure)
    """Left and right sides over the horizon; the same at all settings, as all is exact."""
    return {"horizon": np.array(HORIZONS), **_together(), **_averaged(), **_grouped()}


def plot(data: dict[str, Any]) -> Figure:
    """Three panels, the legend in the fourth place."""
    figure, axes = panels(2, 2, height=3.6)
    t = data["horizon"]
    sides = (
        ("all", "all-for-all, Theorem 3.b", "mean gap (loss)"),
        ("avg", "FedAvg, Corollary 4", "$F(w_T)-F^\\star$ (loss)"),
        ("hcct", "HCCT, Theorem 2", "squared gradients, summed"),
    )
    drawn: dict[str, Any] = {}
    for ax, (key, title, label) in zip(axes.flat, sides, strict=False):
        ax.set_xscale("log")
        ax.set_yscale("log")
        looks = (
            ("printed", RED, (0, (1, 1)), "printed bound"),
            ("repaired", BLUE, "-", "repaired bound"),
            ("refined", GREEN, (0, (6, 1.5, 1, 1.5)), "refined bound"),
        )
        for form, colour, dashes, name in looks:
            if f"{key}_{form}" in data:
                (drawn[name],) = ax.plot(t, data[f"{key}_{form}"], color=colour, linestyle=dashes)
        (drawn["exact"],) = ax.plot(
            t, data[f"{key}_exact"], color=BLACK, marker="o", linestyle="none", markersize=2.4
        )
        lowest = data[f"{key}_refined" if f"{key}_refined" in data else f"{key}_repaired"]
        on = np.isfinite(lowest)
        violation(ax, t[on], lowest[on], label=None)
        ax.set_xticks([1, 10, 100, 1000])
        ax.minorticks_off()
        letter(ax, title)
        ax.set_ylabel(label)
    axes[0, 0].set_xlabel("horizon $K$ (rounds)")
    axes[0, 1].set_xlabel("horizon $T$ (iterations)")
    axes[1, 0].set_xlabel("horizon $T$ (epochs)")
    slope_triangle(axes[0, 1], 2, float(data["avg_exact"][-1]) * 20, -1.0, width=4)
    axes[1, 1].axis("off")
    axes[1, 1].legend(drawn.values(), drawn.keys(), loc="center", title="hatched: broken")
    return figure


def caption(data: dict[str, Any]) -> str:
    """Ratios at the longest horizon."""
    last = {key: values[-1] for key, values in data.items()}
    above = [
        f"{name} {float(np.nanmax(data[f'{key}_exact'] / data[f'{key}_{form}'])):.3g}"
        for name, key, form in (
            ("all-for-all", "all", "repaired"),
            ("FedAvg", "avg", "refined"),
            ("HCCT", "hcct", "repaired"),
        )
    ]
    return f"""
    Exact left sides (dots) and bounds over the horizon. All-for-all: {AGENTS} agents in two
    clusters of unit quadratics, noise variance {SIGMA**2:g}, repaired Theorem 3.b at its own
    horizon step; the printed one hides its constants. FedAvg on 20 aligned quadratics without
    noise, steps of Corollary 4: printed bound V/(T+γ) (E is 0), and the refined iteration unrolled,
    {last["avg_printed"] / last["avg_refined"]:.3g} times smaller at T = {int(data["horizon"][-1])}.
    HCCT: {GROUPED} clients in two fixed groups, constant step {STEP:g}: Theorem 2 as printed, whose
    last sum is not averaged and grows with T, and its form for groups that never change. Exact
    over closest bound, largest over the horizon: {", ".join(above)}; at the longest horizon
    {last["all_exact"] / last["all_repaired"]:.2g},
    {last["avg_exact"] / last["avg_refined"]:.2g} and
    {last["hcct_exact"] / last["hcct_repaired"]:.2g}.
    """


def _together() -> dict[str, Any]:
    """E F^K of synchronous all-for-all and the repaired Theorem 3.b."""
    labels = np.arange(AGENTS) % 2
    centres = APART * labels.astype(float)
    inside = labels[:, None] == labels[None, :]
    mixing = (1 - SHARE) * np.eye(AGENTS) + SHARE * inside / inside.sum(1)[:, None]
    spectrum = np.linalg.eigvalsh(mixing @ mixing.T)
    start, noise = 1.0, np.full(AGENTS, SIGMA**2)
    gap = float(((start - centres) ** 2).mean() / 2)
    bias = float((mixing * value_bias(centres[:, None])).sum() / AGENTS)
    exact, upper = [], []
    for rounds in HORIZONS:
        numbers = (
            np.float64(gap),
            np.float64(1),
            np.float64(1),
            np.float64(SIGMA**2),
            AGENTS,
            np.float64((mixing**2).sum()),
            rounds,
            spectrum[0],
            spectrum[-1],
        )
        step = float(allforall_rates.all_smooth_horizon_step(*numbers))
        if step <= 0:  # too short a horizon: the theorem says nothing
            exact.append(np.nan)
            upper.append(np.nan)
            continue
        exact.append(expected_gap(mixing, centres, start, noise, step, rounds))
        terms = allforall_rates.all_smooth_horizon_upper(*numbers, bias=np.float64(bias))
        upper.append(float(sum(terms.values())))
    return {"all_exact": np.array(exact), "all_repaired": np.array(upper)}


def _averaged() -> dict[str, Any]:
    """F(w_T) - F* of FedAvg, Corollary 4, and the refined iteration."""
    problem = federation(20)
    n, rounds = problem.clients, HORIZONS[-1]
    shares = np.full(n, 1 / n)
    best = minimiser(problem, shares)
    mu, smoothness = float(problem.strong_convexity), float(problem.smoothness)
    steps = np.array(
        [float(aggregation.aggregation_step_size(mu, smoothness, t)) for t in range(rounds)]
    )
    hyper = {"step_sizes": steps, "start": np.full(problem.dim, 5.0), "focus": [0]}
    made = run(load_method("aggregation"), problem.map(torch.as_tensor), hyper, None, rounds)
    theta = made.theta[:, 0].numpy()
    wide = problem.expand()
    ideal = problem.excess(best)
    gaps = (shares * (wide.excess(theta) - ideal)).sum(-1)
    slope = float((wide.gradients(theta) ** 2).sum(-1).max())
    gamma = float(heterogeneity_gap(ideal, shares))
    distance = float(((theta[0] - best) ** 2).sum())
    speed = aggregation.fedavg_speed_constant(mu, smoothness, slope, 0.0, gamma, distance, 1)
    delay = aggregation.aggregation_delay(mu, smoothness)
    printed = [
        float(sum(aggregation.aggregation_bound_upper(speed, 0.0, delay, t).values()))
        for t in HORIZONS
    ]
    refined, path = [], distance
    for t in range(rounds):
        terms = aggregation.one_round_refined_upper(
            path, steps[t], mu, smoothness, slope, gamma, 1.0, 1.0, 1
        )
        path = float(sum(terms.values()))
        if t + 1 in HORIZONS:
            refined.append(smoothness * path / 2)
    return {
        "avg_exact": gaps[list(HORIZONS)],
        "avg_printed": np.array(printed),
        "avg_refined": np.array(refined),
    }


def _grouped() -> dict[str, Any]:
    """Mean squared gradients of two fixed groups of unit quadratics, and Theorem 2."""
    centres = np.array([0.0, 0.2, 0.4, 3.0, 3.2, 3.4])
    group = np.array([0, 0, 0, 1, 1, 1])
    inside = group[:, None] == group[None, :]
    weights = inside / inside.sum(1)[:, None]
    kappa2 = (centres[:, None] - centres[None, :]) ** 2
    similar = float(hcct_convergence.weighted_dissimilarity(weights, kappa2))
    model, spread, squares = np.full(GROUPED, 1.5), np.zeros(GROUPED), []
    gap = float(((model - centres) ** 2).sum() / 2)
    for _ in range(HORIZONS[-1]):
        squares.append(float(((model - centres) ** 2 + spread).sum()))
        model = model - STEP * (model - weights @ centres)
        spread = (1 - STEP) ** 2 * spread + STEP**2 * SIGMA**2 * (weights**2).sum(1)
    exact, printed, fixed = [], [], []
    for rounds in HORIZONS:
        steps, close = np.full(rounds, STEP), np.full(rounds, similar)
        numbers = (
            steps,
            np.float64(1),
            np.float64(gap),
            close,
            np.float64(SIGMA**2),
            GROUPED,
        )
        exact.append(float(np.mean(squares[:rounds])))
        printed.append(float(sum(hcct_convergence.theorem2_printed(*numbers, False).values())))
        fixed.append(float(sum(hcct_convergence.fixed_groups_upper(*numbers).values())))
    return {
        "hcct_exact": np.array(exact),
        "hcct_printed": np.array(printed),
        "hcct_repaired": np.array(fixed),
    }
