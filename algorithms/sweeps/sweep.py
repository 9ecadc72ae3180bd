"""Grids over parameters, instances and replicates, on any pool, with what is done kept on disk."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.sweeps.checkpoint import Arrays, ResultFolder, digest
from algorithms.sweeps.pool import Workers, spread
from bounds.numbers.validate import require

__all__ = ["Cell", "grid", "sweep"]

Work = Callable[..., Mapping[str, Any]]
Observer = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Cell:
    """One point of a grid.

    Parameters
    ----------
    number : int
        Its place in the grid.
    settings : mapping
        Keyword arguments of the work.
    """

    number: int
    settings: Mapping[str, Any]

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.settings.items())


def grid(**axes: Sequence[Any]) -> list[Cell]:
    """Every combination of the values on some axes, the last axis fastest.

    Examples
    --------
    >>> [str(cell) for cell in grid(step=[0.1, 0.2], seed=[1, 2])]
    ['step=0.1 seed=1', 'step=0.1 seed=2', 'step=0.2 seed=1', 'step=0.2 seed=2']
    """
    points = itertools.product(*axes.values())
    return [Cell(k, dict(zip(axes, point, strict=True))) for k, point in enumerate(points)]


def sweep(
    work: Work,
    cells: Sequence[Cell],
    *,
    pool: Workers | None = None,
    folder: Path | None = None,
    observe: Observer | None = None,
) -> list[Arrays]:
    """Arrays that the work gives in every cell, in the order of the grid.

    Parameters
    ----------
    work : callable
        A module-level function of keyword arguments; it returns arrays or numbers by name. Draws
        must come from its arguments (a seed, a range of replicates), so that they are the same
        wherever the cell is computed.
    cells : sequence of Cell
        As :func:`grid` makes them.
    pool : Pool, optional
        This process by default.
    folder : Path, optional
        Keep each cell there as it is done; the same sweep after a kill computes what is missing.
    observe : callable, optional
        Called with cells done, cells in all, and the last one in words.

    Returns
    -------
    list of dict of str to array
    """
    require(
        "<" not in work.__qualname__,
        "work",
        "a function at the top of a module",
        work.__qualname__,
        "define it with def, outside of other functions",
    )
    kept = None if folder is None else ResultFolder(folder)
    found: dict[int, Arrays] = {}
    addresses = {}
    if kept is not None:
        name, code = f"{work.__module__}.{work.__qualname__}", _source(work)
        addresses = {cell.number: digest(name, code, cell.settings) for cell in cells}
        stored = ((number, kept.find(address)) for number, address in addresses.items())
        found = {number: arrays for number, arrays in stored if arrays is not None}
    tasks = [(work, cell) for cell in cells if cell.number not in found]
    by_number = {cell.number: cell for cell in cells}
    for number, arrays in spread(_done, tasks, pool or Workers()):
        found[number] = arrays if kept is None else kept.put(addresses[number], arrays)
        if observe is not None:
            observe(len(found), len(cells), str(by_number[number]))
    return [found[cell.number] for cell in cells]


def _done(task: tuple[Work, Cell]) -> tuple[int, Arrays]:
    """One cell, in whatever process."""
    import torch

    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)  # sums in one order, and processes share the cores already
    work, cell = task
    made = work(**cell.settings)
    return cell.number, {name: np.asarray(value) for name, value in made.items()}


def _source(work: Work) -> str:
    """Text of the module that the work is in: its helpers may be what changed."""
    import inspect
    import sys

    return inspect.getsource(sys.modules[work.__module__])
