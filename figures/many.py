"""Several figures at once, one process per core.

Figures that name the same ``RUNS`` are made one after another in one process, since the first of
them makes the runs for all; the most expensive ones come first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

from figures import runner

Made = TypeVar("Made")


def each(
    names: Sequence[str], make: Callable[[str], Made], jobs: int | None = None
) -> Iterator[Made]:
    """Results of ``make`` for these figures, as they are done.

    Parameters
    ----------
    names : sequence of str
    make : callable
        Takes a name; must be picklable.
    jobs : int, optional
        Processes, by default as many as cores.

    Yields
    ------
    What ``make`` returns.
    """
    from joblib import Parallel, delayed

    tasks = groups(names)
    jobs = min(len(tasks), jobs or os.cpu_count() or 1)
    if jobs <= 1:
        yield from (make(name) for task in tasks for name in task)
        return
    work = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    yield from chain.from_iterable(work(delayed(_in_turn)(make, task) for task in tasks))


def groups(names: Sequence[str]) -> list[list[str]]:
    """Names that belong in one process, the group of most committed CPU seconds first."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(str(getattr(runner.load(name), "RUNS", name)), []).append(name)

    def spent(task: list[str]) -> float:
        known = [name for name in task if (runner.DATA / f"{name}.npz").exists()]
        return sum(float(runner.stored(name)[runner.SECONDS]) for name in known)

    return sorted(found.values(), key=spent, reverse=True)


def _in_turn(make: Callable[[str], Made], names: Sequence[str]) -> list[Made]:
    """One group, on one thread: processes share the cores already."""
    import torch

    torch.set_num_threads(1)
    return [make(name) for name in names]
