r"""Moments of the yardstick by one dense matrix, written out by hand.

With :math:`A_k = 2 x_k x_k^T`, :math:`x_k \sim N(0, I)` and :math:`h = \eta/N`, a round is
:math:`\theta' = (I - h \sum_k A_k)\,\theta + h \sum_k A_k c_k`, so that :math:`(1, E\theta,
E\theta \otimes \theta)` moves by one matrix. It is made of :math:`E A = 2 I` and
:math:`E[A \otimes A] = 4\,(I + K + \mathrm{vec}(I)\mathrm{vec}(I)^T)`, where K swaps the factors:
nothing of problem, method or recursion enters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from synthetic.exact.moments import Moments

Array = np.ndarray[Any, Any]

ROUNDING = 1e-11
"""Of the largest entry so far: a thousand products of a matrix of 111 rows."""


def round_matrix(targets: Array, step_size: float) -> Array:
    """What a round does to (1, mean, second moments), shape (1 + d + d^2,) twice.

    Parameters
    ----------
    targets : array, (N, d)
        The c_k.
    """
    clients, d = targets.shape
    h, unit = step_size / clients, np.eye(d)
    both = np.eye(d * d)
    swap = both.reshape(d, d, d, d).swapaxes(0, 1).reshape(d * d, d * d)
    pair = 4 * (both + swap + np.outer(unit, unit))  # E[A kron A]
    one = np.zeros((1 + d + d * d,) * 2)
    mean, square = slice(1, 1 + d), slice(1 + d, None)
    one[0, 0] = 1
    one[mean, mean] = (1 - 2 * h * clients) * unit
    one[mean, 0] = 2 * h * targets.sum(0)
    # (I - h sum A) kron (I - h sum A): equal clients as a pair, others as products of means
    apart = 4 * clients * (clients - 1) * both
    one[square, square] = both - 4 * h * clients * both + h**2 * (clients * pair + apart)
    for target in targets:
        here = target[:, None]
        others = targets.sum(0) - target
        for left, right in ((here, unit), (unit, here)):
            drift = 2 * np.kron(left, right) * (1 - 2 * h * (clients - 1))
            one[square, mean] += h * (drift - h * pair @ np.kron(left, right))
        one[square, 0] += h**2 * (pair @ np.kron(target, target) + 4 * np.kron(target, others))
    return one


def agrees(path: Moments, targets: Array, step_size: float) -> bool:
    """Whether a path of moments from its first point is the one that the matrix makes."""
    # from the middle of the targets, so that little cancels between E x x^T and E x E x^T
    middle = targets.mean(0)
    one = round_matrix(targets - middle, step_size)
    start = path.mean[0] - middle
    state = np.concatenate([[1.0], start, np.kron(start, start)])
    d = len(middle)
    largest = float(abs(start).max())
    for found, spread in zip(path.mean, path.covariance, strict=True):
        mean, square = state[1 : 1 + d], state[1 + d :].reshape(d, d)
        covariance = square - np.outer(mean, mean)
        if abs(found - middle - mean).max() > ROUNDING * largest:
            return False
        if abs(spread - covariance).max() > ROUNDING * largest**2:
            return False
        state = one @ state
    return True
