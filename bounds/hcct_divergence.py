r"""Distances between two laws on the line, seen through classes of classifiers.

Laws have finitely many atoms at common places, sorted, (..., atoms); piecewise constant densities
count as well, with masses of their cells.  The H-divergence of a class of events is

.. math:: d_{\mathcal H}(P, Q) = 2 \sup_{A \in \mathcal H} |P(A) - Q(A)| .

In one dimension it is exact for thresholds {x <= c}, for linear classifiers (thresholds in both
directions, the same value), for intervals, and for all events, where it is the L1 distance.

Source: hcct, Theorem 1; Ben-David et al. (2010).
"""

from __future__ import annotations

from bounds.generic import absolute, largest, stack, total
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require

__all__ = [
    "all_events_divergence",
    "interval_divergence",
    "l1_distance",
    "pooled_law",
    "threshold_divergence",
    "total_variation",
    "uniform_shift_distance",
]


def l1_distance(first: Array, second: Array) -> Array:
    """Integral of |P - Q|, in [0, 2], (..., atoms) to (...)."""
    return total(absolute(first - second))


def total_variation(first: Array, second: Array) -> Array:
    """sup over events of |P(A) - Q(A)|, half the L1 distance, in [0, 1]."""
    return l1_distance(first, second) / 2


def all_events_divergence(first: Array, second: Array) -> Array:
    """H-divergence of all events: the L1 distance."""
    return l1_distance(first, second)


def threshold_divergence(first: Array, second: Array) -> Array:
    """H-divergence of {x <= c} on sorted atoms: twice the largest gap of the two step functions.

    The complements {x > c} have the same gaps, so that it is that of linear classifiers too.
    """
    return 2 * largest(absolute(_running(first - second)))


def interval_divergence(first: Array, second: Array) -> Array:
    """H-divergence of intervals: twice the largest absolute sum of consecutive gaps."""
    sums = _running(first - second)
    zero = 0 * sums[..., :1]
    ends = [zero[..., 0], *(sums[..., k] for k in range(sums.shape[-1]))]
    gaps = [absolute(b - a) for k, a in enumerate(ends) for b in ends[k + 1 :]]
    return 2 * largest(stack(gaps, -1))


def pooled_law(laws: Array, sizes: Array, members: Array) -> Array:
    """Mixture sum_j D_j/D P_j of the laws of a group, (..., N, atoms) to (..., atoms)."""
    weights = sizes * members
    return total((weights / total(weights)[..., None])[..., None] * laws, -2)


def uniform_shift_distance(shift: Array, length: Array) -> Array:
    """L1 distance of two uniform laws on intervals of one length, moved by ``shift``, (...).

    Examples
    --------
    >>> uniform_shift_distance(0.25, 1.0), uniform_shift_distance(3.0, 1.0)
    (0.5, 2.0)
    """
    moved = absolute(shift) / length
    return 2 * (moved + 1 - absolute(moved - 1)) / 2


def _running(x: Array) -> Array:
    """Running sums over the last axis."""
    require(x.shape[-1] >= 1, "atoms", "at least one", x.shape[-1], "give the law an atom")
    sums = [x[..., 0]]
    for k in range(1, x.shape[-1]):
        sums.append(sums[-1] + x[..., k])
    return stack(sums, -1)
