"""Best constants and needed hypotheses, each established by a check of its own.

Nothing here is read off a search.  A constant c is the best one of ``left <= right`` if ``left <= c
* right`` is proved and some exact instance with a positive right side has ``left = c * right``, so
that every smaller constant fails there.  A hypothesis is needed if the claim without it falls, at
the instance that is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.statement import Sides, Statement
from verify.ledger.ledger import Finding
from verify.run.tasks import Settings, examine
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.returned import sides_of
from verify.world.world import World

__all__ = ["Best", "Until", "best_constant", "needed_hypotheses", "printed_sides"]

SIMPLE = 64
"""Largest denominator of a constant that is tried: theorems have 5/4 and 1/12, not 1187/1024."""
NEAR = Fraction(1, 10**6)
"""Relative distance from the largest ratio found to the constant tried in its place."""
BELOW = Fraction(1, 1024)
"""By how much the constant is worsened, to be broken by an instance that has the best one."""
EACH = 5.0
"""Seconds of one check."""


class Until:
    """Seconds of processor time that are left to a call."""

    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds

    @property
    def left(self) -> float:
        """Seconds left, not below 0."""
        return max(self._end - time.process_time(), 0.0)


@dataclass(frozen=True)
class Best:
    """The best constant of a claim.

    Parameters
    ----------
    constant : Fraction
        With it on the right side the claim is proved, with any better one it is false.
    witness : mapping
        The instance at which it is attained, as in a witness file.
    proof : tuple of mappings
        Certificates of the claim with the constant.
    """

    constant: Fraction
    witness: Mapping[str, Any]
    proof: tuple[Mapping[str, Any], ...]


def best_constant(statement: Statement, leaf: Mapping[str, Any], until: Until) -> Best | None:
    """The best constant on the right side of a claim between numbers, where it can be established.

    Parameters
    ----------
    statement : Statement
    leaf : mapping
        What the ladder found for it.
    until : Until

    Returns
    -------
    Best or None
    """
    ordered = statement.relation in ("<=", ">=") and statement.over == "point"
    found = leaf["tightness"]
    if not ordered or statement.quantifier != "all" or found is None or statement.sides is None:
        return None
    ratio = float(found["ratio"])
    if not isfinite(ratio) or not 0 < ratio < 1e6:
        return None
    most = Fraction(ratio).limit_denominator(SIMPLE)
    if most <= 0 or abs(most / Fraction(ratio) - 1) > NEAR:
        return None
    more = statement.relation == "<="
    constant = most if more else 1 / most
    worse = constant * (1 - BELOW if more else 1 + BELOW)
    fallen = _word(_scaled(statement, worse), until)
    if fallen is None or fallen.leaf["verdict"] != "violated" or fallen.witness is None:
        return None
    if not _attained(statement, fallen.witness, constant):
        return None
    if constant == 1 and leaf["verdict"] == "proved":
        return Best(constant, fallen.witness, certificates(leaf))
    proved = _word(_scaled(statement, constant), until)
    if proved is None or proved.leaf["verdict"] != "proved":
        return None
    return Best(constant, fallen.witness, certificates(proved.leaf))


def needed_hypotheses(
    statement: Statement, until: Until, told: Callable[[str], None]
) -> Iterator[tuple[str, str, Mapping[str, Any] | None]]:
    """Each hypothesis of a claim that stands, the word of the claim without it, and the witness."""
    for item in statement.given:
        if item.defining or not until.left:
            continue
        told(f"without {item.name}")
        rest = [one for one in statement.given if one is not item]
        found = _word(replace(statement, given=rest), until)
        if found is not None:
            yield item.name, str(found.leaf["verdict"]), found.witness


def certificates(leaf: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The documents of a leaf that a proof has decided."""
    return tuple(
        part["written"]
        for item in leaf["evidence"]
        if item.get("proof") and item["status"] == "decided"
        for part in item["proof"]["certificates"]
    )


def _word(statement: Statement, until: Until) -> Finding | None:
    """What a short search and the prover say of a claim; None where no time is left."""
    limit = min(EACH, until.left)
    return examine(statement, Settings(), word=True, limit=limit) if limit > 0 else None


def _scaled(statement: Statement, factor: Fraction) -> Statement:
    """The same claim with a constant before its right side."""
    inner = statement.sides
    assert inner is not None

    def sides(w: World) -> Sides:
        left, right = inner(w)
        return left, {name: factor * value for name, value in right.items()}

    return replace(statement, sides=sides)


def printed_sides(
    statement: Statement, witness: Mapping[str, Any]
) -> tuple[Fraction, Fraction] | None:
    """Both sides of a claim as they are printed, at a witness.

    A ledger compares sums of non-negative terms: a term with a minus is on the other side there.

    Returns
    -------
    tuple of Fraction, or None
        None where the claim compares no two single fractions.
    """
    if witness["number"] != "rational" or statement.over != "point":
        return None
    world = World(Instance.from_json(witness["instance"]), "exact", None, statement.defines)
    try:
        left, right = (_total(side) for side in sides_of(statement, world))
    except (InvalidInput, NotAvailable, NoValue, ArithmeticError):
        return None
    return None if left is None or right is None else (left, right)


def _attained(statement: Statement, witness: Mapping[str, Any], constant: Fraction) -> bool:
    """Whether left = constant * right, both computed in fractions, with a positive right side."""
    sides = printed_sides(statement, witness)
    return sides is not None and sides[1] > 0 and sides[0] == constant * sides[1]


def _total(side: Mapping[str, Any]) -> Fraction | None:
    """Sum of the terms of one side; None where one of them is no single fraction."""
    total = Fraction(0)
    for value in side.values():
        entries = np.ravel(np.asarray(value, dtype=object))
        if len(entries) != 1 or not isinstance(entries[0], int | Fraction):
            return None
        total += entries[0]
    return total
