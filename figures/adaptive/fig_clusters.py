"""Effective and sufficient cluster along runs of All-for-one, and the bounds they give.

Source: adaptive, Definitions 1 and 2, Lemma 2, Remark 2; `figures.studies.adaptive.clusters`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.studies.adaptive.clusters import study
from figures.style import BLACK, BLUE, GREEN, RED, band, panels, violation

TITLE = "Sufficient against effective cluster along a run"
SEEDS = "127 (minimisers and noise)"
RUNS = {"quick": 100, "full": 2000}
FIELDS = (
    "excess",
    "band",
    "effective",
    "sufficient",
    "printed",
    "subset",
    "printed_subset",
    "effective_bound",
    "sufficient_bound",
)
# sums of clients over runs may differ by a client or two where rounding decides a threshold; the
# band of the start, where all runs are at one place, is zero up to the rounding of an excess of 10
TOLERANCES = {
    "effective": (0.0, 0.05),
    "sufficient": (0.0, 0.05),
    "printed": (0.0, 0.05),
    "subset": (0.0, 0.03),
    "printed_subset": (0.0, 0.03),
    "excess": (1e-3, 0.0),
    "band": (1e-2, 1e-12),
    "effective_bound": (1e-3, 0.0),
    "sufficient_bound": (1e-3, 0.0),
}


def compute(profile: str) -> dict[str, Any]:
    """The study's columns for the binary rule."""
    found = study("binary", seeds=RUNS[profile], rounds=200)
    data = {name: np.asarray(getattr(found, name)).astype(np.float32) for name in FIELDS}
    return {**data, "runs": np.array(RUNS[profile])}


def plot(data: dict[str, Any]) -> Figure:
    """Sizes above, excess loss and bounds below."""
    figure, axes = panels(2, 1, height=3.9, sharex=True)
    top, bottom = axes[:, 0]
    t = np.arange(len(data["effective"]))
    for key, label, colour, dashes in (
        ("effective", "effective, at the iterate", BLACK, "-"),
        ("sufficient", "sufficient, b²", BLUE, (0, (5, 1.5))),
        ("printed", "sufficient as printed, b", RED, (0, (1, 1))),
    ):
        top.plot(t, data[key], color=colour, linestyle=dashes, label=label)
    top.set_xscale("symlog", linthresh=1)
    top.set_ylabel("clients, mean over runs")
    top.set_ylim(0, 21)
    top.legend(loc="upper right")
    times = np.arange(len(data["excess"]))
    bottom.set_yscale("log")
    bottom.plot(times, data["excess"], color=BLACK, marker="o", markevery=0.09, label="measured")
    band(bottom, times, data["excess"] - data["band"], data["excess"] + data["band"], BLACK)
    bottom.plot(times, data["effective_bound"], color=GREEN, label="bound, effective variance")
    bottom.plot(
        times,
        data["sufficient_bound"],
        color=BLUE,
        linestyle=(0, (5, 1.5)),
        label="bound, sufficient variance",
    )
    violation(bottom, times, data["effective_bound"])
    bottom.set_xlabel("round $t$")
    bottom.set_ylabel("excess loss")
    bottom.set_xlim(0, t[-1])
    figure.legend(
        *bottom.get_legend_handles_labels(), loc="outside lower center", ncols=2, columnspacing=1.2
    )
    ticks = [0, 1, 10, 100]
    bottom.set_xticks(ticks, [str(x) for x in ticks])
    return figure


def caption(data: dict[str, Any]) -> str:
    """Sizes, inclusion and what the guarantee costs."""
    cost = data["sufficient_bound"][-1] / data["effective_bound"][-1]
    return f"""
    Client 0 among 20 quadratics in two clusters whose minimisers differ a little inside a cluster;
    binary rule, λ = 1/2, true ratios, {int(data["runs"])} runs. Above: mean number of clients that
    it works with (effective), that Definition 2 guarantees at the excess loss reached with b² as
    Lemma 2 needs it (sufficient), and with b as printed. The sufficient cluster lies inside the
    effective one: share of runs, least over rounds, {data["subset"].min():.2f}; as printed
    {data["printed_subset"].min():.2f}. Below: measured excess loss
    with its 99 % band, under the recursion with the mean effective and with the mean sufficient
    variance; at the end the guarantee costs a factor {cost:.2f} in the bound. Last sizes:
    effective {data["effective"][-1]:.1f}, sufficient {data["sufficient"][-1]:.1f}, printed
    {data["printed"][-1]:.1f}.
    """
