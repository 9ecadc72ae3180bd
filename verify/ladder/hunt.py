"""A small search of its own for a changed claim, beginning where the original one is tight.

A claim without one of its terms, a bound that a trivial one is compared with, a hypothesis turned
round: each is a statement like any other.  Where it falls, it mostly falls near the tightest
instances of the claim that it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from verify.claim.statement import Shape, Statement
from verify.ladder.budgets import Profile
from verify.ladder.pool import Candidate, Pool
from verify.ladder.rung_search import analytic_points, goal, hits
from verify.ladder.tally import shape_name
from verify.world.noise_plan import AllOutcomes

__all__ = ["hunt"]

Array = np.ndarray[Any, Any]

SHAPES = 3
"""Shapes that a hunt visits: those of the tightest starts, else the first ones."""

REACHES = (0.3, 0.03, 0.003)
"""How far from a start, as a part of the box, its neighbours lie."""

CROSSED = 0.7
"""Share of the coordinates that a step of evolution changes."""


def hunt(
    statement: Statement,
    profile: Profile,
    seed: int,
    starts: Sequence[Candidate],
    evaluations: int,
    confirm: Callable[[Candidate], bool] | None = None,
) -> Candidate | None:
    """Look for an instance that breaks a statement.

    Parameters
    ----------
    statement : Statement
    profile : Profile
        For the size of a population.
    seed : int
    starts : sequence of Candidate
        Where to begin, the most promising first; of a statement with the same family.
    evaluations : int
        Budget over all shapes.
    confirm : callable, optional
        Whether a hit counts (re-scored by the referee); the hunt goes on past those that do not.

    Returns
    -------
    Candidate or None
        The first instance found that counts.
    """
    pool = Pool(statement, AllOutcomes())
    shapes = _shapes(statement, starts)
    share = max(evaluations // len(shapes), 1)
    for number, shape in enumerate(shapes):
        mine = [one for one in starts if shape_name(one.shape) == shape_name(shape)]
        rng = np.random.default_rng([seed, number, 41])
        chase = _Chase(pool, shape, rng, confirm)
        found = chase.go(mine, min(profile.population, max(share // 4, 4)), share)
        if found is not None:
            return found
    return None


class _Chase:
    """The hunt in one shape."""

    def __init__(
        self, pool: Pool, shape: Shape, rng: np.random.Generator,
        confirm: Callable[[Candidate], bool] | None,
    ) -> None:  # fmt: skip
        self.pool, self.shape, self.rng, self.confirm = pool, shape, rng, confirm
        self.width = pool.statement.family.width(shape)
        self.asked = 0

    def go(self, starts: Sequence[Candidate], population: int, budget: int) -> Candidate | None:
        """Starts and simple points, then evolution."""
        u = self._first(starts, population)
        found, reached = self._try(u)
        spent = len(u)
        order = np.argsort(-reached, kind="stable")[:population]
        u, reached = u[order], reached[order]
        while found is None and self.width and len(u) >= 4 and spent + len(u) <= budget:
            near = self._step(u)
            found, new = self._try(near)
            better = new >= reached
            u[better], reached[better] = near[better], new[better]
            spent += len(near)
        return found

    def _first(self, starts: Sequence[Candidate], population: int) -> Array:
        family = self.pool.statement.family
        simple = analytic_points(family, self.shape, population, self.rng)[:population]
        blocks = [simple, self.rng.random((population // 2, self.width))]
        for one in starts[:4]:
            lone = {name: np.asarray(value)[None] for name, value in one.values.items()}
            at = family.encode(lone, self.shape)
            blocks.append(at)
            for reach in REACHES:
                step = self.rng.normal(size=(population // 8 + 1, self.width))
                blocks.append(np.clip(at + reach * step, 0, 1))
        return np.concatenate(blocks)

    def _step(self, u: Array) -> Array:
        """Towards the best points and along differences of others."""
        count = len(u)
        best = u[self.rng.integers(max(count // 5, 1), size=count)]
        one, other = (u[self.rng.integers(count, size=count)] for _ in range(2))
        size = self.rng.uniform(0.3, 0.9, (count, 1))
        moved = u + size * (best - u) + size * (one - other)
        cross: Any = self.rng.random(u.shape) < CROSSED
        cross[np.arange(count), self.rng.integers(self.width, size=count)] = True
        return np.clip(np.where(cross, moved, u), 0, 1)

    def _try(self, u: Array) -> tuple[Candidate | None, Array]:
        values = self.pool.decode(u, self.shape)
        reached = goal(self.pool, *self.pool.evaluate(values, self.shape))
        for j in np.argsort(-reached, kind="stable")[:2]:
            if not hits(self.pool, reached[j]) or self.asked >= 8:
                break
            chosen = {name: value[j] for name, value in values.items()}
            found = Candidate(chosen, self.shape, float(reached[j]))
            self.asked += 1
            if self.confirm is None or self.confirm(found):
                return found, reached
        return None, reached


def _shapes(statement: Statement, starts: Sequence[Candidate]) -> list[Shape]:
    """Shapes of the starts, best first, filled up with the statement's."""
    listed = [*(one.shape for one in starts), *statement.family.shapes]
    return list({shape_name(shape): shape for shape in listed}.values())[:SHAPES]
