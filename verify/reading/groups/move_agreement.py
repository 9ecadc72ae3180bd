"""Whether what is read of the last epoch, or of the way there, is what exact runs give.

Both sides in the mean and the hypotheses, and what is taken for known of every epoch and client, on
every outcome: what smoothness says of its move and of its gradients, and how it moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.reading.groups.agreement import (
    looked_at,
    margins_agree,
    noisy,
    parameters_agree,
    spread_out,
)
from verify.reading.groups.exact import Array, ExactTraining
from verify.reading.groups.moves import HERE, MovesRead
from verify.reading.groups.reading import GroupRuns
from verify.reading.parts.values import equal

__all__ = ["move_along", "moves_agree"]

PAIRS = {HERE["gap"], HERE["moved_i"]}
"""What two clients are needed for."""


def moves_agree(setting: GroupRuns, read: MovesRead, runs: list[ExactTraining]) -> bool:
    """Whether the formulas, and what is taken for known, are what runs give, some with noise."""
    way, fewest = read.left is None, min(run.clients for run in runs)
    enough = fewest > 1 or not (way or read.symbols & PAIRS)
    return (
        enough
        and noisy(runs)
        and (not way or (max(run.epochs for run in runs) > 1 and _from_one_model(runs)))
        and all(
            _sides(run, read) and parameters_agree(setting, run) and _smooth(run) for run in runs
        )
    )


def move_along(runs: list[ExactTraining]) -> bool:
    """Whether all moves are the step along the update, on every outcome."""
    return all(
        np.array_equal(move_of(run, t), run.step * spread_out(run.updates(t), run))
        for run in runs
        for t in looked_at(run)
    )


def move_of(run: ExactTraining, t: int) -> Array:
    """From the model to the next one, with its sign changed."""
    return spread_out(run.models[t], run) - spread_out(run.models[t + 1], run)


def _from_one_model(runs: list[ExactTraining]) -> bool:
    return move_along(runs) and not any(
        np.any(run.models[0][:, 0] != run.models[0][:, 1]) for run in runs
    )


def _sides(run: ExactTraining, read: MovesRead) -> bool:
    """Both sides in the mean, and the hypotheses."""
    t = run.last
    if read.left is None:
        model = spread_out(run.models[t], run)
        left = (model[:, 0] - model[:, 1]) ** 2
        turns = [spread_out(run.updates(s), run) for s in range(t)]
        right = (run.at(read.right, t) * sum(u[:, 0] - u[:, 1] for u in turns)) ** 2
    else:
        more: dict[Any, Any] = {(str(HERE[w]), ()): v for w, v in _here(run, t).items()}
        left, right = (run.at(e, t, more) for e in (read.left, read.right))
    return (
        equal(_mean(run, left), run.sides[0])
        and equal(_mean(run, right), run.sides[1])
        and margins_agree(run, read.margins)
    )


def _here(run: ExactTraining, t: int) -> dict[str, Array]:
    """What `HERE` names, on every outcome."""
    own, crossed = run.gradients(t), run.crossed(t)
    found = {
        "value_i": run.values(t),
        "after_i": run.values(t + 1),
        "gradient_i": own,
        "group_i": run.told_groups(t),
        "update_i": run.updates(t),
        "move_i": -move_of(run, t),
    }
    known = {word: spread_out(x, run)[:, 0] for word, x in found.items()}
    if run.clients > 1:
        model = spread_out(run.models[t], run)
        known["gap"] = model[:, 0] - model[:, 1]
        moved = own[:, 0] - crossed[:, 0, 1]
        known["moved_i"] = np.broadcast_to(moved, (len(run.share),))
    return known


def _mean(run: ExactTraining, x: Any) -> Any:
    value = np.ravel(np.asarray(x, dtype=object))
    return (run.share * value).sum() if len(value) > 1 else value[0]


def _smooth(run: ExactTraining) -> bool:
    """What smoothness says of every epoch and client, and that gradients are where they are."""
    for t in looked_at(run):
        own, crossed = run.gradients(t), run.crossed(t)
        move = -move_of(run, t)
        most = run.values(t) + own * move + run.upper * move**2 / 2
        gaps = (own[:, :, None] - crossed) ** 2
        if np.any(run.values(t + 1) > most) or np.any(gaps > run.upper**2 * run.distances(t)):
            return False
        if np.any(np.diagonal(crossed, axis1=1, axis2=2) != own):
            return False
    return bool(run.upper > 0)
