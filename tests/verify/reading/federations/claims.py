"""Claims about short runs of All-for-one, for the tests of how they are read and proved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from verify.claim import Hypothesis, Statement, statement
from verify.statements.adaptive import quantities as q
from verify.world.world import World

Side = Callable[[World], Any]
SIZES = ((1, 1, 1), (2, 1, 1), (1, 1, 2))
FAMILY = q.runs(SIZES, q.PRECISION)
SHORT = (*q.ADMISSIBLE, q.at_most_inverse_mu)


def claim(left: Side, right: Side, given: Sequence[Hypothesis] = SHORT, **more: Any) -> Statement:
    """A claim on means over short runs."""
    fields: dict[str, Any] = {"family": FAMILY, "defines": q.CONSTANT_STEP, "over": "mean", **more}
    made = statement("runs.claim", where="here", latex="", given=given, **fields)
    return made(lambda w: (left(w), right(w)))
