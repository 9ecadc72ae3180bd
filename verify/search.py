"""Search rung: analytic points first, then differential evolution over the box.

Random instances have almost no power against a wrong constant; corners, equal clients and aligned
low-dimensional instances do, and evolution sharpens what they find.  Budgets are evaluation
counts, so that a ledger is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from verify.pool import HIT, Candidate, Pool, Values
from verify.score import Score
from verify.statement import Family, Shape

LEVELS = np.array([0.0, 0.5, 1.0, 0.25, 0.75])
TIES = 64
"""Instances tried in which two parameters of like unit have one value."""

REACH = 16
"""Largest power of two by which a search along units rescales."""


def goal(pool: Pool, result: Score, ratio: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What the search maximises, (B,): above 1 means found.

    For a claim about all instances the given (steady) ratio left/right; for a claim that some
    instance exists its inverse; below zero, the missed margins, where a hypothesis fails.
    """
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
    family = pool.statement.family
    start = analytic_points(family, shape, max(evaluations // 4, 16), rng)
    if rescale:
        start = np.concatenate([start, rng.random((len(start), 2))], axis=1)

    def decode(u: np.ndarray[Any, Any]) -> Values:
        return _rescaled(pool, u, shape) if rescale else pool.decode(u, shape)

    pool.forget_edge()
    values = decode(start)
    score = goal(pool, *pool.evaluate(values, shape, keep=True))
    yield from _best_hit(pool, "exact", values, shape, score)
    tied = tied_values(family, shape, values, rng)
    if tied:
        reached = goal(pool, *pool.evaluate(tied, shape, keep=True))
        yield from _best_hit(pool, "exact", tied, shape, reached)
    generations = (evaluations - len(start)) // population
    if start.shape[1] > 0 and generations >= 1:
        values = decode(_evolve(pool, shape, decode, start, score, generations, population, rng))
        score = goal(pool, *pool.evaluate(values, shape, keep=True))
        yield from _best_hit(pool, "search", values, shape, score)
    if pool.edge is not None:
        yield "search", pool.edge


def _evolve(
    pool: Pool,
    shape: Shape,
    decode: Callable[[np.ndarray[Any, Any]], Values],
    start: np.ndarray[Any, Any],
    score: np.ndarray[Any, Any],
    generations: int,
    population: int,
    rng: np.random.Generator,
) -> np.ndarray[Any, Any]:
    """Last population of an evolution that begins with the best of ``start`` and random points."""
    from scipy.optimize import Bounds, differential_evolution

    width = start.shape[1]
    order = np.argsort(-score, kind="stable")[: population // 2]
    fresh = rng.random((population - len(order), width))
    first = np.concatenate([start[order], fresh])

    def objective(x: np.ndarray[Any, Any]) -> Any:
        u = np.clip(x.T if x.ndim == 2 else x[None], 0, 1)
        out = -goal(pool, *pool.evaluate(decode(u), shape))
        return out if x.ndim == 2 else out[0]

    # scipy replaces the first member by x0 only if asked; init sets the whole population.
    result = differential_evolution(
        objective, Bounds([0.0] * width, [1.0] * width), init=first, maxiter=generations,
        tol=0, atol=-1, polish=False, vectorized=True, updating="deferred", rng=rng,
    )  # fmt: skip
    return np.clip(result.population, 0, 1)


def tied_values(
    family: Family, shape: Shape, values: Values, rng: np.random.Generator
) -> dict[str, Any]:
    """Points in which two parameters of like unit, size and range have exactly one value.

    A claim that confuses ``<`` with ``<=`` may be false there and nowhere else.
    """
    box = family.box
    pairs = [
        (a, b) for a in box for b in box
        if a != b and box[a].unit == box[b].unit
        and box[a].lengths(shape) == box[b].lengths(shape)
        and max(box[a].low, box[b].low) <= min(box[a].high, box[b].high)
    ]  # fmt: skip
    if not pairs:
        return {}
    rows = rng.choice(len(next(iter(values.values()))), size=TIES)
    tied = {k: np.array(v[rows]) for k, v in values.items()}
    for row in range(TIES):
        a, b = pairs[rng.integers(len(pairs))]
        low, high = max(box[a].low, box[b].low), min(box[a].high, box[b].high)
        tied[a][row] = tied[b][row] = np.clip(tied[a][row], low, high)
    return tied


def _rescaled(pool: Pool, u: np.ndarray[Any, Any], shape: Shape) -> Values:
    """Parameter values in units of loss and length given by the last two coordinates."""
    values = dict(pool.decode(u[:, :-2], shape))
    loss, length = (REACH * (2 * u[:, j] - 1) for j in (-2, -1))
    for name, value in values.items():
        p, q = pool.statement.family.box[name].unit
        factor = np.exp2(p * loss + q * length)
        values[name] = value * factor.reshape((-1,) + (1,) * (value.ndim - 1))
    return values


def _best_hit(
    pool: Pool, rung: str, values: Values, shape: Shape, score: np.ndarray[Any, Any]
) -> Iterator[tuple[str, Candidate]]:
    best = int(np.argmax(score))
    if hits(pool, score[best]):
        yield rung, _candidate(values, shape, score, best)


def _candidate(values: Values, shape: Shape, score: Any, j: int) -> Candidate:
    return Candidate({k: v[j] for k, v in values.items()}, shape, float(score[j]))
