"""The independent referee: re-score one instance in exact arithmetic, from its raw data alone.

It runs the serial twin of the method on fractions (balls where a root or a logarithm is met),
derives every constant of the problem again, and compares exactly.  Balls that cannot decide are
recomputed with more bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isnan
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import Ball, Undecided, as_rational, precision
from bounds.numbers.validate import unchecked
from synthetic.registry import make
from verify.claim.instance import Instance
from verify.claim.laws import noting_chances
from verify.claim.statement import Statement
from verify.verdict import relation
from verify.verdict.evidence import can_be_read, number_to_json
from verify.world.domain import unmet
from verify.world.noise_plan import AllOutcomes
from verify.world.score import Score, score_world
from verify.world.world import World

BITS = (128, 256, 768)
TOUCH = Fraction(1, 2**64)
"""Relative distance of two balls under which an undecided comparison is a tie."""

NO_CHANCE = "a chance lies outside [0, 1]: give its parameter domain=(0, 1), or assume it"
NO_ORDER = "the lower end of a uniform variable is above the upper one: assume that it is not"

CAP = 1024
"""Most outcomes that are enumerated in exact arithmetic."""


@dataclass(frozen=True)
class Rescored:
    """Exact sides and margins of one instance.

    ``left`` and ``right`` are those of the outcome with the largest ratio; ``terms`` hold the
    named parts of both. ``number`` is rational or ball. ``decided`` is False, with the reason in
    ``detail``, where the arithmetic could not decide. A ``tie`` could not be decided because both
    sides agree to many digits: no proof that they are equal, but no float excess either.
    """

    number: str
    relation: str
    left: Any
    right: Any
    terms: tuple[Mapping[str, Any], Mapping[str, Any]]
    margins: Mapping[str, tuple[Any, bool]]
    decided: bool
    related: bool
    assumed: bool
    detail: str = ""
    symbols: Mapping[str, Any] = field(default_factory=dict)
    tie: bool = False

    @property
    def violated(self) -> bool:
        """Every hypothesis holds and the relation does not."""
        return self.decided and self.assumed and not self.related

    @property
    def satisfied(self) -> bool:
        """Every hypothesis holds and so does the relation."""
        return self.decided and self.assumed and self.related

    @property
    def ratio(self) -> float:
        """left/right, as the search measures it; of numbers beyond floats their exact quotient."""
        left, right = xp.to_float(self.left), xp.to_float(self.right)
        found = float(relation.ratio(self.relation, left, right))
        if not isnan(found) or not self.decided or self.relation == "==":
            return found
        above, below = (self.left, self.right) if self.relation != ">=" else (self.right, self.left)
        return float(xp.to_float(above / below))  # both are beyond floats, so none is zero

    @property
    def can_be_read(self) -> bool:
        """Whether sides and margins are short enough for a witness."""
        margins = (value for value, _ in self.margins.values())
        return all(can_be_read(value) for value in (self.left, self.right, *margins))

    def numbers(self, quantifier: str = "all") -> dict[str, Any]:
        """The part of a witness that a verdict reads."""
        return {
            "number": self.number,
            "relation": self.relation,
            "quantifier": quantifier,
            "left": number_to_json(self.left),
            "right": number_to_json(self.right),
            "margins": {
                name: {"value": number_to_json(value), "strict": strict}
                for name, (value, strict) in self.margins.items()
            },
        }


def exact_instance(instance: Instance) -> Instance:
    """The same instance with every float replaced by the fraction that it is."""

    def exact(value: Any) -> Any:
        if isinstance(value, (np.ndarray, float)):
            return as_rational(value)  # integers too: machine words overflow
        return value

    return Instance(
        instance.family,
        {k: exact(v) for k, v in instance.data.items()},
        instance.method,
        {k: exact(v) for k, v in instance.params.items()},
        instance.units,
    )


def rescore(
    statement: Statement, instance: Instance, worlds: dict[int, World] | None = None
) -> Rescored:
    """Re-score one instance (no leading axis) in exact arithmetic.

    Parameters
    ----------
    statement : Statement
    instance : Instance
    worlds : dict, optional
        Exact worlds of this instance by bits, filled as they are made: claims with the same
        definitions share what was evaluated in them.

    Raises
    ------
    NotAvailable
        If the instance has no exact value (a law with infinitely many outcomes).
    InvalidInput
        If the raw data are no problem (a claimed variance below the actual one, say).
    """
    exact = exact_instance(instance)
    if exact.family != "numbers":
        make(exact.family, exact.data)  # scores switch checks off; a referee wants them
    batch, reason = exact.batched(), ""
    known: dict[int, World] = {} if worlds is None else worlds
    for bits in BITS:
        try:
            with precision(bits):
                least, name = unmet(statement, batch)
                if bits not in known:
                    known[bits] = World(batch, "exact", AllOutcomes(CAP), statement.defines)
                with unchecked(), np.errstate(all="ignore"), noting_chances() as outside:
                    made = score_world(statement, known[bits])
                found = _decide(made, bits)
                known[bits].no_chances += outside
                if known[bits].no_chances:
                    ends = isinstance(known[bits].no_chances[0], tuple)
                    said = NO_ORDER if ends else NO_CHANCE
                    return replace(found, assumed=False, detail=said)
                if least is not None and not least[0] >= 0:
                    return replace(found, assumed=False, detail=f"{name} does not hold")
                return found
        except Undecided as error:
            reason = f"undecided at {bits} bits: {error}"
    return Rescored("ball", statement.relation, 0, 0, ({}, {}), {}, False, True, False, reason)


def _decide(result: Score, bits: int) -> Rescored:
    # the outcome that is compared exactly: the one with the least room in floats
    left, right = xp.to_float(result.left)[0], xp.to_float(result.right)[0]
    worst = int(np.argmin(relation.room(result.relation, left, right)))

    def pick(value: Any) -> Any:
        return value[0, worst if value.shape[1] > 1 else 0]

    left, right = pick(result.left), pick(result.right)
    margins = {}
    for name, margin in result.margins.items():
        margins[name] = (xp.smallest(margin[0]), name in result.strict)
    assumed = all(bool(m > 0 if strict else m >= 0) for m, strict in margins.values())
    related, tie = True, ""
    try:
        related = bool(relation.RELATED[result.relation](left, right))
    except Undecided:
        if bits < BITS[-1] or not _touch(left, right):
            raise
        tie = f"undecided at {bits} bits: both sides agree to many digits"
    terms = tuple({k: pick(v) for k, v in side.items()} for side in result.terms)
    numbers = [left, right, *(m for m, _ in margins.values())]
    kind = "ball" if any(isinstance(x, Ball) for x in numbers) else "rational"
    return Rescored(
        kind,
        result.relation,
        left,
        right,
        (terms[0], terms[1]),
        margins,
        not tie,
        related,
        assumed,
        tie,
        _symbols(result),
        bool(tie),
    )


def _touch(left: Any, right: Any) -> bool:
    """Whether two sides, one of them a ball, are so near that no float could tell them apart."""
    apart, size = abs(left - right), abs(left) + abs(right)
    return bool(apart.hi <= size.lo * TOUCH)


def _symbols(result: Score) -> dict[str, Any]:
    """Scalar symbols that the sides read, for the hand computation."""
    out = {}
    for name in sorted(result.world.read):
        value = result.world.original(name)
        if isinstance(value, np.ndarray) and value.size == 1 and value.dtype == object:
            out[name] = value.item()
    return out
