"""From one shape or range to another: the worst instance of a small one seeds the larger one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from verify.claim.statement import Family, Shape
from verify.ladder.search.pool import Candidate

Array = np.ndarray[Any, Any]


def lifted_points(tops: Iterable[Candidate], family: Family, shape: Shape) -> Array:
    """Points of the cube of `family` under `shape` that resemble known instances, (B, width).

    Longer axes (more clients, rounds, coordinates) repeat the first entry in one copy and the last
    one in another.
    """
    copies = [(top, last) for top in tops for last in (False, True)]
    if not copies:
        return np.zeros((0, family.width(shape)))
    values = {}
    for name, parameter in family.box.items():
        lengths = parameter.lengths(shape)
        values[name] = np.array(
            [
                _stretched(np.asarray(top.values[name], dtype=float), lengths, last)
                for top, last in copies
            ]
        )
    found = family.encode(values, shape)
    _, first = np.unique(found, axis=0, return_index=True)
    return found[np.sort(first)]


def _stretched(value: Array, lengths: tuple[int, ...], last: bool) -> Array:
    """An array with longer or shorter axes: an entry repeated, or the first entries kept."""
    for axis, length in enumerate(lengths):
        have = value.shape[axis]
        if have == length:
            continue
        places = np.arange(length)
        repeated = have - 1 if last else 0
        value = np.take(value, np.where(places < have, places, repeated), axis=axis)
    return value
