"""Whether a claim about a run is about its method: the run is exchanged for one of a control.

A claim that stands whatever the method does (it stands still, jumps, trains alone, averages all or
a group drawn at random) says something of the instances, or of weights at a point, and nothing of
what moves the models.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.statement import Statement
from verify.ladder.price import tuning
from verify.ladder.search.pool import Pool
from verify.verdict.evidence import Evidence
from verify.world.controls import CONTROLS
from verify.world.noise_plan import WITHOUT_VALUE
from verify.world.score import Score, score_world

__all__ = ["look_at_method"]


def look_at_method(pools: list[Pool]) -> Evidence:
    """Which controls satisfy the claim on the instances that were kept.

    Parameters
    ----------
    pools : list of Pool
        Of all families, after their searches.

    Returns
    -------
    Evidence
        Of the rung ``method``: ``fall``, the controls that break the claim; ``stand``, those that
        satisfy it on every instance; ``without``, those that have no value anywhere.
    """
    statement = pools[0].statement
    made = [result for pool in pools for result in pool.kept if result.world.runs]
    made = [result for result in made if result.feasible.any()]
    if not made:
        return Evidence("method", "reported", "no run of a method is part of the claim")
    told: dict[str, list[str]] = {"fall": [], "stand": [], "without": []}
    counted = 0
    for control in CONTROLS:
        word, met = _under(statement, made[: tuning.CONTROL_BATCHES], control)
        told[word].append(control)
        counted = max(counted, met)
    return Evidence("method", "reported", _said(told, counted), tried=counted, details=dict(told))


def _said(told: dict[str, list[str]], counted: int) -> str:
    if told["fall"]:
        also = f"; satisfied by {' and '.join(told['stand'])}" if told["stand"] else ""
        return f"broken by {' and '.join(told['fall'])}{also}"
    return f"no control breaks it on {counted} instances ({', '.join(told['stand']) or 'none'})"


def _under(statement: Statement, made: list[Score], control: str) -> tuple[str, int]:
    """Whether the claim falls or stands under a control, and on how many instances.

    Hypotheses about the run are those of the control's run.
    """
    met = 0
    for result in made:
        found = _scored(statement, result, control)
        if found is None:
            continue
        rows = found.feasible
        met += int(rows.sum())
        if (found.ratio[rows] > 1 + tuning.CLEARLY_BROKEN).any():
            return "fall", met
    return ("stand" if met else "without"), met


def _scored(statement: Statement, result: Score, control: str) -> Score | None:
    try:
        with unchecked(), np.errstate(all="ignore"):
            other: Any = result.world.exchanged(control)
            return score_world(statement, other)
    except WITHOUT_VALUE:
        return None  # other gradients are drawn than the method draws, say
