"""Far out: claims about plain numbers at magnitudes that no search of a range comes to.

``x <= 1000 x^2`` for positive x is false below 1/1000, far from where one would look.  So some
points are tried at which each number is a power of two between 2^-40 and 2^40, or lies in its
range.  Where a number of the claim itself lies beyond all that was searched, a climb goes on to
twice that number: ``x <= 100`` for x of at most y^2 and y of at most 10.1 is false beside it alone.
What they find is only ever a witness: a float far out may be all rounding, so that nothing is
counted, and nothing that cannot be decided is held against a claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from verify.claim.parameters import Family, Shape, plain_numbers
from verify.claim.statement import Statement
from verify.ladder.rungs import tuning
from verify.ladder.rungs.spots import numbers_of
from verify.ladder.search.hunt import Hunt, climb, look
from verify.ladder.search.plan import widened
from verify.ladder.search.pool import Candidate, Pool, Values
from verify.verdict.relation import ROUNDING
from verify.world.noise_plan import NotAvailable

__all__ = ["far_out"]


def far_out(statement: Statement, pool: Pool, seed: int, reach: float) -> Iterator[Candidate]:
    """Points far out that break a claim by their floats, the shortest numbers first.

    Parameters
    ----------
    statement : Statement
    pool : Pool
        Of the statement; nothing is remembered in it.
    seed : int
    reach : float
        How far the search has left the ranges, as a factor.

    Yields
    ------
    Candidate
        A few; none where the claim is about more than its numbers, or has no room to leave.
    """
    family = statement.family
    if family.build is not plain_numbers or statement.quantifier != "all":
        return
    if widened(family, 2.0) is None:
        return
    rng = np.random.default_rng([seed, 12])
    for shape in (family.shapes[0], *family.shapes[1:][-tuning.FAR_SHAPES :]):
        yield from islice(_hits(pool, family, shape, rng), tuning.FAR_REFEREED)
    beside = _to_its_numbers(statement, reach)
    if beside is not None:
        own = Pool(statement, pool.noise, deadline=pool.deadline)
        hunt = Hunt(own, family.shapes[0], rng, family=beside)
        for hits in (look(hunt, tuning.FAR_CLIMB // 4), climb(hunt, tuning.FAR_CLIMB)):
            yield from islice((candidate for _, candidate in hits), tuning.FAR_REFEREED)


def _to_its_numbers(statement: Statement, reach: float) -> Family | None:
    """The family as far as twice the largest number of the claim; None if it was searched there."""
    family = statement.family
    far = max(map(abs, numbers_of(statement)), default=0)
    if far > 2**tuning.FARTHEST:
        return None
    searched, box = (widened(family, reach) or family).box, {}
    for name, real in family.box.items():
        low, high = real.limits
        ends = [end for end in (float(-2 * far), float(2 * far)) if low < end < high]
        box[name] = searched[name].around(ends) if ends and real.low < real.high else searched[name]
    return replace(family, box=box) if box != searched else None


def _hits(
    pool: Pool, family: Family, shape: Shape, rng: np.random.Generator
) -> Iterator[Candidate]:
    values = _points(family, shape, rng)
    try:
        result = pool.scored(values, shape)
    except (NotAvailable, ArithmeticError):
        return
    met = result.missed <= 0
    ratio = np.broadcast_to(result.ratio, met.shape)
    rows = np.flatnonzero(met & (ratio > 1 + ROUNDING))
    away = np.sum([_away(value) for value in values.values()], axis=0)
    for row in rows[np.argsort(away[rows], kind="stable")]:
        yield Candidate({k: v[row] for k, v in values.items()}, shape, float(ratio[row]))


def _away(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """How many doublings the numbers of each point are from one, (B,)."""
    doublings = np.abs(np.log2(np.where(value == 0, 1.0, np.abs(value))))
    return np.asarray(doublings.reshape(len(value), -1).sum(axis=1))


def _points(family: Family, shape: Shape, rng: np.random.Generator) -> Values:
    """Numbers that are powers of two up to far out, or lie in their ranges."""
    out = {}
    for name, real in family.box.items():
        lengths = (tuning.FAR_POINTS, *real.lengths(shape))
        inside = real.from_unit(rng.integers(0, 5, size=lengths) / 4)
        power = rng.integers(-tuning.FARTHEST, tuning.FARTHEST + 1, size=lengths)
        sign = np.where(rng.random(lengths) < 1 / 2, -1.0, 1.0)
        wide = real.wide(2.0**tuning.FARTHEST)
        far = np.clip(sign * 2.0**power, wide.low, wide.high)
        chosen = rng.random((tuning.FAR_POINTS, *(1 for _ in real.per))) < 1 / 2
        out[name] = np.where(chosen, far, inside)
    return out
