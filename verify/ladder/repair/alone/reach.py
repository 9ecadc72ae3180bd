"""How far a size is followed from an instance, and how many instances are scored at once there.

What an instance takes is counted, in calls and in bytes, once for all paths along the same size:
they differ in numbers, and what is paid for is the size.
"""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any

import numpy as np

from verify.ladder.repair import tuning
from verify.ladder.repair.effort import Memory, Work
from verify.ladder.rungs.climb import Climb
from verify.ladder.search import tuning as search_tuning
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.sizes import NO_INSTANCE, weight_of
from verify.limits.counter import work_of
from verify.world.noise_plan import NoValue

__all__ = ["Reaches"]


class Reach:
    """The places of one size, from one instance.

    Parameters
    ----------
    climb : Climb
    start : Candidate
    name : str
        The size.
    """

    def __init__(self, climb: Climb, start: Candidate, name: str) -> None:
        self.pool = Pool(climb.statement, climb.pool.noise)
        self.start, self.name = start, name
        self.family = start.family or climb.statement.family
        self.work, self.memory = Work(), Memory(climb, name, start)
        self._known: dict[int, tuple[int, int]] = {}

    def at(self, one: Candidate) -> tuple[int, int]:
        """How many instances like this one are scored at once, and the calls that this takes.

        None where it is too far out.  Places are asked for in their order.  One at which an
        instance has no value is asked about again: others may have one there.
        """
        size = int(one.shape[self.name])
        if size not in self._known:
            try:
                self._known[size] = self._measured(one, float(size))
            except (*NO_INSTANCE, NoValue):
                return 0, 0
        return self._known[size]

    def knows(self, one: Candidate) -> bool:
        """Whether what an instance of this size takes was measured."""
        return int(one.shape[self.name]) in self._known

    def _measured(self, one: Candidate, place: float) -> tuple[int, int]:
        weight = max(weight_of(self.family, self.start.shape, one.shape), 1.0)
        room = tuning.ALONE_BYTES / self.memory.expected(place)
        if weight > tuning.HEAVIEST_ALONE or room < 1:
            return 0, 0
        longest = tuning.LONGEST_ALONE
        with self.memory.noted(place):
            times = self.work.times(self.pool, _alone(one), one.shape, self.family, longest)
        if times >= longest:
            return 0, 0
        larger = max(weight, place / int(self.start.shape[self.name]))
        at_once = int(np.clip(min(tuning.BATCH / (4 * larger), room), 1, tuning.BATCH))
        return at_once, round(times * self.work.first)


class Reaches:
    """How far the paths of a claim that falls are followed: so many calls for all of them."""

    def __init__(self, climb: Climb, most: int = tuning.ALONE_CALLS) -> None:
        self.climb, self.left = climb, most
        self._known: dict[tuple[int, str], Reach] = {}
        self._calls: dict[int, tuple[Candidate, int]] = {}

    def at_once(self, start: Candidate, name: str, one: Candidate, count: int) -> int:
        """How many of some instances of one size are scored at once; 0 where none is any more.

        Parameters
        ----------
        start : Candidate
            Where they come from.
        name : str
            The size.
        one : Candidate
            The first of them.
        count : int
            How many there are.
        """
        key = (id(start), name)  # each reach holds its start, so that no other has its place
        if key not in self._known:
            self._known[key] = Reach(self.climb, start, name)
        reach = self._known[key]
        measuring = 0 if reach.knows(one) else tuning.MEASURING
        at_once, calls = reach.at(one)
        batches = ceil(count / at_once) if at_once else 0
        self.left -= measuring * calls
        if not at_once or batches * calls > self.left:
            return 0
        self.left -= batches * calls
        return at_once

    def instances(self, start: Candidate, count: int, at_once: int) -> int:
        """How many of some instances of the shape of the first are scored, so many at once."""
        if id(start) not in self._calls:
            pool = Pool(self.climb.statement, self.climb.pool.noise)
            one = partial(pool.scored, _alone(start), start.shape, start.family)
            try:
                calls = max(work_of(one, search_tuning.MOST_CALLS), search_tuning.FEWEST_CALLS)
            except (*NO_INSTANCE, NoValue):
                calls = search_tuning.FEWEST_CALLS
            self._calls[id(start)] = start, calls
            self.left -= tuning.MEASURING * calls
        calls = self._calls[id(start)][1]
        batches = min(ceil(count / at_once), max(self.left, 0) // calls)
        self.left -= batches * calls
        return min(batches * at_once, count)


def _alone(one: Candidate) -> dict[str, Any]:
    """The numbers of an instance as a batch of one."""
    return {name: np.asarray(value, dtype=float)[None] for name, value in one.values.items()}
