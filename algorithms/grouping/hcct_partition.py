r"""The greedy partition: merge the two groups with the largest benefit, again and again.

With u_C the sum of the unit gradients of a group and v_C that of D_j g_j, the similarities of the
members of C add up to <u_C, v_C>/|v_C|.  Two matrices of inner products are kept, so that a merge
costs one row of each; benefits of pairs without the new group stay as they are.  What the
algorithm as described evaluates is counted: one benefit for every pair seen for the first time, and
as many cosines as the union of the pair has clients.

Ties go to the first pair in the order of the group numbers, the number of a merged group being the
smaller one; the paper names no rule.

Source: hcct, Section 5, Algorithm 2, Equations 12 to 17.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algorithms.grouping.hcct_groups import Groups
from algorithms.grouping.hcct_large import LargeState
from bounds.numbers.validate import finite, nonnegative, positive, require

__all__ = ["ORDERS", "Clients", "Merge", "Partition", "greedy_partition"]

Array = np.ndarray[Any, Any]

ORDERS = ("text", "box")
"""Where the stopping rule stands: before a merge (text, Figure 2) or after it (Algorithm 2)."""


DENSE = 512
"""Clients up to which all inner products are kept."""

MOST_CLIENTS = 14_000
"""Most clients of a greedy partition."""


@dataclass(frozen=True)
class Merge:
    """One step of the greedy partition: the two groups, and the benefit of their union."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    benefit: float


@dataclass(frozen=True)
class Partition:
    """Groups of clients and how they came about.

    Attributes
    ----------
    groups : tuple of tuples of int
        Clients of every group, sorted, the groups by their first client.
    utility : float
        Sum of all clients' utilities.
    merges : tuple of Merge
        In order.
    benefits, cosines : tuple of int
        Evaluations per step of the algorithm, the last step included even if nothing merged.
    """

    groups: tuple[tuple[int, ...], ...]
    utility: float
    merges: tuple[Merge, ...] = ()
    benefits: tuple[int, ...] = ()
    cosines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Clients:
    """What the server knows: gradients (N, d), sizes (N,), alpha and beta.

    Raises
    ------
    InvalidInput
        If an array has the wrong shape or a value is out of range.
    """

    gradients: Array
    sizes: Array
    tradeoff: float
    offset: float = 0.0
    units: Array = field(init=False)

    def __post_init__(self) -> None:
        gradients = np.asarray(self.gradients, dtype=float)
        sizes = np.asarray(self.sizes, dtype=float)
        require(
            gradients.ndim == 2 and gradients.size > 0,
            "gradients",
            "an array (clients, d) with at least one entry",
            f"shape {gradients.shape}",
            "give one row per client",
        )
        require(
            sizes.shape == (len(gradients),),
            "sizes",
            f"one number for each of {len(gradients)} clients",
            f"shape {sizes.shape}",
            "give as many sizes as gradients",
        )
        finite("gradients", gradients)
        finite("sizes", sizes)
        positive("sizes", sizes, "give every client at least one sample")
        finite("tradeoff", np.asarray(self.tradeoff))
        nonnegative("tradeoff", self.tradeoff)
        finite("offset", np.asarray(self.offset))
        # a common scale leaves every cosine as it is, and keeps squares from overflowing
        gradients = gradients / (float(np.abs(gradients).max()) or 1.0)
        norms = np.linalg.norm(gradients, axis=1)
        safe = np.where(norms > 0, norms, 1.0)
        units = np.where(norms[:, None] > 0, gradients / safe[:, None], 0.0)
        for name, value in (("gradients", gradients), ("sizes", sizes), ("units", units)):
            object.__setattr__(self, name, value)

    @property
    def count(self) -> int:
        """N."""
        return len(self.sizes)

    def utility(self, group: Any) -> float:
        """Sum of the utilities of a group's members."""
        return float(self.utilities(group).sum())

    def utilities(self, group: Any) -> Array:
        """Utility of each member of a group, in the order given."""
        chosen = np.asarray(group, dtype=int)
        fixed = self.offset - self.tradeoff / self.sizes[chosen].sum()
        if len(chosen) == 1:
            return np.array([fixed + 1.0])
        weighted = self.sizes[chosen, None] * self.gradients[chosen]
        mean = weighted.sum(0)
        norm = np.linalg.norm(mean)
        # a mean that vanishes up to rounding has no direction, as in `Groups.utility`: gradients at
        # the minimiser of all clients' loss add up to some 1e-16 of their sizes
        there = norm > 1e-14 * np.linalg.norm(weighted, axis=1).sum()
        cosines = self.units[chosen] @ mean / norm if there else np.zeros(len(chosen))
        return np.asarray(fixed + np.clip(cosines, -1, 1))

    def total(self, groups: Any) -> float:
        """Sum of all clients' utilities under a partition, the objective of (P1)."""
        return sum(self.utility(group) for group in groups)


def greedy_partition(clients: Clients, *, order: str = "text", fresh: bool = True) -> Partition:
    """Merge groups from single clients on.

    Parameters
    ----------
    clients : Clients
    order : {"text", "box"}
        Stop before a merge without benefit, or test only after each merge, so that the first one
        always happens.
    fresh : bool
        Evaluate the pairs of a newly formed group again. Without, a benefit recorded for a pair of
        numbers is kept after one of them has grown, as the box reads.

    Returns
    -------
    Partition
    """
    require(order in ORDERS, "order", f"one of {ORDERS}", order, "choose one")
    require(
        clients.count <= MOST_CLIENTS,
        "clients",
        f"at most {MOST_CLIENTS}, whose benefits take {8 * MOST_CLIENTS**2 / 2**30:.1f} GiB",
        clients.count,
        "group a sample of them, or group the means of smaller groups",
    )
    state: Groups = _State(clients) if clients.count <= DENSE else _large(clients)
    merges: list[Merge] = []
    benefits, cosines = [state.first_benefits], [state.first_cosines]
    done = clients.count == 1
    while not done:
        first, second, gain = state.best()
        if order == "text" and gain <= 0:
            break
        merges.append(Merge(state.members(first), state.members(second), gain))
        evaluated, looked_at = state.merge(first, second, fresh)
        left = state.left
        if left > 1 and fresh:
            benefits.append(evaluated)
            cosines.append(looked_at)
        done = left == 1 or (order == "box" and state.best()[2] <= 0)
    groups = tuple(sorted(state.groups()))
    return Partition(groups, clients.total(groups), tuple(merges), tuple(benefits), tuple(cosines))


def _large(clients: Clients) -> LargeState:
    weighted = clients.sizes[:, None] * clients.gradients
    return LargeState(clients.units, weighted, clients.sizes, clients.tradeoff)


class _State(Groups):
    """Groups under their smallest client's number, with the inner products a benefit asks for."""

    def __init__(self, clients: Clients) -> None:
        super().__init__(clients.sizes, clients.tradeoff)
        weighted = clients.sizes[:, None] * clients.gradients
        self.cross = clients.units @ weighted.T  # <u_k, v_l>
        self.square = weighted @ weighted.T  # <v_k, v_l>
        for k in range(clients.count - 1):
            rest = np.arange(k + 1, clients.count)
            self.benefit[k, rest] = self._benefits(k, rest)
        self.row_best = self.benefit.max(axis=1)

    def best(self) -> tuple[int, int, float]:
        k = int(np.argmax(self.row_best))
        other = int(np.argmax(self.benefit[k]))
        return k, other, float(self.benefit[k, other])

    def merge(self, first: int, second: int, fresh: bool) -> tuple[int, int]:
        for matrix in (self.cross, self.square):
            matrix[first] += matrix[second]
            matrix[:, first] += matrix[:, second]
        self.own[first] = self._joint(
            first, second, self.cross[first, first], self.square[first, first]
        )
        self.join(first, second)
        others = self.others(first)
        if fresh and others.size:
            self.renew(first, others, self._benefits(first, others))
        self.row_best = self.benefit.max(axis=1)
        return self.evaluated(first, others, fresh)

    def _benefits(self, k: int, others: Array) -> Array:
        cross = (
            self.cross[k, k]
            + self.cross[others, others]
            + self.cross[k, others]
            + self.cross[others, k]
        )
        square = self.square[k, k] + self.square[others, others] + 2 * self.square[k, others]
        return np.asarray(self._joint(k, others, cross, square) - self.own[k] - self.own[others])

    def _joint(self, k: Any, others: Any, cross: Any, square: Any) -> Any:
        number, size = self.number[k] + self.number[others], self.size[k] + self.size[others]
        scale = self.square[k, k] + self.square[others, others]
        return self.utility(number, size, scale, cross, square)
