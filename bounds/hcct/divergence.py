r"""Distances between two laws on the line, seen through classes of classifiers.

Laws have finitely many atoms at common places, sorted, (..., atoms); piecewise constant densities
count as well, with masses of their cells.  The H-divergence of a class of events is

.. math:: d_{\mathcal H}(P, Q) = 2 \sup_{A \in \mathcal H} |P(A) - Q(A)| .

In one dimension it is exact for thresholds {x <= c}, for linear classifiers (thresholds in both
directions, the same value), and for all events, where it is the L1 distance.

Source: hcct, Theorem 1; Ben-David et al. (2010).
"""

from __future__ import annotations

from bounds.generic import absolute, largest, stack, total
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require

__all__ = ["l1_distance", "threshold_divergence"]


def l1_distance(first: Array, second: Array) -> Array:
    """Integral of |P - Q|, in [0, 2], (..., atoms) to (...)."""
    return total(absolute(first - second))


def threshold_divergence(first: Array, second: Array) -> Array:
    """H-divergence of {x <= c} on sorted atoms: twice the largest gap of the two step functions.

    The complements {x > c} have the same gaps, so that it is that of linear classifiers too.
    """
    return 2 * largest(absolute(_running(first - second)))


def _running(x: Array) -> Array:
    """Running sums over the last axis."""
    require(x.shape[-1] >= 1, "atoms", "at least one", x.shape[-1], "give the law an atom")
    sums = [x[..., 0]]
    for k in range(1, x.shape[-1]):
        sums.append(sums[-1] + x[..., k])
    return stack(sums, -1)
