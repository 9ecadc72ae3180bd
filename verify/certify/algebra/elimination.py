"""Exact elimination over the rationals, for whatever rounds numbers so that an identity holds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["reduced"]


def reduced(
    equations: Sequence[Sequence[Fraction]], count: int
) -> tuple[list[list[Fraction]], list[int]] | None:
    """Reduced rows of linear equations, and the unknown that each of them gives.

    Parameters
    ----------
    equations : sequence of rows
        ``count`` coefficients each, then the right side.
    count : int
        Number of unknowns; those that come first are given by a row where they can be.

    Returns
    -------
    rows : list
        As many as there are pivots; row k has a one at ``pivots[k]`` and zeros at the others.
    pivots : list of int
        None instead of both where the equations contradict each other.
    """
    rows = [list(row) for row in equations]
    pivots: list[int] = []
    for column in range(count):
        at = len(pivots)
        best = next((i for i in range(at, len(rows)) if rows[i][column]), None)
        if best is None:
            continue
        rows[at], rows[best] = rows[best], rows[at]
        head = [q / rows[at][column] for q in rows[at]]
        rows[at] = head
        for i, row in enumerate(rows):
            if i != at and row[column]:
                factor = row[column]
                rows[i] = [q - factor * h for q, h in zip(row, head, strict=True)]
        pivots.append(column)
        if len(pivots) == len(rows):
            break
    if any(row[-1] for row in rows[len(pivots) :]):
        return None
    return rows[: len(pivots)], pivots
