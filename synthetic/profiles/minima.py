"""Where a sum of profiles is smallest, if its profiles rise and fall as they like."""

from __future__ import annotations

from collections.abc import Iterable

from bounds import generic as xp
from bounds.numbers.shapes import Array


def lowest(candidates: Iterable[tuple[Array, Array, Array]]) -> tuple[Array, Array]:
    """The first of the smallest values, and its place.

    Parameters
    ----------
    candidates : iterable of (place, value, counts)
        Arrays ``(..., N, d)``: coordinates, values of the profiles there, and whether there is such
        a candidate. The first one always counts.

    Returns
    -------
    place, value : arrays ``(..., N, d)``
    """
    place = value = None
    for where, height, counts in candidates:
        if place is None or value is None:
            place, value = where, height
            continue
        # a ball is not compared with itself, which would be undecided
        better = counts & xp.above(value, xp.where(counts, height, value + 1))
        place, value = xp.where(better, where, place), xp.where(better, height, value)
    assert place is not None
    assert value is not None
    return place, value
