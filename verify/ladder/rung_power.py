"""Power rung: could these instances have told the claim from a false one?

Mutants act on the symbols that the right side reads (times 0.9, squared, zero, plus or minus 1)
and on its named terms, so they work on any callable.  They are re-scored on the instances that
the search has kept.  A mutant counts only if it lies below the original somewhere; one that no
instance kills is listed as a candidate refinement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import unchecked
from verify.ladder.pool import Pool
from verify.verdict.evidence import Evidence
from verify.verdict.relation import broken, stricter
from verify.world.score import Score, event, exceeds, right_side

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
    None where it has no value.
    """

    name: str
    sides: Callable[[Score], tuple[Any, Any, Any] | None]


def measure_power(pool: Pool) -> Evidence:
    """Count mutants, those killed, and list the survivors."""
    counted: set[str] = set()
    killed: set[str] = set()
    with unchecked(), np.errstate(all="ignore"):
        for result in pool.kept:
            for mutant in _mutants(pool, result):
                if mutant.name in killed:
                    continue
                below, fallen = _compare(result, mutant)
                counted |= {mutant.name} if below else set()
                killed |= {mutant.name} if below and fallen else set()
    survivors = sorted(counted - killed)
    table = {"counted": len(counted), "killed": len(killed), "survivors": survivors}
    status = "reported" if counted else "not-applicable"
    text = f"{len(killed)} of {len(counted)} counted mutants killed"
    return Evidence("power", status, text, power=table)


def changed_right(pool: Pool, result: Score, changes: dict[str, Any]) -> Any:
    """Right side with changed symbols, None where it cannot be evaluated."""
    try:
        return xp.to_float(right_side(pool.statement, result.world.with_changed(changes)))
    except (ArithmeticError, ValueError, TypeError, IndexError, LookupError):
        return None


def _mutants(pool: Pool, result: Score) -> Iterator[Mutant]:
    for name in numeric_symbols(result):
        value = result.world.original(name)
        for form, change in OPERATIONS.items():
            new = {name: change(np.asarray(value, dtype=float))}
            yield Mutant(form.format(name), partial(_changed, pool, changes=new))
    for name in result.terms[1]:
        if name.startswith("-("):
            continue  # moved across from the left side, no part of the claimed bound
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
    pool: Pool, result: Score, changes: dict[str, Any]
) -> tuple[Any, Any, Any] | None:
    """The claim with changed symbols on its right side; of a probability, inside the event too."""
    original = xp.to_float(result.right)
    if pool.statement.over != "prob":
        right = changed_right(pool, result, changes)
        if right is None:
            return None
        return xp.to_float(result.left), right, stricter(result.relation, right, original)
    try:
        inside, threshold, _ = event(pool.statement, result.world)
        _, changed, level = event(pool.statement, result.world.with_changed(changes))
        left = result.world.probability(exceeds(inside, changed, result.world))
    except (ArithmeticError, ValueError, TypeError, IndexError, LookupError):
        return None
    lower = stricter("<=", changed, threshold).any(axis=1, keepdims=True)
    return left, level, lower | stricter("<=", level, original)


def _scaled_term(result: Score, name: str, factor: float) -> tuple[Any, Any, Any]:
    original = xp.to_float(result.right)
    right = original - (1 - factor) * xp.to_float(result.terms[1][name])
    return xp.to_float(result.left), right, stricter(result.relation, right, original)


def _compare(result: Score, mutant: Mutant) -> tuple[bool, bool]:
    """Whether the mutant is below the original somewhere feasible, and breaks the claim there."""
    found = mutant.sides(result)
    if found is None:
        return False, False
    left, right, lower = found
    own, original = xp.to_float(result.left), xp.to_float(result.right)
    own, original, left, right, lower, feasible = np.broadcast_arrays(
        own, original, left, right, lower, result.feasible[:, None]
    )
    # where rounding, or a violation, already breaks the claim itself, no mutant can be told from it
    ok = feasible & np.isfinite(right) & np.isfinite(original)
    below = ok & lower & ~broken(result.relation, own, original)
    fallen = below & broken(result.relation, left, right)
    return bool(below.any()), bool(fallen.any())
