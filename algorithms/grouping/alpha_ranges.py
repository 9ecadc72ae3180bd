r"""Ranges of alpha that give the same groups: where the greedy partition's choices change.

The benefit of a merge is a line in alpha, :math:`c_{kl} + \alpha q_{kl}`: c is made of cosines,
q of numbers of clients over numbers of samples. A run of the partition makes the same choices as
long as each merged pair stays the best and worth merging, and what is left over in the end stays
not worth it: these are bounds on alpha from below and above. Beyond the end of one run's range the
next begins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from algorithms.grouping.hcct_partition import ORDERS, Clients
from bounds.numbers.validate import require

__all__ = ["AlphaRange", "alpha_ranges", "range_around"]

Array = np.ndarray[Any, Any]

STEP = 1e-9
"""How far beyond the end of a range the next run is made (share of alpha)."""
MOST_RUNS = 4000
"""Runs of the partition after which no further range is looked for (number)."""
VANISHED = 1e-28
"""Squared length of a mean, relative to its parts', below which it has no direction."""

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class AlphaRange:
    """Groups, and the interval of alpha that gives them; its ends are where it changes.

    Attributes
    ----------
    low, high : float
        In samples; high is infinite for the last one.
    groups : tuple of tuples of int
    """

    low: float
    high: float
    groups: Groups


def alpha_ranges(clients: Clients, *, order: str = "text") -> tuple[AlphaRange, ...] | None:
    """All ranges from alpha = 0 on, in order; None where more runs are needed than are made.

    Parameters
    ----------
    clients : Clients
        Their ``tradeoff`` is not used.
    order : {"text", "box"}
        See :func:`algorithms.grouping.hcct_partition.greedy_partition`.
    """
    require(order in ORDERS, "order", f"one of {ORDERS}", order, "choose one")
    found: list[AlphaRange] = []
    alpha = 0.0
    for _ in range(MOST_RUNS):
        groups, (_, high) = _run(clients, alpha, order)
        if found and found[-1].groups == groups:
            found[-1] = replace(found[-1], high=high)
        else:
            found.append(AlphaRange(found[-1].high if found else 0.0, high, groups))
        if high == inf:
            return tuple(found)
        alpha = _beyond(high)
    return None


def range_around(clients: Clients, *, order: str = "text") -> AlphaRange | None:
    """The range of alpha around the clients' own with the same groups; None as for all ranges."""
    require(order in ORDERS, "order", f"one of {ORDERS}", order, "choose one")
    groups, (low, high) = _run(clients, clients.tradeoff, order)
    for _ in range(MOST_RUNS):
        if low <= 0:
            break
        below = low * (1 - STEP)
        other, (start, _) = _run(clients, below, order)
        if other != groups:
            break
        low = min(start, below)
    else:
        return None
    for _ in range(MOST_RUNS):
        if high == inf:
            break
        above = _beyond(high)
        other, (_, end) = _run(clients, above, order)
        if other != groups:
            break
        high = max(end, above)
    else:
        return None
    return AlphaRange(max(low, 0.0), high, groups)


# -- private helpers ---------------------------------------------------------------------


def _beyond(end: float) -> float:
    return end * (1 + STEP) if end > 0 else STEP


def _run(clients: Clients, alpha: float, order: str) -> tuple[Groups, tuple[float, float]]:
    """Groups at one alpha, and the interval in which the partition makes the same choices."""
    state = _Lines(clients)
    low, high = -inf, inf
    first = True
    while len(state.members) > 1:
        cosines, prices = state.pairs()
        benefits = cosines + alpha * prices
        best = int(np.argmax(benefits))
        forced = order == "box" and first
        if benefits[best] <= 0 and not forced:
            # none is worth it as long as every line stays below zero
            return state.groups(), (low, min(high, _least(-cosines / prices)))
        if not forced:
            low = max(low, -cosines[best] / prices[best])
        start, end = _ahead(cosines, prices, best)
        low, high = max(low, start), min(high, end)
        state.merge(best)
        first = False
    return state.groups(), (low, high)


def _ahead(cosines: Array, prices: Array, best: int) -> tuple[float, float]:
    """Interval in which one line is above all others."""
    gap, slope = cosines[best] - cosines, prices - prices[best]
    rising, falling = slope > 0, slope < 0
    end = _least(gap[rising] / slope[rising])
    start = -_least(-(gap[falling] / slope[falling]))
    return start, end


def _least(values: Array) -> float:
    return float(values.min()) if values.size else inf


class _Lines:
    """Groups by their smallest client, and the line in alpha of every pair's benefit."""

    def __init__(self, clients: Clients) -> None:
        self.members = [[k] for k in range(clients.count)]
        self.units = clients.units.copy()
        self.weighted = clients.sizes[:, None] * clients.gradients
        self.sizes = clients.sizes.astype(float)

    def groups(self) -> Groups:
        """Clients of every group, sorted."""
        return tuple(sorted(tuple(sorted(group)) for group in self.members))

    def pairs(self) -> tuple[Array, Array]:
        """Both numbers, c and q, of the pairs (k, l), k < l, row by row."""
        count = np.array([len(group) for group in self.members], dtype=float)
        cross, square = self.units @ self.weighted.T, self.weighted @ self.weighted.T
        own, length = np.diag(cross), np.diag(square)
        alone = np.where(count == 1, 1.0, _cosines(own, length, length, count))
        k, other = np.triu_indices(len(count), 1)
        joint = _cosines(
            cross[k, other] + cross[other, k] + own[k] + own[other],
            length[k] + length[other] + 2 * square[k, other],
            length[k] + length[other],
            count[k] + count[other],
        )
        per = count / self.sizes
        together = (count[k] + count[other]) / (self.sizes[k] + self.sizes[other])
        return joint - alone[k] - alone[other], per[k] + per[other] - together

    def merge(self, pair: int) -> None:
        """Take the second group of this pair into the first."""
        rows, columns = np.triu_indices(len(self.members), 1)
        k, other = int(rows[pair]), int(columns[pair])
        self.members[k] += self.members.pop(other)
        for name in ("units", "weighted", "sizes"):
            values = getattr(self, name)
            values[k] += values[other]
            setattr(self, name, np.delete(values, other, axis=0))


def _cosines(cross: Array, square: Array, scale: Array, count: Array) -> Array:
    """Sum of the members' cosines with their mean; none where it vanishes up to rounding."""
    there = square > VANISHED * scale
    cosines = np.where(there, cross / np.sqrt(np.where(there, square, 1.0)), 0.0)
    return np.asarray(np.clip(cosines, -count, count))
