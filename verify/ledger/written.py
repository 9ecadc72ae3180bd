"""A claim at one instance as its author wrote it: terms on their own side, and what they use."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import precision
from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.statement import Statement, Terms
from verify.ledger.decided import decided
from verify.ledger.formula import Formula, Program, program
from verify.ledger.watched import Watched, watched
from verify.verdict.relation import room
from verify.world.noise_plan import NotAvailable
from verify.world.returned import sides_of
from verify.world.score import score_world
from verify.world.world import World

__all__ = ["Written", "picked", "written"]


@dataclass(frozen=True)
class Written:
    """Both sides at one instance.

    Parameters
    ----------
    terms : tuple of mappings
        Exact values, on the outcome that is worst for the claim or as means.
    formulas : mapping of str to Formula
        Of the terms, by name, where the program could be read.
    steps : mapping of str to tuple
        Names that the program gives to pieces: formula and value.
    used : frozenset of str
        Fields of the instance that the claim has read, by itself or through a run.
    defined : mapping
        Values of what the claim itself defines and has used.
    """

    terms: tuple[Mapping[str, Any], Mapping[str, Any]]
    formulas: Mapping[str, Formula]
    steps: Mapping[str, tuple[Formula, Any]]
    used: frozenset[str]
    defined: Mapping[str, Any] = field(default_factory=dict)

    @property
    def totals(self) -> tuple[Any, Any]:
        """Sums of the terms, left and right."""
        left, right = (sum(side.values(), start=0) for side in self.terms)
        return left, right


def written(
    statement: Statement, instance: Instance, worlds: Mapping[int, World] | None = None
) -> Written | None:
    """Evaluate a claim exactly and keep what its author wrote.

    Parameters
    ----------
    statement : Statement
    instance : Instance
        Without leading axis.
    worlds : mapping of int to World, optional
        Worlds of this instance by bits, see `watched`.

    Returns
    -------
    Written or None
        None where there is no exact value. A claim about a probability has no terms here: its
        event is listed outcome by outcome.
    """
    if statement.sides is None:
        return None
    made = worlds or watched(statement, instance)
    return decided(
        lambda: _at_worst(statement, made[precision()]),
        (NotAvailable, InvalidInput, ArithmeticError, ValueError, TypeError, LookupError),
    )


def _at_worst(statement: Statement, world: World) -> Written:
    assert isinstance(world, Watched)
    made = score_world(statement, world)
    if statement.over == "prob":
        return Written(({}, {}), {}, {}, world.used, _defined(statement, world))
    left, right = xp.to_float(made.left)[0], xp.to_float(made.right)[0]
    worst = int(np.argmin(room(made.relation, left, right)))
    with_sides = sides_of(statement, world)
    sides = picked(with_sides, statement, world, worst)
    used, defined = world.used, _defined(statement, world)
    text = program(statement.sides)
    if text is None or any(set(a) != set(b) for a, b in zip(text.terms, with_sides, strict=True)):
        return Written(sides, {}, {}, used, defined)
    steps, formulas = _formulas(text, statement, world, worst, {**sides[0], **sides[1]})
    return Written(sides, formulas, steps, used, defined)


def _defined(statement: Statement, world: Watched) -> dict[str, Any]:
    """Scalars that the claim defines, where something has used them."""
    found = {
        name: np.asarray(world.original(name)) for name in statement.defines if name in world.used
    }
    return {name: value.item() for name, value in found.items() if value.size == 1}


def _formulas(
    text: Program, statement: Statement, world: World, worst: int, values: Mapping[str, Any]
) -> tuple[dict[str, tuple[Formula, Any]], dict[str, Formula]]:
    names: dict[str, Any] = {text.world: world}

    def number(node: ast.expr) -> Any:
        return _single(text.evaluated(node, names), statement, worst)

    steps: dict[str, tuple[Formula, Any]] = {}
    for step in text.steps:
        if not isinstance(step, tuple):
            names = text.executed(step, names)
            continue
        name, node = step
        value = names[name] = text.evaluated(node, names)
        if isinstance(value, np.ndarray):  # others (a run, a function) say nothing as a number
            steps[name] = (text.formula(node, number), _single(value, statement, worst))
    told = {
        name: text.formula(node, number)
        for side in text.terms
        for name, node in side.items()
        if _agree(number(node), values[name])
    }
    return steps, told


def _agree(found: Any, value: Any) -> bool:
    """Whether what stands in the file gives the value; the file may have changed since."""
    if found is None:
        return True
    first, second = (float(xp.to_float(x)) for x in (found, value))
    return first == second or abs(first - second) <= 1e-9 * max(abs(first), abs(second))


def picked(
    sides: tuple[Terms, Terms], statement: Statement, world: World, worst: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Terms at the point that is worst; claims about every client have one point each."""
    arrays = [np.asarray(v, dtype=object) for side in sides for v in side.values()]
    arrays = [a.reshape((1,) * (2 - a.ndim) + a.shape) for a in arrays]
    if statement.over == "mean":
        arrays = [world.mean(a) for a in arrays]
    most = max((a.ndim for a in arrays), default=2)
    spread = np.broadcast_arrays(*(a.reshape(a.shape + (1,) * (most - a.ndim)) for a in arrays))
    values = iter([a.reshape(-1)[worst if a.size > 1 else 0] for a in spread])
    left, right = ({name: next(values) for name in side} for side in sides)
    return left, right


def _single(value: Any, statement: Statement, worst: int) -> Any:
    """A number, or that of the worst outcome; None for several (means are not put in)."""
    array = np.asarray(value, dtype=object)
    if array.size == 1:
        return array.item()
    if statement.over == "mean" or array.ndim != 2 or len(array) != 1:
        return None
    return array[0, worst] if worst < array.shape[1] else None
