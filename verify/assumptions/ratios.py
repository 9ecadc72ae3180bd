r"""The quotient behind each assumption: what its constant must not be below.

Each rule takes points (K, n) and returns one number per point: the smallest constant that this
point (or pair of points, n = 2d) allows.  The supremum over the region is the constant.  Each
number is rounded to the side on which it accuses nobody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from verify.assumptions.source import BoxedLosses

__all__ = [
    "affine_bias",
    "dissimilarity",
    "expected_smoothness",
    "flatness",
    "gradient_change",
    "pl_inverse",
    "similarity",
    "variance",
]

Array = np.ndarray[Any, Any]
Rule = Callable[[Array], Array]

NEAREST = 1e-4
"""Distance of two points, in parts of the region, under which they are not compared."""
ROUNDINGS = 64
"""Units in the last place that a gradient or loss may be off."""


def gradient_change(source: BoxedLosses, k: int) -> Rule:
    r"""Smoothness: :math:`\|\nabla R_k(x)-\nabla R_k(y)\|/\|x-y\|`, points (x, y)."""

    def rule(pairs: Array) -> Array:
        x, y = _halves(pairs)
        here, there = source.gradients(x)[:, k], source.gradients(y)[:, k]
        lost = _lost(source, _norm(here) + _norm(there))
        return np.asarray((_norm(here - there) - lost) / _distance(source, x, y))

    return rule


def flatness(source: BoxedLosses, k: int) -> Rule:
    r"""Strong convexity: :math:`-\langle\nabla R_k(x)-\nabla R_k(y),x-y\rangle/\|x-y\|^2`."""

    def rule(pairs: Array) -> Array:
        x, y = _halves(pairs)
        here, there = source.gradients(x)[:, k], source.gradients(y)[:, k]
        apart = _distance(source, x, y)
        lost = _lost(source, _norm(here) + _norm(there)) * apart
        return np.asarray((-((here - there) * (x - y)).sum(-1) - lost) / apart**2)

    return rule


def pl_inverse(source: BoxedLosses, k: int) -> Rule:
    r"""PL: :math:`-\|\nabla R_k\|^2/(2(R_k-\min R_k))`."""

    def rule(points: Array) -> Array:
        slope = _norm(source.gradients(points)[:, k])
        _, excess = _excess(source, points, k)
        quotient = (slope + _lost(source, slope)) ** 2 / (2 * excess)
        return np.asarray(np.where(excess > 0, -quotient, np.nan))

    return rule


def variance(source: BoxedLosses, k: int) -> Rule:
    r"""Bounded variance: :math:`E\|g_k-\nabla R_k\|^2`."""

    def rule(points: Array) -> Array:
        assert source.variance is not None
        found = np.asarray(source.variance(points), float)
        return np.asarray(np.broadcast_to(found, (len(points), source.clients))[:, k])

    return rule


def expected_smoothness(source: BoxedLosses, k: int) -> Rule:
    r"""Expected smoothness: :math:`E\|g_k(x)-g_k(x_k^*)\|^2/(2(R_k(x)-\min R_k))`."""

    def rule(points: Array) -> Array:
        assert source.outcomes is not None
        assert source.optima is not None
        here, weights = source.outcomes(points)
        there, _ = source.outcomes(source.optima[k][None])
        here, there = here[:, :, k], there[:, :, k]
        change = _norm(here - there) - _lost(source, _norm(here) + _norm(there))
        excess, _ = _excess(source, points, k)
        square = (weights[:, k, None] * np.maximum(change, 0) ** 2).sum(0)
        return np.asarray(np.where(excess > 0, square / (2 * excess), np.nan))

    return rule


def affine_bias(source: BoxedLosses, i: int, k: int, slope: float) -> Rule:
    r"""A3: :math:`\|\nabla R_i-\nabla R_k\|^2-c\|\nabla R_i\|^2`, what b^2 must not be below."""

    def rule(points: Array) -> Array:
        both = source.gradients(points)
        own, other = both[:, i], both[:, k]
        apart, square = ((own - other) ** 2).sum(-1), (own**2).sum(-1)
        lost = _lost(source, square * (1 + slope) + (other**2).sum(-1))
        return np.asarray(apart - slope * square - lost)

    return rule


def dissimilarity(source: BoxedLosses, slope: float) -> Rule:
    r"""Of the mean: :math:`\frac1N\sum_k\|\nabla R_k\|^2-B^2\|\nabla R\|^2`, at most G^2."""

    def rule(points: Array) -> Array:
        slopes = source.gradients(points)
        square = np.asarray((slopes**2).sum(-1).mean(1))
        mean = np.asarray((slopes.mean(1) ** 2).sum(-1))
        return square - slope * mean - _lost(source, square * (1 + slope))

    return rule


def similarity(source: BoxedLosses, i: int, k: int) -> Rule:
    r"""Similar Hessians: how fast :math:`\nabla R_i-\nabla R_k` changes, points (x, y)."""

    def rule(pairs: Array) -> Array:
        x, y = _halves(pairs)
        here, there = source.gradients(x), source.gradients(y)
        change = (here[:, i] - here[:, k]) - (there[:, i] - there[:, k])
        size = sum(_norm(g[:, j]) for g in (here, there) for j in (i, k))
        return (_norm(change) - _lost(source, size)) / _distance(source, x, y)

    return rule


# -- private helpers ---------------------------------------------------------------------


def _halves(pairs: Array) -> tuple[Array, Array]:
    d = pairs.shape[1] // 2
    return np.ascontiguousarray(pairs[:, :d]), np.ascontiguousarray(pairs[:, d:])


def _distance(source: BoxedLosses, x: Array, y: Array) -> Array:
    """Distance of two points; NaN for neighbours, whose difference is rounding."""
    apart = _norm(x - y)
    if source.points is not None:
        return np.where(apart > 0, apart, np.nan)
    return np.where(apart > NEAREST * _norm(source.high - source.low), apart, np.nan)


def _excess(source: BoxedLosses, points: Array, k: int) -> tuple[Array, Array]:
    """Loss above its minimum, rounded up and rounded down."""
    assert source.values is not None
    assert source.minima is not None
    loss = np.asarray(source.values(points)[:, k])
    lost = _lost(source, np.abs(loss) + abs(source.minima[k]))
    excess = loss - source.minima[k]
    return excess + lost, excess - lost


def _lost(source: BoxedLosses, size: Any) -> Array:
    """What rounding may have added to a difference of numbers of that size."""
    return np.asarray(ROUNDINGS * source.precision * size)


def _norm(x: Array) -> Array:
    return np.asarray(np.sqrt((x**2).sum(-1)))
