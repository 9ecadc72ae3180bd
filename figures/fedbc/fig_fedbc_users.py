"""Accuracy of the server's model on the min and the max user, and their coefficients.

Source: fedbc, Figures 3b, 4, 8 to 12; `figures.studies.fedbc.synthetic`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.fedbc import shared
from figures.studies.fedbc.measures import OURS, extremes, standard_error, user_paths
from figures.studies.fedbc.observations import LABELS, users
from figures.studies.fedbc.setup import METHODS, TUNED_AT
from figures.style import BLUE, GREY, RED, letter, panels

TITLE = "FedBC on Synthetic(0.5, 0.5): the users with the least and the most data"
SEEDS = shared.SEEDS
RUNS = shared.RUNS
WINDOW = 5
"""Rounds over which a path is averaged: the two users change from round to round."""
TOLERANCES: dict[str, tuple[float, float]] = {}
PATHS = ("low", "high", "share_low", "share_high")
CHAOTIC: dict[str, int | str] = shared.CHAOTIC | {name: f"{name}_error" for name in PATHS}


def compute(profile: str) -> dict[str, Any]:
    """Paths of both users' accuracies and coefficients at E = 5, and all measures."""
    found = shared.main_study(profile)
    paths = [user_paths(found, method, TUNED_AT) for method in METHODS]
    shares = [extremes(found, found.runs[ours, TUNED_AT].shares) for ours in OURS]
    sizes = extremes(found, found.runs["fedavg", TUNED_AT].shares)
    values = {
        "low": [p[0] for p in paths],
        "high": [p[1] for p in paths],
        "share_low": [p[0] for p in shares],
        "share_high": [p[1] for p in shares],
    }
    return (
        shared.packed(found)
        | {name: _thin(value) for name, value in values.items()}
        | {f"{name}_error": _thin(value, standard_error) for name, value in values.items()}
        | {"size_low": _thin([sizes[0]]), "size_high": _thin([sizes[1]])}
    )


def plot(data: dict[str, Any]) -> Figure:
    """One panel per method, then the gap over E and the coefficients."""
    figure, axes = panels(4, 2, height=5.6)
    t = WINDOW * (np.arange(data["low"].shape[1]) + 0.5)
    for i, (ax, method) in enumerate(zip(axes.ravel(), METHODS, strict=False)):
        ax.plot(t, data["high"][i], color=BLUE, label="max user")
        ax.plot(t, data["low"][i], color=RED, linestyle=(0, (5, 1.5)), label="min user")
        ax.set_ylim(0, 102)
        ax.set_xlabel("round $t$")
        if i % 2 == 0:
            ax.set_ylabel("test accuracy (%)")
        letter(ax, f"{LABELS[method]}, E = {TUNED_AT}")
    axes[0, 0].legend(loc="lower right")
    gap, shares = axes[3]
    places = shared.epoch_axis(gap, data)
    for i, method in enumerate(METHODS):
        gap.plot(
            places,
            data["user_gap"][i].mean(-1),
            color=shared.COLOURS[method],
            linewidth=0.8,
            linestyle=shared.DASH[method],
            marker=shared.MARKER[method],
            label=LABELS[method],
        )
    gap.set_ylabel("mean gap (points)")
    gap.set_ylim(0, None)
    letter(gap, "both users' accuracies")
    for key, word in (("high", "max user by size"), ("low", "min user by size")):
        path = data[f"size_{key}"][0]
        shares.plot(t, path, color=GREY, linestyle=(0, (1, 1)))
        shares.annotate(
            word, (t[-1], path.max() * 1.05), ha="right", va="bottom", fontsize=5.5, color=GREY
        )
        for j, ours in enumerate(OURS):
            look = {"color": shared.COLOURS[ours], "linestyle": shared.DASH[ours]}
            shares.plot(t, data[f"share_{key}"][j], **look)
    shares.set_yscale("log")
    shares.set_ylim(0.005, 1.2)
    shares.set_yticks([0.01, 0.1, 1], ["0.01", "0.1", "1"])
    shares.minorticks_off()
    shares.set_xlabel("round $t$")
    shares.set_ylabel("coefficient")
    letter(shares, f"coefficients, E = {TUNED_AT}")
    handles, labels = gap.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, columnspacing=1.0)
    return figure


def caption(data: dict[str, Any]) -> str:
    """Setting, then the claims."""
    return f"""
    {shared.setting(data, int(data["noted"][-1]))} Min and max user: of the ten sampled devices
    those with the least and the most rows. Paths are averages of {WINDOW} rounds and the runs; the
    gap is the mean distance of both accuracies over the second half of the rounds.
    {shared.sentences(users(shared.unpacked(data)))}
    """


def _mean(values: Any) -> Any:
    return np.mean(values, axis=0)


def _thin(paths: list[Any], over: Callable[[Any], Any] = _mean) -> Any:
    """Averages over `WINDOW` rounds, and their mean or standard error over the runs."""
    runs = np.array(paths)  # (methods, runs, rounds)
    whole = runs[..., : runs.shape[-1] // WINDOW * WINDOW]
    thin = whole.reshape(*runs.shape[:2], -1, WINDOW).mean(-1)
    return np.round([over(values) for values in thin], 5).astype(np.float32)
