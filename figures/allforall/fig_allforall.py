r"""All-for-all against no collaboration and one model on Bernoulli means, and noise in b.

N = 100 agents, p_i uniform, exact expectations of the mean gap over t samples per agent under the
synchronous oracle. Epochs double in length; epoch of length K has the smallest precision with
:math:`2\sigma^2/(\varepsilon N)\sum_i 1/\mathcal N_i^\varepsilon(2b) \le K`, sigma^2 = 1/4. What
the paper does not state (steps, epochs, start) is a setting here.

Source: allforall, Section 6.4, both panels of the figure.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bounds.allforall.rates import close_weights
from bounds.numbers.shapes import Array
from figures.style import (
    BLACK,
    COLOURS,
    DASHES,
    GREEN,
    GREY,
    LEVEL,
    MARKERS,
    ORANGE,
    band,
    letter,
    panels,
    slope_triangle,
)
from synthetic.mean_estimation import uniform_chances, value_bias

TITLE = "All-for-all against no collaboration and one model, with exact and noisy biases"
AGENTS, LENGTH, START = 100, 1024, 0.5
NOISES = (0.0, 0.02, 0.08, 0.18, 0.32, 0.5)
DRAWS = {"quick": 10, "full": 100}
SEEDS = "0, 1, 2, ... (one for each draw of the means and of the errors of b)"
TOLERANCES: dict[str, tuple[float, float]] = {}


def compute(profile: str) -> dict[str, Any]:
    """Mean gap over draws and its standard error, (methods, times)."""
    times = np.unique(np.geomspace(1, LENGTH, 41).round().astype(int))
    gaps = []
    for seed in range(DRAWS[profile]):
        chances = uniform_chances(AGENTS, seed)
        rng = np.random.default_rng([seed, 1])
        shifts = rng.uniform(-1, 1, size=AGENTS)
        rows = [_running_mean(np.eye(AGENTS), chances), _running_mean(_one(), chances)]
        rows += [_adaptive(value_bias((chances + n * shifts)[:, None]), chances) for n in NOISES]
        gaps.append([row[times - 1] for row in rows])
    found = np.array(gaps)  # (draws, methods, times)
    error = found.std(0, ddof=1) / np.sqrt(len(found))
    return {
        "samples": times,
        "gap": found.mean(0),
        "error": error,
        "draws": np.array(len(found)),
        "noise": np.array(NOISES),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Baselines above, noisy biases below."""
    figure, axes = panels(2, 1, height=4.6, sharex=True)
    top, bottom = axes[:, 0]
    t = data["samples"]
    looks = (
        (2, "all-for-all", COLOURS[0], "-", "o"),
        (0, "no collaboration", ORANGE, (0, (5, 1.5)), "s"),
        (1, "one model", GREEN, (0, (1, 1)), "^"),
    )
    for row, label, colour, dashes, marker in looks:
        _curve(top, t, data, row, color=colour, linestyle=dashes, marker=marker, label=label)
    slope_triangle(top, 60, 0.02, -1.0, width=4)
    _curve(bottom, t, data, 0, color=ORANGE, linestyle=(0, (5, 1.5)), label="no collaboration")
    _curve(bottom, t, data, 1, color=GREEN, linestyle=(0, (1, 1)), label="one model")
    for i, noise in enumerate(data["noise"]):
        colour = (COLOURS[0], COLOURS[5], COLOURS[4], COLOURS[1], BLACK, GREY)[i]
        _curve(
            bottom,
            t,
            data,
            i + 2,
            color=colour,
            marker=MARKERS[i],
            linestyle=DASHES[0],
            label=f"noise {noise:g}",
            linewidth=0.8,
        )
    for ax in (top, bottom):
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_ylabel("mean gap $\\frac{1}{N}\\sum_i\\frac{1}{2}(x_i-p_i)^2$")
    top.legend(loc="lower left")
    letter(top, "exact biases")
    letter(bottom, "noisy biases")
    bottom.set_xlabel("samples per agent $t$")
    figure.legend(
        *bottom.get_legend_handles_labels(), loc="outside lower center", ncols=3, columnspacing=1.0
    )
    return figure


def caption(data: dict[str, Any]) -> str:
    """Setting, and the paper's two claims with the numbers."""
    gap, t = data["gap"], data["samples"]
    best = np.minimum(gap[0], gap[1])
    ahead = gap[2] <= best
    worst = (gap[2] / best).max()
    early = int(np.argmin(np.abs(t - 10)))
    noisy = "; ".join(
        f"{n:g}: {gap[i + 2, early] / best[early]:.2f} and {gap[i + 2, -1] / best[-1]:.2f}"
        for i, n in enumerate(data["noise"])
    )
    beaten = [
        f"{n:g} at {int((gap[i + 2] <= best).sum())} of {len(t)} times"
        for i, n in enumerate(data["noise"])
        if i
    ]
    return f"""
    Exact expected mean gap over the samples per agent, {AGENTS} agents with uniform means of
    Bernoulli variables, mean and 95 % band over {int(data["draws"])} draws of the means.
    All-for-all: epochs of doubling length, steps 2/(t+1), start 1/2; baselines: running means
    (steps 1/t), the best for them. Claim that all-for-all combines a fast start with convergence
    to the true means: {"reproduced" if ahead.all() else "reproduced in part"}; it is at or below
    both baselines at {int(ahead.sum())} of {len(t)} times, at worst {worst:.2f} times the better
    one. Below: biases from means with uniform errors. Gap over the better baseline at t =
    {int(t[early])} and at t = {int(t[-1])} for each noise: {noisy}. The claim that all these noise
    levels stay better than both baselines over the whole range is
    {"reproduced" if (gap[3:] <= best).all() else "not reproduced under these settings"}: at or
    below both for {", ".join(beaten)}. Steps, epochs, start and repetitions are not stated in the
    paper.
    """


def _curve(ax: Any, t: Array, data: dict[str, Any], row: int, **look: Any) -> None:
    gap, half = data["gap"][row], LEVEL * data["error"][row]
    ax.plot(t, gap, markevery=(2 + row % 4, 6), markersize=2.6, **look)
    band(ax, t, gap - half, gap + half, look["color"])


def _one() -> Array:
    return np.full((AGENTS, AGENTS), 1 / AGENTS)


def _running_mean(mixing: Array, chances: Array) -> Array:
    """Mean gap with steps 1/t, for t = 1..T."""
    steps = 1 / np.arange(1, LENGTH + 1)
    return _gaps([(mixing @ mixing.T, steps)], chances)


def _adaptive(bias: Array, chances: Array) -> Array:
    """Mean gap of the time-adaptive variant that is told these biases."""
    epochs, begin = [], 1
    while begin <= LENGTH:
        end = min(2 * begin, LENGTH + 1)
        mixing = close_weights(bias, np.full(AGENTS, _precision(bias, begin)))
        epochs.append((mixing @ mixing.T, 2 / (np.arange(begin, end) + 1)))
        begin = end
    return _gaps(epochs, chances)


def _precision(bias: Array, length: int) -> float:
    """Smallest precision of a grid for which so many rounds are enough."""
    for eps in np.geomspace(1e-6, 4, 200):
        mass = float((close_weights(bias, np.full(AGENTS, eps)) ** 2).sum())
        if 2 * 0.25 * mass / (eps * AGENTS) <= length:
            return float(eps)
    return 4.0


def _gaps(epochs: list[tuple[Array, Array]], chances: Array) -> Array:
    """Exact mean gap after every round of epochs (W, steps), second moments in W's eigenbasis."""
    error = START - chances
    moment, noise = np.outer(error, error), np.diag(chances * (1 - chances))
    gaps = []
    for matrix, steps in epochs:
        values, basis = np.linalg.eigh(matrix)
        inside = basis.T @ moment @ basis
        spread = (basis.T @ noise @ basis) * np.outer(values, values)
        for eta in steps:
            keep = 1 - eta * values
            inside = inside * np.outer(keep, keep) + eta**2 * spread
            gaps.append(np.trace(inside) / (2 * AGENTS))
        moment = basis @ inside @ basis.T
    return np.array(gaps)
