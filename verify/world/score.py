"""The one primitive: evaluate both sides and all hypotheses of a statement on instances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.shapes import Array
from bounds.numbers.validate import InvalidInput, unchecked
from verify.claim.instance import Instance
from verify.claim.program import plain_function
from verify.claim.statement import Statement, Terms
from verify.verdict import relation
from verify.world.domain import unmet
from verify.world.noise_plan import NoisePlan
from verify.world.returned import level_of, margins_of, sides_of
from verify.world.world import World


@dataclass(frozen=True, eq=False)
class Score:
    """Both sides of a statement on a batch of instances.

    ``left`` and ``right`` have shape (B, R'), R' = 1 unless every outcome is compared; their terms
    are non-negative (a negative term has moved across).  ``margins`` are (B, R).  ``beyond`` is by
    how much each instance is none of the families', (B,); None where none can be.  ``diverged`` is
    whether a run of the instance has left all floats, (B or 1,); None where nothing was run.
    """

    relation: str
    left: Array
    right: Array
    terms: tuple[dict[str, Array], dict[str, Array]]
    margins: dict[str, Array]
    strict: frozenset[str]
    weights: Array
    world: World
    beyond: np.ndarray[Any, Any] | None = None
    diverged: np.ndarray[Any, Any] | None = None

    @cached_property
    def ratio(self) -> np.ndarray[Any, Any]:
        """left/right of the worst outcome, (B,); for ``==`` 1 + the relative difference.

        NaN where a side has no value (an instance outside the formulas' domain), and where a run
        has diverged, unless the claim seems to fall there: what is read off it speaks for nothing,
        and what speaks against is computed again in fractions.
        """
        found = relation.ratio(self.relation, _floats(self.left), _floats(self.right))
        if self.diverged is not None:
            lost = self.diverged[:, None] & ~(found > 1).any(axis=1, keepdims=True)
            found = np.where(lost, np.nan, found)
        return np.asarray(found[:, 0] if found.shape[1] == 1 else found.max(axis=1))

    @cached_property
    def lowest(self) -> dict[str, np.ndarray[Any, Any]]:
        """Smallest margin of each hypothesis over the outcomes, (B or 1,); -inf without a value."""
        found = {}
        for name, margin in self.margins.items():
            value = _floats(margin)
            value = np.where(np.isnan(value), -np.inf, value)
            found[name] = value[:, 0] if value.shape[1] == 1 else value.min(axis=1)
        return found

    @cached_property
    def feasible(self) -> np.ndarray[Any, Any]:
        """Whether every hypothesis holds on every outcome, and the sides can be compared, (B,)."""
        return self.shortfall <= 0

    @cached_property
    def shortfall(self) -> np.ndarray[Any, Any]:
        """Sum of the missed margins, (B,); 0 where every hypothesis holds and sides compare."""
        return self.missed + np.where(np.isnan(self.ratio), relation.LARGEST, 0.0)

    @cached_property
    def missed(self) -> np.ndarray[Any, Any]:
        """Sum of the missed margins alone, (B,)."""
        total = np.zeros(len(self.ratio))
        for name, value in self.lowest.items():
            met = relation.meets(value, name in self.strict)
            total = total + np.where(met, 0.0, relation.GUARD + np.abs(value))
        return total if self.beyond is None else total + self.beyond

    @property
    def blank(self) -> np.ndarray[Any, Any]:
        """Whether every hypothesis holds and floats cannot compare the sides, (B,).

        Both overflow, say, or one has no value.
        """
        return np.asarray(np.isnan(self.ratio) & (self.missed <= 0))

    def part(self, rows: slice) -> Score:
        """Sides and margins of some of the instances; the world stays that of all."""
        cut = partial(_rows, rows=rows, count=len(self.left))
        sides = tuple({k: cut(v) for k, v in terms.items()} for terms in self.terms)
        return Score(
            self.relation,
            cut(self.left),
            cut(self.right),
            (sides[0], sides[1]),
            {k: cut(v) for k, v in self.margins.items()},
            self.strict,
            cut(self.weights),
            self.world,
            None if self.beyond is None else cut(self.beyond),
            None if self.diverged is None else cut(self.diverged),
        )

    @property
    def tight(self) -> np.ndarray[Any, Any]:
        """Ratio where the hypotheses hold, -inf elsewhere, (B,)."""
        return np.where(self.feasible, self.ratio, -np.inf)


def score(
    statement: Statement,
    instance: Instance,
    number: str = "float64",
    noise: NoisePlan | None = None,
) -> Score:
    """Evaluate both sides of a statement on a batch of instances.

    Parameters
    ----------
    statement : Statement
    instance : Instance
        Batch with leading axis B.
    number : {"float64", "exact", "symbolic"}
    noise : AllOutcomes or Samples, optional
        Default: all outcomes.

    Returns
    -------
    Score

    Raises
    ------
    NotAvailable
        If a side has no exact value in such a world.
    """
    world = World(instance, number, noise, statement.defines)
    with unchecked(), np.errstate(all="ignore"):  # outside the domain a side is NaN
        made = score_world(statement, world)
        least = unmet(statement, instance)[0] if number == "float64" else None
        if least is None:
            return made
        least = np.where(np.isnan(least), -relation.LARGEST, least)
        met = relation.meets(least, False)
        return replace(made, beyond=np.where(met, 0.0, relation.GUARD + np.abs(least)))


def score_world(statement: Statement, world: World) -> Score:
    """Evaluate both sides and all hypotheses in a world that exists already."""
    compared, *sides = _sides(statement, world)
    given = margins_of(statement, world)
    margins = {k: _lowest(_full(v, world), world) for k, v in given.items()}
    totals = (_sum(sides[0], world), _sum(sides[1], world))
    return Score(
        compared,
        *totals,
        (sides[0], sides[1]),
        margins,
        statement.strict,
        world.weights,
        world,
        diverged=world.diverged,
    )


def right_side(statement: Statement, world: World) -> Array:
    """The right side alone, (B, R'); what a mutant changes."""
    return _sum(_sides(statement, world)[2], world)


def _sides(statement: Statement, world: World) -> tuple[str, dict[str, Array], dict[str, Array]]:
    """Relation that is compared, and the terms of both sides with negative ones moved across."""
    left, right = _terms(statement, world)
    compared = "<=" if statement.relation == "<~" else statement.relation
    if statement.over == "mean":
        left = {k: world.mean(v) for k, v in left.items()}
        right = {k: world.mean(v) for k, v in right.items()}
    if statement.over == "prob":
        left, right = {"probability": _probability(left, right, world)}, {}
        right["delta"], compared = _level(statement, world), "<="
    if world.number != "symbolic":
        _fit(statement, left, right)
    left, right = _points(left, right, world)
    if compared != "==" and world.number != "symbolic":
        left, right = _moved(left, right)
    return compared, left, right


def _probability(left: Terms, right: Terms, world: World) -> Array:
    """Probability that the left side exceeds the right one, (B, 1); NaN where one has no value."""
    inside, bound = _sum(left, world), _sum(right, world)
    found = world.probability(exceeds(inside, bound, world))
    if world.number != "float64":
        return found
    blank = (np.isnan(inside) | np.isnan(bound)).reshape(len(found), -1).any(axis=1)
    return np.where(blank.reshape(-1, *(1,) * (found.ndim - 1)), np.nan, found)


def _terms(statement: Statement, world: World) -> tuple[dict[str, Array], dict[str, Array]]:
    left, right = sides_of(statement, world)
    return (
        {k: _full(v, world) for k, v in left.items()},
        {k: _full(v, world) for k, v in right.items()},
    )


def event(statement: Statement, world: World) -> tuple[Array, Array, Array]:
    """Both sides inside the event of a high-probability claim, (B, R), and its level, (B, 1)."""
    left, right = _terms(statement, world)
    return _sum(left, world), _sum(right, world), _level(statement, world)


def _level(statement: Statement, world: World) -> Array:
    return _full(level_of(statement, world), world)


def exceeds(left: Array, right: Array, world: World) -> Array:
    """Whether left > right; of floats by more than rounding, which must not decide a tie."""
    if world.number != "float64":
        return left > right
    return relation.broken("<=", left, right)


def _points(left: Terms, right: Terms, world: World) -> tuple[dict[str, Array], dict[str, Array]]:
    """Claims about every client or round have further axes: one point each, (B, R ...)."""
    ndim = max((v.ndim for side in (left, right) for v in side.values()), default=2)
    if ndim == 2 or world.number == "symbolic":
        return dict(left), dict(right)
    names = [(side, k) for side, terms in enumerate((left, right)) for k in terms]
    padded = [(left, right)[s][k] for s, k in names]
    padded = [v.reshape(v.shape + (1,) * (ndim - v.ndim)) for v in padded]
    spread = np.broadcast_arrays(*padded)
    out: tuple[dict[str, Array], dict[str, Array]] = ({}, {})
    for (side, k), value in zip(names, spread, strict=True):
        out[side][k] = value.reshape(len(value), -1)
    return out


def _fit(statement: Statement, left: Terms, right: Terms) -> None:
    """Refuse terms that are about different axes, of their function and not of a line here."""
    shapes = {name: v.shape[2:] for side in (left, right) for name, v in side.items()}
    for sizes in zip_longest(*shapes.values(), fillvalue=1):
        if len({*sizes} - {1}) > 1:
            listed = ", ".join(f"{name!r} {shape}" for name, shape in shapes.items())
            code = getattr(plain_function(statement.sides), "__code__", None)
            place = f" in {Path(code.co_filename).name}, line {code.co_firstlineno}" if code else ""
            raise InvalidInput(
                f"terms of {statement.key} must be about the same clients or rounds, got the axes "
                f"{listed}{place}: reduce over an axis, or put in None"
            )


def _lowest(margin: Array, world: World) -> Array:
    """A hypothesis about every client holds where its smallest margin does, (B, R)."""
    if margin.ndim == 2 or world.number == "symbolic":
        return margin
    flat = margin.reshape((*margin.shape[:2], -1))
    return xp.smallest(flat)


def _full(value: Any, world: World) -> Array:
    """Array of the world's number type with at least the axes (B, R)."""
    if world.number == "float64":
        if isinstance(value, int | Fraction):
            value = xp.to_float(value)  # infinite beyond all floats: exact numbers decide
        value = np.asarray(value, dtype=np.float64)
        return value if value.ndim > 1 else value.reshape((1,) * (2 - value.ndim) + value.shape)
    if not isinstance(value, np.ndarray):
        kept = np.empty((), dtype=object)
        kept[()] = value
        value = kept
    return value.reshape((1,) * (2 - value.ndim) + value.shape)


ACROSS = "-("
"""Beginning of the name of a term that has moved across from the other side."""


def came_across(name: str) -> bool:
    """Whether a term is no part of the side as written, but a negative one of the other side."""
    return name.startswith(ACROSS)


def _moved(left: Terms, right: Terms) -> tuple[dict[str, Array], dict[str, Array]]:
    """Move negative parts across, so that both sides are sums of non-negative terms."""
    new: tuple[dict[str, Array], dict[str, Array]] = ({}, {})
    for here, there, terms in ((0, 1, left), (1, 0, right)):
        for name, value in terms.items():
            if not (_floats(value) <= 0).any():
                new[here][name] = value
                continue
            # both parts, since a ball around zero has both
            new[here][name] = xp.positive_part(value)
            new[there][f"{ACROSS}{name})"] = xp.positive_part(-value)
    return new


def _sum(terms: Mapping[str, Array], world: World) -> Array:
    total: Any = 0
    for value in terms.values():
        total = total + value
    if not terms:
        total = _full(0, world)
    batch = len(world)
    return np.broadcast_to(total, (batch, *total.shape[1:])) if len(total) < batch else total


def _rows(values: Array, rows: slice, count: int) -> Array:
    """Rows of a batch; what is the same for all of it stays."""
    return values[rows] if len(values) == count else values


def _floats(values: Array) -> Array:
    """Values as floats, the very array where it holds floats; not to be changed."""
    return values if values.dtype == np.float64 else xp.to_float(values)
