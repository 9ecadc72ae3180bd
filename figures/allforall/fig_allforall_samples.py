"""Samples that all-for-all needs for a precision, against no collaboration and the printed bound.

Exact counts on Bernoulli means, by the closed form of the recursion and the best constant step.

Source: allforall, Theorems 2 and 4; `figures.studies.allforall.complexity`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.studies.allforall.complexity import complexity_study
from figures.style import BLACK, BLUE, ORANGE, RED, panels, slope_triangle

TITLE = "Sample complexity of all-for-all over the precision"
SEEDS = "0 (means)"
AGENTS = {"quick": 30, "full": 100}
POINTS = {"quick": 7, "full": 13}
# the fewest rounds are found to within 0.1 % by bisection over a grid of steps
TOLERANCES = {
    "together": (3e-3, 0.0),
    "alone": (3e-3, 0.0),
    "measured": (6e-3, 0.0),
    "slopes": (1e-2, 0.0),
}


def compute(profile: str) -> dict[str, Any]:
    """Counts and fitted slopes."""
    found = complexity_study(AGENTS[profile], points=POINTS[profile])
    slopes = (found.slope_together, found.slope_alone, found.slope_bound)
    return {
        **{
            name: np.array(getattr(found, name))
            for name in ("precision", "together", "alone", "bound", "predicted", "measured")
        },
        "slopes": np.array([(s.value, s.low, s.high) for s in slopes]),
        "agents": np.array(found.agents),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Counts above, speed-up below."""
    figure, axes = panels(2, 1, height=4.0, sharex=True, gridspec_kw={"height_ratios": [1.6, 1]})
    top, bottom = axes[:, 0]
    eps = data["precision"]
    top.loglog(eps, data["bound"], color=BLUE, label="Theorem 4.2 as printed")
    top.loglog(
        eps,
        data["alone"],
        color=ORANGE,
        linestyle=(0, (5, 1.5)),
        marker="s",
        label="no collaboration, exact",
    )
    top.loglog(
        eps,
        data["together"],
        color=BLACK,
        linestyle=(0, (1, 1)),
        marker="o",
        label="all-for-all, exact",
    )
    middle = len(eps) // 2
    slope_triangle(top, float(eps[middle]), float(data["together"][middle]) / 30, -1.0)
    top.set_ylabel("samples of all agents")
    top.legend(loc="upper right")
    bottom.semilogx(
        eps,
        data["measured"],
        color=BLACK,
        linestyle=(0, (1, 1)),
        marker="o",
        label="all-for-all / no collaboration",
    )
    bottom.semilogx(
        eps, data["predicted"], color=RED, label="predicted $\\frac{1}{N}\\sum_i 1/\\mathcal{N}_i$"
    )
    bottom.set_ylabel("share of samples")
    bottom.set_ylim(0, 1.1)
    bottom.set_xlabel("precision ε (loss)")
    bottom.legend(loc="upper right")
    return figure


def caption(data: dict[str, Any]) -> str:
    """Slopes with intervals, and measured against predicted speed-up."""
    together, alone, bound = (f"{v:.2f} [{a:.2f}, {b:.2f}]" for v, a, b in data["slopes"])
    ratio = data["measured"] / data["predicted"]
    return f"""
    Oracle calls until the expected mean gap is at most ε, {int(data["agents"])} agents with uniform
    means of Bernoulli variables, exact, with the best constant step of a grid: indicator weights of
    all-for-all, no collaboration, and the bound of Theorem 4.2 as printed, σ² the largest variance.
    Fitted exponents of 1/ε with 95 % intervals: all-for-all {together}, no collaboration {alone},
    bound {bound}. Below: share of the samples of no collaboration, measured and as predicted by the
    mean of 1/N_i(2b); measured over predicted lies between {ratio.min():.2f} and {ratio.max():.2f}.
    """
