r"""Who should train with whom: five patterns of three clients, and the merges of six.

Three clients fit least squares: the first two share a task and have 20 and 80 % of its samples, the
third has another task and as many samples as both. Excess risks are exact,
:math:`\lVert w_G - \theta_i \rVert^2/2`. Six clients with the gradients given below show the greedy
partition at work, step by step.

Source: hcct, Figures 1 and 2, Table 2, Algorithm 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from algorithms.grouping.hcct_partition import Clients, greedy_partition
from bounds.numbers.shapes import Array
from figures.studies.hcct.groups import forced_merges
from figures.style import BLACK, BLUE, COLOURS, GREY, LEVEL, MARKERS, RED, letter, panels
from synthetic.grouped_tasks import three_clients

TITLE = "HCCT: patterns of three clients, and the partition of six step by step"
SEEDS = "0, 1, ... (samples of each draw)"
PATTERNS: dict[str, tuple[tuple[int, ...], ...]] = {
    "independent": ((0,), (1,), (2,)),
    "global": ((0, 1, 2),),
    "(1, 2)": ((0, 1), (2,)),
    "(1, 3)": ((0, 2), (1,)),
    "(2, 3)": ((1, 2), (0,)),
}
TOGETHER = 2  # index of the paper's best pattern
SCALE = 12
"""Samples of the first client."""
DRAWS = {"quick": 400, "full": 20000}
DEGREES = (0.0, 10.0, 25.0, 120.0, 135.0, 250.0)
"""Directions of the six clients' gradients: two kinds and one client of its own."""
ALPHA, SAMPLES = 1.0, 10.0
TOLERANCES = {"chosen": (0.0, 0.01)}


def compute(profile: str) -> dict[str, Any]:
    """Risks (patterns, clients), how often HCCT finds each pattern, merges and benefits."""
    draws = DRAWS[profile]
    risks = np.empty((len(PATTERNS), 3, draws))
    chosen = np.zeros(len(PATTERNS))
    names = list(PATTERNS.values())
    for r in range(draws):
        tasks = three_clients(SCALE, seed=r)
        forms = np.stack([x.T @ x for x, _ in tasks.tables])
        pulls = np.stack([x.T @ y for x, y in tasks.tables])
        for p, groups in enumerate(names):
            for group in groups:
                members = list(group)
                model = np.linalg.solve(forms[members].sum(0), pulls[members].sum(0))
                for k in members:
                    risks[p, k, r] = tasks.excess(k, model)
        gradients = -2 * pulls / tasks.sizes[:, None]  # at the model 0
        found = greedy_partition(Clients(gradients, tasks.sizes, float(SCALE)))
        chosen[[set(g) for g in names].index(set(found.groups))] += 1 / draws
    turn = np.deg2rad(DEGREES)
    six = Clients(np.stack([np.cos(turn), np.sin(turn)], 1), np.full(6, SAMPLES), ALPHA)
    path = forced_merges(six)
    totals = np.array([six.total(groups) for groups in path])
    return {
        "risk": risks.mean(-1),
        "half": LEVEL * risks.std(-1, ddof=1) / draws**0.5,
        "chosen": chosen,
        "draws": np.array(draws),
        "benefit": np.diff(totals),
        "steps": np.array(len(greedy_partition(six).merges)),
        "member": np.array([[_number(k, groups) for k in range(6)] for groups in path]),
    }


def plot(data: dict[str, Any]) -> Figure:
    """Risks by pattern, and the tree of merges."""
    figure, axes = panels(2, 1, height=4.6)
    top, bottom = axes[:, 0]
    place = np.arange(len(PATTERNS))
    for k in range(3):
        top.errorbar(
            place + 0.14 * (k - 1),
            data["risk"][:, k],
            data["half"][:, k],
            color=COLOURS[k],
            marker=MARKERS[k],
            linestyle="none",
            label=f"client {k + 1}",
            capsize=1.5,
            elinewidth=0.8,
        )
    top.plot(
        place,
        data["risk"].mean(1),
        color=BLACK,
        marker="_",
        markersize=14,
        linestyle="none",
        label="mean",
    )
    top.set_yscale("log")
    top.set_xticks(place, list(PATTERNS))
    top.set_ylabel("excess risk (label variance)")
    top.set_ylim(top=float(data["risk"].max()) * 6)
    top.legend(loc="upper left", ncols=4, columnspacing=0.8, handlelength=1.2)
    letter(top, "who trains together")
    _tree(bottom, data["member"], data["benefit"], int(data["steps"]))
    return figure


def caption(data: dict[str, Any]) -> str:
    """Claims of Table 2 and the steps of Figure 2 with the numbers."""
    risk, half, names = data["risk"], data["half"], list(PATTERNS)
    mean = risk.mean(1)
    best = names[int(mean.argmin())]
    own = risk.argmin(0)
    near = bool((risk[TOGETHER] - half[TOGETHER] <= risk.min(0) + half[own, range(3)]).all())
    steps, benefit = int(data["steps"]), data["benefit"]
    final = _groups(data["member"][steps])
    return f"""
    Above: least squares of three clients in four dimensions with {SCALE}, {4 * SCALE} and
    {5 * SCALE} samples, clients 1 and 2 with one task, client 3 with another; exact excess risks,
    mean and 95 % interval over {int(data["draws"])} draws. Claims of Table 2: best on average is
    (1, 2) with client 3 alone: {_word(best == names[TOGETHER])} ({mean[TOGETHER]:.3g}; independent
    {mean[0]:.3g}, global {mean[1]:.3g}); in it every client is at its best:
    {_word(near)}{" within the intervals" * near}; client 1 suffers from training alone:
    {_word(risk[0, 0] > risk[0, 1])} ({risk[0, 0]:.3g} against {risk[TOGETHER, 0]:.3g}); one
    federation degrades client 3: {_word(risk[1, 2] > risk[0, 2])} ({risk[0, 2]:.3g} to
    {risk[1, 2]:.3g}); pairing clients 1 and 3 can impair severely:
    {_word(risk[3, 0] > 2 * risk[0, 0])} (client 1 has {risk[3, 0] / risk[0, 0]:.3g} times its
    error alone; the worst mean is that of {names[int(mean.argmax())]}, {mean.max():.3g}, in the
    paper that of (1, 3), which has {mean[3]:.3g} here). HCCT with α = {SCALE} chooses (1, 2)
    in {data["chosen"][TOGETHER]:.1%} of the draws. Below: six clients with gradients at
    {", ".join(f"{d:g}" for d in DEGREES)} degrees, {SAMPLES:g} samples each, α = {ALPHA:g}; benefit
    of every merge, as in Figure 2: {steps} merges with a benefit
    ({", ".join(f"{b:.2f}" for b in benefit[:steps])}), then the best one left has
    {benefit[steps]:.2f} and the partition stops at {final} (the paper's example:
    {_word(final == "{1, 2, 3}, {4, 5}, {6}")}).
    """


def _tree(ax: Any, member: Array, benefit: Array, steps: int) -> None:
    """Merges from left to right, those without benefit dashed."""
    centre: dict[tuple[int, ...], tuple[float, float]] = {(k,): (0.0, float(k)) for k in range(6)}
    for step, gain in enumerate(benefit, start=1):
        old, new = _parts(member[step - 1]), _parts(member[step])
        pair, union = sorted(old - new), next(iter(new - old))
        colour, dashes = (BLUE, "-") if step <= steps else (GREY, (0, (3, 2)))
        heights = [centre[part][1] for part in pair]
        middle = sum(heights) / 2
        for part in pair:
            x, y = centre[part]
            ax.plot([x, step, step], [y, y, middle], color=colour, linestyle=dashes)
        ax.annotate(
            f"{gain:.2f}",
            (step, middle),
            xytext=(2, 1.5),
            textcoords="offset points",
            fontsize=6,
            va="bottom",
            color=colour,
        )
        centre[union] = (float(step), middle)
    ax.axvline(steps + 0.75, color=RED, linewidth=0.9, linestyle=(0, (5, 1.5)))
    ax.annotate(
        "stop",
        (steps + 0.75, -0.4),
        xytext=(-2, 0),
        textcoords="offset points",
        fontsize=6,
        color=RED,
        ha="right",
    )
    ax.set_xlim(0, len(benefit) + 0.7)
    ax.set_ylim(5.6, -0.7)
    ax.set_yticks(range(6), [f"{d:g}°" for d in DEGREES])
    ax.set_ylabel("direction of the gradient")
    ax.set_xlabel("merge, with its benefit B")
    letter(ax, "six clients, merge by merge")


def _number(k: int, groups: Any) -> int:
    """Smallest client of the group of client k."""
    return int(min(next(group for group in groups if k in group)))


def _parts(row: Array) -> set[tuple[int, ...]]:
    return {tuple(np.flatnonzero(row == k).tolist()) for k in set(row.tolist())}


def _groups(row: Array) -> str:
    return ", ".join(
        "{" + ", ".join(str(k + 1) for k in part) + "}" for part in sorted(_parts(row))
    )


def _word(seen: Any) -> str:
    return "seen" if seen else "not seen"
