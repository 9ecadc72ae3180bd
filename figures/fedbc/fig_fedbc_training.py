"""FedBC and four methods on Synthetic(0.5, 0.5): training loss by E, accuracy by devices.

Source: fedbc, Table 1, Figures 3a, 7a to d and 7f; `figures.studies.fedbc.synthetic`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.fedbc import shared
from figures.studies.fedbc.measures import OURS
from figures.studies.fedbc.observations import LABELS, training
from figures.studies.fedbc.setup import METHODS, TUNED_AT, printed
from figures.studies.fedbc.synthetic import interval
from figures.style import GREY, letter, panels

TITLE = "FedBC on Synthetic(0.5, 0.5): training loss and accuracy"
SEEDS = shared.SEEDS
RUNS = shared.RUNS
TOLERANCES = {"cpu": (0.0, 1e9)}
CHAOTIC = shared.CHAOTIC


def compute(profile: str) -> dict[str, Any]:
    """Measures of all runs."""
    found, others = shared.main_study(profile), shared.more_devices(profile)
    data = shared.packed(found)
    for study in others:
        data |= shared.packed(study, f"n{study.setup.clients}_")
    spent = found.cpu_seconds + sum(study.cpu_seconds for study in others)
    return {**data, "cpu": np.array(round(spent, 1))}


def plot(data: dict[str, Any]) -> Figure:
    """A panel of losses per E, and one of accuracies over the number of devices."""
    epochs = [int(e) for e in data["epochs"]]
    rows = -(-(len(epochs) + 3) // 2)
    figure, axes = panels(rows, 2, height=0.7 + 1.45 * rows)
    flat = axes.ravel()
    for j, (ax, steps) in enumerate(zip(flat, epochs, strict=False)):
        for i, method in enumerate(METHODS):
            look = shared.looks(method)
            ax.plot(data["noted"], data["loss"][i, j], **look)
        ax.set_yscale("log")
        ax.set_ylim(0.25, 3.5)
        ax.set_yticks([0.3, 1, 3], ["0.3", "1", "3"])
        ax.minorticks_off()
        ax.set_xlabel("round $t$")
        if j % 2 == 0:
            ax.set_ylabel("training loss")
        letter(ax, f"E = {steps}")
    _accuracies(flat[len(epochs)], data)
    _local(flat[len(epochs) + 1], data)
    _global(flat[len(epochs) + 2], data)
    for ax in flat[len(epochs) + 3 :]:
        ax.set_visible(False)
    handles, labels = flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, columnspacing=1.0)
    return figure


def _accuracies(ax: Any, data: dict[str, Any]) -> None:
    seen = _all(data)
    column = list(data["epochs"]).index(TUNED_AT)
    for i, method in enumerate(METHODS):
        runs = [m.accuracy[i, column if n == 0 else 0] for n, m in enumerate(seen)]
        shared.interval_marks(ax, method, shared.beside(np.arange(len(seen)), method), runs)
    ax.axhline(printed("fedbc", TUNED_AT), color=GREY, linewidth=0.8)
    ax.annotate(
        "FedBC in Table 1",
        (0.97, 88),
        xycoords=("axes fraction", "data"),
        ha="right",
        va="bottom",
        fontsize=5.5,
        color=GREY,
    )
    ax.set_xticks(range(len(seen)), [str(int(m.clients)) for m in seen])
    ax.set_xlabel("devices")
    ax.set_ylabel("test accuracy (%)")
    ax.set_ylim(0, 100)
    letter(ax, f"E = {TUNED_AT}")


def _local(ax: Any, data: dict[str, Any]) -> None:
    places = shared.epoch_axis(ax, data)
    for method in OURS:
        runs = data["local"][METHODS.index(method)]
        shared.interval_marks(ax, method, places, runs, line=True)
    best = data["local"][: -len(OURS)].mean(-1).max(0)
    ax.plot(places, best, color=GREY, linestyle=(0, (1, 1)))
    ax.annotate(
        "best of the others",
        (0.97, 0.05),
        xycoords="axes fraction",
        ha="right",
        fontsize=5.5,
        color=GREY,
    )
    ax.set_ylabel("local accuracy (%)")
    ax.set_ylim(50, 100)
    letter(ax, "own models $x_i$")


def _global(ax: Any, data: dict[str, Any]) -> None:
    places = shared.epoch_axis(ax, data)
    for method, runs in zip(METHODS, data["accuracy"], strict=True):
        shared.interval_marks(ax, method, shared.beside(places, method), runs)
    ax.set_ylabel("test accuracy (%)")
    ax.set_ylim(30, 100)
    letter(ax, "server's model $z$")


def caption(data: dict[str, Any]) -> str:
    """Our accuracies beside the printed ones, then the claims."""
    seen = _all(data)
    rounds = int(data["noted"][-1])
    told = []
    for i, method in enumerate(METHODS):
        cells = []
        for j, steps in enumerate(data["epochs"]):
            mean, half = interval(data["accuracy"][i, j])
            cells.append(f"{mean:.1f} ± {half:.1f} ({printed(method, int(steps)):.1f})")
        told.append(f"{LABELS[method]} {', '.join(cells)}")
    return f"""
    {shared.setting(data, rounds)} Training loss over all rows, mean of the runs; global test
    accuracy after the last round by number of devices and by E; and accuracy of the devices' own
    models x_i on their own test rows (dotted: z of the best other method): mean and 95 % interval
    over the runs. Global accuracies in per cent
    on 30 devices for E = {", ".join(str(int(e)) for e in data["epochs"])} (printed in Table 1):
    {"; ".join(told)}. {shared.sentences(training(seen[0], seen[1:]))} The runs of this figure and
    of the two that follow took {float(data["cpu"]):.0f} s of CPU time.
    """


def _all(data: dict[str, Any]) -> list[Any]:
    return [shared.unpacked(data, prefix) for prefix in ("", "n70_", "n100_")]
