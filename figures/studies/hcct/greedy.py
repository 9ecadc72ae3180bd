r"""How far the greedy partition is from the best one, and which tradeoffs lead where.

Random instances have normal gradients, sizes from 1 to 40 and alpha log-uniform in [1/4, 64].  With
two clients the greedy partition is the best one; with three it may stay alone although all three
together are better, see :data:`SMALLEST`; on the line the first failures seen have five clients.

Orthogonal gradients of one length and equal sizes D have exact thresholds: everybody stays alone
for :math:`\alpha \le (2 - \sqrt 2) D`, and a group of n_1 merges with one of n_2 above
:math:`(\sqrt{n_1} + \sqrt{n_2} - \sqrt{n_1 + n_2}) D`.

Run as ``python -m figures.studies.hcct.greedy``.

Source: hcct, Section 5, problem (P1).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from algorithms.grouping.hcct_optimum import best_partition, moves, optimal_values, subset_utilities
from algorithms.grouping.hcct_partition import Clients, greedy_partition
from bounds.hcct.utility import independence_threshold, pair_threshold

Array = np.ndarray[Any, Any]

SMALLEST = Clients(
    np.array([[4.0, 3.0], [4.0, -3.0], [2000.0, 0.0]]), np.array([1.0, 1.0, 2.0]), 0.23
)
"""Three clients that no pair of which gains by merging, while all three together do.

The third one's mean dominates: a small client loses 1 - 4/5 in cosine, and alone with the third one
it gains 5/6 alpha in samples, but two of them gain 7/4 alpha: 0.24 > alpha > 0.4 * 4/7.
"""

ROUNDING = 1e-9
"""Gaps below this are rounding of sums of a few utilities."""


@dataclass(frozen=True)
class GapStudy:
    """Gap of the greedy partition to the best one over random instances.

    Attributes
    ----------
    clients, dim, instances : int
    failures, box_failures, stale_failures : float
        Share of instances with a gap: stopping by the text, by the box, and with recorded
        benefits kept.
    mean, largest, box_largest, stale_largest : float
        Mean gap of the failures by the text, and largest gaps.
    quantiles : tuple of float
        Median, 90 % and 99 % of the gap by the text.
    stable : float
        Share of greedy partitions that no client wishes to leave.
    groups : float
        Mean number of groups.
    """

    clients: int
    dim: int
    instances: int
    failures: float
    mean: float
    largest: float
    quantiles: tuple[float, ...]
    box_failures: float
    box_largest: float
    stale_failures: float
    stale_largest: float
    stable: float
    groups: float


def random_clients(number: int, clients: int, dim: int) -> Clients:
    """Instance of this number."""
    rng = np.random.default_rng([number, clients, dim])
    gradients = rng.normal(size=(clients, dim))
    return Clients(gradients, rng.integers(1, 41, clients), 2.0 ** rng.uniform(-2, 6))


def gap_study(clients: int = 8, dim: int = 5, instances: int = 1000) -> GapStudy:
    """Compare greedy and best partitions of random instances."""
    known = [random_clients(k, clients, dim) for k in range(instances)]
    best = optimal_values(np.stack([subset_utilities(c) for c in known]), clients)
    found = [greedy_partition(c) for c in known]
    gap = _clean(best - [f.utility for f in found])
    box = _clean(best - [greedy_partition(c, order="box").utility for c in known])
    stale = _clean(best - [greedy_partition(c, fresh=False).utility for c in known])
    settled = [
        all(move.target is None for move in moves(c, f.groups))
        for c, f in zip(known, found, strict=True)
    ]
    failed = gap > 0
    return GapStudy(
        clients,
        dim,
        instances,
        float(failed.mean()),
        float(gap[failed].mean()) if failed.any() else 0.0,
        float(gap.max()),
        tuple(float(q) for q in np.quantile(gap, [0.5, 0.9, 0.99])),
        float((box > 0).mean()),
        float(box.max()),
        float((stale > 0).mean()),
        float(stale.max()),
        float(np.mean(settled)),
        float(np.mean([len(f.groups) for f in found])),
    )


@dataclass(frozen=True)
class Thresholds:
    """Tradeoffs between which a federation goes from nobody together to all.

    Attributes
    ----------
    independent : float
        Everybody stays alone exactly up to this alpha (by the text; by the box never).
    sure : float
        Above this alpha every merge has a benefit, so that all end in one group.
    first_together : float
        Smallest alpha on the scan at which all end in one group.
    last_apart : float
        Largest alpha on the scan at which they do not; above ``first_together`` where more weight
        on data leads to more groups.
    """

    independent: float
    sure: float
    first_together: float
    last_apart: float


def thresholds(gradients: Array, sizes: Array, points: int = 400) -> Thresholds:
    """Thresholds in alpha of a few clients (all pairs of disjoint groups are tried)."""
    gradients, sizes = np.asarray(gradients, dtype=float), np.asarray(sizes, dtype=float)
    n = len(sizes)
    low, sure = float(independence_threshold(gradients, sizes)), 0.0
    masks = [
        np.array([float(k in g) for k in range(n)])
        for size in range(1, n)
        for g in combinations(range(n), size)
    ]
    for first, second in combinations(masks, 2):
        if not (first * second).any():
            sure = max(sure, float(pair_threshold(gradients, sizes, first, second)))
    scan = np.linspace(low, sure, points + 1)[1:] * (1 + 1e-12)
    together = [len(greedy_partition(Clients(gradients, sizes, a)).groups) == 1 for a in scan]
    apart = [a for a, one in zip(scan, together, strict=True) if not one]
    return Thresholds(
        low,
        sure,
        float(scan[together.index(True)]) if any(together) else sure,
        float(apart[-1]) if apart else low,
    )


def crossing_clients() -> tuple[Array, Array]:
    """Gradients and sizes of six clients with more groups at some larger alpha than before."""
    rng = np.random.default_rng([99, 6])
    return rng.normal(size=(6, 2)), rng.integers(1, 41, 6)


def groups_by_tradeoff(gradients: Array, sizes: Array, tradeoffs: Array) -> list[int]:
    """Final number of groups for each alpha."""
    return [len(greedy_partition(Clients(gradients, sizes, a)).groups) for a in tradeoffs]


def orthogonal_threshold(first: int, second: int, size: float = 1.0) -> float:
    """The alpha above which groups of n_1 and n_2 orthogonal clients of one size merge."""
    return float(np.sqrt(first) + np.sqrt(second) - np.sqrt(first + second)) * size


def _clean(gap: Array) -> Array:
    return np.where(gap > ROUNDING, gap, 0.0)


def main() -> None:
    """Print the studies."""
    for clients, dim in ((2, 2), (3, 2), (4, 2), (8, 2), (8, 5)):
        print(gap_study(clients, dim))
    found, best = greedy_partition(SMALLEST), best_partition(SMALLEST)
    print("smallest failure:", found.groups, "best", best.groups, best.utility - found.utility)
    for clients in (2, 4, 8):
        print(clients, thresholds(np.eye(clients), np.ones(clients)))
        halves = (clients // 2, clients // 2)
        print("closed form:", orthogonal_threshold(1, 1), orthogonal_threshold(*halves))
    alphas = np.geomspace(0.1, 400, 60)
    print("groups by alpha:", groups_by_tradeoff(*crossing_clients(), alphas))


if __name__ == "__main__":
    main()
