"""Search rung: analytic points first, then constrained ascent, and an evolution where it helps.

Random instances have almost no power against a wrong constant; corners, equal clients and aligned
low-dimensional instances do.  An ascent then climbs from the best of them, from the edge of each
hypothesis and from elsewhere, until its starts end in no new place.  Budgets are evaluation counts,
so that a ledger is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bounds.generic import to_float
from verify.claim.statement import Family, Shape
from verify.ladder.search import tuning
from verify.ladder.search.ascent import ascend
from verify.ladder.search.evolution import evolve
from verify.ladder.search.goal import goal, heights, hits, lifted, margins
from verify.ladder.search.optima import Optima
from verify.ladder.search.points import analytic_points, tied_values
from verify.ladder.search.pool import Candidate, Pool, Values
from verify.ladder.search.starts import starts
from verify.verdict.relation import LARGEST

__all__ = ["Engine", "Hunt", "analytic_points", "goal", "hits", "look", "pursue"]

Array = np.ndarray[Any, Any]
Hits = Iterator[tuple[str, Candidate]]
"""(rung, candidate) whenever a better hit turns up."""


def look(hunt: Hunt, evaluations: int, known: Array | None = None) -> Hits:
    """Points that are given, then analytic ones: where an engine may begin."""
    hunt.pool.forget_edge()
    if known is not None:
        yield from hunt.begin(known)
    yield from hunt.analytic(max(evaluations, 16))
    yield from hunt.ties()
    yield from hunt.edge()


def pursue(hunt: Hunt, evaluations: int, population: int, engine: Engine | None = None) -> Hits:
    """The engine, from the best of what was looked at."""
    hunt.pool.forget_edge()
    yield from (engine or climb_and_evolve)(hunt, evaluations, population)
    yield from hunt.edge()


class Hunt:
    """The search of one shape, in coordinates of the unit cube, ``chunk`` points at a time."""

    chunk = tuning.CHUNK

    def __init__(
        self,
        pool: Pool,
        shape: Shape,
        rng: np.random.Generator,
        rescale: bool = False,
        family: Family | None = None,
    ) -> None:
        self.pool, self.shape, self.rng, self.rescale = pool, shape, rng, rescale
        self.family = family or pool.statement.family
        self.other = family
        self.width = self.family.width(shape) + 2 * rescale
        self.points = np.zeros((0, self.width))
        self.reached = np.zeros(0)
        self.heights = np.zeros(0)
        self.margins = np.zeros((0, len(pool.statement.given)))
        self.size = np.zeros(0)
        self.begun: set[bytes] = set()
        self.home: tuple[Array, Array] | None = None

    def widened(self, family: Family) -> Hunt:
        """The same hunt over the wider ranges of another family, with all that it has seen."""
        wide = type(self)(self.pool, self.shape, self.rng, family=family)
        wide.points = family.encode(self.decode(self.points), self.shape)
        wide.reached, wide.heights, wide.margins = self.reached, self.heights, self.margins
        corners = self.decode(np.array([np.zeros(self.width), np.ones(self.width)]))
        low, high = family.encode(corners, self.shape)
        wide.home = low, high
        return wide

    def decode(self, u: Array) -> Values:
        """Parameter values of points."""
        if self.rescale:
            return _rescaled(self.family, u, self.shape)
        return self.family.decode(u, self.shape)

    def goal(self, u: Array, keep: bool = False) -> Array:
        """What is maximised, at points (B, width)."""
        return self._seen(u, keep)[0]

    def landscape(self, u: Array, _: Array) -> tuple[Array, Array]:
        """Heights and margins at points (B, width), for an ascent."""
        parts = range(0, len(u), self.chunk)
        seen = [self._seen(u[i : i + self.chunk])[1:] for i in parts]
        return np.concatenate([h for h, _ in seen]), np.concatenate([m for _, m in seen])

    @property
    def best(self) -> Array:
        """Best distinct points, best first."""
        order = np.argsort(-self.reached, kind="stable")
        _, distinct = np.unique(np.round(-self.reached[order], 9), return_index=True)
        return self.points[order[np.sort(distinct)][: tuning.BEST_POINTS]]

    @property
    def nearest(self) -> float:
        """Largest of what is maximised so far; -inf before the first point."""
        return float(np.max(self.reached, initial=-np.inf))

    def begin(self, u: Array) -> Hits:
        """Points that are given."""
        for first in range(0, len(u), self.chunk):
            yield from self._store(u[first : first + self.chunk], "search")

    def analytic(self, count: int, keep: bool = True) -> Hits:
        """Analytic points in chunks; the best stay as starts for the engine, some for mutants."""
        points = analytic_points(self.family, self.shape, count, self.rng)
        if self.rescale:
            points = np.concatenate([points, self.rng.random((len(points), 2))], axis=1)
        for first in range(0, len(points), self.chunk):
            yield from self._store(points[first : first + self.chunk], "exact")
        if keep:
            some = [self.best[: tuning.KEPT_POINTS], points[: tuning.KEPT_POINTS]]
            self.goal(np.concatenate(some), keep=True)

    def ties(self) -> Hits:
        """Points in which two parameters have one value."""
        start = self.decode(self.best if len(self.points) else np.full((1, self.width), 0.5))
        tied = tied_values(self.family, self.shape, start, self.rng)
        if tied:
            result, ratio = self.pool.evaluate(tied, self.shape, keep=True, family=self.other)
            reached = goal(self.pool, result, ratio)
            yield from self._best_hit("exact", tied, reached)
            if not self.rescale:
                u = self.family.encode(tied, self.shape)
                self._keep(u, reached, heights(self.pool, result, ratio), margins(result))

    def edge(self) -> Hits:
        """What exceeds the bound on an edge alone, or by rounding."""
        if self.pool.edge is not None:
            yield "search", self.pool.edge

    def starts(self, count: int) -> Array:
        """Points from which an ascent begins, other ones each time."""
        if not len(self.points):
            return self.rng.random((count, self.width))
        found = starts(
            self.points,
            self.reached,
            self.heights,
            self.margins,
            count + len(self.begun),
            self.rng,
            self.home,
        )
        fresh = found[[row.tobytes() not in self.begun for row in found]][:count]
        self.begun |= {row.tobytes() for row in fresh}
        return fresh

    def grown(self, u: Array) -> Array:
        """What is maximised at points that stay among those to begin with."""
        found = self._seen(u)
        self._keep(u, *found)
        return found[0]

    def hit(self, rung: str, u: Array, reached: Array) -> Hits:
        """The best of these points, if it is a hit."""
        # rounding makes its largest ratios where both sides are tiny; look beside them too
        size = self.size if len(self.size) == len(u) else np.zeros(len(u))
        usual = size >= tuning.TINY_SIDE * np.median(size)
        # of a side against nothing every ratio is one: the largest side is no rounding
        most = np.argmax(np.where(reached >= LARGEST, size, -np.inf))
        first = int(most if reached[most] >= LARGEST else np.argmax(reached))
        for j in {first, int(np.argmax(np.where(usual, reached, -np.inf)))}:
            if hits(self.pool, reached[j]):
                yield from self._best_hit(rung, self.decode(u[j : j + 1]), reached[j : j + 1])

    def risen(self, steps: list[tuple[Array, Array, Array]], keep: bool = False) -> Hits:
        """The best of the points that an ascent has passed, if it is a hit."""
        if not steps:
            return
        u, height, margin = (np.concatenate(part) for part in zip(*steps, strict=True))
        order = np.lexsort((-height, -np.minimum(margin, 0).sum(axis=1)))[: tuning.KEPT_POINTS]
        if keep or lifted(self.pool, height[order[0]]):
            u = u[order]
            yield from self.hit("search", u, self.goal(u, keep=keep))

    def _seen(self, u: Array, keep: bool = False) -> tuple[Array, Array, Array]:
        values = self.decode(u)
        result, ratio = self.pool.evaluate(values, self.shape, keep=keep, family=self.other)
        self.size = np.abs(to_float(result.right)).max(axis=1)
        return (goal(self.pool, result, ratio), heights(self.pool, result, ratio), margins(result))

    def _store(self, u: Array, rung: str) -> Hits:
        reached, height, margin = self._seen(u)
        yield from self.hit(rung, u, reached)
        self._keep(u, reached, height, margin)

    def _keep(self, u: Array, reached: Array, height: Array, margin: Array) -> None:
        self.points = np.concatenate([self.points, u])
        self.reached = np.concatenate([self.reached, reached])
        self.heights = np.concatenate([self.heights, height])
        self.margins = np.concatenate([self.margins, margin])
        if len(self.points) > 2 * tuning.REMEMBERED:
            order = np.lexsort((-self.heights, -self.reached))
            some = self.rng.permutation(order[tuning.REMEMBERED // 2 :])[: tuning.REMEMBERED // 2]
            self._only(np.concatenate([order[: tuning.REMEMBERED // 2], some]))

    def _only(self, rows: Array) -> None:
        self.points, self.reached = self.points[rows], self.reached[rows]
        self.heights, self.margins = self.heights[rows], self.margins[rows]

    def _best_hit(self, rung: str, values: Values, score: Array) -> Hits:
        best = int(np.argmax(score))
        if hits(self.pool, score[best]):
            chosen = {k: v[best] for k, v in values.items()}
            yield rung, Candidate(chosen, self.shape, float(score[best]), family=self.other)


Engine = Callable[[Hunt, int, int], Hits]


def climb_and_evolve(hunt: Hunt, evaluations: int, population: int) -> Hits:
    """Constrained ascent, then an evolution where its starts end in ever new places.

    An evolution needs no slopes; an ascent goes on from what it has found. Where the budget is
    short there is an ascent alone.
    """
    optima, first = Optima(), evaluations // tuning.FIRST_ASCENT
    if first < tuning.FIRST_ENDS * tuning.STEPS_OF_A_START * (
        hunt.width + len(tuning.STEP_LENGTHS)
    ):
        yield from climb(hunt, evaluations, optima)
        return
    yield from climb(hunt, first, optima)
    if optima.settled:
        return
    evolved = (evaluations - first) // tuning.EVOLVED
    yield from evolution(hunt, evolved, population)
    yield from climb(hunt, evaluations - first - evolved, optima)


def climb(hunt: Hunt, evaluations: int, optima: Optima | None = None) -> Hits:
    """Constrained ascent from many starts, until it is plain where they end."""
    optima = Optima() if optima is None else optima
    per = tuning.STEPS_OF_A_START * (hunt.width + len(tuning.STEP_LENGTHS))
    if not hunt.width or evaluations < per // 2:
        return
    slots = int(np.clip(evaluations // per, 1, tuning.CLIMBING_AT_ONCE))
    begun = hunt.starts(max(4 * evaluations // per, slots))
    seen: list[tuple[Array, Array, Array]] = []
    steps = ascend(hunt.landscape, begun, slots, evaluations, optima=optima)
    for number, step in enumerate(steps, 1):
        seen.append(step)
        if number % tuning.STEPS_PER_LOOK == 0:
            yield from hunt.risen(seen[-tuning.STEPS_PER_LOOK :])
    yield from hunt.risen(seen[-tuning.STEPS_PER_LOOK :], keep=True)


def evolution(hunt: Hunt, evaluations: int, population: int) -> Hits:
    """Evolutions side by side, each from another start."""
    if not hunt.width or evaluations < 4 * population:
        return
    generations = min(evaluations // population, tuning.GENERATIONS)
    islands = max(evaluations // (generations * population), 1)
    begun = hunt.starts(islands)
    if not len(begun):
        return  # every place to begin was begun from
    best: tuple[Array, Array] | None = None
    for u, reached in evolve(hunt.grown, begun, population, generations, hunt.rng):
        if best is None or reached.max() > best[1].max():
            best = u, reached
    if best is not None:
        yield from hunt.hit("search", best[0], hunt.goal(best[0], keep=True))


def _rescaled(family: Family, u: Array, shape: Shape) -> Values:
    """Parameter values in units of loss and length given by the last two coordinates."""
    values = dict(family.decode(u[:, :-2], shape))
    loss, length = (tuning.UNITS_REACH * (2 * u[:, j] - 1) for j in (-2, -1))
    for name, value in values.items():
        p, q = family.box[name].unit
        factor = np.exp2(p * loss + q * length)
        values[name] = value * factor.reshape((-1,) + (1,) * (value.ndim - 1))
    return values
