"""Several figures at once, one process per core.

Figures that name the same ``RUNS`` are made one after another in one process, since the first of
them makes the runs for all; the most expensive ones come first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

from algorithms.sweeps.pool import PACKAGES, Workers, spread
from figures import runner
from figures.places import Place, load

Made = TypeVar("Made")


def each(
    places: Sequence[Place],
    make: Callable[[Place], Made],
    jobs: int | None = None,
    scheduler: str | None = None,
) -> Iterator[Made]:
    """Results of ``make`` for these figures, as they are done.

    Parameters
    ----------
    places : sequence of Place
    make : callable
        Takes a place; must be picklable.
    jobs : int, optional
        Processes, by default as many as cores.
    scheduler : str, optional
        Address of a dask scheduler whose workers make them; files that they write are theirs.

    Yields
    ------
    What ``make`` returns.
    """
    tasks = groups(places)
    jobs = min(len(tasks), jobs or os.cpu_count() or 1)
    if jobs <= 1 and scheduler is None:
        yield from (make(place) for task in tasks for place in task)
        return
    pool = Workers(jobs, scheduler, (*PACKAGES, "figures", "verify"))
    yield from chain.from_iterable(spread(partial(_in_turn, make), tasks, pool))


def groups(places: Sequence[Place]) -> list[list[Place]]:
    """Figures that belong in one process, the group of most committed CPU seconds first."""
    found: dict[str, list[Place]] = {}
    for place in places:
        found.setdefault(str(getattr(load(place), "RUNS", place.module)), []).append(place)

    def spent(task: list[Place]) -> float:
        known = [place for place in task if place.file.exists()]
        return sum(float(runner.stored(place)[runner.SECONDS]) for place in known)

    return sorted(found.values(), key=spent, reverse=True)


def _in_turn(make: Callable[[Place], Made], places: Sequence[Place]) -> list[Made]:
    """One group, on one thread: processes share the cores already."""
    import torch

    torch.set_num_threads(1)
    return [make(place) for place in places]
