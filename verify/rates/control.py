"""Control variates: the same draws through an affine part of a method, whose mean is known exactly.

They serve the mean that is reported and its band. An e-value needs values that cannot be negative,
which a difference from a control may be, and so it is always of the plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bounds.numbers.shapes import Array
from verify.world.world import World

LEAST = 16
"""Replicates that a regression needs; fewer are left as they are."""


@dataclass(frozen=True, eq=False)
class Control:
    """A quantity of every run at every time, and its exact mean.

    Attributes
    ----------
    values : ndarray, shape (B, R, T + 1)
        At rounds 0 .. T, from the draws of the runs that are looked at.
    mean : ndarray, shape (B, T + 1)
    """

    values: Array
    mean: Array


Controlled = Callable[[World], Control]
"""World of the longest horizon, with its plan of noise -> control."""


def together(parts: Sequence[Control]) -> Control:
    """The control of all replicates."""
    return Control(np.concatenate([part.values for part in parts], axis=1), parts[0].mean)


def adjusted(values: Array, control: Array, mean: Array) -> Array:
    """Values less what the control explains of them, of the same mean, (B, R).

    Each half of the replicates takes the regression coefficient of the other half, so that the mean
    stays what it is.

    Parameters
    ----------
    values, control : ndarray, shape (B, R)
    mean : ndarray, shape (B,)
        Exact mean of the control.
    """
    known = np.isfinite(control).all(axis=1) & np.isfinite(mean)
    away = np.where(known[:, None], control - mean[:, None], 0.0)
    found = np.array(values, dtype=float)
    if found.shape[1] < LEAST:
        return found
    for own, other in ((0, 1), (1, 0)):
        slope = _slope(values[:, other::2], away[:, other::2])
        found[:, own::2] -= slope[:, None] * away[:, own::2]
    return found


def _slope(values: Array, away: Array) -> Array:
    """Least-squares coefficient of the values on the control, (B,); 0 where it does not vary."""
    centred = away - away.mean(axis=1, keepdims=True)
    square = (centred**2).sum(axis=1)
    flat = square <= 0
    return np.where(flat, 0.0, (centred * values).sum(axis=1) / np.where(flat, 1.0, square))
