r"""Tightness of Lemma 1 over step size and weight: repaired form, and the last printed display.

Client 0 asks one other client; both losses are quadratics on the line with curvature beta, their
minimisers 1/2 apart, the start at distance 1, sigma = 1/2 each, weights (1 - a, a). Means are
exact. The ratio is left over right after negative terms have moved across, as in the ledger.

Source: adaptive, Lemma 1; `bounds.descent`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bounds.descent import lemma1_last_display_printed, lemma1_upper
from figures.style import BLACK, MAP, RED, letter, panels
from synthetic.quadratic import Quadratic

TITLE = "Tightness map of Lemma 1 over step size and weight"
SEEDS = "none (exact)"
TOLERANCES = {"repaired": (1e-5, 0.0), "printed": (1e-5, 0.0)}
POINTS = {"quick": 31, "full": 121}
DISTANCE, SIGMA, SMOOTH, FLAT = 0.5, 0.5, 1.0, 0.1


def compute(profile: str) -> dict[str, Any]:
    """Ratios over (share of the largest step, weight of the other client)."""
    n = POINTS[profile]
    share, weight = np.linspace(0.02, 1, n), np.linspace(0, 1, n)
    return {
        "share": share,
        "weight": weight,
        "repaired": _ratios(share, weight, SMOOTH, printed=False),
        "printed": _ratios(share, weight, FLAT, printed=True),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Two maps with one scale; a ratio above one is hatched."""
    figure, axes = panels(2, 1, height=4.6)
    levels = np.linspace(0.7, 1.0, 13)
    for ax, key, smoothness in zip(
        axes[:, 0], ("repaired", "printed"), (SMOOTH, FLAT), strict=True
    ):
        steps, z = data["share"] / smoothness, data[key].T
        drawn = ax.contourf(steps, data["weight"], np.clip(z, 0.7, 1.0), levels=levels, cmap=MAP)
        lines = ax.contour(
            steps,
            data["weight"],
            z,
            levels=[0.5, 0.7, 0.8, 0.9, 0.95],
            colors=BLACK,
            linewidths=0.5,
        )
        ax.clabel(lines, fontsize=5.5, fmt="%g")
        if (z > 1 + 1e-9).any():
            ax.contourf(
                steps,
                data["weight"],
                z,
                levels=[1 + 1e-9, z.max() + 1],
                colors="none",
                hatches=["////"],
            )
            ax.contour(steps, data["weight"], z, levels=[1 + 1e-9], colors=RED, linewidths=1.2)
        ax.set_ylabel("weight $\\alpha_1$ of the other client")
        bar = figure.colorbar(drawn, ax=ax, aspect=12, pad=0.02)
        bar.set_label("left / right")
        bar.set_ticks([0.7, 0.8, 0.9, 1.0])
    letter(axes[0, 0], "repaired, β = 1: noise $\\eta^2\\beta/2$")
    letter(axes[1, 0], "last printed display, β = 0.1: noise $\\eta\\beta$")
    axes[1, 0].set_xlabel("step size η (length²/loss)")
    return figure


def caption(data: dict[str, Any]) -> str:
    """Ranges, and where the printed display breaks."""
    repaired, printed = data["repaired"], data["printed"]
    broken = printed > 1 + 1e-9
    steps = np.broadcast_to((data["share"] / FLAT)[:, None], printed.shape)
    first = f"from η = {steps[broken].min():.2f} on" if broken.any() else "nowhere"
    return f"""
    Left over right of Lemma 1 (1 is tight) for two quadratics on the line, minimisers {DISTANCE}
    apart, start at distance 1 from the asking client's, σ = {SIGMA}, weights (1-α₁, α₁), exact
    means, steps up to the lemma's limit 1/β. Above: repaired form with noise η²β/2, ratio between
    {repaired.min():.2f} and {repaired.max():.3f}, never above 1. Below: last display of the printed
    proof, with ηβ in its place, in units where β = {FLAT}: it is broken (hatched) {first}, by up to
    {printed.max():.3f}, in {broken.mean():.0%} of the map: ηβ is below η²β/2 once η is above 2, so
    that a change of units moves the place, which no true bound allows.
    """


def _ratios(share: Any, weight: Any, smoothness: float, *, printed: bool) -> Any:
    """Left over right with negative terms moved across, (steps, weights)."""
    problem = Quadratic(
        {
            "A": np.full((2, 1, 1), smoothness),
            "xi": np.array([[0.0], [-DISTANCE]]),
            "half": True,
            "noise_scale": np.full(2, SIGMA),
        }
    )
    theta = np.array([1.0])
    gradients = problem.gradients(theta)[:, 0]
    bound = lemma1_last_display_printed if printed else lemma1_upper
    out = np.empty((len(share), len(weight)))
    for i, part in enumerate(share):
        for j, a in enumerate(weight):
            eta, alpha = part / smoothness, np.array([1 - a, a])
            after = theta - eta * float(alpha @ gradients)
            noise = eta**2 * smoothness / 2 * float((alpha**2).sum()) * SIGMA**2
            left = [float(problem.excess(after)[0]) + noise, -float(problem.excess(theta)[0])]
            right = [
                float(x)
                for x in bound(
                    eta,
                    smoothness,
                    alpha,
                    problem.noise_variance,
                    gradients[0] ** 2,
                    (gradients - gradients[0]) ** 2,
                ).values()
            ]
            up = sum(x for x in left if x > 0) - sum(x for x in right if x < 0)
            down = sum(x for x in right if x > 0) - sum(x for x in left if x < 0)
            out[i, j] = up / down
    return out
