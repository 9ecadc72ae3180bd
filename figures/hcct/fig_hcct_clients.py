r"""HCCT's test error with the number of groups fixed by hand, for ten to fifty clients.

The federation of `figures.hcct.fig_hcct`: five kinds of least squares, merged by largest benefit
until the number of groups asked for is left; every group pools its samples. Test errors are exact.

Source: hcct, Figure 6.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from algorithms.grouping.hcct_partition import Clients
from figures.hcct.fig_hcct import DIM, KINDS, federation, pooled_error
from figures.studies.hcct.groups import forced_merges
from figures.style import COLOURS, DASHES, LEVEL, MARKERS, band, letter, panels

TITLE = "HCCT: test error by the number of groups and of clients"
SEEDS = "127 (samples and parameters of all draws)"
COUNTS = (10, 20, 30, 40, 50)
GROUPS = (1, 2, 5, 10, 0)
"""Numbers of groups of the paper; 0 stands for one group per client."""
SIZES = (16, 50)
DRAWS = {"quick": 20, "full": 200}
TOLERANCES: dict[str, tuple[float, float]] = {}


def compute(profile: str) -> dict[str, Any]:
    """Errors and half widths of their intervals, (sizes, groups, numbers of clients)."""
    draws = DRAWS[profile]
    errors = np.empty((len(SIZES), len(GROUPS), len(COUNTS), draws))
    for i, size in enumerate(SIZES):
        for j, count in enumerate(COUNTS):
            rng = np.random.default_rng([127, size, count])
            for r in range(draws):
                forms, pulls, truth, gradients = federation(rng, size, count)
                sizes = np.full(count, float(size))
                path = forced_merges(Clients(gradients, sizes, float(size)))
                for k, number in enumerate(GROUPS):
                    groups = path[count - (number or count)]
                    errors[i, k, j, r] = pooled_error(groups, forms, pulls, truth)
    half = LEVEL * errors.std(-1, ddof=1) / draws**0.5
    return {
        "sizes": np.array(SIZES),
        "groups": np.array(GROUPS),
        "clients": np.array(COUNTS),
        "draws": np.array(draws),
        "error": errors.mean(-1),
        "half": half,
    }


def plot(data: dict[str, Any]) -> Figure:
    """One panel for each number of samples."""
    figure, axes = panels(2, 1, height=4.4, sharex=True)
    clients = data["clients"]
    for i, (ax, size) in enumerate(zip(axes[:, 0], data["sizes"], strict=True)):
        for k, number in enumerate(data["groups"]):
            mean, half = data["error"][i, k], data["half"][i, k]
            ax.semilogy(
                clients,
                mean,
                color=COLOURS[k],
                linestyle=DASHES[k],
                marker=MARKERS[k],
                label=f"K = {number or 'N'}",
            )
            band(ax, clients, np.maximum(mean - half, mean / 10), mean + half, COLOURS[k])
        ax.set_ylabel("excess test error (label variance)")
        letter(ax, f"{size} samples each")
    axes[1, 0].set_xlabel("clients N")
    axes[1, 0].set_xticks(clients)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, columnspacing=1.0)
    return figure


def caption(data: dict[str, Any]) -> str:
    """The claim with the numbers."""
    said, limited = [], []
    for i, size in enumerate(data["sizes"]):
        error = data["error"][i]
        best = error.argmin(0)
        names = [int(data["groups"][k]) for k in best]
        # between one federation and everybody alone, at every number of clients
        limited.append(all(1 < (k or n) < n for k, n in zip(names, data["clients"], strict=True)))
        least = error[best, np.arange(error.shape[1])]
        where = ", ".join(
            f"K = {k or 'N'} for N = {n}" for k, n in zip(names, data["clients"], strict=True)
        )
        said.append(
            f"with {size} samples each the least error is at {where}; a single federation has "
            f"{(error[0] / least).min():.3g} to {(error[0] / least).max():.3g} times that error, "
            f"everybody alone {(error[-1] / least).min():.3g} to "
            f"{(error[-1] / least).max():.3g} times"
        )
    seen = "seen" if all(limited) else "not seen"
    return f"""
    Clients of {KINDS} kinds, least squares in {DIM} dimensions, labels of variance 1, merged by
    largest benefit (α equal to a client's number of samples, gradients at a common model) until K
    groups are left, pooled within groups; exact excess test error averaged over clients, mean and
    95 % band over {int(data["draws"])} draws. Claim of Figure 6, clients do best with a limited
    number of others and not in one federation: {seen} here ({"; ".join(said)}). The paper's data
    are images of five data sets, these are synthetic with as many kinds.
    """
