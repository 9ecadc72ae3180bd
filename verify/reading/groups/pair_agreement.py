"""Whether what is read of two clients in groups is what exact runs give.

Both sides in the mean and the hypotheses, and what is taken for known: that both begin at one
model and move along their updates, whose means, given what was before, are the mean gradients of
their groups; their noise; and how unlike gradients of both are at the members' models.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.reading.groups.agreement import (
    courses,
    looked_at,
    margins_agree,
    noisy,
    parameters_agree,
    spread_out,
)
from verify.reading.groups.exact import Array, ExactTraining
from verify.reading.groups.pairs import GAPS, PAIR, WORDS, PairRead
from verify.reading.groups.reading import SIGMA, GroupRuns
from verify.reading.parts.values import equal

__all__ = ["pairs_agree"]


def pairs_agree(setting: GroupRuns, read: PairRead, runs: list[ExactTraining]) -> bool:
    """Whether the formulas, and what is taken for known, are what runs give, some with noise."""
    many = [run for run in runs if run.clients > 1]
    met = {_one_group(run, t) for run in many for t in range(run.last)}
    return (
        len(many) == len(runs)
        and False in met
        and noisy(runs)
        and all(
            _sides(run, read)
            and parameters_agree(setting, run)
            and np.all(_gap(run.models[0]) == 0)
            and all(_epoch(run, t) for t in looked_at(run))
            for run in runs
        )
    )


def _gap(x: Array) -> Array:
    """What both differ in, on every outcome."""
    return np.asarray(x[:, 0] - x[:, 1])


def _one_group(run: ExactTraining, t: int) -> bool:
    return bool(run.weights(t)[0, 1] != 0)


def _sides(run: ExactTraining, read: PairRead) -> bool:
    """Both sides in the mean, and the hypotheses."""
    before = range(run.last)
    right = sum(_mean(run, read.right, t) for t in before)
    left = _mean(run, read.left, run.last)
    if read.distance:
        right = run.last * right
    else:
        left = sum(_mean(run, read.left, t) for t in before)
    return (
        equal(left, run.sides[0])
        and equal(right, run.sides[1])
        and margins_agree(run, read.margins)
    )


def _mean(run: ExactTraining, e: Any, t: int) -> Any:
    """The mean of a formula about an epoch."""
    parts = dict(zip(WORDS, (run.models[t], run.updates(t), run.groups(t)), strict=False))
    squares = {word: _gap(x) ** 2 for word, x in parts.items()}
    crossed = run.crossed(t)
    rows = (run.weights(t)[0] * (crossed[:, 0] - crossed[:, 1])).sum(-1)
    more: Any = {(str(GAPS[word]), ()): square for word, square in squares.items()}
    more[str(GAPS["crossed"]), ()] = rows**2
    if run.similar is not None:
        more[str(PAIR), ()] = run.similar[0, 1]
    value = np.ravel(run.at(e, t, more))
    return (run.share * value).sum() if len(value) > 1 else value[0]


def _epoch(run: ExactTraining, t: int) -> bool:
    """The updates of an epoch, given each course of the epochs before."""
    update, slope = spread_out(run.updates(t), run), spread_out(run.groups(t), run)
    moved = spread_out(run.models[t], run) - spread_out(run.models[t + 1], run)
    if not np.array_equal(moved, run.step * update):
        return False
    crossed = run.crossed(t)
    if run.similar is not None and np.any((crossed[:, 0] - crossed[:, 1]) ** 2 > run.similar[0, 1]):
        return False
    noise = update - slope
    if _one_group(run, t):
        alike = np.array_equal(run.weights(t)[0], run.weights(t)[1])
        return alike and not np.any(_gap(update)) and not np.any(_gap(slope))
    return all(_noise(run, noise, chosen) for chosen in courses(run, t))


def _noise(run: ExactTraining, noise: Array, chosen: list[int]) -> bool:
    """The noise of both updates on these outcomes: mean zero, bounded, without correlation."""
    share = run.share[chosen] / run.share[chosen].sum()
    own, other = (noise[chosen, i] for i in (0, 1))
    most = run.known[SIGMA, ()] ** 2
    return bool(
        (share * own).sum() == 0
        and (share * other).sum() == 0
        and (share * own * other).sum() == 0
        and (share * own**2).sum() <= most
        and (share * other**2).sum() <= most
    )
