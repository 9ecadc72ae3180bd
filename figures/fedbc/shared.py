"""What the three figures of FedBC on Synthetic(0.5, 0.5) share: runs, looks, sentences.

The runs are made once per process and profile, by the first figure that asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from matplotlib.axes import Axes

from figures.studies.fedbc.measures import Measures, errors, measure
from figures.studies.fedbc.observations import LABELS
from figures.studies.fedbc.setup import METHODS, QUICK, THOROUGH, TUNED_AT, Setup
from figures.studies.fedbc.synthetic import FedBCStudy, interval, study
from figures.studies.observation import Observation
from figures.style import BLACK, BLUE, DASHES, GREEN, MARKERS, ORANGE, PURPLE, RED

SEEDS = "1 to 5 (devices, sampled sets and mini-batches of a run)"
RUNS = "fedbc on synthetic"
"""The figures of these runs are made in one process."""
SETUPS = {"quick": QUICK, "full": THOROUGH}
MORE_DEVICES = (70, 100)
COLOURS = dict(zip(METHODS, (BLACK, GREEN, ORANGE, PURPLE, RED, BLUE), strict=True))
DASH = dict(zip(METHODS, DASHES, strict=False))
MARKER = dict(zip(METHODS, MARKERS, strict=False))
PREFIXES = ("", "n70_", "n100_")
"""Of the main study, and of those with more devices."""
RUNS_LAST = ("accuracy", "local", "variance", "user_gap", "user_worst", "user_zero")
"""Measures with an axis of runs, the last one."""
MEANS = ("loss", "share_gap", "caught", "small_more", "large_less", "early")
"""Measures that are means over the runs; their standard errors stand beside them."""
# runs in float32: sums in another order move a step, and after some hundred rounds all is moved
CHAOTIC: dict[str, int | str] = {
    f"{prefix}{name}": -1 for prefix in PREFIXES for name in RUNS_LAST
} | {f"{prefix}{name}": f"{prefix}{name}_error" for prefix in PREFIXES for name in MEANS}
"""What another machine gives otherwise: see :mod:`figures.stable`."""


def main_study(profile: str) -> FedBCStudy:
    """Thirty devices, every E of the profile."""
    return _study(SETUPS[profile], SETUPS[profile])


def more_devices(profile: str) -> list[FedBCStudy]:
    """Seventy and a hundred devices at E = 5, with the steps chosen on thirty."""
    base = SETUPS[profile]
    wide = (replace(base, clients=n, epochs=(TUNED_AT,)) for n in MORE_DEVICES)
    return [_study(setup, base) for setup in wide]


def _study(setup: Setup, tuning: Setup) -> FedBCStudy:
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # the same order of sums, and faster, on arrays of this size
    try:
        return study(setup, tuning)
    finally:
        torch.set_num_threads(before)


def packed(found: FedBCStudy, prefix: str = "") -> dict[str, Any]:
    """Measures of a study and their standard errors as arrays by name, rounded."""
    seen = measure(found)
    values = {name: np.asarray(getattr(seen, name)) for name in Measures.names()}
    return {prefix + name: _rounded(value) for name, value in {**values, **errors(found)}.items()}


def unpacked(data: dict[str, Any], prefix: str = "") -> Measures:
    """The measures back."""
    return Measures(**{name: data[prefix + name] for name in Measures.names()})


def looks(method: str) -> dict[str, Any]:
    """Colour, dashes and label of a method's curve."""
    return {"color": COLOURS[method], "linestyle": DASH[method], "label": LABELS[method]}


def interval_marks(
    ax: Axes, method: str, places: Any, runs: Sequence[Any], line: bool = False
) -> None:
    """Mean and 95 % interval over runs at each place, one array of runs per place."""
    pairs = np.array([interval(values) for values in runs])
    ax.errorbar(
        places,
        pairs[:, 0],
        yerr=pairs[:, 1],
        linewidth=0.8,
        markersize=3,
        color=COLOURS[method],
        marker=MARKER[method],
        label=LABELS[method],
        linestyle=DASH[method] if line else "none",
    )


def beside(places: Any, method: str) -> Any:
    """Places of a method's marks, the methods side by side."""
    return places + 0.07 * (METHODS.index(method) - (len(METHODS) - 1) / 2)


def epoch_axis(ax: Axes, data: dict[str, Any]) -> Any:
    """Label an axis by E; the places of its values."""
    places = np.arange(len(data["epochs"]))
    ax.set_xticks(places, [str(int(e)) for e in data["epochs"]])
    ax.set_xlabel("local steps $E$")
    return places


def sentences(found: Sequence[Observation]) -> str:
    """Claims that are seen, and those that are not, with the numbers."""
    yes = "; ".join(f"{o.claim} ({o.measured})" for o in found if o.reproduced)
    no = "; ".join(f"{o.claim} ({o.measured})" for o in found if not o.reproduced)
    return f"Claims reproduced: {yes or 'none'}. Not reproduced: {no or 'none'}."


def setting(found: dict[str, Any], rounds: int) -> str:
    """How the runs were made, for a caption."""
    return f"""
    Synthetic(0.5, 0.5), logistic regression, {int(found["clients"])} devices, 10 of them per round,
    {rounds} rounds, K_i = E steps with mini-batches of 10 rows, five runs with data of their own;
    steps, μ, q, dual step and λ⁰ chosen once from the printed grids, at E = 5 on the first run.
    Rounds, batch, λ⁰, Λ and the law of the sizes are not stated in the paper (here: the published
    generator's sizes{", cut at 1000" if rounds < THOROUGH.rounds else ""}). Algorithm 2 begins
    local steps at the device's own last model; "from z" begins them at the server's model.
    """


def _rounded(values: Any) -> Any:
    return values if values.dtype.kind in "iu" else np.round(values, 4).astype(np.float32)
