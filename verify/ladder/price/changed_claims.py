"""Claims made of a claim.

Without a term of its bound, with a bound put in between, with one hypothesis turned round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.hypothesis import Hypothesis
from verify.claim.statement import Sides, Statement
from verify.world.returned import evaluated
from verify.world.world import World

__all__ = ["standing_still", "turned_round", "with_bound", "without"]

Bound = Callable[[World], Mapping[str, Any]]


def without(statement: Statement, names: Collection[str]) -> Statement:
    """The smaller claim: its bound without some of its named terms."""
    side = statement.bound_side

    def fewer(world: World) -> Sides:
        both = _sides(statement, world)
        kept = {name: term for name, term in both[side].items() if name not in names}
        kept = kept or {"nothing": 0}
        return (kept, both[1]) if side == 0 else (both[0], kept)

    return _derived(statement, fewer)


def with_bound(statement: Statement, bound: Bound) -> tuple[Statement, Statement]:
    """The claims "bounded side at most B" and "B at most the bound" (turned round for ``>=``)."""
    side = statement.bound_side

    def below(world: World) -> Sides:
        bounded, between = _sides(statement, world)[1 - side], bound(world)
        return (bounded, between) if side else (between, bounded)

    def above(world: World) -> Sides:
        claimed, between = _sides(statement, world)[side], bound(world)
        return (between, claimed) if side else (claimed, between)

    return _derived(statement, below), _derived(statement, above)


def standing_still(statement: Statement) -> Bound:
    """The bounded side where every run has stayed at its start."""
    side = statement.bound_side
    return lambda world: statement(world.still())[1 - side]


def turned_round(statement: Statement, item: Hypothesis) -> Statement:
    """The claim where this hypothesis fails and every other one holds."""

    def missed(world: World) -> Any:
        margin = evaluated(item.rule, world)
        if not isinstance(margin, np.ndarray):
            return -margin
        return -xp.smallest(margin.reshape(len(margin), -1))[:, None]

    others = [other for other in statement.given if other is not item]
    not_it = Hypothesis(f"not: {item.name}", item.latex, missed, strict=not item.strict)
    return replace(_derived(statement, partial(_sides, statement)), given=(*others, not_it))


def _sides(statement: Statement, world: World) -> Sides:
    """Both sides of a statement, evaluated once in each world."""
    found: Sides = evaluated(statement.sides, world)
    return found


def _derived(statement: Statement, sides: Callable[[World], Sides]) -> Statement:
    """The same setting with other sides; what is said or linked is not about them."""
    return replace(
        statement,
        sides=sides,
        deduction=None,
        simulate=(),
        ceiling=None,
        empties="",
        lift=None,
    )
