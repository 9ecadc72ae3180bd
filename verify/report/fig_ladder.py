"""The ladder for three statements: what every rung found.

Each statement is put to the test here, at the quick profile of the command line; nothing is read
from a ledger.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.style import BLACK, BLUE, GREEN, GREY, PURPLE, RED, panels
from verify.catalogue.library import library
from verify.ladder import PROFILES, assay
from verify.verdict.evidence import RUNGS, Evidence

TITLE = "The ladder, rung by rung, for three statements"
SEEDS = "0 (search and simulation)"
TOLERANCES: dict[str, tuple[float, float]] = {
    "worst": (1e-6, 0.0),
    # how many points a search tries follows from what it meets: its effort is compared, not a count
    "counts": (0.5, 2.0),
}
KEYS = ("adaptive.def1.var", "adaptive.lemma1.repaired", "adaptive.theorem3")
USED = {"quick": "quick", "full": "default"}
COLOURS = {
    "proved": GREEN,
    "holds": BLUE,
    "violated": RED,
    "vacuous": PURPLE,
    "inconclusive": GREY,
    "not-checkable": GREY,
}


def compute(profile: str) -> dict[str, Any]:
    """What each rung found of each statement, in words and counts, and the verdicts."""
    known = library()
    shape = len(KEYS), len(RUNGS)
    found, counts = np.full(shape, "", dtype="U20"), np.zeros((*shape, 2), dtype=np.int64)
    worst = np.full(shape, np.nan)
    leaves = []
    for i, key in enumerate(KEYS):
        budget = replace(PROFILES[USED[profile]], ladders=0, mends=0)  # neither laws nor mends
        leaf = assay(known.entry(key).claims[0], profile=budget)
        for one in leaf.evidence:
            at = i, RUNGS.index(one.rung)
            found[at], counts[at] = _found(one), _counts(one)
            worst[at] = np.nan if one.worst is None else one.worst
        leaves.append(leaf)
    return {
        "found": found,
        "counts": counts,
        "worst": worst,
        "verdicts": np.array([leaf.verdict for leaf in leaves]),
        "decided": np.array([leaf.rung for leaf in leaves]),
        "keys": np.array(KEYS),
        "rungs": np.array(RUNGS),
    }


def plot(data: dict[str, Any]) -> Figure:
    """A column for each statement, rungs from below; the verdict on top."""
    used = [j for j in range(len(data["rungs"])) if (data["found"][:, j] != "").any()]
    figure, axes = panels(height=0.42 * (len(used) + 1) + 0.5)
    ax = axes[0, 0]
    for i, verdict in enumerate(map(str, data["verdicts"])):
        colour = COLOURS[verdict]
        climbed = [place for place, j in enumerate(used) if data["found"][i, j]]
        ax.plot([i, i], [min(climbed), len(used)], color=colour, linewidth=0.8, zorder=1)
        for place, j in enumerate(used):
            text = _cell(data, i, j)
            if text:
                ax.text(
                    i,
                    place,
                    text,
                    ha="center",
                    va="center",
                    fontsize=5.8,
                    bbox={"boxstyle": "round,pad=0.3", "fc": "white", "ec": colour, "lw": 0.8},
                )
            else:
                ax.text(
                    i,
                    place,
                    "–",
                    ha="center",
                    va="center",
                    color=GREY,
                    bbox={"fc": "white", "ec": "none", "pad": 1.0},
                )
        ax.text(
            i,
            len(used),
            verdict,
            ha="center",
            va="center",
            fontsize=7,
            color="white",
            weight="bold",
            bbox={"boxstyle": "round,pad=0.35", "fc": colour, "ec": BLACK, "lw": 0.5},
        )
    ax.set_xlim(-0.55, len(data["keys"]) - 0.45)
    ax.set_ylim(-0.6, len(used) + 0.5)
    rungs = [str(data["rungs"][j]) for j in used]
    ax.set_yticks(range(len(used) + 1), [*rungs, "verdict"])
    names = [str(k).removeprefix("adaptive.") for k in data["keys"]]
    ax.set_xticks(range(len(names)), names)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    return figure


def caption(data: dict[str, Any]) -> str:
    """Verdicts, and the rungs that they rest on."""
    said = "; ".join(
        f"{key}: {verdict}, decided by the rung {rung}"
        for key, verdict, rung in zip(data["keys"], data["verdicts"], data["decided"], strict=True)
    )
    return f"""
    What each rung found for three statements of the adaptive paper, put to the test in this
    process: instances decided in favour out of those tried, largest left over right, mutants
    killed out of those counted. A dash: the rung was not needed or does not apply. {said}.
    """


def _found(one: Evidence) -> str:
    """What a rung found, in a word."""
    if one.power:
        return "killed"
    if one.rung == "units":
        return "agree" if "agree" in one.summary else "differ"
    if one.proof is not None:
        return "proof"
    if one.witness is not None:
        return "witness"
    return "counted" if one.tried else str(one.status)


def _counts(one: Evidence) -> tuple[int, int]:
    """Mutants killed and counted, or instances in favour and tried."""
    if one.power:
        return one.power["killed"], one.power["counted"]
    return one.counted, one.tried


def _cell(data: dict[str, Any], i: int, j: int) -> str:
    """What a rung found, in two short lines."""
    word, (some, tried), worst = str(data["found"][i, j]), data["counts"][i, j], data["worst"][i, j]
    if word == "killed":
        return f"{some} of {tried}\nkilled"
    if word == "counted":
        return f"{some} of {tried}" + ("" if np.isnan(worst) else f"\nmax {worst:.4g}")
    return word
