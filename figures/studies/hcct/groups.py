r"""Test error and utility as functions of the number of groups, on tasks in orthogonal directions.

Clients estimate a mean: client i's law is normal with mean e_g in the direction of its group g and
variance v per coordinate, its gradient at the origin is the sample mean with the sign changed.  A
group trains to its pooled sample mean, whose expected excess risk for client i is exact,

.. math:: \tfrac12 \Big\| e_{g(i)} - \sum_{j \in C} \frac{D_j}{\hat D} e_{g(j)} \Big\|^2
          + \frac{d v}{2 \hat D} .

Merges go on by largest benefit down to one group, so that every number of groups is seen.  The
utility follows the error only where alpha suits the noise: -alpha/D stands for d v/(2 D).

Run as ``python -m figures.studies.hcct.groups``.

Source: hcct, Figure 5, in a version that needs no data set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algorithms.grouping.hcct_partition import Clients
from bounds.numbers.validate import require

Array = np.ndarray[Any, Any]

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class GroupsStudy:
    """Along the merges, for K = N, ..., 1 groups.

    Attributes
    ----------
    groups : tuple of int
        K.
    utility, error : tuple of float
        Total utility, and expected excess risk averaged over the clients.
    """

    groups: tuple[int, ...]
    utility: tuple[float, ...]
    error: tuple[float, ...]

    @property
    def most_useful(self) -> int:
        """K of the largest utility."""
        return self.groups[int(np.argmax(self.utility))]

    @property
    def most_accurate(self) -> int:
        """K of the smallest error."""
        return self.groups[int(np.argmin(self.error))]


def groups_study(
    tradeoff: float,
    *,
    directions: int = 5,
    per_direction: int = 4,
    size: int = 20,
    variance: float = 1.0,
    seed: int = 0,
) -> GroupsStudy:
    """Merge clients of several directions down to one group.

    Parameters
    ----------
    tradeoff : float
        alpha.
    directions, per_direction : int
        Groups of tasks and clients of each; d is the number of directions.
    size : int
        Samples of every client.
    variance : float
        v, per coordinate.
    seed : int
        Of the clients' sample means.
    """
    require(directions >= 1, "directions", "at least 1", directions, "name some")
    require(per_direction >= 1, "per_direction", "at least 1", per_direction, "name some")
    require(variance >= 0, "variance", "non-negative", variance, "pass a variance")
    means = np.repeat(np.eye(directions), per_direction, axis=0)
    noise = np.random.default_rng(seed).normal(size=means.shape)
    known = Clients(
        -(means + noise * np.sqrt(variance / size)), np.full(len(means), float(size)), tradeoff
    )
    path = list(forced_merges(known))
    return GroupsStudy(
        tuple(len(groups) for groups in path),
        tuple(known.total(groups) for groups in path),
        tuple(expected_error(means, known.sizes, variance, groups) for groups in path),
    )


def forced_merges(clients: Clients) -> list[Groups]:
    """Partitions from single clients to one group, always the pair of largest benefit."""
    groups: Groups = tuple((k,) for k in range(clients.count))
    value = {group: clients.utility(group) for group in groups}
    gains: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
    path = [groups]
    while len(groups) > 1:
        best, pair = -np.inf, (groups[0], groups[1])
        for k, first in enumerate(groups):
            for second in groups[k + 1 :]:
                if (first, second) not in gains:
                    union = tuple(sorted(first + second))
                    value[union] = clients.utility(union)
                    gains[first, second] = value[union] - value[first] - value[second]
                if gains[first, second] > best:
                    best, pair = gains[first, second], (first, second)
        union = tuple(sorted(pair[0] + pair[1]))
        groups = tuple(sorted([g for g in groups if g not in pair] + [union]))
        path.append(groups)
    return path


def expected_error(means: Array, sizes: Array, variance: float, groups: Groups) -> float:
    """Expected excess risk of the groups' pooled means, averaged over the clients."""
    total = 0.0
    for group in groups:
        chosen = np.asarray(group)
        size = sizes[chosen].sum()
        centre = sizes[chosen] @ means[chosen] / size
        bias = ((means[chosen] - centre) ** 2).sum(axis=1)
        total += float((bias / 2 + means.shape[1] * variance / (2 * size)).sum())
    return total / len(means)


def main() -> None:
    """Print where utility and error are best."""
    for tradeoff in (0.1, 1.0, 10.0, 100.0, 1000.0):
        found = groups_study(tradeoff)
        print(tradeoff, found.most_useful, found.most_accurate)


if __name__ == "__main__":
    main()
