"""What the rates promise patients' age groups, and what runs on held-out rows need.

Three clients from scikit-learn's diabetes table, least squares on three measurements. Promises are
made from one half of every client's rows, the runs are on the other half.

Source: adaptive, Definition 2 and Corollary 1 (repaired); hcct, Section 5.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from algorithms.collaboration.forecast import forecast
from algorithms.collaboration.tables import split_table
from algorithms.collaboration.trial import held_out_trial
from bounds.numbers.shapes import Array
from figures.style import COLOURS, DASHES, MARKERS, letter, panels
from synthetic.tables.known_tables import known_table

TITLE = "Promise and held-out runs of three age groups"
SEEDS = "0 (halves and mini-batches)"
NEEDS = "sklearn"
# a first round is a whole number, and rounding may move it by one of the few
TOLERANCES = {"measured": (0.05, 2.0)}

FEATURES, CLIENTS = ("bmi", "bp", "s5"), 3
METHODS = ("alone", "all for one", "group")
PRECISIONS = np.geomspace(0.16, 0.02, 7)
RUNS, ROUNDS = {"quick": 32, "full": 256}, 600


def compute(profile: str) -> dict[str, Any]:
    """Bounds of the rounds and first rounds of the mean, (methods, precisions, clients)."""
    halves = split_table(
        known_table("diabetes"), "age", "progression", features=FEATURES, groups=CLIENTS
    )
    found = forecast(halves.estimate, PRECISIONS)
    tried = held_out_trial(found, halves.held_out, runs=RUNS[profile], most_rounds=ROUNDS)
    return {
        "precision": PRECISIONS,
        "clients": np.array(halves.estimate.names),
        "bound": np.stack([found.alone, found.all_for_one, found.grouped]),
        "measured": np.stack([tried.crossing[method] for method in METHODS]),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Rounds over the precision, and how many times fewer than alone; means over the clients."""
    figure, axes = panels(2, 1, height=4.2, sharex=True)
    top, bottom = axes[:, 0]
    for m, method in enumerate(METHODS):
        look = {"color": COLOURS[m], "linestyle": DASHES[m]}
        for ax, values in ((top, _typical), (bottom, _speed_up)):
            if ax is bottom and not m:
                continue
            bound, measured = values(data["bound"], m), values(data["measured"], m)
            ax.plot(data["precision"], bound, label=f"{method}, promised", **look)
            ax.plot(
                data["precision"],
                measured,
                label=f"{method}, held out",
                marker=MARKERS[m],
                linewidth=0.6,
                **look,
            )
    top.set_yscale("log")
    top.set_ylabel("rounds")
    top.legend(ncols=2, loc="upper right")
    top.set_ylim(top=top.get_ylim()[1] * 20)  # room for the legend
    bottom.axhline(1, color="black", linewidth=0.4)
    bottom.set_ylabel("speed-up over alone")
    bottom.set_xlabel("precision ε (half squared standard deviations)")
    bottom.set_xscale("log")
    bottom.invert_xaxis()
    bottom.set_xticks(PRECISIONS[::2], labels=[f"{eps:.2g}" for eps in PRECISIONS[::2]])
    bottom.set_xticks([], minor=True)
    letter(top, "a")
    letter(bottom, "b")
    return figure


def caption(data: dict[str, Any]) -> str:
    """What is shown."""
    gains = {m: _speed_up(data["measured"], m) for m in (1, 2)}
    promised = {m: _speed_up(data["bound"], m) for m in (1, 2)}
    loose = _typical(data["bound"], 0) / _typical(data["measured"], 0)
    known = np.isfinite(data["bound"]) & np.isfinite(data["measured"])
    kept = bool((data["measured"][known] <= data["bound"][known]).all())
    return f"""
    Rounds until the excess loss is at most ε, geometric means over the age groups
    {", ".join(str(name) for name in data["clients"])} (scikit-learn's diabetes table, least
    squares). Promised: by then half of the runs have been there, from one half of the rows; held
    out: the mean of the runs on the other half is there. No held-out mean comes later than
    promised: {"yes" if kept else "no"}; the promise is
    {np.nanmin(loose):.2g} to {np.nanmax(loose):.2g} times too long for a client alone.
    All-for-one promises a speed-up of {np.nanmax(promised[1]):.3g} at most and shows
    {gains[1][0]:.2g} at ε = {data["precision"][0]:.2g}, {gains[1][-1]:.2g} at
    ε = {data["precision"][-1]:.2g}; the group promises {promised[2][0]:.2g} and shows
    {gains[2][0]:.2g} at the first.
    """


def _typical(rounds: Array, method: int) -> Array:
    """Geometric mean over the clients, NaN where one of them has no number."""
    values = rounds[method]
    safe = np.where(np.isfinite(values) & (values > 0), values, np.nan)
    return np.asarray(np.exp(np.log(safe).mean(-1)))


def _speed_up(rounds: Array, method: int) -> Array:
    return _typical(rounds, 0) / _typical(rounds, method)
