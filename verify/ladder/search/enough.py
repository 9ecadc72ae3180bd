"""How many different instances of each shape met every hypothesis.

A search runs to the worst instances and stays there; where it has met few different ones, points
spread over the cube, and between those, are tried too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.claim.statement import Shape, Statement
from verify.ladder.search import tuning
from verify.ladder.search.pool import Pool
from verify.ladder.search.tally import shape_name
from verify.verdict.relation import LEAST_MET, LEAST_MET_SHAPE

__all__ = ["fill_up", "free_parameters", "instances_met"]


def fill_up(pool: Pool, seed: int, again: bool = False) -> None:
    """Try points spread over each shape in which fewer than the least number were met.

    Parameters
    ----------
    pool : Pool
    seed : int
    again : bool
        Whether an earlier search has met enough of each shape: then no more than what is asked of
        all shapes together, few points first.
    """
    if pool.statement.quantifier == "some" or pool.statement.relation == "<~":
        return  # no number of instances decides these
    shapes = list(enumerate(pool.statement.family.shapes))
    for number, shape in shapes:
        if pool.move(shape) is not None:
            rng = np.random.default_rng([seed, number, 19])
            points = rng.random((tuning.FILL_UP_POINTS, pool.statement.family.width(shape)))
            pool.beside(pool.decode(points, shape), shape)
    least = max(LEAST_MET_SHAPE, -(-LEAST_MET // len(shapes))) if again else LEAST_MET
    times = tuning.FILL_UP_AGAIN if again else tuning.FILL_UP_TIMES * (tuning.FILL_UP_POINTS,)
    for count, number, shape in [(count, *one) for count in times for one in shapes]:
        if len(pool.tally.met.get(shape_name(shape), ())) >= least:
            continue
        if not free_parameters(pool.statement, shape):
            continue
        rng = np.random.default_rng([seed, number, 17, *([count] if again else [])])
        width = pool.statement.family.width(shape)
        between = _between(pool.tally.places(shape, width), count // 2, rng)
        points = np.concatenate([rng.random((count - len(between), width)), between])
        pool.evaluate(pool.decode(points, shape), shape)


def _between(
    places: np.ndarray[Any, Any], count: int, rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    """Points between known ones, and a little beside: most regions of hypotheses are round."""
    if len(places) < 2:
        return places[:0]
    one, other = (places[rng.integers(len(places), size=count)] for _ in range(2))
    part = rng.random((len(one), 1))
    low, high = np.log(tuning.FILL_UP_BESIDE).tolist()
    reach = np.exp(rng.uniform(low, high, (len(one), 1)))
    beside = reach * rng.normal(size=one.shape)
    return np.asarray(np.clip(one + part * (other - one) + beside, 0, 1))


def instances_met(pool: Pool) -> dict[str, Any]:
    """Different instances that met every hypothesis, by shape; shapes that are single instances.

    An equality takes a free number away: ``x**2 == 1`` leaves single instances, which are enough
    beside a shape that has more.

    Returns
    -------
    dict
        ``met`` and ``fixed``, see :func:`verify.verdict.earned.too_few`.
    """
    statement, met = pool.statement, pool.tally.met
    names = {shape_name(shape): shape for shape in statement.family.shapes}
    held = [name for name, shape in names.items() if not _free_along(pool, shape)]
    fixed = [name for name in held if not free_parameters(statement, names[name])]
    fixed = held if len(held) < len(names) else fixed
    counts = {name: len(met.get(name, ())) for name in names}
    return {"met": counts, **({"fixed": fixed} if fixed else {})}


def _free_along(pool: Pool, shape: Shape) -> int:
    """Number of coordinates under a shape that the equalities leave free."""
    move = pool.move(shape)
    return free_parameters(pool.statement, shape) - (0 if move is None else len(move.moves))


def free_parameters(statement: Statement, shape: Shape) -> int:
    """Number of coordinates under a shape that are not fixed by their range."""
    box = statement.family.box.values()
    return sum(int(np.prod(p.lengths(shape), dtype=int)) for p in box if p.low < p.high)
