"""Groups of a greedy partition and the benefits of their pairs, whatever these are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

__all__ = ["Groups"]

Array = np.ndarray[Any, Any]


class Groups(ABC):
    """Clients that were merged, in the order of each group's smallest client.

    Parameters
    ----------
    sizes : array (N,)
        D_k.
    tradeoff : float
        alpha.

    Attributes
    ----------
    benefit : array (n, n)
        Of the union of two groups, above the diagonal; -inf elsewhere and of groups that are gone.
    first_benefits, first_cosines : int
        What the algorithm as described evaluates before its first merge.
    """

    def __init__(self, sizes: Array, tradeoff: float) -> None:
        n = len(sizes)
        self.size, self.number = sizes.astype(float), np.ones(n)
        self.alpha = tradeoff
        self.own = 1.0 - self.alpha / self.size  # beta cancels in every benefit
        self.alive = np.ones(n, dtype=bool)
        self.group = [[k] for k in range(n)]
        self.benefit = np.full((n, n), -np.inf)
        self.first_benefits, self.first_cosines = n * (n - 1) // 2, n * (n - 1)

    @abstractmethod
    def best(self) -> tuple[int, int, float]:
        """Places of the pair with the largest benefit, the first of equal ones, and its benefit."""

    @abstractmethod
    def merge(self, first: int, second: int, fresh: bool) -> tuple[int, int]:
        """Take ``second`` into ``first``; benefits and cosines evaluated for the new group."""

    @property
    def left(self) -> int:
        """Number of groups."""
        return int(self.alive.sum())

    def groups(self) -> list[tuple[int, ...]]:
        """Clients of every group."""
        return [self.members(int(k)) for k in np.flatnonzero(self.alive)]

    def members(self, k: int) -> tuple[int, ...]:
        """Clients of the group at this place."""
        return tuple(sorted(self.group[k]))

    def others(self, k: int) -> Array:
        """Places of all other groups."""
        there = np.flatnonzero(self.alive)
        return np.asarray(there[there != k])

    def join(self, first: int, second: int) -> None:
        """Clients, sizes and places of a merge; pairs with the second have no benefit any more."""
        self.size[first] += self.size[second]
        self.number[first] += self.number[second]
        self.group[first] += self.group[second]
        self.alive[second] = False
        self.benefit[second] = -np.inf
        self.benefit[:, second] = -np.inf

    def renew(self, k: int, others: Array, values: Array) -> None:
        """Benefits of a group with these others."""
        above, below = others > k, others < k
        self.benefit[k, others[above]] = values[above]
        self.benefit[others[below], k] = values[below]

    def evaluated(self, k: int, others: Array, fresh: bool) -> tuple[int, int]:
        """Benefits and cosines that are evaluated for a new group."""
        if not fresh:
            return 0, 0
        return len(others), int((self.number[k] + self.number[others]).sum())

    def utility(self, number: Any, size: Any, scale: Any, cross: Any, square: Any) -> Any:
        """Utility of a union, from <u, v> and |v|^2 of it; scale is |v|^2 of both parts, added."""
        # a mean that vanishes up to rounding has no direction: its members' cosines are zero
        there = square > 1e-28 * scale
        with np.errstate(invalid="ignore", divide="ignore"):
            cosines = np.where(there, cross / np.sqrt(np.where(there, square, 1.0)), 0.0)
        return np.clip(cosines, -number, number) - self.alpha * number / size
