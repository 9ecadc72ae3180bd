"""Picking rows of a table by drawn row numbers, in every number kind."""

from __future__ import annotations

import numpy as np

from bounds.numbers.shapes import Array
from synthetic.fields import is_tensor


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
