"""Mutants of a claim: its right side with one symbol or one named term changed.

They act on the symbols that the right side reads (times 0.9, squared, zero, plus or minus 1) and on
its named terms, so they work on any callable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.statement import Statement
from verify.verdict.relation import stricter
from verify.world.noise_plan import WITHOUT_VALUE
from verify.world.score import Score, came_across, event, exceeds, right_side

__all__ = ["Mutant", "changes", "mutants_of", "numeric_symbols"]

OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "0.9 {}": lambda x: 0.9 * x,
    "{}^2": lambda x: x * x,
    "0 {}": lambda x: 0.0 * x,
    "{} + 1": lambda x: x + 1.0,
    "{} - 1": lambda x: x - 1.0,
}


@dataclass(frozen=True)
class Mutant:
    """A changed right side: its name, and what it makes of one kept batch.

    ``sides`` gives both sides of the changed claim and where it claims more than the original,
    None where it has no value; ``symbol`` is what it changes, empty for a named term.
    """

    name: str
    sides: Callable[[Score], tuple[Any, Any, Any] | None]
    symbol: str = ""


def _changed_right(statement: Statement, result: Score, new: dict[str, Any]) -> Any:
    """Right side with changed symbols, None where it cannot be evaluated."""
    try:
        return xp.to_float(right_side(statement, result.world.with_changed(new)))
    except WITHOUT_VALUE:  # a share that asks for more sets than can be listed, say
        return None


def mutants_of(statement: Statement, result: Score) -> Iterator[Mutant]:
    """Mutants of a claim, as scored instances know its symbols and terms."""
    for name in numeric_symbols(result):
        for form, change in OPERATIONS.items():
            sides = partial(_changed, statement, name=name, change=change)
            yield Mutant(form.format(name), sides, name)
    for name in result.terms[1]:
        if came_across(name):
            continue
        for factor in (0.9, 0.0):
            yield Mutant(f"{factor:g} [{name}]", partial(_scaled_term, name=name, factor=factor))


def numeric_symbols(result: Score) -> list[str]:
    """Symbols of the sides that hold numbers."""
    names = []
    for name in sorted(result.world.read):
        value = result.world.original(name)
        if isinstance(value, bool) or not isinstance(value, (int, float, np.ndarray)):
            continue
        names.append(name)
    return names


def _changed(
    statement: Statement, result: Score, name: str, change: Callable[[Any], Any]
) -> tuple[Any, Any, Any] | None:
    """The claim with a changed symbol on its right side; of a probability, inside the event too."""
    new = {name: change(np.asarray(result.world.original(name), dtype=float))}
    original = xp.to_float(result.right)
    if statement.over != "prob":
        right = _changed_right(statement, result, new)
        if right is None:
            return None
        return xp.to_float(result.left), right, stricter(result.relation, right, original)
    try:
        inside, threshold, _ = event(statement, result.world)
        _, changed, level = event(statement, result.world.with_changed(new))
        left = result.world.probability(exceeds(inside, changed, result.world))
    except WITHOUT_VALUE:  # a share that asks for more sets than can be listed, say
        return None
    lower = stricter("<=", changed, threshold).any(axis=1, keepdims=True)
    return left, level, lower | stricter("<=", level, original)


def _scaled_term(result: Score, name: str, factor: float) -> tuple[Any, Any, Any]:
    original = xp.to_float(result.right)
    right = original - (1 - factor) * xp.to_float(result.terms[1][name])
    return xp.to_float(result.left), right, stricter(result.relation, right, original)


def changes(result: Score, sides: tuple[Any, Any, Any] | None) -> bool:
    """Whether changed sides differ from the original ones in any bit of any instance."""
    if sides is None:
        return True
    left, right, lower = sides
    own, original = xp.to_float(result.left), xp.to_float(result.right)
    return bool(lower.any()) or not (_alike(left, own) and _alike(right, original))


def _alike(new: Any, old: Any) -> bool:
    """Whether a side is what it was, bit for bit."""
    return bool(((new == old) | (np.isnan(new) & np.isnan(old))).all())
