"""How a changed claim is tried: on the instances that were kept, then in a search of its own.

A hit counts once the referee has found it in exact arithmetic.  What the search of the claim has
kept is looked at first: where a changed claim falls, it mostly falls at a tight instance.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from typing import Any

import numpy as np

from bounds.numbers import Undecided, as_rational
from bounds.numbers.validate import InvalidInput, unchecked
from verify.claim.parameters import rounded
from verify.claim.statement import Family, Shape, Statement
from verify.ladder.budgets import Profile
from verify.ladder.price import tuning
from verify.ladder.search.curves import onto
from verify.ladder.search.pool import Candidate, Pool, size_of
from verify.ladder.search.small import small_hunt
from verify.limits.clock import OutOfTime, at_most
from verify.verdict.relation import ROUNDING
from verify.world.noise_plan import WITHOUT_VALUE, NotAvailable
from verify.world.referee import Rescored, rescore
from verify.world.score import score, score_world
from verify.world.world import World

__all__ = ["Stands", "Trial", "ask", "breaks_on_kept", "starts_of"]

Stands = Callable[[Statement, int, float], bool | None]
"""Whether a smaller claim stands after a climb of so many evaluations and at most so many seconds;
None if it is left open."""


@dataclass
class Trial:
    """What a search may use to try changed claims.

    The pools of the original one, of its family and of further ones, and its budget.
    """

    pool: Pool
    profile: Profile
    seed: int
    stands: Stands
    deadline: float = inf
    further: Sequence[Pool] = ()
    spent: int = 0
    _asked: dict[str, tuple[Any, dict[int, World]]] = field(default_factory=dict)

    def falls(self, changed: Statement, evaluations: int | None) -> bool:
        """Whether an instance of some family breaks a changed claim, exactly re-scored.

        None for ``evaluations`` asks the instances alone that are there.
        """
        share = None if evaluations is None else evaluations // (1 + len(self.further))
        return any(
            self._falls(pool, replace(changed, family=pool.statement.family, also=()), share)
            for pool in (self.pool, *self.further)
        )

    def _falls(self, pool: Pool, changed: Statement, evaluations: int | None) -> bool:

        def confirmed(candidate: Candidate) -> bool:
            candidate = shorter(changed, candidate)
            onto(changed, candidate.shape)  # found before the clock runs, and remembered
            try:
                with at_most(tuning.REFEREE_SECONDS):
                    worlds = self._worlds(candidate, (candidate.family or changed.family).build)
                    exact = ask(
                        changed, candidate.values, candidate.shape, candidate.family, worlds
                    )
            except OutOfTime:
                return False
            refuted = exact is not None and exact.violated
            if refuted:
                pool.paid.append(candidate)
            return refuted

        try:
            if breaks_on_kept(pool, changed, confirmed):
                return True
            if evaluations is None:
                return False
            self.spent += evaluations
            with np.errstate(all="ignore"):
                found = small_hunt(
                    changed,
                    self.profile,
                    self.seed,
                    starts_of(pool),
                    evaluations,
                    confirmed,
                    self.deadline,
                )
            return found is not None
        except WITHOUT_VALUE:
            return False

    def _worlds(self, candidate: Candidate, build: Any) -> dict[int, World]:
        """Exact worlds of an instance: what changed claims share is evaluated in them once."""
        values = {k: np.asarray(v).tolist() for k, v in candidate.values.items()}
        key = repr((values, candidate.shape))
        known = self._asked.get(key)
        if known is None or known[0] is not build:
            if len(self._asked) >= tuning.ASKED_REMEMBERED:
                del self._asked[next(iter(self._asked))]
            known = self._asked[key] = build, {}
        return known[1]

    def climb(self, smaller: Statement, evaluations: int) -> bool | None:
        """Whether a smaller claim stands on its own; open where the budget is spent."""
        if self.spent + evaluations > self.profile.evaluations:
            return None
        self.spent += evaluations
        seconds = self.deadline - time.thread_time()
        if seconds <= 0:
            raise OutOfTime
        return self.stands(smaller, evaluations, min(seconds, self.profile.seconds))


def shorter(changed: Statement, candidate: Candidate) -> Candidate:
    """The same instance with numbers of few digits, where it breaks the claim as clearly.

    A long run in fractions multiplies the digits of its numbers.
    """
    family = candidate.family or changed.family
    for digits in tuning.DIGITS:
        values = {name: rounded(value, digits) for name, value in candidate.values.items()}
        if not all(family.box[k].inside(x) for k, v in values.items() for x in np.ravel(v)):
            continue
        instance = family.instance({k: v[None] for k, v in values.items()}, candidate.shape)
        found = score(changed, instance)
        if found.feasible[0] and found.ratio[0] > 1 + tuning.CLEARLY:
            return replace(candidate, values=values, ratio=float(found.ratio[0]))
    return candidate


def breaks_on_kept(pool: Pool, changed: Statement, confirmed: Callable[[Candidate], bool]) -> bool:
    """Whether an instance that the search has kept breaks a changed claim.

    The smallest are asked about first: a long run in fractions takes longer than it may.
    """
    return any(map(confirmed, islice(_broken_on_kept(pool, changed), tuning.ASKED_KEPT)))


def _broken_on_kept(pool: Pool, changed: Statement) -> Iterator[Candidate]:
    """Kept instances that break a changed claim in floats: small batches first, then tight ones."""
    batches = [
        (size_of(_at(points, 0)), result, points)
        for result, points in zip(pool.kept, pool.points, strict=True)
        if len(result.ratio)
    ]
    for _, result, points in sorted(batches, key=lambda batch: batch[0]):
        with unchecked(), np.errstate(all="ignore"):
            made = score_world(changed, result.world)
            ratio = np.where(made.feasible, made.ratio, -np.inf)
        order = np.argsort(-np.nan_to_num(ratio, nan=-np.inf), kind="stable")
        for row in order[: tuning.ASKED_PER_BATCH]:
            if ratio[row] > 1 + ROUNDING:
                yield replace(_at(points, row), ratio=float(ratio[row]))


def _at(points: tuple[Mapping[str, Any], Shape, Family | None], row: int) -> Candidate:
    """One instance of a batch."""
    values, shape, family = points
    return Candidate(
        {name: value[row] for name, value in values.items()}, shape, 0.0, family=family
    )


def starts_of(pool: Pool) -> list[Candidate]:
    """The tightest instances of a search, and of each batch that it has kept."""
    found = [*pool.tops, *([pool.within] if pool.within is not None else [])]
    for result, (values, shape, family) in zip(pool.kept, pool.points, strict=True):
        row = int(np.argmax(np.nan_to_num(result.tight, nan=-np.inf)))
        if result.feasible[row]:
            chosen = {name: value[row] for name, value in values.items()}
            found.append(Candidate(chosen, shape, float(result.ratio[row]), family=family))
    return sorted(found, key=lambda one: -one.ratio)


def ask(
    statement: Statement,
    values: Mapping[str, Any],
    shape: Shape,
    family: Family | None = None,
    worlds: dict[int, World] | None = None,
) -> Rescored | None:
    """Re-score a parameter point (values without the instance axis) in exact arithmetic.

    ``family`` builds the instance, where that is not the statement's own one; ``worlds`` are those
    in which other claims were asked about it.
    """
    lifted = {k: np.asarray(as_rational(np.asarray(v)[None])) for k, v in values.items()}
    move = onto(statement, shape)
    if move is not None:  # another instance than that of a claim without the equalities
        lifted, worlds = move(lifted), None
    try:
        with np.errstate(all="ignore"):
            return rescore(
                statement, (family or statement.family).instance(lifted, shape)[0], worlds
            )
    except (NotAvailable, Undecided, InvalidInput, ZeroDivisionError, ArithmeticError, ValueError):
        return None
