"""A claim at one instance as its author wrote it: terms on their own side, and what they use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import precision
from bounds.numbers.validate import InvalidInput
from verify.claim.instance import Instance
from verify.claim.statement import Statement, Terms
from verify.ledger.decided import decided
from verify.ledger.shown import value_tex
from verify.ledger.watched import Watched, watched
from verify.ledger.witness import show
from verify.terms.claims import terms_of
from verify.terms.node import Node
from verify.terms.places import NodeNumbers
from verify.terms.printed import formulas_for
from verify.terms.tex import tex
from verify.terms.text import text
from verify.terms.trace import TracedClaim
from verify.terms.values import value_of
from verify.verdict.relation import room
from verify.world.noise_plan import NotAvailable
from verify.world.returned import sides_of
from verify.world.score import score_world
from verify.world.world import World

__all__ = ["Formula", "Written", "picked", "written"]

LONGEST = 400
"""Characters of a formula that is still written out."""


@dataclass(frozen=True)
class Formula:
    """One formula, with names and with numbers, as text and in TeX; empty where there is none."""

    text: str = ""
    numbers: str = ""
    tex: str = ""
    numbers_tex: str = ""


@dataclass(frozen=True)
class Written:
    """Both sides at one instance.

    Parameters
    ----------
    terms : tuple of mappings
        Exact values, on the outcome that is worst for the claim or as means.
    formulas : mapping of str to Formula
        Of the terms, by name, where the claim could be traced.
    steps : mapping of str to tuple
        What the claim calls pieces of its terms: formula and value.
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
    both = sides_of(statement, world)
    sides = picked(both, statement, world, worst)
    used, defined = world.used, _defined(statement, world)
    traced = terms_of(statement)
    claim = None if traced is None else traced.of(world)
    if claim is None:
        return Written(sides, {}, {}, used, defined)
    writer = _Writer(statement, claim, world, _place(both, worst))
    formulas = {
        name: writer.formula(term)
        for side in (claim.left, claim.right)
        for name, term in side.items()
    }
    return Written(sides, formulas, dict(writer.steps()), used, defined)


def _defined(statement: Statement, world: Watched) -> dict[str, Any]:
    """Scalars that the claim defines, where something has used them."""
    found = {
        name: np.asarray(world.original(name)) for name in statement.defines if name in world.used
    }
    return {name: value.item() for name, value in found.items() if value.size == 1}


class _Writer:
    """Formulas of the terms of a claim at one instance."""

    def __init__(
        self, statement: Statement, claim: TracedClaim, world: World, where: tuple[int, ...]
    ) -> None:
        worst, *entry = where
        self.claim, self.known = claim, dict[Node, Any]()
        self.entry = tuple(entry)
        self.sides = [*claim.left.values(), *claim.right.values()]
        for term in self.sides:
            value_of(term, world, self.known)
        outcome = -1 if statement.over == "mean" else worst
        self.plain = formulas_for(statement, claim, self.known, claim.called)
        self.filled = replace(self.plain, numbers=NodeNumbers(self.known, outcome))

    def formula(self, term: Node) -> Formula:
        """A term with names and with numbers."""
        tree = self.plain.of(term)
        found = Formula(text(tree), "", tex(tree), "")
        if len(found.text) > LONGEST:
            return Formula()
        try:
            put_in = self.filled.of(term, self.entry)
            numbers = text(put_in, _number)
        except (LookupError, ValueError):
            return found
        if len(numbers) > LONGEST:
            return found
        return Formula(found.text, numbers, found.tex, tex(put_in, value_tex))

    def steps(self) -> Iterator[tuple[str, tuple[Formula, Any]]]:
        """What the claim calls the pieces that its terms are made of."""
        own = set(self.sides)
        for term in self.known:
            if term in self.claim.called and term not in own:
                value = np.asarray(self.known[term], dtype=object)
                single = self._single(value)
                yield self.claim.called[term], (self.formula(term), single)

    def _single(self, value: Any) -> Any:
        """The number, or the array of an instance, on the outcome that counts; None for several."""
        if value.ndim < 2 or value.shape[1] == 1:
            return value.item() if value.size == 1 else value[0, 0] if value.ndim > 1 else None
        outcome = self.filled.numbers.outcome if self.filled.numbers is not None else -1
        return None if outcome < 0 else value[0, outcome]


def _number(value: Any) -> str:
    return show(value).partition(" = ")[0].partition(" (")[0]


def picked(
    sides: tuple[Terms, Terms], statement: Statement, world: World, worst: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Terms at the point that is worst; claims about every client have one point each."""
    arrays = _arrays(sides)
    if statement.over == "mean":
        arrays = [world.mean(a) for a in arrays]
    spread = np.broadcast_arrays(*_behind(arrays))
    values = iter([a.reshape(-1)[worst if a.size > 1 else 0] for a in spread])
    left, right = ({name: next(values) for name in side} for side in sides)
    return left, right


def _place(sides: tuple[Terms, Terms], worst: int) -> tuple[int, ...]:
    """Outcome and entries of the point that is worst, each counted from 0."""
    shape = np.broadcast_shapes(*(a.shape for a in _behind(_arrays(sides))))[1:]
    return tuple(int(k) for k in np.unravel_index(min(worst, int(np.prod(shape)) - 1), shape))


def _arrays(sides: tuple[Terms, Terms]) -> list[Any]:
    """All terms with the axes of instances and outcomes."""
    arrays = [np.asarray(v, dtype=object) for side in sides for v in side.values()]
    return [a.reshape((1,) * (2 - a.ndim) + a.shape) for a in arrays]


def _behind(arrays: list[Any]) -> list[Any]:
    """Arrays with as many axes as any has; those that are missing come last."""
    most = max((a.ndim for a in arrays), default=2)
    return [a.reshape(a.shape + (1,) * (most - a.ndim)) for a in arrays]
