"""Sums, means and extremes over one axis, on every kind of number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from bounds.numbers.dispatch import has_symbols, larger, smaller
from bounds.numbers.formal import folded_extreme, folded_mean, folded_sum, in_force, listed_axis
from bounds.numbers.kinds import is_torch
from bounds.numbers.symbolic import Symbolic, applied

__all__ = ["largest", "mean", "smallest", "sum_last", "total"]

_SHORT = 8  # axes up to this length are reduced slice by slice


def total(x: Any, axis: int = -1) -> Any:
    """Sum over one axis, the last by default."""
    if not (isinstance(x, np.ndarray) and x.dtype.char == "O" and has_symbols(x)):
        if is_torch(x):
            return _in_memory_order(x, axis)
        return sum_last(x) if axis == -1 else x.sum(axis)
    return _folded(folded_sum, x, axis) if listed_axis(x.shape[axis]) else x.sum(axis)


def mean(x: Any, axis: int = -1) -> Any:
    """Average over one axis, the last by default."""
    if isinstance(x, np.ndarray) and x.dtype.char == "O":
        if has_symbols(x) and listed_axis(x.shape[axis]):
            return _folded(folded_mean, x, axis)
        return total(x, axis) / Fraction(x.shape[axis])
    if is_torch(x):
        return _in_memory_order(x, axis) / x.shape[axis]
    return x.mean(axis)


def largest(x: Any, axis: int = -1) -> Any:
    """Maximum over one axis, the last by default."""
    return _extreme(x, axis, "amax", larger)


def smallest(x: Any, axis: int = -1) -> Any:
    """Minimum over one axis, the last by default."""
    return _extreme(x, axis, "amin", smaller)


def sum_last(x: Any) -> Any:
    """Plain sum over the last axis.

    numpy spends about ten times longer on reducing a short last axis than on adding its slices,
    and the search loop lives on axes of two or three.
    """
    if isinstance(x, np.ndarray) and x.dtype.char == "O" and in_force() and has_symbols(x):
        return total(x)
    if isinstance(x, np.ndarray) and 1 < x.shape[-1] <= _SHORT and x.ndim > 1:
        return _fold(np.add, x)
    return _in_memory_order(x, -1) if is_torch(x) else x.sum(-1)


# -- private helpers ---------------------------------------------------------------------


def _in_memory_order(x: Any, axis: int) -> Any:
    """Sum of a tensor whose result keeps the order in memory of the axes that are left.

    torch would make it contiguous; where replicates come last in memory, every later operation
    would then stride over them.
    """
    if x.ndim < 2 or x.is_contiguous():
        return x.sum(axis)
    axis %= x.ndim
    order = sorted(range(x.ndim), key=lambda i: -x.stride(i))
    left = [i for i in order if i != axis]
    back = sorted(range(len(left)), key=left.__getitem__)
    return x.permute(order).sum(order.index(axis)).permute(back)


def _fold(function: Any, x: Any) -> Any:
    result = x[..., 0]
    for j in range(1, x.shape[-1]):
        result = function(result, x[..., j])
    return result


def _folded(function: Callable[[Any], Any], x: Any, axis: int) -> Any:
    """A function of the entries along one axis."""
    lines = np.moveaxis(np.asarray(x), axis, -1)
    found = np.empty(lines.shape[:-1], dtype=object)
    for place in np.ndindex(*found.shape):
        found[place] = function(list(lines[place]))
    return found.view(type(x))


def _extreme_of(entries: list[Any], exact: Callable[[Any, Any], Any]) -> Any:
    if any(isinstance(entry, Symbolic) for entry in entries):
        return applied("Max" if exact is larger else "Min", *entries)
    return reduce(exact, entries)


def _extreme(x: Any, axis: int, name: str, exact: Callable[[Any, Any], Any]) -> Any:
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        if axis == -1 and 0 < x.shape[-1] <= _SHORT and x.ndim > 1:
            return _fold(np.maximum if name == "amax" else np.minimum, x)
        return getattr(np, name)(x, axis=axis)
    if is_torch(x):
        return getattr(x, name)(dim=axis)
    if has_symbols(x) and listed_axis(x.shape[axis]):
        word = "max" if name == "amax" else "min"
        return _folded(lambda entries: folded_extreme(entries, word), x, axis)
    if in_force() and has_symbols(x):  # sympy compares all arguments anew with each further one
        return _folded(lambda entries: _extreme_of(entries, exact), x, axis)[()]
    # frompyfunc's reduce keeps balls as balls, where numpy's own would compare them
    with np.errstate(all="ignore"):
        return np.frompyfunc(exact, 2, 1).reduce(x, axis=axis)
