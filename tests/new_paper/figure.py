r"""Theorem 1 of anchor: how far a model goes that is tied to its start, against the bound.

One quadratic with curvatures between 1/8 and 1 and the optimum at distance 1; the longest step that
the theorem allows, 1/(beta + lambda).

Source: anchor, Theorem 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from matplotlib.figure import Figure

from algorithms.engine.run import run
from algorithms.registry import load_method
from figures.style import COLOURS, DASHES, MARKERS, panels
from synthetic.quadratic import Quadratic

TITLE = "Distance from the start under a pull"
SEEDS = "none (exact)"
TOLERANCES: dict[str, tuple[float, float]] = {}
POINTS = {"quick": 9, "full": 33}
CURVATURES = (1.0, 0.5, 0.125)
ROUNDS = (2, 8, 64)


def compute(profile: str) -> dict[str, Any]:
    """Shares of the way to the optimum, over the pull and the number of rounds."""
    pull = np.geomspace(1 / 16, 16, POINTS[profile])
    form, place = torch.diag(torch.tensor(CURVATURES).double()), torch.ones(3).double() / 3**0.5
    problem = Quadratic({"A": form[None], "xi": place[None], "law": "none", "half": True})
    gone = []
    for strength in pull:
        hyper = {"start": np.zeros(3), "pull": strength, "step_size": 1 / (1 + strength)}
        path = run(
            load_method("anchored"), problem, hyper, None, max(ROUNDS)
        ).theta  # (T + 1, 1, d)
        gone.append([float(path[t, 0].norm()) for t in ROUNDS])
    return {"pull": pull, "gone": np.array(gone), "bound": 1 / (1 + pull)}


def plot(data: dict[str, Any]) -> Figure:
    """The bound as a line, runs as marks."""
    figure, axes = panels(height=2.4)
    ax = axes[0, 0]
    ax.loglog(data["pull"], data["bound"], color="black", label="bound β/(β + λ)")
    for i, rounds in enumerate(ROUNDS):
        look = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": DASHES[i]}
        ax.plot(data["pull"], data["gone"][:, i], label=f"after {rounds} rounds", **look)
    ax.set_xlabel("pull λ/β")
    ax.set_ylabel("share of the way gone")
    ax.legend(loc="lower left")
    return figure


def caption(data: dict[str, Any]) -> str:
    """Largest distance over bound."""
    largest = (data["gone"] / data["bound"][:, None]).max()
    return f"""
    How far a model goes from its start towards the optimum within 2, 8 and 64 rounds (marks), and
    the bound of Theorem 1 (line), over the pull. One quadratic with curvatures 1, 1/2 and 1/8, the
    longest step. The largest distance is {largest:.3f} of the bound.
    """
