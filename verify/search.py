"""Search rung: analytic points first, then differential evolution over the box.

Random instances have almost no power against a wrong constant; corners, equal clients and aligned
low-dimensional instances do, and evolution sharpens what they find.  Budgets are evaluation
counts, so that a ledger is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.pool import Candidate, Pool, Values
from verify.statement import Family, Shape

LEVELS = np.array([0.0, 0.5, 1.0, 0.25, 0.75])
HIT = 1e-9
"""Relative excess from which a float ratio is worth a referee."""

REACH = 16
"""Largest power of two by which a search along units rescales."""


def goal(pool: Pool, result: Any) -> np.ndarray[Any, Any]:
    """What the search maximises, (B,): above 1 means found.

    For a claim about all instances the ratio left/right; for a claim that some instance exists
    its inverse; below zero, the missed margins, where a hypothesis fails.
    """
    ratio = result.ratio
    if pool.statement.quantifier == "some":
        with np.errstate(divide="ignore"):
            ratio = 1 / ratio
    ratio = np.minimum(np.nan_to_num(ratio, nan=0.0, posinf=1e300), 1e300)
    shortfall = np.minimum(result.shortfall, 1e300)
    return np.asarray(np.where(shortfall <= 0, ratio, -1.0 - shortfall))


def hits(pool: Pool, value: float) -> bool:
    """Whether a goal value is worth a referee."""
    return value >= 1 - HIT if pool.statement.quantifier == "some" else value > 1 + HIT


def analytic_points(
    family: Family, shape: Shape, count: int, rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    """Corners, midpoints and rows with equal clients, (count or fewer, width)."""
    width = family.width(shape)
    if width == 0:
        return np.zeros((1, 0))
    if 3**width <= count:
        axes = np.meshgrid(*[LEVELS[:3]] * width, indexing="ij")
        return np.stack([a.ravel() for a in axes], axis=1)
    columns = []
    for parameter in family.box.values():
        size = int(np.prod(parameter.lengths(shape), dtype=int))
        block = rng.choice(LEVELS, size=(count, size), p=[0.3, 0.2, 0.3, 0.1, 0.1])
        equal = rng.random(count) < 0.5
        block[equal] = block[equal][:, :1]
        columns.append(block)
    return np.concatenate(columns, axis=1)


def search_shape(
    pool: Pool,
    shape: Shape,
    evaluations: int,
    population: int,
    rng: np.random.Generator,
    rescale: bool = False,
) -> Iterator[tuple[str, Candidate]]:
    """Search one shape; yields (rung, candidate) whenever a better hit turns up.

    The caller may stop iterating; what was evaluated stays in the pool. With ``rescale`` the units
    of loss and length are two more coordinates: where the units of a claim differ, it is broken
    somewhere along such a ray unless both sides stay apart for another reason.
    """
    from scipy.optimize import differential_evolution

    family = pool.statement.family
    start = analytic_points(family, shape, max(evaluations // 4, 16), rng)
    if rescale:
        start = np.concatenate([start, rng.random((len(start), 2))], axis=1)

    def decode(u: np.ndarray[Any, Any]) -> Values:
        return _rescaled(pool, u, shape) if rescale else pool.decode(u, shape)

    values = decode(start)
    found = pool.evaluate(values, shape, keep=True)
    score = goal(pool, found)
    best = int(np.argmax(score))
    if hits(pool, score[best]):
        yield "exact", _candidate(values, shape, score, best)
    width = start.shape[1]
    generations = (evaluations - len(start)) // population
    if width == 0 or generations < 1:
        return
    order = np.argsort(-score, kind="stable")[: population // 2]
    fresh = rng.random((population - len(order), width))
    first = np.concatenate([start[order], fresh])

    def objective(x: np.ndarray[Any, Any]) -> Any:
        u = np.clip(x.T if x.ndim == 2 else x[None], 0, 1)
        out = -goal(pool, pool.evaluate(decode(u), shape))
        return out if x.ndim == 2 else out[0]

    # scipy replaces the first member by x0 only if asked; init sets the whole population.
    result = differential_evolution(
        objective, [(0.0, 1.0)] * width, init=first, maxiter=generations, tol=0, atol=-1,
        polish=False, vectorized=True, updating="deferred", rng=rng,
    )  # fmt: skip
    last = np.clip(result.population, 0, 1)
    values = decode(last)
    score = goal(pool, pool.evaluate(values, shape, keep=True))
    best = int(np.argmax(score))
    if hits(pool, score[best]):
        yield "search", _candidate(values, shape, score, best)


def _rescaled(pool: Pool, u: np.ndarray[Any, Any], shape: Shape) -> Values:
    """Parameter values in units of loss and length given by the last two coordinates."""
    values = dict(pool.decode(u[:, :-2], shape))
    loss, length = (REACH * (2 * u[:, j] - 1) for j in (-2, -1))
    for name, value in values.items():
        p, q = pool.statement.family.box[name].unit
        factor = np.exp2(p * loss + q * length)
        values[name] = value * factor.reshape((-1,) + (1,) * (value.ndim - 1))
    return values


def _candidate(values: Values, shape: Shape, score: Any, j: int) -> Candidate:
    return Candidate({k: v[j] for k, v in values.items()}, shape, float(score[j]))
