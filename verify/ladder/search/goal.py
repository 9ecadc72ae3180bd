"""What a search maximises: the ratio of both sides where the hypotheses hold, and how to get there.

`goal` ranks instances; `heights` and `margins` give an ascent something smooth to climb.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.generic import to_float
from verify.ladder.search import tuning
from verify.ladder.search.pool import Pool
from verify.verdict.relation import LARGEST, ROUNDING
from verify.world.score import Score

Array = np.ndarray[Any, Any]


def goal(pool: Pool, result: Score, ratio: Array) -> Array:
    """What the search maximises, (B,): above 1 means found.

    For a claim about all instances the given (steady) ratio left/right; for a claim that some
    instance exists its inverse; below zero, the missed margins, where a hypothesis fails.
    """
    if pool.statement.quantifier == "some":
        with np.errstate(divide="ignore"):
            ratio = 1 / ratio
    ratio = np.minimum(np.nan_to_num(ratio, nan=0.0, posinf=LARGEST), LARGEST)
    shortfall = np.minimum(result.shortfall, LARGEST)
    return np.asarray(np.where(shortfall <= 0, ratio, -1.0 - shortfall))


def hits(pool: Pool, value: float) -> bool:
    """Whether a goal value is worth a referee."""
    return value >= 1 - ROUNDING if pool.statement.quantifier == "some" else value > 1 + ROUNDING


@np.errstate(all="ignore")
def heights(pool: Pool, result: Score, ratio: Array) -> Array:
    """Logarithm of the ratio whether or not the hypotheses hold, (B,); -inf where it has none.

    Of an equality, the logarithm of the relative difference: the ratio is 1 plus it.  Of a claim
    whose ratio is nothing or everything (a term is not negative), what is missing to the other
    sign, on a logarithmic scale below all ratios.
    """
    if pool.statement.quantifier == "some":
        found = -np.log(ratio)
    else:
        found = np.log(ratio - 1 if result.relation == "==" else ratio)
    found = np.minimum(np.nan_to_num(found, nan=-np.inf, posinf=tuning.HIGHEST), tuning.HIGHEST)
    found = np.where(found < -tuning.HIGHEST, -np.inf, found)
    return np.asarray(np.maximum(found, _below(result)) if of_one_sign(pool, result) else found)


def of_one_sign(pool: Pool, result: Score) -> bool:
    """Whether no ratio says how near an instance is, since one side has been 0 on all of them.

    That is the smaller side, or where an instance is asked for the larger one.
    """
    if result.relation == "==" or pool.statement.over == "prob":
        return False
    extent, some = pool.tally.extent, pool.statement.quantifier == "some"
    side = extent.left if (result.relation == "<=") != some else extent.right
    return side == (0.0, 0.0)


def _below(result: Score) -> Array:
    """Height of an instance by the side that is not 0: the smaller it is, the nearer a hit."""
    gap = np.abs(to_float(result.left) - to_float(result.right)).min(axis=1)
    lost = -np.clip(np.log(gap), -tuning.HIGHEST, tuning.LOWEST)
    return np.where(gap > 0, lost - tuning.HIGHEST - 1, -np.inf)


def lifted(pool: Pool, height: float) -> bool:
    """Whether a height is that of a hit."""
    if pool.statement.quantifier == "some":
        return bool(height >= -ROUNDING)
    return bool(height > (np.log(ROUNDING) if pool.statement.relation == "==" else ROUNDING))


def margins(result: Score) -> Array:
    """Least margin of each hypothesis over the outcomes, (B, K); very negative where undefined."""
    count = len(result.ratio)
    columns = []
    for margin in result.margins.values():
        value = to_float(margin)
        value = np.where(np.isnan(value), -LARGEST, value).min(axis=1)
        columns.append(np.broadcast_to(np.clip(value, -LARGEST, LARGEST), (count,)))
    return np.stack(columns, axis=1) if columns else np.zeros((count, 0))
