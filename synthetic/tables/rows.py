"""Tables of unequal length in one array, and rows picked by drawn numbers, in every kind."""

from __future__ import annotations

import numpy as np

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import every, is_tensor


def check_counts(counts: Array, most: int) -> None:
    """Require whole numbers of true rows, at most as many as there are."""
    remedy = "count the rows that hold data"
    require(every(counts <= most), "counts", f"at most n = {most}", counts.max(), remedy)
    require(every(counts % 1 == 0), "counts", "whole numbers", counts, remedy)


def row_weights(labels: Array, counts: Array | None) -> Array:
    """1/n_k on true rows and 0 on padding, shape ``(..., N, n)`` of the labels."""
    ones = generic.ones_like(labels)
    if counts is None:
        return ones / int(labels.shape[-1])
    places = ones.cumsum(-1) - 1
    return generic.indicator(places < counts[..., None], ones) * ones / counts[..., None]


def row_counts(counts: Array | None, most: int, clients: int) -> tuple[int, ...]:
    """Numbers of true rows as integers, of one instance only."""
    if counts is None:
        return (most,) * clients
    single = all(n == 1 for n in counts.shape[:-1])
    require(single, "counts", "those of one instance", "leading axes", "ask one at a time")
    return tuple(int(n) for n in counts.reshape(-1))


def integers(u: Array) -> Array:
    """Draws as row numbers."""
    return u.long() if is_tensor(u) else np.asarray(u).astype(np.int64)


def pick_rows(table: Array, trailing: int, chosen: Array) -> Array:
    """Pick rows `chosen` (..., N, w) of a table (..., N, n) or (..., N, n, d)."""
    leading = table.ndim - 1 - trailing  # leading axes and the client axis
    index = []
    for axis in range(leading):
        after = leading - axis  # axes of `chosen` behind this one, the words included
        place = np.arange(int(table.shape[axis])).reshape(-1, *(1,) * after)
        index.append(chosen.new_tensor(place) if is_tensor(chosen) else place)
    if is_tensor(table) and not is_tensor(chosen):
        chosen = table.new_tensor(chosen).long()
    return table[(*index, chosen)]
