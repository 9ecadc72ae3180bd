r"""How the estimated ratio switches collaboration off, against the signal-to-noise ratio.

Two equal clients, so that the true ratio is 1; isotropic Gaussian noise. Curves are the exact law
(a doubly noncentral F ratio), points a simulation of the estimate itself with its 99 % interval.

Source: adaptive, Equation (1); `bounds.estimator_law`, `figures.studies.adaptive.estimator_trade`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bounds.estimator_law import switch_off_at_optimum
from figures.studies.adaptive.estimator_trade import law_table, trade_table
from figures.style import COLOURS, DASHES, GREEN, GREY, MARKERS, RED, letter, panels

TITLE = "The estimator of the ratios switches collaboration off"
SEEDS = "127 (noise)"
TOLERANCES = {
    "simulated": (0.0, 1e-9),
    "curve_off": (0.0, 1e-6),
    "curve_mean": (0.0, 1e-6),
    "trade": (0.0, 0.02),
    "reference": (0.0, 0.02),
}
DIMS = (1, 2, 10)
DRAWS = {"quick": 4000, "full": 100_000}
SEEDS_OF = {"quick": 10, "full": 40}
LEVEL = 2.5758293035489004
B_ALPHAS, REFRESHES = (1, 4, 16), (1, 8, 40)


def compute(profile: str) -> dict[str, Any]:
    """Exact curves (dims, signals), simulated frequencies, and the excess loss at equal cost."""
    signal = np.geomspace(0.05, 100, 25 if profile == "quick" else 81)
    few = np.geomspace(0.05, 100, 7)
    exact = law_table(DIMS, tuple(signal))
    rng = np.random.default_rng(127)
    draws = DRAWS[profile]
    share = [[_frequency(rng, dim, s, draws) for s in few] for dim in DIMS]
    table = trade_table(B_ALPHAS, REFRESHES, seeds=SEEDS_OF[profile])
    level = {(r.b_alpha, r.refresh): r.budget_excess for r in table}
    names = ("Local", "oracle", "exact ratios")
    shape = (len(DIMS), len(signal))
    return {
        "signal": signal,
        "points": few,
        "simulated": np.array(share),
        "draws": np.array(draws),
        "curve_off": np.array([r.off for r in exact]).reshape(shape),
        "curve_mean": np.array([r.mean for r in exact]).reshape(shape),
        "trade": np.array([[level[b, q] for b in B_ALPHAS] for q in REFRESHES]),
        "reference": np.array(
            [r.excess if r.name == "Local" else r.budget_excess for r in table if r.name in names]
        ),
        "seeds": np.array(SEEDS_OF[profile]),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Chance of zero, mean, and loss at equal cost."""
    figure, axes = panels(3, 1, height=5.2)
    off, mean, trade = axes[:, 0]
    for i, dim in enumerate(DIMS):
        look = {"color": COLOURS[i], "linestyle": DASHES[i]}
        off.plot(data["signal"], data["curve_off"][i], label=f"d = {dim}", **look)
        p = data["simulated"][i]
        error = LEVEL * np.sqrt(np.maximum(p * (1 - p), 1e-4) / int(data["draws"]))
        off.errorbar(
            data["points"],
            p,
            error,
            color=COLOURS[i],
            marker=MARKERS[i],
            linestyle="none",
            capsize=1.5,
            elinewidth=0.7,
        )
        off.axhline(switch_off_at_optimum(dim), color=COLOURS[i], linewidth=0.5, linestyle=":")
        mean.plot(data["signal"], data["curve_mean"][i], label=f"d = {dim}", **look)
    for ax in (off, mean):
        ax.set_xscale("log")
        ax.set_xlabel("signal to noise $\\|\\nabla R_i\\|^2 b_\\alpha / \\sigma_i^2$")
        ax.set_ylim(0, 1.02)
    off.set_ylabel("P(estimate is 0)")
    off.legend()
    mean.set_ylabel("mean estimate (truth: 1)")
    letter(off, "switching off; dotted: at the optimum")
    for i, refresh in enumerate(REFRESHES):
        trade.plot(
            B_ALPHAS,
            data["trade"][i],
            color=COLOURS[i],
            linestyle=DASHES[i],
            marker=MARKERS[i],
            label="refresh every round" if refresh == 1 else f"every {refresh} rounds",
        )
    for value, label, colour, place in zip(
        data["reference"],
        ("Local, at its end", "oracle", "exact ratios"),
        (GREY, GREEN, RED),
        (1.0, 0.6, 1.0),
        strict=True,
    ):
        trade.axhline(value, color=colour, linewidth=0.8, linestyle=(0, (8, 3)))
        trade.annotate(
            label,
            (place, value),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            fontsize=6,
            color=colour,
        )
    trade.set_xscale("log", base=2)
    trade.set_xticks(B_ALPHAS, [str(b) for b in B_ALPHAS])
    trade.set_xlabel("extra gradients $b_\\alpha$")
    trade.set_ylabel("log₁₀ excess loss")
    trade.set_ylim(-2.4, 2.8)
    trade.legend(loc="upper left")
    letter(trade, "at equal cost in gradients")
    return figure


def caption(data: dict[str, Any]) -> str:
    """Law, limits and the trade."""
    limits = ", ".join(f"{float(switch_off_at_optimum(d)):.3f} for d = {d}" for d in DIMS)
    found = np.nanargmin(data["trade"])
    q, b = np.unravel_index(found, data["trade"].shape)
    return f"""
    Two clients with one gradient and one variance, so that the true ratio is 1. Above: exact chance
    that the estimate is zero (curves) and its frequency in {int(data["draws"])} draws with 99 %
    intervals (marks); dotted, its limit where gradients vanish, {limits}, whatever b_α. Middle:
    exact mean of the estimate. Below: All-for-one with estimated ratios on two clusters of four
    quadratics, excess loss once N T/4 gradients per client are spent ({int(data["seeds"])} runs):
    best with b_α = {B_ALPHAS[int(b)]}, refreshed every {REFRESHES[int(q)]} rounds
    ({data["trade"][q, b]:.2f}; exact ratios {data["reference"][2]:.2f}, oracle
    {data["reference"][1]:.2f}); marks that are missing spend the budget before.
    """


def _frequency(rng: Any, dim: int, signal: float, draws: int) -> float:
    """Share of zeros of the estimate (1 - |g_i - g_k|^2/|g_i|^2)_+ of unit noise."""
    g = np.zeros(dim)
    g[0] = signal**0.5
    own, other = (g + rng.normal(size=(draws, dim)) / np.sqrt(dim) for _ in range(2))
    return float((((own - other) ** 2).sum(-1) >= (own**2).sum(-1)).mean())
