"""How loose each theorem is in practice: measured over bound at the last round, by federation."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, RED, panels
from verify.catalogue.rates import every_rate
from verify.rates.findings import finding, part, ratios
from verify.rates.many import Size, batches, measure
from verify.rates.record import Rate

TITLE = "How loose each theorem is on drawn federations"
SEEDS = "0 (federations and noise)"
TOLERANCES: dict[str, tuple[float, float]] = {"ratios": (1e-5, 1e-12)}
USED = {
    "quick": Size(federations=12, rounds=50, replicates=32, largest=64),
    "full": Size(federations=60, rounds=500, replicates=100, largest=1024),
}
COLOURS = {"printed": RED, "repaired": BLUE, "refined": GREEN, "explicit": ORANGE}
KINDS = ("theorem", "corollary")
LEAST = 1e-9
"""Where smaller ratios are drawn."""


def compute(profile: str) -> dict[str, Any]:
    """Ratios of every rate, (rates, federations), nan where a hypothesis fails."""
    size = USED[profile]
    rates = shown()
    rows = np.full((len(rates), size.federations), np.nan)
    for k, rate in enumerate(rates):
        parts = [part(numbers, measure(rate, numbers, size)) for numbers in batches(rate, size)]
        made = finding(rate, parts)
        table = {name: np.array(made[name], dtype=float) for name in ("left", "right", "met")}
        rows[k, made["federations"]] = ratios(table)[:, -1]
    return {
        "ratios": rows,
        "keys": np.array([rate.key for rate in rates]),
        "forms": np.array([rate.statement.form for rate in rates]),
        "papers": np.array([rate.paper for rate in rates]),
        "rounds": np.array(size.rounds),
    }


def shown() -> list[Rate]:
    """Theorems and corollaries, each part in its first reading."""
    first: dict[tuple[str, str], Rate] = {}
    for rate in every_rate():
        if rate.statement.kind in KINDS:
            first.setdefault((rate.statement.key.partition("@")[0], rate.problems), rate)
    return list(first.values())


def plot(data: dict[str, Any]) -> Figure:
    """A line for each rate: federations as dots, the median as a bar, by paper from above."""
    keys = [str(key) for key in data["keys"]]
    figure, axes = panels(height=0.115 * len(keys) + 0.7)
    ax = axes[0, 0]
    for row, (values, form) in enumerate(zip(data["ratios"], data["forms"], strict=True)):
        known = np.maximum(values[np.isfinite(values)], LEAST)
        colour = COLOURS.get(str(form), PURPLE)
        ax.plot(known, np.full(len(known), row), ".", color=colour, alpha=0.45, markersize=2.5)
        if len(known):
            ax.plot([np.median(known)], [row], "|", color=BLACK, markersize=5)
    for row, (before, after) in enumerate(zip(data["papers"], data["papers"][1:], strict=False)):
        if before != after:
            ax.axhline(row + 0.5, color=GREY, linewidth=0.4)
    ax.axvline(1, color=BLACK, linewidth=0.7)
    ax.set_xscale("log")
    ax.set_xlim(LEAST / 2, 1e3)
    ax.set_ylim(len(keys) - 0.4, -0.6)
    names = [key.partition(".")[2] for key in keys]
    ax.set_yticks(range(len(keys)), names, fontsize=3.4)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"measured / bound, round {int(data['rounds'])}")
    for paper in dict.fromkeys(str(p) for p in data["papers"]):
        first = int(np.flatnonzero(data["papers"] == paper)[0])
        ax.text(2e3, first, paper, fontsize=4.5, rotation=270, va="top")
    for form, colour in COLOURS.items():
        ax.plot([], [], ".", color=colour, label=form)
    ax.legend(loc="lower center", bbox_to_anchor=(0.2, 1.0), ncols=4, fontsize=4.5)
    return figure


def caption(data: dict[str, Any]) -> str:
    """Which forms are near their bound, and which far below it."""
    keys = np.array([str(k) for k in data["keys"]])
    with np.errstate(all="ignore"):
        middle = np.array(
            [
                np.median(row[np.isfinite(row)]) if np.isfinite(row).any() else np.nan
                for row in data["ratios"]
            ]
        )
    known = np.flatnonzero(np.isfinite(middle))
    order = known[np.argsort(middle[known])]
    by_paper = "; ".join(
        f"{paper} {np.median(middle[known][data['papers'][known] == paper]):.2g}"
        for paper in dict.fromkeys(str(p) for p in data["papers"])
    )
    crossed = int((data["ratios"] > 1 + 1e-9).any(axis=1).sum())
    return f"""
    Measured over bound at the last round, one dot for each of {data["ratios"].shape[1]} drawn
    federations that meet the hypotheses, a bar at the median; right of the line a bound is
    exceeded (by {crossed} of {len(keys)} forms; sampled means may be there by chance). Median of
    the medians: {by_paper}. Loosest: {keys[order[0]]}, median {middle[order[0]]:.2g}; closest:
    {keys[order[-1]]}, median {middle[order[-1]]:.2g}. Ratios below {LEAST:g} are drawn there.
    """
