r"""Largest step size for which the descent inequalities hold, against the limits of the paper.

The inequalities are quadratic in the step, so the frontier of one configuration of gradients is
explicit; the least over all angles between the clients' gradients is taken, at curvature beta,
the worst one, and without noise, which only leaves room.

Source: adaptive, Lemma 1 (step at most 1/(beta sum alpha)) and S2 with the weights of Definition 1
(step at most (sigma_phi/sigma_psi)^2/beta).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bounds.similarity import collaboration_weights, phi_by_name, step_ratio
from figures.style import COLOURS, DASHES, MARKERS, letter, panels, slope_triangle, violation

TITLE = "Validity frontier of the step size"
SEEDS = "none (exact, over a grid of angles)"
TOLERANCES: dict[str, tuple[float, float]] = {}
ANGLES = {"quick": 181, "full": 1441}
GAPS = (0.0, 1.0, 4.0)
RULES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("continuous", {}),
    ("binary", {"threshold": 0.5}),
    ("power", {"exponent": 3}),
)
OTHERS = 9


def compute(profile: str) -> dict[str, Any]:
    """Frontiers over sum alpha (by squared gap) and over the similarity ratio (by rule)."""
    angle = np.linspace(0, np.pi, ANGLES[profile])
    sums, ratio = np.geomspace(0.1, 10, 13), np.linspace(0.02, 1, 50)
    lemma = [[_frontier(np.array([s / 2, s / 2]), gap, angle) for s in sums] for gap in GAPS]
    limit, found = [], []
    for name, more in RULES:
        rows = [_with_rule(r, name, more, angle) for r in ratio]
        limit.append([a for a, _ in rows])
        found.append([b for _, b in rows])
    return {
        "sum": sums,
        "lemma": np.array(lemma),
        "ratio": ratio,
        "limit": np.array(limit),
        "found": np.array(found),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Lemma 1 above, S2 below; hatched where an instance breaks the inequality."""
    figure, axes = panels(2, 1, height=4.6)
    top, bottom = axes[:, 0]
    top.loglog(data["sum"], 1 / data["sum"], color="black", label="limit 1/(β Σα)")
    for i, gap in enumerate(GAPS):
        top.plot(
            data["sum"],
            data["lemma"][i],
            color=COLOURS[i],
            marker=MARKERS[i],
            linestyle="none",
            label=f"holds up to here, Δ²/G² = {gap:g}",
        )
    top.set_ylim(0.05, 30)
    violation(top, data["sum"], data["lemma"][0], label="broken for Δ = 0")
    slope_triangle(top, 0.2, 1.2, -1.0, width=3)
    top.set_xlabel("sum of the weights $\\sum_k \\alpha_k$")
    top.set_ylabel("step size ηβ")
    top.legend(loc="upper right", frameon=True, framealpha=0.9, edgecolor="none")
    letter(top, "Lemma 1")
    for i in range(len(RULES)):
        look = {"color": COLOURS[i], "linestyle": DASHES[i]}
        bottom.plot(data["ratio"], data["limit"][i], label=f"limit, {_label(i)}", **look)
        bottom.plot(
            data["ratio"][i::6],
            data["found"][i][i::6],
            color=COLOURS[i],
            marker=MARKERS[i],
            linestyle="none",
            label="holds up to here",
        )
    bottom.set_ylim(0, 1.5)
    bottom.set_xlabel("similarity ratio r of the nine other clients")
    bottom.set_ylabel("step size ηβ")
    bottom.legend(loc="lower right", ncols=2, columnspacing=0.8)
    letter(bottom, "S2 with the weights of Definition 1")
    return figure


def caption(data: dict[str, Any]) -> str:
    """Least frontier over limit for every curve."""
    lemma = ", ".join(
        f"{(row * data['sum']).min():.3f} for Δ²/G² = {gap:g}"
        for gap, row in zip(GAPS, data["lemma"], strict=True)
    )
    rules = "; ".join(
        f"{_label(i)} {(f / t).min():.3f} to {(f / t).max():.3f}"
        for i, (f, t) in enumerate(zip(data["found"], data["limit"], strict=True))
    )
    return f"""
    Largest step for which the inequality holds whatever the angle between the gradients (marks;
    two equal weights above, one asking and nine other clients with one gradient below), against the
    limit that the paper assumes (lines). Quadratics of curvature β, no noise. Lemma 1: frontier
    over limit {lemma}, so that the limit is exact for equal gradients and heterogeneity only
    leaves room. S2: frontier over limit, least and largest over r: {rules}; 1 means that the
    limit cannot be raised.
    """


def _label(i: int) -> str:
    return ("φ(r) = r", "φ binary, λ = 1/2", "φ(r) = r³")[i]


def _mixed(weights: Any, gap: float, angle: Any) -> tuple[Any, Any]:
    """<s, g> and ||s||^2 over angles: g = (1, 0), the other gradient at distance sqrt(gap)."""
    shift = np.sqrt(gap) * weights[1]
    along, across = weights.sum() + shift * np.cos(angle), shift * np.sin(angle)
    return along, along**2 + across**2


def _frontier(weights: Any, gap: float, angle: Any) -> float:
    """Lemma 1: -<s, g> + eta beta |s|^2/2 <= (sum alpha Delta^2 - sum alpha G^2)/2."""
    along, square = _mixed(weights, gap, angle)
    room = along + (weights[1] * gap - weights.sum()) / 2
    return float((2 * room / square).min())


def _with_rule(r: float, name: str, more: dict[str, Any], angle: Any) -> tuple[float, float]:
    """Limit and frontier of S2: -<s, g> + eta beta |s|^2/2 <= -G^2/2."""
    ratio = np.concatenate([[1.0], np.full(OTHERS, r)])
    phi, sigma2 = phi_by_name(name, ratio, **more), np.ones(OTHERS + 1)
    weights = collaboration_weights(ratio, phi, sigma2)
    pair = np.array([weights[0], weights[1:].sum()])
    along, square = _mixed(pair, 1 - r, angle)
    return float(step_ratio(ratio, phi, sigma2)), float((2 * (along - 0.5) / square).min())
