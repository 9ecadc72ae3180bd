"""Worst case of a round of federated methods against local steps and heterogeneity."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.style import COLOURS, DASHES, MARKERS, panels
from verify.worst_case import SmoothStronglyConvex, solved
from verify.worst_case.federated import fedavg, fedprox, scaffold

TITLE = "Worst case of a federated round against local steps and heterogeneity"
SEEDS = "none"
TOLERANCES: dict[str, tuple[float, float]] = dict.fromkeys(
    ("fedavg", "scaffold", "fedprox"), (1e-5, 1e-7)
)
LOSSES = SmoothStronglyConvex(Fraction(1, 10), 1)
"""Losses of all clients: mu = 1/10, L = 1."""
TRAVEL = Fraction(1, 2)
"""Local steps times their size, length^2 / loss: the same for each number of local steps."""
SPREADS = (0, Fraction(1, 4), 1, 4)
"""Bounds on the mean squared gradient at x*, the start at most 1 from it in squared distance."""
STEPS = {"quick": (1, 2, 3, 4, 5), "full": (1, 2, 3, 4, 5, 6, 8, 10)}


def compute(profile: str) -> dict[str, Any]:
    """Largest squared distance after a round, (spreads, local steps), for any number of clients."""
    counts = STEPS[profile]

    def averaged(count: int, spread: Any) -> float:
        return solved(fedavg(LOSSES, step=TRAVEL / count, local_steps=count, spread=spread)).value

    def corrected(count: int) -> float:
        weight = (
            TRAVEL**2
        )  # a control variate that is off by d moves a round by at most this times d^2
        made = scaffold(LOSSES, step=TRAVEL / count, local_steps=count, weight=weight)
        return solved(made).value

    return {
        "counts": np.array(counts),
        "spreads": np.array([float(s) for s in SPREADS]),
        "fedavg": np.array([[averaged(count, spread) for count in counts] for spread in SPREADS]),
        "scaffold": np.array([corrected(count) for count in counts]),
        "fedprox": np.array(
            [solved(fedprox(LOSSES, step=TRAVEL, spread=s)).value for s in SPREADS]
        ),
    }


def plot(data: dict[str, Any]) -> Figure:
    """A line for each heterogeneity; FedProx as marks at the right; SCAFFOLD in its own panel."""
    figure, axes = panels(columns=2, height=2.3, sharex=True)
    left, right = axes[0]
    counts = data["counts"]
    for k, (spread, line) in enumerate(zip(data["spreads"], data["fedavg"], strict=True)):
        look = {"color": COLOURS[k], "marker": MARKERS[k], "markersize": 3}
        left.plot(counts, line, linestyle=DASHES[k], label=f"{spread:g}", **look)
        left.plot([counts[-1] + 1], [data["fedprox"][k]], fillstyle="none", **look)
    left.set_xlabel("local steps K, FedProx last")
    left.set_ylabel("largest |x - x*|² after a round")
    left.legend(title="mean |∇f_i(x*)|²", fontsize=5, title_fontsize=5)
    right.plot(counts, data["scaffold"], color=COLOURS[0], marker=MARKERS[0], markersize=3)
    right.set_xlabel("local steps K")
    right.set_ylabel("SCAFFOLD: potential after a round")
    return figure


def caption(data: dict[str, Any]) -> str:
    """What local steps cost where clients differ."""
    alike, unlike = data["fedavg"][0], data["fedavg"][-1]
    many = int(data["counts"][-1])
    return f"""
    Worst case of one round over all clients' losses with curvature between 1/10 and 1, any
    number of clients, K local steps of size 1/(2K), start within distance one of the average's
    minimiser. Left: FedAvg by the mean squared gradient there, and FedProx of parameter 1/2 at the
    right. With alike clients {many} local steps end at {alike[-1]:.4f} where one ends at
    {alike[0]:.4f}; at heterogeneity {data["spreads"][-1]:g} at {unlike[-1]:.4f} and
    {unlike[0]:.4f}. Right: SCAFFOLD's potential, distance plus 1/4 of the squared error of the
    control variates, from {data["scaffold"][0]:.4f} to {data["scaffold"][-1]:.4f}.
    """
