"""What happens inside the event of a high-probability claim, outcome by outcome and exactly.

The witness of such a claim compares a probability with a level; a reader needs both sides on the
outcomes that this probability is made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.numbers.shapes import Array
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ledger.decided import decided
from verify.world.noise_plan import AllOutcomes, NotAvailable
from verify.world.referee import CAP, exact_instance
from verify.world.score import event, exceeds
from verify.world.world import World

__all__ = ["Inside", "Outcome", "inside"]


@dataclass(frozen=True)
class Outcome:
    """One outcome of the noise: its name, its probability, and both sides there."""

    name: str
    probability: Any
    left: Any
    right: Any


@dataclass(frozen=True)
class Inside:
    """The outcomes of one instance.

    Parameters
    ----------
    exceeding : tuple of Outcome
        Those with left > right, the most probable first.
    count : int
        Number of all outcomes.
    terms : tuple of mappings
        Named terms of both sides on the first of ``exceeding``, as the statement gives them.
    """

    exceeding: tuple[Outcome, ...]
    count: int
    terms: tuple[Mapping[str, Any], Mapping[str, Any]]


def inside(statement: Statement, instance: Instance) -> Inside | None:
    """Both sides on every outcome in exact arithmetic.

    Parameters
    ----------
    statement : Statement
    instance : Instance
        Without leading axis.

    Returns
    -------
    Inside or None
        None unless the claim is about a probability, its outcomes can be listed, and some outcome
        exceeds the bound.
    """
    if statement.over != "prob" or statement.sides is None:
        return None
    batch, noise = exact_instance(instance).batched(), AllOutcomes(CAP)
    return decided(
        lambda: _listed(statement, World(batch, "exact", noise, statement.defines)),
        (NotAvailable,),
    )


def _listed(statement: Statement, world: World) -> Inside | None:
    assert statement.sides is not None
    left, right, _ = event(statement, world)
    over = np.asarray(exceeds(left, right, world), dtype=bool)
    count = max(over.shape[1], world.weights.shape[1])
    rows = np.flatnonzero(np.broadcast_to(over, (1, count))[0])
    if not rows.size:
        return None
    names = world.outcome_names or [f"outcome {k + 1} of {count}" for k in range(count)]
    weight = [_at(world.weights, k) for k in range(count)]
    likely = sorted(rows.tolist(), key=lambda k: -float(weight[k]))
    exceeding = [Outcome(names[k], weight[k], _at(left, k), _at(right, k)) for k in likely]
    first = likely[0]
    terms = tuple({k: _at(v, first) for k, v in side.items()} for side in statement.sides(world))
    return Inside(tuple(exceeding), count, (terms[0], terms[1]))


def _at(value: Array, k: int) -> Any:
    """A number, or that of one outcome."""
    if not isinstance(value, np.ndarray) or value.ndim == 0:
        return value.item() if isinstance(value, np.ndarray) else value
    flat = value.reshape(-1) if value.ndim == 1 else value[0]
    return flat[k if len(flat) > 1 else 0]
