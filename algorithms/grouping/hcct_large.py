r"""The greedy partition of thousands of clients: one table of benefits, and sums per group.

A benefit needs the sums u_C of unit gradients and v_C of weighted gradients of both groups alone,
so the new row of a merge is three products with these sums instead of rows of two further tables.
The largest entry of a row is looked up again only when its old value, which is an upper bound,
stands at the top.  Dead rows are dropped when they are half of all.  Pairs and ties are those of
:mod:`algorithms.grouping.hcct_partition`, up to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from algorithms.grouping.hcct_groups import Groups

__all__ = ["LargeState"]

Array = np.ndarray[Any, Any]

BLOCK = 2**22
"""Numbers of one block of the first table, 32 MiB in each of its intermediate arrays."""


class LargeState(Groups):
    """Groups with the best partner of each; places change with a merge.

    Parameters
    ----------
    units, weighted : array (N, d)
        g_k/|g_k| and D_k g_k.
    sizes : array (N,)
        D_k.
    tradeoff : float
        alpha.
    """

    def __init__(self, units: Array, weighted: Array, sizes: Array, tradeoff: float) -> None:
        super().__init__(sizes, tradeoff)
        n = len(sizes)
        self.u, self.v = units.copy(), weighted.copy()
        self.cross, self.square = (self.u * self.v).sum(1), (self.v * self.v).sum(1)
        for start in range(0, n, max(1, BLOCK // n)):
            rows = np.arange(start, min(n, start + max(1, BLOCK // n)))
            self._fill(rows)
        self.top = self.benefit.max(axis=1)
        self.stale = np.zeros(n, dtype=bool)

    def best(self) -> tuple[int, int, float]:
        """Pair of groups with the largest benefit, and the benefit."""
        while True:
            k = int(np.argmax(self.top))
            if not self.stale[k]:
                other = int(np.argmax(self.benefit[k]))
                return k, other, float(self.benefit[k, other])
            self.top[k] = self.benefit[k].max()
            self.stale[k] = False

    def merge(self, first: int, second: int, fresh: bool) -> tuple[int, int]:
        """Take ``second`` into ``first``; benefits and cosines evaluated for the new group."""
        before = self.benefit[:, first].copy()
        dead = self.benefit[:, second]
        self.own[first] = self.utility(
            self.number[first] + self.number[second],
            self.size[first] + self.size[second],
            self.square[first] + self.square[second],
            (self.u[first] + self.u[second]) @ (self.v[first] + self.v[second]),
            ((self.v[first] + self.v[second]) ** 2).sum(),
        )
        for sums in (self.u, self.v):
            sums[first] += sums[second]
        self.cross[first] = self.u[first] @ self.v[first]
        self.square[first] = self.v[first] @ self.v[first]
        # whoever had either of the two for its best may have lost it
        self.stale |= (before == self.top) | (dead == self.top)
        self.join(first, second)
        self.top[second], self.stale[second] = -np.inf, False
        others = self.others(first)
        if fresh and others.size:
            values = self._row(first)
            self.renew(first, others, values[others])
            below = others[others < first]
            self.top[below] = np.maximum(self.top[below], values[below])
        self.top[first], self.stale[first] = self.benefit[first].max(), False
        told = self.evaluated(first, others, fresh)
        if 2 * self.left < len(self.alive):
            self._compact()
        return told

    def _fill(self, rows: Array) -> None:
        """Benefits of a block of clients with every later one."""
        cross = self.u[rows] @ self.v.T
        cross += self.v[rows] @ self.u.T
        cross += self.cross[rows, None] + self.cross
        square = self.v[rows] @ self.v.T
        scale = self.square[rows, None] + self.square
        square *= 2
        square += scale
        number = self.number[rows, None] + self.number
        size = self.size[rows, None] + self.size
        values = self.utility(number, size, scale, cross, square)
        values -= self.own[rows, None] + self.own
        later = np.arange(len(self.size)) > rows[:, None]
        self.benefit[rows] = np.where(later, values, -np.inf)

    def _row(self, k: int) -> Array:
        """Benefit of one group with each; entries of dead ones mean nothing."""
        cross = self.u @ self.v[k] + self.v @ self.u[k] + self.cross[k] + self.cross
        scale = self.square[k] + self.square
        square = 2 * (self.v @ self.v[k]) + scale
        union = self.utility(
            self.number[k] + self.number, self.size[k] + self.size, scale, cross, square
        )
        return np.asarray(union - self.own[k] - self.own)

    def _compact(self) -> None:
        """Drop what is dead; the order stays."""
        kept = np.flatnonzero(self.alive)
        for name in ("u", "v", "size", "number", "cross", "square", "own", "alive", "top", "stale"):
            setattr(self, name, getattr(self, name)[kept])
        self.group = [self.group[int(k)] for k in kept]
        count = len(kept)
        for place, k in enumerate(kept):  # in place: a copy would need half as much again
            self.benefit[place, :count] = self.benefit[k, kept]
        self.benefit = self.benefit[:count, :count]
