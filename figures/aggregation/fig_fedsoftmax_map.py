r"""Who has weight under FedSoftMax: client by round as a heat map, and how far weights are from p.

The runs of `figures.studies.aggregation.shards`, fifty clients with equal shares; weights of one
run above, mean over runs of the largest distance from the shares below.

Source: aggregation, Figures 6 and 7.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from bounds.numbers.shapes import Array
from figures.studies.aggregation.shards import FRAMEWORKS, ShardRun, shard_runs
from figures.style import COLOURS, DASHES, LEVEL, MAP, MARKERS, band, letter, panels, slope_triangle

TITLE = "FedSoftMax: weights client by round, and their distance from the shares"
SEEDS = "1 (rows, splits and mini-batches)"
STRATEGY, INVERSE = "FedSoftMax(1/4)", 4
SHOWN = "NIID"
TOP = 10
REPLICATES = {"quick": 4, "full": 48}
# a client may pass another one a round earlier or later
TOLERANCES = {"weights": (1e-3, 1e-6), "ever": (0.0, 1.01), "kept": (0.0, 0.02)}


def compute(profile: str) -> dict[str, Any]:
    """Weights of one run (rounds, N); of all frameworks distances (rounds), and who is used."""
    data: dict[str, Any] = {"replicates": np.array(REPLICATES[profile])}
    rows: dict[str, list[Any]] = {}
    for made in shard_runs(strategies=(STRATEGY,), replicates=REPLICATES[profile]):
        if made.framework == SHOWN:
            data["weights"] = made.alpha[0].astype(np.float32)
        for name, value in _summary(made).items():
            rows.setdefault(name, []).append(value)
    return {**data, **{name: np.array(values) for name, values in rows.items()}}


def plot(data: dict[str, Any]) -> Figure:
    """The map, the clients of the largest weights, and the distances."""
    figure, axes = panels(2, 2, height=4.8, height_ratios=(1.25, 1))
    weights = data["weights"]
    order = np.argsort(-weights.mean(0), kind="stable")
    shown = weights[:, order].T * weights.shape[1]  # (N, rounds), one is an equal share
    rounds, clients = weights.shape
    extent = (0.5, rounds + 0.5, clients + 0.5, 0.5)
    left, right = axes[0]
    drawn = left.imshow(
        shown,
        cmap=MAP,
        aspect="auto",
        interpolation="nearest",
        extent=extent,
        norm=LogNorm(shown.min(), shown.max()),
    )
    bar = figure.colorbar(drawn, ax=left, location="bottom", aspect=14, pad=0.02)
    bar.set_label("$\\alpha_i/p_i$")
    letter(left, "weights")
    left.set_ylabel("client, by mean weight")
    high = _highest(weights)[:, order].T
    right.imshow(high, cmap=MAP, aspect="auto", interpolation="nearest", extent=extent)
    letter(right, f"the {TOP} largest")
    right.set_yticklabels([])
    for ax in (left, right):
        ax.set_xlabel("round")
        ax.set_xticks([1, 25, 50])
    for ax in axes[1]:
        ax.remove()
    bottom = figure.add_subplot(axes[1, 0].get_gridspec()[1, :])
    t = np.arange(1, rounds + 1)
    for i, framework in enumerate(FRAMEWORKS):
        mean, half = data["apart"][i], data["half"][i]
        bottom.loglog(
            t,
            mean,
            color=COLOURS[i],
            linestyle=DASHES[i],
            marker=MARKERS[i],
            markevery=(i, 5),
            label=framework,
        )
        band(bottom, t, np.maximum(mean - half, mean / 10), mean + half, COLOURS[i])
    low = float(data["apart"].min())
    bottom.set_ylim(bottom=low / 4)
    slope_triangle(bottom, 3.5, low * 2.5, -1.0, width=2.2)
    bottom.set_xlabel("round")
    bottom.set_ylabel("$\\max_i |\\alpha_i - p_i|$")
    bottom.legend(loc="lower right", ncols=3)
    letter(bottom, f"distance from the shares, 1/T = {INVERSE}")
    return figure


def caption(data: dict[str, Any]) -> str:
    """The claims of both figures with the numbers."""
    at = list(FRAMEWORKS).index(SHOWN)
    rounds, clients = data["weights"].shape
    ever, kept, held, slope = data["ever"], data["kept"], data["held"], data["slope"]
    few = ever[at] < clients / 2
    rate, least = slope[0] < -0.9, float(data["weights"].min() * clients)
    each = [f"{name} {data['apart'][i, -1]:.2g}" for i, name in enumerate(FRAMEWORKS)]
    return f"""
    FedSoftMax with 1/T = {INVERSE} on the splits of the curves by round, {clients} clients of equal
    shares, a synthetic task in place of the paper's images. Above: weights of one run on shards of
    50 rows, and the {TOP} largest of every round. Claim of Figure 7, a small group of clients is
    used through the whole process: {"seen" if few else "not seen"} if that means the {TOP} largest
    weights and fewer than half of the clients: {ever[at]:.3g} of {clients} are ever among them in
    {rounds} rounds, and {kept[at]:.0%} of them stay from one round to the next; yet they hold
    {held[at]:.0%} of all weight, where equal shares would give them {TOP / clients:.0%}, and the
    smallest weight is {least:.2f} of a share. On the other splits {ever[0]:.3g} clients (IID,
    {held[0]:.0%}) and {ever[2]:.3g} (TNIID, one label each, {held[2]:.0%}). Below, claim of Figure
    6, on IID data weights tend to the shares like 1/t: over the last {rounds // 2} rounds the
    largest distance goes like t to the power {slope[0]:.2f} on IID data
    ({"seen" if rate else "the rate is not seen"}), {slope[1]:.2f} on shards (NIID) and
    {slope[2]:.2f} with one label each; after {rounds} rounds {", ".join(each)}. Mean and 95 % band
    over {int(data["replicates"])} runs.
    """


def _summary(made: ShardRun) -> dict[str, Any]:
    """Distances from the shares by round and their last power of t; who has the largest weights."""
    alpha = made.alpha  # (R, rounds, N)
    count, rounds, clients = alpha.shape
    apart = np.abs(alpha - 1 / clients).max(-1)
    mean = apart.mean(0)
    late = np.arange(rounds // 2, rounds)
    high = _highest(alpha)
    return {
        "apart": mean,
        "half": LEVEL * apart.std(0, ddof=1) / count**0.5,
        "slope": np.polyfit(np.log(late + 1), np.log(mean[late]), 1)[0],
        "ever": high.any(1).sum(-1).mean(),
        "held": np.where(high, alpha, 0).sum(-1).mean(),
        "kept": (high[:, 1:] & high[:, :-1]).sum(-1).mean() / TOP,
    }


def _highest(alpha: Array) -> Array:
    """Whether a client is among those of the largest weights of a round."""
    return np.argsort(np.argsort(-alpha, axis=-1, kind="stable"), axis=-1) < TOP
