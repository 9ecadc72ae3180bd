"""Search rung: analytic points first, then differential evolution over the box.

Random instances have almost no power against a wrong constant; corners, equal clients and aligned
low-dimensional instances do, and evolution sharpens what they find.  Budgets are evaluation
counts, so that a ledger is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bounds.generic import to_float
from verify.claim.statement import Family, Shape
from verify.ladder.pool import Candidate, Pool, Values
from verify.verdict.relation import LARGEST, ROUNDING
from verify.world.score import Score

Array = np.ndarray[Any, Any]

LEVELS = np.array([0.0, 0.5, 1.0, 0.25, 0.75, *np.arange(1, 8, 2) / 8, *np.arange(1, 16, 2) / 16])
"""Places in a parameter's range: ends and middle, then ever finer."""

GRIDS = (17, 9, 5, 3)
"""Numbers of levels that make up a whole grid."""

TIES = 64
"""Instances tried in which two parameters of like unit have one value."""

CHUNK = 1024
"""Instances scored at a time."""

STARTS = 512
"""Best analytic points that evolutions may begin with."""

USUAL = 1e-3
"""Part of the median right side below which an instance counts as tiny."""

KEPT = 96
"""Best and first analytic points that stay for mutants and hints."""

GENERATIONS = 24
"""Most generations of one island."""

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
    ratio = np.minimum(np.nan_to_num(ratio, nan=0.0, posinf=LARGEST), LARGEST)
    shortfall = np.minimum(result.shortfall, LARGEST)
    return np.asarray(np.where(shortfall <= 0, ratio, -1.0 - shortfall))


def hits(pool: Pool, value: float) -> bool:
    """Whether a goal value is worth a referee."""
    return value >= 1 - ROUNDING if pool.statement.quantifier == "some" else value > 1 + ROUNDING


def analytic_points(
    family: Family, shape: Shape, count: int, rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    """Corners, midpoints and rows with equal clients, (count or fewer, width).

    Few parameters: the finest grid that fits, coarse points first, so that a claim that fails at
    one simple number alone is met there.
    """
    width = family.width(shape)
    if width == 0:
        return np.zeros((1, 0))
    levels = next((n for n in GRIDS if n**width <= count), 0)
    if levels:
        axes = np.meshgrid(*[np.arange(levels)] * width, indexing="ij")
        ranks = np.stack([a.ravel() for a in axes], axis=1)
        depth = np.searchsorted([3, 5, 9], ranks.max(axis=1), side="right")
        return np.asarray(LEVELS[ranks[np.argsort(depth, kind="stable")]])
    columns = []
    for parameter in family.box.values():
        size = int(np.prod(parameter.lengths(shape), dtype=int))
        block = rng.choice(LEVELS[:5], size=(count, size), p=[0.3, 0.2, 0.3, 0.1, 0.1])
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

    Half of the budget goes to analytic points, half to islands of evolution. The caller may stop
    iterating; what was evaluated stays in the pool. With ``rescale`` the units of loss and length
    are two more coordinates: where the units of a claim differ, it is broken somewhere along such
    a ray unless both sides stay apart for another reason.
    """
    pool.forget_edge()
    hunt = _Hunt(pool, shape, rng, rescale)
    yield from hunt.analytic(max(evaluations // 2, 16))
    yield from hunt.ties()
    yield from hunt.islands(evaluations - evaluations // 2, population)
    if pool.edge is not None:
        yield "search", pool.edge


class _Hunt:
    """The search of one shape, in coordinates of the unit cube."""

    def __init__(self, pool: Pool, shape: Shape, rng: np.random.Generator, rescale: bool) -> None:
        self.pool, self.shape, self.rng, self.rescale = pool, shape, rng, rescale
        self.width = pool.statement.family.width(shape) + 2 * rescale
        self.best = np.zeros((0, self.width))
        self.reached = np.zeros(0)
        self.size = np.zeros(0)

    def decode(self, u: Array) -> Values:
        """Parameter values of points."""
        if self.rescale:
            return _rescaled(self.pool, u, self.shape)
        return self.pool.decode(u, self.shape)

    def goal(self, u: Array, keep: bool = False) -> Array:
        """What is maximised, at points (B, width)."""
        result, ratio = self.pool.evaluate(self.decode(u), self.shape, keep=keep)
        self.size = np.abs(to_float(result.right)).max(axis=1)
        return goal(self.pool, result, ratio)

    def analytic(self, count: int) -> Iterator[tuple[str, Candidate]]:
        """Analytic points in chunks; the best distinct ones stay as starts for the islands."""
        family = self.pool.statement.family
        points = analytic_points(family, self.shape, count, self.rng)
        if self.rescale:
            points = np.concatenate([points, self.rng.random((len(points), 2))], axis=1)
        for first in range(0, len(points), CHUNK):
            u = points[first : first + CHUNK]
            reached = self.goal(u)
            yield from self._hit("exact", u, reached)
            self._store(u, reached)
        self.goal(np.concatenate([self.best[:KEPT], points[:KEPT]]), keep=True)

    def ties(self) -> Iterator[tuple[str, Candidate]]:
        """Points in which two parameters have one value."""
        start = self.decode(self.best if len(self.best) else np.full((1, self.width), 0.5))
        tied = tied_values(self.pool.statement.family, self.shape, start, self.rng)
        if tied:
            reached = goal(self.pool, *self.pool.evaluate(tied, self.shape, keep=True))
            yield from _best_hit(self.pool, "exact", tied, self.shape, reached)

    def islands(self, evaluations: int, population: int) -> Iterator[tuple[str, Candidate]]:
        """Evolutions side by side: each begins with other starts, so a plateau of ties that
        catches one does not catch all."""
        generations = min(evaluations // population, GENERATIONS)
        if not self.width or generations < 1:
            return
        count = max(evaluations // (population * generations), 1)
        for number in range(count):
            mine = self.best[number::count][: population // 2]
            fresh = self.rng.random((population - len(mine), self.width))
            u = self._evolve(np.concatenate([mine, fresh]), generations)
            yield from self._hit("search", u, self.goal(u, keep=number < 2))

    def _evolve(self, first: Array, generations: int) -> Array:
        """Last population of an evolution."""
        from scipy.optimize import Bounds, differential_evolution

        def objective(x: Array) -> Any:
            out = -self.goal(np.clip(x.T if x.ndim == 2 else x[None], 0, 1))
            return out if x.ndim == 2 else out[0]

        result = differential_evolution(
            objective, Bounds([0.0] * self.width, [1.0] * self.width), init=first,
            maxiter=generations, tol=0, atol=-1, polish=False, vectorized=True,
            updating="deferred", rng=self.rng,
        )  # fmt: skip
        return np.clip(result.population, 0, 1)

    def _hit(self, rung: str, u: Array, reached: Array) -> Iterator[tuple[str, Candidate]]:
        # rounding makes its largest ratios where both sides are tiny; look beside them too
        usual = self.size >= USUAL * np.median(self.size)
        for j in {int(np.argmax(reached)), int(np.argmax(np.where(usual, reached, -np.inf)))}:
            if hits(self.pool, reached[j]):
                yield from _best_hit(
                    self.pool, rung, self.decode(u[j : j + 1]), self.shape, reached[j : j + 1]
                )

    def _store(self, u: Array, reached: Array) -> None:
        """Merge points into the best ones, one for each value reached."""
        points, values = np.concatenate([self.best, u]), np.concatenate([self.reached, reached])
        order = np.argsort(-values, kind="stable")
        _, distinct = np.unique(np.round(-values[order], 9), return_index=True)
        chosen = order[np.sort(distinct)][:STARTS]
        self.best, self.reached = points[chosen], values[chosen]


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
