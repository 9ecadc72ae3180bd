r"""Size of the sufficient cluster against precision, for several spreads of the models.

The quadratics of the paper's Figure 1 with A_i = I (so mu = 2), d = 2, lambda = 1/2: client i
asks for the clients k with :math:`1 - b_{ik}^2/(2\mu\varepsilon) - c_{ik} > \lambda`. Nothing
is drawn at random but the minimisers; the sizes are exact.

Source: adaptive, Figure 1, Definition 2, Property 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bounds.sufficient import sufficient_cluster, sufficient_ratio, sufficient_ratio_printed
from figures.style import COLOURS, DASHES, MARKERS, panels, slope_triangle
from synthetic.builders import figure1_family

TITLE = "Sufficient cluster against precision"
SEEDS = "127 (minimisers)"
TOLERANCES: dict[str, tuple[float, float]] = {}

SPREADS = (1e-3, 1e-2, 1e-1, 1.0)
THRESHOLD, HALF = 0.5, 10.0


def compute(profile: str) -> dict[str, Any]:
    """Mean size over the asking clients for b^2 (as the proof needs) and for b as printed."""
    precision = np.geomspace(1e-8, 1e3, 89 if profile == "quick" else 445)
    sizes, printed, half, other = [], [], [], []
    for spread in SPREADS:
        problem = figure1_family(spread)
        bias, slope = problem.heterogeneity()
        mu = float(problem.strong_convexity)
        sizes.append([_size(sufficient_ratio(bias, slope, mu, eps)) for eps in precision])
        printed.append(
            [_size(sufficient_ratio_printed(np.sqrt(bias), slope, mu, eps)) for eps in precision]
        )
        half.append(_crossing(bias, slope, mu))
        reading = figure1_family(spread, variance=True)
        other.append(_crossing(*reading.heterogeneity(), mu))
    return {
        "precision": precision,
        "spread": np.array(SPREADS),
        "size": np.array(sizes),
        "printed": np.array(printed),
        "half": np.array(half),
        "half_variance": np.array(other),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Sizes over precision; the precision of half the clients over the spread."""
    figure, axes = panels(2, 1, height=3.9, gridspec_kw={"height_ratios": [1.5, 1]})
    top, bottom = axes[:, 0]
    eps = data["precision"]
    every = max(1, len(eps) // 11)
    for i, spread in enumerate(data["spread"]):
        top.plot(
            eps,
            data["size"][i],
            color=COLOURS[i],
            linestyle=DASHES[i],
            marker=MARKERS[i],
            markevery=(i * every // 4, every),
            label=f"v = {spread:g}",
        )
        top.plot(eps, data["printed"][i], color=COLOURS[i], linewidth=0.6, alpha=0.55)
    top.set_xscale("log")
    top.set_xlabel("precision ε (loss)")
    top.set_ylabel("clients in $\\mathcal{N}^\\star_i(\\varepsilon)$, mean over $i$")
    top.set_ylim(0, 21)
    top.set_yticks([1, 5, 10, 15, 20])
    top.legend(loc="center left", title="thin: b for b²", title_fontsize=6.2)
    bottom.loglog(data["spread"], data["half"], color=COLOURS[0], marker="o", label="measured")
    slope_triangle(bottom, 0.02, float(data["half"][1]) / 2, 2.0)
    bottom.set_xlabel("spread of the models v (length)")
    bottom.set_ylabel("ε with 10 clients (loss)")
    return figure


def caption(data: dict[str, Any]) -> str:
    """What is shown."""
    exponent, other = (
        np.polyfit(np.log(data["spread"]), np.log(data[key]), 1)[0]
        for key in ("half", "half_variance")
    )
    size, low = data["size"], data["size"].min(1)
    seen = {
        "more clients at lower precision": bool((np.diff(size, axis=1) >= 0).all()),
        "the larger v, the sooner collaboration ends": bool((np.diff(data["half"]) > 0).all()),
        "from all clients over some to nearly none": bool(
            (size.max(1) == size.max()).all() and (low < 2).all()
        ),
    }
    claims = "; ".join(f"{k}: {'reproduced' if v else 'not reproduced'}" for k, v in seen.items())
    pairs = ", ".join(
        f"{half:.2g} for v = {v:g}" for v, half in zip(data["spread"], data["half"], strict=True)
    )
    return f"""
    Number of clients in the sufficient cluster (Definition 2, binary rule, λ = 1/2) against the
    precision, 20 quadratics with A_i = I in two dimensions whose minimisers have covariance v² I;
    means over the asking client. Thick: with b² as the proof of Lemma 2 needs it; thin: with b as
    printed. Below: precision at which the mean size is 10; it grows like v to the power
    {exponent:.2f} ({pairs}), as b is proportional to v; with v read as the variance, to the power
    {other:.2f}. Shapes of the paper: {claims}. A_i, d and λ are not given there.
    """


def _size(ratio: Any) -> float:
    return float(sufficient_cluster(ratio, "binary", THRESHOLD).sum(-1).mean())


def _crossing(bias: Any, slope: Any, mu: float) -> float:
    """Smallest precision, within 0.1 %, with ten clients on average."""
    low, high = 1e-12, 1e6
    while high / low > 1.001:
        middle = (low * high) ** 0.5
        enough = _size(sufficient_ratio(bias, slope, mu, middle)) >= HALF
        low, high = (low, middle) if enough else (middle, high)
    return high
