"""Federations of one size that was asked for: which rates have some, and how large they may be."""

from __future__ import annotations

from dataclasses import replace

from bounds.numbers.validate import require
from verify.rates.record import Cell, Rate

CLIENTS, DIMENSION, ROUNDS = 512, 64, 10_000
"""Largest sizes that can be asked for."""


def checked(name: str, value: int | None, most: int, least: int = 1) -> int | None:
    """A size that was asked for, or None.

    Raises
    ------
    InvalidInput
        If it is out of range.
    """
    if value is not None:
        remedy = "raise it" if value < least else "lower it"
        require(least <= value <= most, name, f"in [{least}, {most}]", value, remedy)
    return value


def of_size(rate: Rate, clients: int | None, dimension: int | None) -> Rate | None:
    """The rate on federations with so many clients and dimensions alone, None without any.

    Sizes that a class is free in become those asked for; of the others the cells that have them
    are kept.

    Parameters
    ----------
    rate : Rate
    clients, dimension : int or None
        None asks for nothing.
    """
    cells: list[Cell] = list(rate.cells)
    for name, value in (("N", clients), ("d", dimension)):
        if value is None:
            continue
        if name in rate.free:
            least = min(int(cell[name]) for cell in rate.cells)
            cells = [{**cell, name: value} for cell in cells] if value >= least else []
        else:
            cells = [cell for cell in cells if int(cell.get(name, 1)) == value]
    kept = [cell for k, cell in enumerate(cells) if cell not in cells[:k]]
    return replace(rate, cells=tuple(kept)) if kept else None
