r"""The best partition of up to twelve clients, and whether anybody wishes to move.

Dynamic programming over subsets: the best partition of a set S consists of the group of the
smallest client in S and the best partition of the rest, 3^N steps in all.

A client wishes to move if it would have a larger utility in another group that takes it in, or
alone; a partition that nobody wishes to leave is stable.

Source: hcct, problem (P1), Equations 10 and 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algorithms.grouping.hcct_partition import DENSE, Clients, Partition
from bounds.numbers.validate import require

__all__ = ["LARGEST", "Move", "best_partition", "moves", "optimal_values", "subset_utilities"]

Array = np.ndarray[Any, Any]

LARGEST = 12
"""Most clients of an exact optimum."""


@dataclass(frozen=True)
class Move:
    """What a client has, and what it could have.

    Attributes
    ----------
    client : int
    utility : float
        In its group.
    alone : float
        By itself.
    target : tuple of int or None
        The best other group to join, empty for staying alone, None if no move is better.
    gain : float
        Utility after the best move less that before; 0 if no move is better.
    """

    client: int
    utility: float
    alone: float
    target: tuple[int, ...] | None
    gain: float


def best_partition(clients: Clients) -> Partition:
    """The partition with the largest total utility, of at most :data:`LARGEST` clients.

    Raises
    ------
    InvalidInput
        If there are more clients.
    """
    n = clients.count
    require(
        n <= LARGEST,
        "clients",
        f"at most {LARGEST} for the exact optimum",
        n,
        "use the greedy partition",
    )
    value, choice = _tables(subset_utilities(clients)[None], n)
    groups, rest = [], (1 << n) - 1
    while rest:
        group = int(choice[0, rest])
        groups.append(tuple(k for k in range(n) if group >> k & 1))
        rest &= ~group
    return Partition(tuple(sorted(groups)), float(value[0, -1]))


def optimal_values(utilities: Array, clients: int) -> Array:
    """Largest total utility for many tables of subset utilities, (instances, 2^N) to (instances,).

    Entry m of a table is the utility of the group of the clients whose bits are set in m.
    """
    return np.asarray(_tables(utilities, clients)[0][:, -1])


def subset_utilities(clients: Clients) -> Array:
    """Utility of every group, (2^N,), entry m for the clients whose bits are set in m."""
    n = clients.count
    bits = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
    size = np.maximum(bits @ clients.sizes, clients.sizes.min())
    number = bits.sum(1)
    mean = bits @ (clients.sizes[:, None] * clients.gradients)
    units = bits @ clients.units
    norm = np.linalg.norm(mean, axis=1)
    scale = bits @ (clients.sizes * np.linalg.norm(clients.gradients, axis=1))
    there = norm > 1e-14 * scale
    cosines = np.where(there, (units * mean).sum(1) / np.where(there, norm, 1.0), 0.0)
    cosines = np.where(number == 1, 1.0, cosines)
    table = cosines + number * (clients.offset - clients.tradeoff / size)
    table[0] = 0.0
    return np.asarray(table)


def moves(clients: Clients, groups: Any) -> tuple[Move, ...]:
    """For every client its utility and the best move it could make on its own."""
    if clients.count > DENSE:
        return _many_moves(clients, groups)
    found = []
    for group in groups:
        here = clients.utilities(group)
        for client, utility in zip(group, here, strict=True):
            alone = float(clients.utilities((client,))[0])
            options = [(alone, ())] if len(group) > 1 else []
            for other in groups:
                if other != group:
                    joined = (*other, client)
                    options.append((float(clients.utilities(joined)[-1]), tuple(other)))
            best, target = max(options, key=lambda o: o[0], default=(-np.inf, ()))
            # rounding of two equal utilities is no wish
            better = best > utility + 1e-12 * (1 + abs(utility))
            gain = float(best - utility) if better else 0.0
            found.append(Move(int(client), float(utility), alone, target if better else None, gain))
    return tuple(sorted(found, key=lambda m: m.client))


def _many_moves(clients: Clients, groups: Any) -> tuple[Move, ...]:
    """The same from sums over groups, a block of clients with all groups at a time."""
    n, weighted = clients.count, clients.sizes[:, None] * clients.gradients
    where = np.empty(n, dtype=int)
    for j, group in enumerate(groups):
        where[list(group)] = j
    members = np.bincount(where)
    size = np.bincount(where, clients.sizes)
    sums = np.zeros((len(groups), weighted.shape[1]))
    np.add.at(sums, where, weighted)
    square = (sums**2).sum(1)
    here = np.concatenate([clients.utilities(group) for group in groups])
    utility = np.empty(n)
    utility[np.concatenate([np.asarray(group) for group in groups])] = here
    alone = clients.offset - clients.tradeoff / clients.sizes + 1.0
    found = []
    for start in range(0, n, max(1, 2**21 // len(groups))):
        rows = np.arange(start, min(n, start + max(1, 2**21 // len(groups))))
        unit, own = clients.units[rows], weighted[rows]
        length = square + 2 * (own @ sums.T) + (own**2).sum(1)[:, None]
        cross = unit @ sums.T + (unit * own).sum(1)[:, None]
        there = length > 1e-28 * (square + (own**2).sum(1)[:, None])
        cosine = np.where(there, cross / np.sqrt(np.where(there, length, 1.0)), 0.0)
        value = np.clip(cosine, -1, 1) + clients.offset
        value -= clients.tradeoff / (size + clients.sizes[rows, None])
        value[np.arange(len(rows)), where[rows]] = -np.inf
        target = value.argmax(axis=1)
        best = value[np.arange(len(rows)), target]
        for k, client in enumerate(rows):
            with_whom: tuple[int, ...] = tuple(groups[target[k]])
            most = float(best[k])
            if members[where[client]] > 1 and alone[client] >= most:
                with_whom, most = (), float(alone[client])
            mine = float(utility[client])
            better = most > mine + 1e-12 * (1 + abs(mine))
            found.append(
                Move(
                    int(client),
                    mine,
                    float(alone[client]),
                    with_whom if better else None,
                    most - mine if better else 0.0,
                )
            )
    return tuple(found)


def _tables(utilities: Array, n: int) -> tuple[Array, Array]:
    """Best value of every set and the group of its smallest client there, (instances, 2^N)."""
    count = len(utilities)
    value, choice = np.zeros((count, 1 << n)), np.zeros((count, 1 << n), dtype=np.int64)
    rows = np.arange(count)
    for whole in range(1, 1 << n):
        low = whole & -whole
        rest = whole ^ low
        groups, part = [], rest
        while True:  # all subsets of the rest, each with the smallest client
            groups.append(part | low)
            if part == 0:
                break
            part = (part - 1) & rest
        chosen = np.array(groups[::-1])
        options = utilities[:, chosen] + value[:, whole ^ chosen]
        best = options.argmax(axis=1)
        value[:, whole] = options[rows, best]
        choice[:, whole] = chosen[best]
    return value, choice
