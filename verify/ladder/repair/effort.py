"""What an instance takes at each size of a ladder: work and memory, and how much the next would.

A tree of outcomes has so many more branches at the next size that it may not fit at all.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import exp, log

import numpy as np

from verify.claim.statement import Family, Shape
from verify.ladder.repair import tuning
from verify.ladder.rungs.climb import Climb
from verify.ladder.search import tuning as search_tuning
from verify.ladder.search.points import lifted_points
from verify.ladder.search.pool import Candidate, Pool, Values
from verify.ladder.search.sizes import NO_INSTANCE
from verify.limits.counter import work_of
from verify.world.noise_plan import NoValue

__all__ = ["Memory", "Work"]


class Work:
    """How much there is to do for one instance, in what the first step takes."""

    def __init__(self) -> None:
        self.first = 0

    def times(
        self,
        pool: Pool,
        values: Values,
        shape: Shape,
        family: Family,
        longest: int = tuning.LONGEST,
    ) -> float:
        """So many times the first step's work, of an instance by itself; `longest` at most."""
        most = round(longest * self.first) or search_tuning.MOST_CALLS
        found = max(
            work_of(partial(pool.scored, values, shape, family), most), search_tuning.FEWEST_CALLS
        )
        self.first = self.first or found
        return found / self.first


class Memory:
    """How much memory one instance takes at each size, and would at the next.

    A tree of outcomes has so many more branches at the next size that it may not fit at all.
    """

    def __init__(
        self, climb: Climb, size: str | None, start: Candidate, smaller: bool = True
    ) -> None:
        self.peaks: dict[float, float] = {}
        self.size = size is not None
        first = 0 if size is None else int(start.shape[size])
        half = first // 2
        if size is None or half < 1 or not smaller:
            return
        family = start.family or climb.statement.family
        shape = {**start.shape, size: half}
        pool = Pool(climb.statement, climb.pool.noise)
        try:
            values = family.decode(lifted_points([start], family, shape)[:1], shape)
            first_half = {name: value[0] for name, value in values.items()}
            self.scored(pool, replace(start, values=first_half, shape=shape), half)
            self.scored(pool, start, first)
        except (*NO_INSTANCE, NoValue):
            self.peaks.clear()  # no smaller instance to compare with

    def expected(self, place: float) -> float:
        """Bytes of one instance at the next size, by an exponential through the last two."""
        if not self.size or not self.peaks:
            return 1.0
        (last, peak), *before = reversed(self.peaks.items())
        if not before:
            return peak
        was, less = before[0]
        powers = (place - last) / (last - was)
        return peak * exp(min(log(peak / less) * powers, tuning.MOST_LOG))

    def scored(self, pool: Pool, one: Candidate, place: float) -> float:
        """Ratio of an instance by itself; what it takes is noted."""
        alone = {name: np.asarray(value)[None] for name, value in one.values.items()}
        with self.noted(place):
            return float(pool.scored(alone, one.shape, one.family).ratio[0])

    @contextmanager
    def noted(self, place: float) -> Iterator[None]:
        """Note what the block takes, which scores one instance."""
        tracemalloc.start()
        try:
            yield
            self.peaks[place] = float(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
