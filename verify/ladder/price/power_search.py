"""A search of its own for each mutant that survives, beginning at the tight instances.

The instances of the search were made to break the claim, not its mutants; where a mutant is false
at all, it mostly is so near an instance that the claim itself leaves little room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.statement import Family
from verify.ladder.search.ascent import Landscape, ascend
from verify.ladder.search.goal import margins
from verify.ladder.search.pool import Candidate, Pool
from verify.world.noise_plan import NotAvailable
from verify.world.score import Score, score

Array = np.ndarray[Any, Any]
SCALES = (1e-3, 0.03, 0.3)
"""How far instances near a tight one are moved, in lengths of the cube."""

PLACES = 4
"""Tight instances at which a search begins."""

SLOTS = 4
"""Mutants for which instances are climbed at one time: each is evaluated on the points of all."""

STEPS = 8
"""Steps of an ascent for one mutant before another place is worth a second one."""


class Neighbourhood:
    """The tight instances of a pool and what lies around them."""

    def __init__(self, pool: Pool, rng: np.random.Generator) -> None:
        self.pool, self.rng = pool, rng
        self.places = [top for top in _one_per_shape(pool) if self._family(top).width(top.shape)]

    def scored(self, count: int) -> list[Score]:
        """Batches of instances around each place, about `count` in all."""
        each = max(count // max(len(self.places), 1), 1)
        found = []
        for place in self.places:
            u = self._encoded(place)
            scales = np.resize(SCALES, each)[:, None]
            near = np.clip(u + scales * self.rng.normal(size=(each, u.shape[1])), 0, 1)
            result = self._score(place, np.concatenate([u, near]))
            found += [] if result is None else [result]
        return found

    def climbed(
        self, heights: Sequence[Callable[[Score], Array | None]], evaluations: int
    ) -> list[Score]:
        """What ascents of several heights pass, from as many places as the evaluations allow.

        All climb side by side: an instance is scored once, whatever it is climbed for.
        """
        found = []
        widths = [self._encoded(place).shape[1] for place in self.places]
        whole = STEPS * max(widths, default=1) * len(heights)
        places = self.places[: max(evaluations // whole, 1)]
        for place in places:
            starts = np.repeat(self._encoded(place), len(heights), axis=0)
            share, marks = evaluations // len(places), np.arange(len(heights))
            climb = self._landscape(place, heights)
            passed = [u for u, _, _ in ascend(climb, starts, SLOTS, share, marks)]
            result = self._score(place, np.concatenate(passed)) if passed else None
            found += [] if result is None else [result]
        return found

    def _landscape(
        self, place: Candidate, heights: Sequence[Callable[[Score], Array | None]]
    ) -> Landscape:
        known = len(self.pool.statement.given)

        def at(u: Array, marks: Array) -> tuple[Array, Array]:
            result, height = self._score(place, u), np.full(len(u), -np.inf)
            if result is None:
                return height, np.zeros((len(u), known))
            for mark in np.unique(marks):
                reached = heights[mark](result)
                if reached is not None:
                    height = np.where(marks == mark, reached, height)
            return height, margins(result)

        return at

    def _score(self, place: Candidate, u: Array) -> Score | None:
        family = self._family(place)
        values = family.decode(u, place.shape)
        try:
            with unchecked():
                made = family.instance(values, place.shape)
            return score(self.pool.statement, made, noise=self.pool.noise)
        except (NotAvailable, ValueError, ArithmeticError):
            return None

    def _encoded(self, place: Candidate) -> Array:
        values = {k: np.asarray(v, dtype=float)[None] for k, v in place.values.items()}
        return self._family(place).encode(values, place.shape)

    def _family(self, place: Candidate) -> Family:
        return place.family or self.pool.statement.family


def _one_per_shape(pool: Pool) -> list[Candidate]:
    """The tightest instance of each listed shape, then the other tight ones.

    A larger instance would be evaluated once for each mutant.
    """
    first: dict[str, Candidate] = {}
    tops = [top for top in pool.tops if top.shape in pool.statement.family.shapes]
    for top in tops:
        first.setdefault(repr(sorted(top.shape.items())), top)
    rest = [top for top in tops if not any(top is one for one in first.values())]
    return [*first.values(), *rest][:PLACES]
