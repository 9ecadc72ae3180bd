"""A small search of its own for a changed claim, beginning where the original one is tight.

A claim without one of its terms, a bound that a trivial one is compared with, a hypothesis turned
round: each is a statement like any other.  Where it falls, it mostly falls near the tightest
instances of the claim that it was made of.  All shapes are looked at; the climb begins in the one
where it came nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from math import inf

import numpy as np

from verify.claim.statement import Shape, Statement
from verify.ladder.budgets import Profile
from verify.ladder.search import tuning
from verify.ladder.search.hunt import Hits, Hunt, look, pursue
from verify.ladder.search.points import lifted_points
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.tally import shape_name
from verify.world.noise_plan import AllOutcomes

__all__ = ["small_hunt"]


def small_hunt(
    statement: Statement,
    profile: Profile,
    seed: int,
    starts: Sequence[Candidate],
    evaluations: int,
    confirm: Callable[[Candidate], bool] | None = None,
    deadline: float = inf,
) -> Candidate | None:
    """Look for an instance that breaks a statement.

    Parameters
    ----------
    statement : Statement
    profile : Profile
        For the size of a population.
    seed : int
    starts : sequence of Candidate
        Where to begin, the most promising first; of a statement with the same parameters.
    evaluations : int
        Budget over all shapes.
    confirm : callable, optional
        Whether a hit counts (re-scored by the referee); the hunt goes on past those that do not.
    deadline : float, optional
        Of the clock ``time.thread_time``.

    Returns
    -------
    Candidate or None
        The first instance found that counts.

    Raises
    ------
    OutOfTime
        Past the deadline.
    """
    pool = Pool(statement, AllOutcomes(), deadline=deadline)
    shapes = _shapes(statement, starts)
    share = max(evaluations // len(shapes), 1)
    population = min(profile.population, max(share // tuning.SMALL_ROUNDS, tuning.SMALL_POPULATION))

    def asked(hits: Hits) -> Candidate | None:
        for _, hit in islice(hits, tuning.SMALL_HITS):
            if confirm is None or confirm(hit):
                return hit
        return None

    hunts = []
    for number, shape in enumerate(shapes):
        here = Hunt(pool, shape, np.random.default_rng([seed, number, 41]))
        known = (
            lifted_points(starts[: tuning.SMALL_STARTS], statement.family, shape)
            if starts
            else None
        )
        found = asked(look(here, share // tuning.SMALL_LOOK, known))
        if found is not None:
            return found
        hunts.append(here)
    nearest = max(hunts, key=lambda one: one.nearest)
    return asked(
        pursue(nearest, evaluations - len(shapes) * (share // tuning.SMALL_LOOK), population)
    )


def _shapes(statement: Statement, starts: Sequence[Candidate]) -> list[Shape]:
    """The statement's shapes, those of the best starts first; larger ones cost too much here."""
    listed = {shape_name(shape): shape for shape in statement.family.shapes}
    first = [name for one in starts if (name := shape_name(one.shape)) in listed]
    return [listed[name] for name in dict.fromkeys([*first, *listed])][: tuning.SMALL_SHAPES]
