"""The ladder for three statements: what every rung found.

Each statement is put to the test here, at the quick profile of the command line; nothing is read
from a ledger.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from figures.style import BLACK, BLUE, GREEN, GREY, PURPLE, RED, panels
from verify.catalogue.library import library
from verify.ladder.assay import PROFILES, assay
from verify.verdict.evidence import RUNGS

TITLE = "The ladder, rung by rung, for three statements"
SEEDS = "0 (search and simulation)"
TOLERANCES: dict[str, tuple[float, float]] = {"worst": (1e-6, 0.0)}
KEYS = ("adaptive.def1.var", "adaptive.lemma1.repaired", "adaptive.theorem3")
USED = {"quick": "quick", "full": "default"}
COLOURS = {
    "proved": GREEN, "holds": BLUE, "violated": RED, "vacuous": PURPLE, "inconclusive": GREY,
    "not-checkable": GREY,
}  # fmt: skip


def compute(profile: str) -> dict[str, Any]:
    """One row of text for each rung and statement, and the verdicts."""
    known = library()
    cells = np.full((len(KEYS), len(RUNGS)), "", dtype="U60")
    verdicts, worst, reasons = [], [], []
    for i, key in enumerate(KEYS):
        statement = known.entry(key).claims[0]
        leaf = assay(statement, profile=PROFILES[USED[profile]])
        for one in leaf.evidence:
            cells[i, RUNGS.index(one.rung)] = _cell(one)
        verdicts.append(leaf.verdict)
        reasons.append(leaf.reason)
        ratios = [one.worst for one in leaf.evidence if one.worst is not None]
        worst.append(max(ratios, default=float("nan")))
    return {
        "cells": cells, "verdicts": np.array(verdicts), "worst": np.array(worst),
        "reasons": np.array(reasons), "keys": np.array(KEYS), "rungs": np.array(RUNGS),
    }  # fmt: skip


def plot(data: dict[str, Any]) -> Figure:
    """A column for each statement, rungs from below; the verdict on top."""
    used = [j for j in range(len(data["rungs"])) if (data["cells"][:, j] != "").any()]
    figure, axes = panels(height=0.42 * (len(used) + 1) + 0.5)
    ax = axes[0, 0]
    for i, verdict in enumerate(map(str, data["verdicts"])):
        colour = COLOURS[verdict]
        climbed = [place for place, j in enumerate(used) if data["cells"][i, j]]
        ax.plot([i, i], [min(climbed), len(used)], color=colour, linewidth=0.8, zorder=1)
        for place, j in enumerate(used):
            text = str(data["cells"][i, j])
            if text:
                ax.text(
                    i, place, text.replace("|", "\n"), ha="center", va="center", fontsize=5.8,
                    bbox={"boxstyle": "round,pad=0.3", "fc": "white", "ec": colour, "lw": 0.8},
                )  # fmt: skip
            else:
                ax.text(
                    i, place, "–", ha="center", va="center", color=GREY,
                    bbox={"fc": "white", "ec": "none", "pad": 1.0},
                )  # fmt: skip
        ax.text(
            i, len(used), verdict, ha="center", va="center", fontsize=7, color="white",
            weight="bold",
            bbox={"boxstyle": "round,pad=0.35", "fc": colour, "ec": BLACK, "lw": 0.5},
        )  # fmt: skip
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
    """Verdicts with their reasons."""
    said = "; ".join(
        f"{key}: {verdict} ({reason})"
        for key, verdict, reason in zip(
            data["keys"], data["verdicts"], data["reasons"], strict=True
        )
    )
    return f"""
    What each rung found for three statements of the adaptive paper, put to the test in this
    process: instances decided in favour out of those tried, largest left over right, mutants
    killed out of those counted. A dash: the rung was not needed or does not apply. {said}.
    """


def _cell(one: Any) -> str:
    """What a rung found, in two short lines."""
    if one.power:
        return f"{one.power['killed']} of {one.power['counted']}|killed"
    if one.rung == "units":
        return "agree" if "agree" in one.summary else "differ"
    if one.proof is not None:
        return "proof"
    if one.witness is not None:
        return "witness"
    if one.worst is not None:
        return f"{one.counted} of {one.tried}|max {one.worst:.4g}"
    return f"{one.counted} of {one.tried}" if one.tried else str(one.status)
