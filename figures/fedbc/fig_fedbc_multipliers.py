"""Multipliers of FedBC against the devices' sizes and over rounds; spread of accuracies.

Source: fedbc, Figures 3c, 3d, 6 and 7e; `figures.studies.fedbc.synthetic`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from figures.fedbc import shared
from figures.studies.fedbc.measures import OURS, end_shares, standard_error
from figures.studies.fedbc.observations import LABELS, devices
from figures.studies.fedbc.setup import METHODS, TUNED_AT
from figures.style import BLACK, BLUE, GREEN, GREY, ORANGE, letter, panels

TITLE = "FedBC on Synthetic(0.5, 0.5): multipliers, sizes and the spread of accuracies"
SEEDS = shared.SEEDS
RUNS = shared.RUNS
QUARTERS = (8, 4, 2, 1)
"""Multipliers are shown after these parts of the rounds, and at the end."""
FLOOR = 1e-6
TOLERANCES: dict[str, tuple[float, float]] = {}
CHAOTIC: dict[str, int | str] = shared.CHAOTIC | {"share": 1, "path": "path_error"}


def compute(profile: str) -> dict[str, Any]:
    """Shares of multipliers and rows at the end, and the first run's multipliers over rounds."""
    found = shared.main_study(profile)
    ends = [end_shares(found, ours, TUNED_AT) for ours in OURS]
    order = np.argsort(found.sizes[0], kind="stable")
    rounds = np.array([found.setup.rounds // q for q in QUARTERS])
    paths = [found.runs[ours, TUNED_AT].multipliers[0][rounds][:, order] for ours in OURS]
    errors = [_path_error(found.runs[ours, TUNED_AT].multipliers, rounds) for ours in OURS]
    return shared.packed(found) | {
        "sizes": found.sizes,
        "share": np.round([e[0] for e in ends], 6).astype(np.float32),
        "at": rounds,
        "path": np.round(paths, 5).astype(np.float32),
        "order": order,
        "path_error": np.round(errors, 5).astype(np.float32),
    }


def _path_error(multipliers: Any, rounds: Any) -> Any:
    """How far one run's multipliers are from another's: runs have devices of their own, so ranks.

    Shape (4, N), the devices of every run in the order of their multipliers.
    """
    ranked = np.sort(multipliers[:, rounds], axis=-1)  # (runs, 4, N)
    return standard_error(ranked) * len(multipliers) ** 0.5  # of one run, not of their mean


def plot(data: dict[str, Any]) -> Figure:
    """Shares over sizes, multipliers by device, variances by E."""
    figure, axes = panels(4, 1, height=6.4)
    top, first, second, bottom = axes[:, 0]
    sizes = data["sizes"]
    share = sizes / sizes.sum(1, keepdims=True)
    top.loglog(sizes.ravel(), share.ravel(), ".", color=BLACK, markersize=1.6, label="by size")
    for j, ours in enumerate(OURS):
        top.loglog(
            sizes.ravel(),
            np.maximum(data["share"][j].ravel(), FLOOR),
            linestyle="none",
            color=shared.COLOURS[ours],
            marker=shared.MARKER[ours],
            markersize=2.2,
            alpha=0.7,
            label=f"λ of {LABELS[ours]}",
        )
    top.axvline(300, color=GREY, linewidth=0.6, linestyle=(0, (2, 2)))
    top.annotate(
        "300",
        (300, 0.03),
        xycoords=("data", "axes fraction"),
        fontsize=5.5,
        color=GREY,
        xytext=(2, 0),
        textcoords="offset points",
    )
    top.set_ylim(1e-3, 5)
    for axis in (top.xaxis, top.yaxis):
        axis.set_minor_formatter(NullFormatter())
    top.set_xlabel("training rows $n_i$")
    top.set_ylabel("share of the sum")
    top.legend(loc="upper left", fontsize=5.5)
    letter(top, f"who counts how much, E = {TUNED_AT}")
    place = np.arange(len(data["order"]))
    for j, (ax, ours) in enumerate(zip((first, second), OURS, strict=True)):
        for k, (t, colour, marker) in enumerate(
            zip(data["at"], (GREY, ORANGE, GREEN, BLUE), ("v", "^", "s", "o"), strict=True)
        ):
            ax.plot(
                place,
                data["path"][j, k],
                color=colour,
                marker=marker,
                linewidth=0.6,
                markersize=2.4,
                label=f"round {int(t)}",
            )
        ax.set_ylabel("λ (loss / length²)")
        letter(ax, f"{LABELS[ours]}, one run, E = {TUNED_AT}")
        ax.set_xlabel("device, by size")
    first.margins(y=0.3)
    first.legend(loc="upper left", ncols=4, fontsize=5, columnspacing=0.8, handlelength=1.6)
    places = shared.epoch_axis(bottom, data)
    for method, runs in zip(METHODS, data["variance"], strict=True):
        shared.interval_marks(bottom, method, shared.beside(places, method), runs)
    bottom.set_ylabel("variance (points²)")
    bottom.set_ylim(0, None)
    letter(bottom, "accuracy over devices")
    handles, labels = bottom.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, columnspacing=1.0)
    return figure


def caption(data: dict[str, Any]) -> str:
    """Setting, then the claims."""
    small, large = int(data["sizes"].min()), int(data["sizes"].max())
    return f"""
    {shared.setting(data, int(data["noted"][-1]))} Devices have {small} to {large} training rows.
    Top: multipliers after the last round and rows, each divided by its sum over the devices, all
    runs. Middle: multipliers by round. Bottom: variance over devices of the last model's test
    accuracy, mean and 95 % interval over the runs.
    {shared.sentences(devices(shared.unpacked(data)))}
    """
