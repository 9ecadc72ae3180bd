"""The tightest instance that a ledger has of a leaf, scored again with the statement at hand.

A ledger says of each leaf where left/right was largest. Evidence that was found for another claim
has another ratio there, or none: the instance misses a hypothesis, or is of no family.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import as_rational
from bounds.numbers.validate import InvalidInput
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.ladder.budgets import PROFILES
from verify.ladder.rungs.referee import Hearing
from verify.ladder.search import tuning
from verify.ladder.search.sizes import Silenced
from verify.verdict.relation import LARGEST, ROUNDING, same
from verify.world.noise_plan import NotAvailable

__all__ = ["scored_again"]

NO_INSTANCE = (InvalidInput, NotAvailable, ArithmeticError, ValueError)
"""What a family, or a statement's program, raises at what is none of its instances."""


def scored_again(statement: Statement, tightness: Mapping[str, Any]) -> str:
    """What is wrong with a stored tightest instance; empty where it has the ratio that it had.

    Parameters
    ----------
    statement : Statement
    tightness : mapping
        ``ratio`` and ``instance``, sizes and values, as a ledger has them.

    Returns
    -------
    str
    """
    before = float(tightness["ratio"])
    if before > 1 + ROUNDING:
        return ""  # no word of support rests on it, and a search tells the ratio of a neighbour
    seen: list[float] = []
    for family, shape, values in _places(statement, tightness["instance"]):
        with np.errstate(all="ignore"):
            for ratio in _ratios(statement, family, shape, values):
                if same(before, min(ratio, LARGEST), tuning.SEEDS_ALIKE):
                    return ""
                seen.append(ratio)
    if not seen:
        return "the tightest instance is none of the statement's that meets every hypothesis"
    return f"the tightest instance has the ratio {seen[0]:.6g}, not {before:.6g}"


def _places(
    statement: Statement, instance: Mapping[str, Any]
) -> Iterator[tuple[Family, Shape, Mapping[str, Any]]]:
    """Families that an instance may be of, with its shape and its values as a batch of one."""
    for family in (statement.family, *statement.also):
        shape = {name: value for name, value in instance.items() if name not in family.box}
        if not set(family.box) <= set(instance) or set(shape) not in map(set, family.shapes):
            continue
        try:
            values = {name: as_rational(np.array([instance[name]])) for name in family.box}
            lengths = {name: real.lengths(shape) for name, real in family.box.items()}
        except NO_INSTANCE:
            continue
        if all(np.asarray(value).shape[1:] == lengths[name] for name, value in values.items()):
            yield family, shape, values


def _ratios(
    statement: Statement, family: Family, shape: Shape, values: Mapping[str, Any]
) -> Iterator[float]:
    """Ratios there that count: in floats, in exact numbers, and the same without the noise."""
    own = replace(statement, family=family, also=())
    heard = Hearing(own, PROFILES["quick"], 0, tidy=False)
    near = {name: xp.to_float(value) for name, value in values.items()}
    for builds in (family, replace(family, build=Silenced(family.build))):
        try:
            result = heard.pool.scored(near, shape, builds)
        except NO_INSTANCE:
            continue
        if np.ravel(result.feasible)[0] and isfinite(float(result.ratio[0])):
            yield float(result.ratio[0])
        exact = heard.exact({name: value[0] for name, value in values.items()}, shape, builds)
        found = heard.rescored_exactly(exact)
        if found is not None and found.assumed:
            yield float(found.ratio)
