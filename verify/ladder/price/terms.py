"""Which named terms of a bound are needed: the claim without one of them is searched on its own.

A term that nothing needs is dropped, and the smaller claim climbs the ladder itself, largest term
first.  What is left at the end is what the instances support.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.statement import Statement
from verify.ladder.means.budgets import Profile
from verify.ladder.means.limits import OutOfTime, at_most
from verify.ladder.price.asked import ask
from verify.ladder.price.changed_claims import bound_side, without
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.small import hunt
from verify.verdict.evidence import Evidence
from verify.verdict.relation import ROUNDING
from verify.world.noise_plan import NotAvailable
from verify.world.returned import sides_of
from verify.world.score import score_world

__all__ = ["Trial", "breaks_on_kept", "look_at_terms", "starts_of"]

Stands = Callable[[Statement, int, float], bool | None]
"""Whether a smaller claim stands after a climb of so many evaluations and at most so many seconds;
None if it is left open."""

REFEREE = 5.0
"""Seconds that the referee may take for one hit: a long run in fractions takes for ever."""


@dataclass
class Trial:
    """What a search may use to try changed claims: the pools of the original one, of its family and
    of further ones, and its budget."""

    pool: Pool
    profile: Profile
    seed: int
    stands: Stands
    deadline: float = inf
    further: Sequence[Pool] = ()
    spent: int = 0

    def falls(self, changed: Statement, evaluations: int) -> bool:
        """Whether an instance of some family breaks a changed claim, exactly re-scored."""
        share = evaluations // (1 + len(self.further))
        return any(
            self._falls(pool, replace(changed, family=pool.statement.family, also=()), share)
            for pool in (self.pool, *self.further)
        )

    def _falls(self, pool: Pool, changed: Statement, evaluations: int) -> bool:

        def confirmed(candidate: Candidate) -> bool:
            try:
                with at_most(REFEREE):
                    exact = ask(changed, candidate.values, candidate.shape, candidate.family)
            except OutOfTime:
                return False
            refuted = exact is not None and exact.violated
            if refuted:
                pool.paid.append(candidate)
            return refuted

        try:
            if breaks_on_kept(pool, changed, confirmed):
                return True
            self.spent += evaluations
            with np.errstate(all="ignore"):
                found = hunt(
                    changed,
                    self.profile,
                    self.seed,
                    starts_of(pool),
                    evaluations,
                    confirmed,
                    self.deadline,
                )
            return found is not None
        except (NotAvailable, TypeError, ValueError, ArithmeticError, LookupError):
            return False

    def climb(self, smaller: Statement, evaluations: int) -> bool | None:
        """Whether a smaller claim stands on its own; open where the budget is spent."""
        if self.spent + evaluations > self.profile.evaluations:
            return None
        self.spent += evaluations
        seconds = self.deadline - time.perf_counter()
        if seconds <= 0:
            raise OutOfTime
        return self.stands(smaller, evaluations, min(seconds, self.profile.seconds))


def look_at_terms(trial: Trial) -> tuple[Evidence, Statement]:
    """Try the claim without each named term of its bound.

    Parameters
    ----------
    trial : Trial

    Returns
    -------
    Evidence
        Of the rung ``terms``: ``needed``, ``not needed`` and ``not seen needed`` ones.
    Statement
        The smallest claim that stands.
    """
    statement = trial.pool.statement
    if statement.relation not in ("<=", ">="):
        return Evidence("terms", "reported", "an equality has no term to spare"), statement
    sizes, before = _sizes(trial.pool), trial.spent
    share = trial.profile.evaluations // (2 * max(len(sizes), 4))
    suspects = [n for n in sizes if not trial.falls(without(statement, {n}), share)]
    dropped: set[str] = set()
    left_open: list[str] = []
    budget = trial.profile.evaluations // 4
    if len(suspects) > 1 and trial.climb(without(statement, suspects), budget):
        dropped = set(suspects)
    for name in suspects if not dropped else ():
        smaller = without(statement, {*dropped, name})
        if dropped and trial.falls(smaller, share):
            continue
        answer = trial.climb(smaller, budget)
        if answer:
            dropped.add(name)
        elif answer is None:
            left_open.append(name)
    left_open = [n for n in left_open if not trial.falls(without(statement, {*dropped, n}), share)]
    spared = [name for name in sizes if name in dropped]
    needed = [name for name in sizes if name not in dropped and name not in left_open]
    marks = {"needed": needed, "not needed": spared, "not seen needed": left_open}
    text = "; ".join(f"{mark}: {', '.join(names)}" for mark, names in marks.items() if names)
    found = Evidence(
        "terms",
        "reported",
        text,
        tried=trial.spent - before,
        details={k: v for k, v in marks.items() if v},
    )
    return found, without(statement, dropped) if dropped else statement


def breaks_on_kept(pool: Pool, changed: Statement, confirmed: Callable[[Candidate], bool]) -> bool:
    """Whether an instance that the search has kept breaks a changed claim."""
    asked = 0
    with unchecked(), np.errstate(all="ignore"):
        for result, (values, shape, family) in zip(pool.kept, pool.points, strict=True):
            found = score_world(changed, result.world)
            ratio = np.where(found.feasible, found.ratio, -np.inf)
            for row in np.argsort(-np.nan_to_num(ratio, nan=-np.inf), kind="stable")[:2]:
                if not ratio[row] > 1 + ROUNDING or asked >= 6:
                    break
                asked += 1
                chosen = {name: value[row] for name, value in values.items()}
                if confirmed(Candidate(chosen, shape, float(ratio[row]), family=family)):
                    return True
    return False


def starts_of(pool: Pool) -> list[Candidate]:
    """The tightest instances of a search, and of each batch that it has kept."""
    found = [*pool.tops, *([pool.within] if pool.within is not None else [])]
    for result, (values, shape, family) in zip(pool.kept, pool.points, strict=True):
        row = int(np.argmax(np.nan_to_num(result.tight, nan=-np.inf)))
        if result.feasible[row]:
            chosen = {name: value[row] for name, value in values.items()}
            found.append(Candidate(chosen, shape, float(result.ratio[row]), family=family))
    return sorted(found, key=lambda one: -one.ratio)


def _sizes(pool: Pool) -> dict[str, float]:
    """Named terms of the bound that are nowhere negative, by their usual size, largest first."""
    side = bound_side(pool.statement)
    seen: dict[str, list[Any]] = {}
    with unchecked(), np.errstate(all="ignore"):
        for result in pool.kept:
            terms = sides_of(pool.statement, result.world)[side]
            for name, value in terms.items():
                value = np.asarray(value, dtype=float)
                value = value.reshape((1,) * (2 - value.ndim) + value.shape)
                rows = np.broadcast_to(value, (len(result.feasible), *value.shape[1:]))
                seen.setdefault(name, []).append(rows[result.feasible].ravel())
    joined = {name: np.concatenate(parts) for name, parts in seen.items()}
    kept = {name: v for name, v in joined.items() if v.size and not (v < 0).any()}
    return dict(
        sorted(((n, float(np.median(v))) for n, v in kept.items()), key=lambda item: -item[1])
    )
