"""Test loss of All-for-one and of the baselines on streaming least squares, d = 2 and 10.

The study of `figures.studies.adaptive.synth`: 20 clients, two targets, exact labels. Beneath
-27 the squared rounding errors of float64 end every descent, so curves are cut at -28.

Source: adaptive, Figures 2a and 2b.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.studies.adaptive.curves import AdaptiveStudy, AlgorithmCurve
from figures.studies.adaptive.observations import observations
from figures.studies.adaptive.synth import ALGORITHMS, STEPS, WEAK, study
from figures.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, band, letter, panels

TITLE = "Test loss of All-for-one and baselines on synthetic data"
SEEDS = "127 (targets and noise of every run)"
DIMS = (2, 10)
PERSONAL = ("Ditto", "CoBo", "WGA-BC", "APFL")
RUNS = {"quick": {2: 30, 10: 6}, "full": {2: 100, 10: 100}}
CUT = -28.0
TOLERANCES = {
    # decimals of a logarithm: weights switch on and off where rounding decides
    f"{array}_{dim}": (0.0, 0.1)
    for dim in DIMS
    for array in ("weak", "mean_log", "band", "log_mean")
}
CHAOTIC = {  # which of them are on is what rounding decides, run by run
    f"{array}_{dim}": f"{array}_error_{dim}" for dim in DIMS for array in ("inside", "outside")
}

LOOKS: dict[str, tuple[str, Any, str]] = {
    "All-for-one-bin": (BLUE, "-", "o"),
    "All-for-one-cont": (RED, "-", "s"),
    "exact ratios, bin": (BLUE, (0, (1, 1)), ""),
    "exact ratios, cont": (RED, (0, (1, 1)), ""),
    "oracle": (BLACK, (0, (5, 1.5)), ""),
    "FedAvg": (GREY, "-", "X"),
    "Local": (GREEN, "-", "^"),
    "Ditto": (ORANGE, (0, (5, 1.5)), "D"),
    "CoBo": (PURPLE, (0, (5, 1.5)), "v"),
    "WGA-BC": (SKY, (0, (5, 1.5)), "P"),
    "APFL": (ORANGE, (0, (1, 1)), "<"),
}


def compute(profile: str) -> dict[str, Any]:
    """Curves by dimension: arrays (algorithms, T + 1), three decimals of a logarithm."""
    data: dict[str, Any] = {"names": np.array(list(ALGORITHMS))}
    for dim in DIMS:
        found = study(dim, seeds=RUNS[profile][dim])
        rows = {
            "mean_log": [c.mean_log for c in found.curves],
            "band": [c.band for c in found.curves],
            "log_mean": [c.log_mean for c in found.curves],
            "inside": [c.inside or (-1.0,) * found.rounds for c in found.curves],
            "outside": [c.outside or (-1.0,) * found.rounds for c in found.curves],
            "inside_error": [c.inside_error or (0.0,) * found.rounds for c in found.curves],
            "outside_error": [c.outside_error or (0.0,) * found.rounds for c in found.curves],
        }
        for key, values in rows.items():
            array = np.maximum(np.array(values), CUT)
            if key == "band":  # it ends at the cut as well, and closes where the curve arrives
                array = np.minimum(array, np.maximum(np.array(rows["mean_log"]) - CUT, 0.0))
            data[f"{key}_{dim}"] = _rounded(array)
        near = study(dim, seeds=RUNS[profile][dim], algorithms={n: WEAK[n] for n in PERSONAL})
        data[f"weak_{dim}"] = _rounded(np.array([c.mean_log for c in near.curves]))
        data[f"seeds_{dim}"] = np.array(found.seeds)
    return data


def plot(data: dict[str, Any]) -> Figure:
    """One panel for each dimension, the legend between."""
    figure, axes = panels(2, 1, height=5.0)
    for ax, dim in zip(axes[:, 0], DIMS, strict=True):
        mean, spread = data[f"mean_log_{dim}"], data[f"band_{dim}"]
        shown = 100 if dim == 2 else mean.shape[1] - 1
        t = np.arange(0, shown + 1, max(1, shown // 100))
        for i, name in enumerate(data["names"]):
            colour, dashes, marker = LOOKS[str(name)]
            y = mean[i, t]
            ax.plot(
                t,
                y,
                color=colour,
                linestyle=dashes,
                marker=marker or None,
                label=str(name),
                markevery=(3 + 5 * i % 11, 16),
                markersize=2.8,
                linewidth=1.0 if marker else 1.3,
                zorder=3 if "exact" in str(name) else 2,
            )
            if name in ("All-for-one-bin", "All-for-one-cont", "Local"):
                half = spread[i, t]
                band(ax, t, y - half, y + half, colour)
        ax.set_ylim(-26, 2.5)
        ax.set_xlim(0, shown)
        ax.set_ylabel("log₁₀ excess test loss")
        letter(ax, f"d = {dim}, η = {STEPS[dim]:g}, {int(data[f'seeds_{dim}'])} runs")
    axes[1, 0].set_xlabel("round $t$")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, columnspacing=1.0)
    return figure


def caption(data: dict[str, Any]) -> str:
    """Setting, then the paper's claims, each reproduced or not with the numbers."""
    said = []
    for dim in DIMS:
        found = [
            o
            for o in observations(_study(data, dim))
            if dim == 10 or "two regimes" not in o.claim  # the paper says it of d = 10 alone
        ]
        yes = [o.claim for o in found if o.reproduced]
        no = [f"{o.claim} ({o.measured})" for o in found if not o.reproduced]
        said.append(
            f"d = {dim}: reproduced: {'; '.join(yes) or 'none'}. "
            f"Not reproduced under the stated settings: {'; '.join(no) or 'none'}."
        )
        claim = next(o for o in observations(_study(data, dim, near=True)) if "CoBo" in o.claim)
        said.append(
            "With the personal baselines' free parameters a hundred times closer to Local, "
            f"{'reproduced' if claim.reproduced else 'not reproduced'}: {claim.claim} "
            f"({claim.measured})."
        )
    return f"""
    Mean over {int(data["seeds_2"])} runs (d = 2) and {int(data["seeds_10"])} runs (d = 10) of the
    logarithm of the excess test loss, averaged over 20 clients with two targets and exact labels,
    batch 2, steps as in the paper; shaded: one standard deviation over runs, as in the paper, for
    All-for-one and Local. Dotted: All-for-one with the exact ratios; dashed black: weights that
    know the clusters. Start, λ = 1/2 and the parameters of the baselines are not given in the
    paper. Its claims: {" ".join(said)}
    """


def _rounded(array: Any) -> Any:
    return np.round(np.maximum(array, CUT), 2).astype(np.float32)


def _study(data: dict[str, Any], dim: int, near: bool = False) -> AdaptiveStudy:
    """The study that these arrays came from, or that with baselines near to Local."""
    if near:
        mean = data[f"mean_log_{dim}"].copy()
        names = [str(name) for name in data["names"]]
        for name, row in zip(PERSONAL, data[f"weak_{dim}"], strict=True):
            mean[names.index(name)] = row
        data = {**data, f"mean_log_{dim}": mean}
    columns = [data[f"{key}_{dim}"] for key in ("mean_log", "band", "log_mean")]
    shares = [data[f"{key}_{dim}"] for key in ("inside", "outside")]
    curves = []
    for i, name in enumerate(data["names"]):
        rows = [tuple(float(x) for x in column[i]) for column in columns]
        parts = [() if s[i, 0] < 0 else tuple(float(x) for x in s[i]) for s in shares]
        curves.append(AlgorithmCurve(str(name), rows[0], rows[1], rows[2], parts[0], parts[1], 0.0))
    rounds = columns[0].shape[1] - 1
    return AdaptiveStudy(dim, int(data[f"seeds_{dim}"]), rounds, 0.0, STEPS[dim], tuple(curves))
