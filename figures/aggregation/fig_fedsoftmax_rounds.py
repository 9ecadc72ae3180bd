r"""Accuracy by round of FedSoftMax and FedAvg on IID, label-sorted and one-label splits.

The runs of `figures.studies.aggregation.shards`: parity of ten labels by regularised logistic
regression, fifty clients with 200 rows, mini-batches of 64; accuracies on rows drawn anew.

Source: aggregation, Figures 2 to 5, Table 3, Remark 9.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bounds.numbers.shapes import Array
from figures.studies.aggregation.shards import FRAMEWORKS, rounds_to, shard_runs
from figures.style import (
    BLACK,
    BLUE,
    DASHES,
    GREEN,
    GREY,
    LEVEL,
    MARKERS,
    RED,
    band,
    letter,
    panels,
)
from synthetic.tables.label_shards import accuracy, label_imbalance, label_task

TITLE = "FedSoftMax and FedAvg: accuracy by round and by kind of split"
SEEDS = "1 (rows, splits and mini-batches), 2 (test rows)"
STRATEGIES = ("FedAvg", "FedSoftMax(1)", "FedSoftMax(1/4)", "FedSoftMax(1/16)")
INVERSE = (0, 1, 4, 16)
"""1/T of every strategy, loss^-1; FedAvg has none."""
GOAL, TEST_ROWS = 0.9, 10000
REPLICATES = {"quick": 4, "full": 48}
LOOKS = dict(zip(STRATEGIES, (BLACK, BLUE, GREEN, RED), strict=True))
TOLERANCES = {
    # a row or two on the other side of the line, and a round more or less for it
    "mean": (0.0, 2e-3),
    "half": (0.0, 2e-3),
    "reached": (0.0, 0.51),
    "got": (0.0, 0.51),
}


def compute(profile: str) -> dict[str, Any]:
    """Test accuracies (frameworks, strategies, rounds + 1) and rounds up to 90 %."""
    test = label_task(TEST_ROWS, seed=2)
    shape = (len(FRAMEWORKS), len(STRATEGIES))
    paths, distance, gamma = [], [], []
    for made in shard_runs(strategies=STRATEGIES, replicates=REPLICATES[profile]):
        paths.append(accuracy(test, made.theta))
        if made.strategy == STRATEGIES[0]:
            distance.append(label_imbalance(made.task, made.split))
            gamma.append(made.heterogeneity)
    seen = np.stack(paths).reshape(*shape, *paths[0].shape)
    count = seen.shape[2]
    reached = np.array([[[rounds_to(p, GOAL) for p in c] for c in row] for row in seen])
    return {
        "mean": seen.mean(2),
        "half": LEVEL * seen.std(2, ddof=1) / count**0.5,
        "reached": reached.mean(2),
        "got": (seen >= GOAL).any(-1).mean(2),
        "distance": np.array(distance),
        "gamma": np.array(gamma),
        "replicates": np.array(count),
    }


def plot(data: dict[str, Any]) -> Figure:
    """One panel for each kind of split."""
    figure, axes = panels(3, 1, height=5.8, sharex=True)
    t = np.arange(1, data["mean"].shape[-1])
    names = {"IID": "IID", "NIID": "shards of 50 rows", "TNIID": "one label per client"}
    for i, (ax, framework) in enumerate(zip(axes[:, 0], FRAMEWORKS, strict=True)):
        for j, name in enumerate(STRATEGIES):
            mean, half = data["mean"][i, j, 1:], data["half"][i, j, 1:]
            label = f"FedSoftMax, 1/T = {INVERSE[j]}" if j else name
            ax.plot(
                t,
                mean,
                color=LOOKS[name],
                linestyle=DASHES[j],
                marker=MARKERS[j],
                markevery=(2 * j, 8),
                label=label,
            )
            band(ax, t, mean - half, mean + half, LOOKS[name])
        ax.axhline(GOAL, color=GREY, linewidth=0.6)
        ax.set_ylabel("test accuracy")
        ax.set_ylim(0.45, 0.97)
        letter(ax, f"{names[framework]} (Γ = {data['gamma'][i]:.2g})")
    axes[0, 0].annotate("90 %", (t[0], GOAL), fontsize=6, color=GREY, va="bottom")
    axes[2, 0].set_xlabel("round (two local steps)")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def caption(data: dict[str, Any]) -> str:
    """The claims of Figures 2 to 5 with the numbers."""
    mean, reached = data["mean"], data["reached"]
    last = mean[..., -1] - mean[:, :1, -1]
    apart = np.abs(mean[0, 1:] - mean[0, :1]).max(-1)
    parts = []
    for j in range(1, len(STRATEGIES)):
        gaps = reached[:, 0] - reached[:, j]
        grows = "seen" if (np.diff(gaps) > 0).all() and (gaps[1:] > 0).all() else "not reproduced"
        parts.append(
            f"1/T = {INVERSE[j]}: {_rounds(data, 0, j)}, {_rounds(data, 1, j)} and "
            f"{_rounds(data, 2, j)} rounds, {grows}"
        )
    ordered = bool((np.diff(reached[1, 1:]) > 0).all())  # from the highest T to the lowest
    fallen = bool((np.diff(reached[1, 1:]) < 0).all())
    faster = "reproduced" if ordered else "not reproduced"
    inverse = "reproduced" if fallen else "not reproduced"
    rounds = ", ".join(_rounds(data, 1, j) for j in range(1, len(STRATEGIES)))
    low = mean[1, :, 2:].min(-1)
    return f"""
    Parity of ten labels by logistic regression, 50 clients with 200 rows, mini-batches of 64, two
    local steps, steps 4 · 0.99^round; accuracy on {TEST_ROWS} new rows, mean and 95 % band over
    {int(data["replicates"])} runs; a synthetic task in place of the paper's images, temperatures
    are in units of its losses. Figure 2, IID: the curves part by at most {apart[0]:.1%},
    {apart[1]:.1%} and {apart[2]:.1%} with 1/T = {", ".join(map(str, INVERSE[1:]))} (nearly equal:
    {"seen" if apart.max() < 0.02 else "not seen"}). Figure 3, low difference of the final
    accuracies on shards: FedSoftMax minus FedAvg is {_signed(last[1])}
    ({"seen" if np.abs(last[1]).max() < 0.02 else "not seen"}); with one label each
    {_signed(last[2])}. Figure 4 and Table 3, rounds up to 90 % that FedSoftMax saves, the more the
    less alike the clients are: FedAvg needs {_rounds(data, 0, 0)}, {_rounds(data, 1, 0)} and
    {_rounds(data, 2, 0)} on the three splits; {"; ".join(parts)}. Figure 5, a higher temperature is
    faster on shards: {faster} if that is T, {inverse} if it is 1/T ({rounds} rounds with 1/T =
    {", ".join(map(str, INVERSE[1:]))}). The least accuracy on shards after the first
    round is {low[1]:.2f}, {low[2]:.2f} and {low[3]:.2f} with these, {low[0]:.2f} with FedAvg.
    """


def _rounds(data: dict[str, Any], i: int, j: int) -> str:
    """Mean rounds up to the goal; a run that does not get there counts with all of them."""
    every = data["got"][i, j] > 1 - 1e-9
    return f"{'' if every else '≥ '}{data['reached'][i, j]:.3g}"


def _signed(values: Array) -> str:
    return ", ".join(f"{value:+.1%}" for value in values[1:])
