"""The best constant of a claim that falls: the least factor of its right side with which it stands.

The largest left/right is looked for (worst cases of a class, else uphill from the tightest
instances), read as a short number, and the claim with that factor is put to the prover and to the
referee: the one says that it suffices, the other that no smaller one does, at an instance where
both sides are equal.  What neither has said is not told as if it had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf, isqrt, sqrt
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput, unchecked
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.ladder.budgets import EFFORT
from verify.ladder.repair import tuning
from verify.ladder.rungs.certificate import prove
from verify.ladder.rungs.climb import Climb
from verify.ladder.rungs.referee import Hearing
from verify.ladder.rungs.worst_cases.climbing import WorstCases
from verify.ladder.search.pool import Candidate
from verify.limits.clock import OutOfTime, at_most
from verify.limits.counter import OutOfEffort, metered
from verify.terms.claims import as_terms
from verify.verdict.evidence import Evidence
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.returned import sides_of

NO_VALUE = (InvalidInput, NotAvailable, NoValue, ArithmeticError, LookupError)

__all__ = ["Factor", "best_constant", "short_factors", "with_factor"]


@dataclass(frozen=True)
class Factor:
    """A number, or the square root of one."""

    square: Fraction

    @cached_property
    def rational(self) -> Fraction | None:
        """The number itself where it is rational."""
        above, below = isqrt(self.square.numerator), isqrt(self.square.denominator)
        found = Fraction(above, below)
        return found if found**2 == self.square else None

    def __float__(self) -> float:
        return sqrt(self.square)

    def __str__(self) -> str:
        return f"sqrt({self.square})" if self.rational is None else str(self.rational)


@dataclass(frozen=True)
class _Point:
    """Where left/right is largest: parameters of the family, and the ratio.

    `whole_class` is whether it is the worst case of a class, whatever the numbers, not of a search.
    """

    values: Mapping[str, Any]
    shape: Shape
    ratio: float
    whole_class: bool = False


def best_constant(climb: Climb) -> Evidence | None:
    """What the right side of a broken claim must be multiplied with, at least.

    Parameters
    ----------
    climb : Climb
        That has broken the claim.

    Returns
    -------
    Evidence or None
        Reported; its details have the constant, whether it is proved to suffice and where it is
        attained.  None where no constant was found to help.
    """
    statement = as_terms(climb.statement)
    if statement.relation not in ("<=", ">=") or statement.over != "point":
        return None
    if not any(family.box for family in (statement.family, *statement.also)):
        return None  # a single instance, as of a table, has a ratio and no constant
    point = _highest(statement, climb)
    if point is None or not 1 < point.ratio < tuning.BEST_LARGEST:
        return None
    for factor in short_factors(point.ratio):
        made = _about(statement, factor, point, climb)
        if made is not None:
            return made
    return None


def short_factors(value: float) -> Iterator[Factor]:
    """Short numbers, and roots of such, from a float up to what a search leaves open."""
    near = tuning.BEST_NEAR * value
    for most in (12, 64, 400):
        plain = Fraction(value).limit_denominator(most)
        if value - near <= plain <= value + near:
            yield Factor(plain**2)
            break
    squared = Fraction(value**2).limit_denominator(tuning.BEST_ROOTS)
    if abs(sqrt(squared) - value) <= near and Factor(squared).rational is None:
        yield Factor(squared)


def with_factor(statement: Statement, factor: Factor) -> Statement:
    """The claim with its right side multiplied; of one with ``>=`` divided."""
    q = Factor(1 / factor.square) if statement.relation == ">=" else factor
    sides = statement.sides
    assert sides is not None

    def scaled(w: Any) -> Any:
        left, right = sides(w)
        plain = q.rational
        by = xp.sqrt(w.array(q.square)) if plain is None else w.array(plain)
        return left, {name: by * term for name, term in right.items()}

    return replace(statement, sides=scaled, deduction=None)


# -- private helpers -------------------------------------------------------------------------------


def _about(statement: Statement, factor: Factor, point: _Point, climb: Climb) -> Evidence | None:
    """What is certain of one constant; None where the claim falls with it, or nothing is."""
    claim = with_factor(statement, factor)
    where, broken = _attained(claim, point, climb)
    if broken:
        return None
    proved = _proved(claim)
    if not (proved or where or point.whole_class):
        return None
    shown = Factor(1 / factor.square) if statement.relation == ">=" else factor
    text = f"best constant {shown}"
    if where:
        text += f", {where}"
    elif proved:
        text += f" (an instance comes within {tuning.BEST_NEAR:g} of it)"
    if proved:
        text += ", proved"
    elif where:
        text += ": none smaller, and that it suffices is not proved"
    else:
        text += f" by semidefinite programmes in floats to {tuning.BEST_NEAR:g}, not proved"
    details = {"constant": str(shown), "proved": proved, "attained": where}
    return Evidence("best constant", "reported", text, details=details)


def _proved(claim: Statement) -> bool:
    """Whether the prover proves a claim, for all its parameters and sizes."""
    try:
        with at_most(tuning.BEST_SECONDS), metered(EFFORT):
            found = [*prove(claim)]
    except (OutOfEffort, OutOfTime):
        return False
    return any(item.status == "decided" and item.proof is not None for item in found)


def _attained(claim: Statement, point: _Point, climb: Climb) -> tuple[str, bool]:
    """In words, short numbers at which both sides are equal; and whether the claim falls nearby."""
    heard = Hearing(claim, climb.profile, climb.seed, tidy=False)
    as_it_was = Hearing(as_terms(climb.statement), climb.profile, climb.seed, tidy=False)
    for values in _rounder(point):
        try:
            found = heard.rescored_exactly(heard.exact(values, point.shape))
        except NO_VALUE:
            continue
        if found is None or not found.assumed:
            continue
        if found.violated:
            return "", True
        if not (found.tie or (found.decided and found.left == found.right)):
            continue
        before = as_it_was.rescored_exactly(as_it_was.exact(values, point.shape))
        if before is not None and before.violated:  # so the right side is positive there
            how = "attained" if found.decided else "both sides agree to all computed digits"
            return f"{how} at {_named(values, point.shape)}", False
    return "", False


def _rounder(point: _Point) -> Iterator[dict[str, Any]]:
    """An instance with short numbers, also in units of its largest ones: those first of a line."""
    tables = {name: np.asarray(value, dtype=float) for name, value in point.values.items()}
    flat = np.concatenate([np.ravel(v) for v in tables.values()]) if tables else np.zeros(0)
    sizes = sorted({float(f"{abs(x):.6g}") for x in flat if x}, reverse=True)
    units = [*sizes[: tuning.BEST_UNITS], 1.0]
    for unit in reversed(units) if point.whole_class else units:
        for denominator in (1, 2, 3, 4, 6, 12, 60):
            yield {
                name: np.vectorize(lambda x, d=denominator: round(x * d) / d, otypes=[float])(
                    table / unit
                )
                for name, table in tables.items()
            }


def _named(values: Mapping[str, Any], shape: Shape) -> str:
    """The numbers of an instance by name, those that are equal together."""
    groups: dict[str, list[str]] = {}
    for name, value in values.items():
        numbers = [str(Fraction(x).limit_denominator(1000)) for x in np.ravel(value)]
        text = numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
        groups.setdefault(text, []).append(name)
    sizes = [f"{k} = {v}" for k, v in shape.items() if k in ("N", "rounds") and (k != "N" or v > 1)]
    return ", ".join([*sizes, *(" = ".join([*names, text]) for text, names in groups.items())])


# -- where left/right is largest -------------------------------------------------------------------


def _highest(statement: Statement, climb: Climb) -> _Point | None:
    """The instance with the largest left/right, of whole classes where they have worst cases."""
    cases = WorstCases(statement, climb.seed, tuning.BEST_PROGRAMMES)
    for _ in cases.spots():
        pass
    best = cases.best
    if best is not None and not (best.worst.quotient and cases.known and cases.known.members):
        return None
    if best is not None:
        made = next(iter(cases.candidates(best)), None)
        values = {} if made is None else made.values
        shape = best.shape if made is None else made.shape
        return _Point(values, shape, best.ratio, whole_class=cases.level)
    return _uphill(statement, climb)


def _uphill(statement: Statement, climb: Climb) -> _Point | None:
    """From the tightest instances uphill, in smaller and smaller steps of each number."""
    rng = np.random.default_rng([climb.seed, 29])
    tops = [*climb.pool.tops[: tuning.BEST_STARTS]]
    if climb.heard.struck is not None:
        tops.append(climb.heard.struck)
    best: _Point | None = None
    for top in tops:
        if top.family is None:
            found = _climbed(statement, climb, top, rng)
            if found is not None and (best is None or found.ratio > best.ratio):
                best = found
    return best


def _climbed(
    statement: Statement, climb: Climb, top: Candidate, rng: np.random.Generator
) -> _Point | None:
    values = {name: np.asarray(value, dtype=float) for name, value in top.values.items()}
    ratio, step = -inf, 0.3
    box = statement.family.box
    for _ in range(tuning.BEST_STEPS):
        batch = {}
        for name, value in values.items():
            shape = (tuning.BEST_BATCH, *value.shape)
            scale = np.maximum(np.abs(value), 1e-3 * max(abs(box[name].low), abs(box[name].high)))
            moved = value + step * scale * rng.standard_normal(shape) * rng.integers(0, 2, shape)
            low, high = box[name].limits
            batch[name] = np.clip(moved, low, high)
            batch[name][0] = value
        rows = _ratios(statement, climb, batch, top.shape)
        if rows is None:
            return None
        at = int(np.argmax(rows))
        better = rows[at] > ratio * (1 + 1e-12) if ratio > 0 else rows[at] > ratio
        if not better or at == 0:
            step *= 0.7
        if better:
            ratio = float(rows[at])
            values = {name: value[at] for name, value in batch.items()}
    return _Point(values, top.shape, ratio) if np.isfinite(ratio) else None


def _ratios(
    statement: Statement, climb: Climb, batch: Mapping[str, Any], shape: Shape
) -> np.ndarray[Any, Any] | None:
    """Left over right as they are written, of instances that meet the hypotheses."""
    with unchecked(), np.errstate(all="ignore"):
        try:
            result = climb.pool.scored(batch, shape)
            left, right = (
                sum(np.asarray(v, dtype=float) for v in side.values())
                for side in sides_of(statement, result.world)
            )
        except NO_VALUE:
            return None
        if statement.relation == ">=":
            left, right = right, left
        count = len(next(iter(batch.values())))
        left, right = np.broadcast_arrays(left, right)
        rows = np.where(right > 0, left / right, np.where(left > right, np.inf, -np.inf))
        rows = np.broadcast_to(rows.reshape(len(rows), -1).max(axis=1), (count,))
        met = np.broadcast_to(result.missed <= 0, (count,))
        return np.where(met & ~np.isnan(rows), rows, -np.inf)
