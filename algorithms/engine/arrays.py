"""One rule on two libraries: what torch and numpy call by different names.

A call of torch costs up to ten times as much as one of numpy where the arrays hold a few dozen
numbers, and nothing where they hold many.  A method whose rules keep to these functions, and to
what both libraries share, runs on both (see :attr:`algorithms.method.Method.plain`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["every_place", "in_pairs", "library", "ones", "picked", "spread"]


def library(x: Any) -> Any:
    """The module whose functions take this array: numpy or torch."""
    return np if isinstance(x, np.ndarray) else sys.modules["torch"]  # which has made it


def spread(x: Any, *shape: int) -> Any:
    """A view of this shape that repeats axes of length one."""
    if isinstance(x, np.ndarray):
        return x if x.shape == shape else np.broadcast_to(x, shape)
    return x.expand(shape)


def ones(count: int, like: Any) -> Any:
    """So many ones, shape (count,), of the kind of another array."""
    return np.ones(count) if isinstance(like, np.ndarray) else like.new_ones(count)


def picked(models: Any, chosen: Sequence[int]) -> Any:
    """Models of some clients, (..., N, d) to (..., F, d)."""
    if len(chosen) == 1 and isinstance(models, np.ndarray):  # a view: of a tensor, which is kept
        return models[..., chosen[0] : chosen[0] + 1, :]  # for every round, it would keep all
    return models[..., list(chosen), :]


def in_pairs(draws: Any, *sizes: int) -> Any:
    """Draws of a round, (..., S, w), with their slots on axes of these sizes, (..., *sizes, w)."""
    return draws.reshape(*draws.shape[:-2], *sizes, draws.shape[-1])


def every_place(x: Any, axis: int) -> Sequence[Any]:
    """What stands at each place of an axis, counted from the end."""
    if isinstance(x, np.ndarray):
        return list(np.moveaxis(x, axis, 0))
    found: Sequence[Any] = x.unbind(axis)
    return found
