"""Build and convert arrays of the kind of another one."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers.dispatch import as_objects, is_exact, kind
from bounds.numbers.formal import in_force
from bounds.numbers.kinds import is_torch

__all__ = ["eye", "ones_like", "stack", "to_float", "trailing", "zeros_like"]

_ZERO: Any = Fraction(0)
_ONE: Any = Fraction(1)


def zeros_like(x: Any) -> Any:
    """Zeros of the shape and number type of ``x``."""
    return _constant_like(x, 0)


def ones_like(x: Any) -> Any:
    """Ones of the shape and number type of ``x``."""
    return _constant_like(x, 1)


def eye(d: int, like: Any) -> Any:
    """The (d, d) identity in the number type of ``like``."""
    if is_torch(like):
        torch = sys.modules["torch"]
        return torch.eye(d, dtype=like.dtype, device=like.device)
    if is_exact(like):
        return np.where(np.eye(d, dtype=bool), _ONE, _ZERO)
    return np.eye(d)


def stack(items: Any, axis: int = 0) -> Any:
    """Join arrays or scalars of one kind along a new axis, broadcasting their shapes."""
    items = list(items)
    if _alike(items):
        return np.stack(items, axis=axis)
    if any(is_torch(item) for item in items):
        torch: Any = sys.modules["torch"]
        like = next(item for item in items if is_torch(item))
        tensors = [torch.as_tensor(v, dtype=like.dtype, device=like.device) for v in items]
        return torch.stack(torch.broadcast_tensors(*tensors), dim=axis)
    exact = kind(*items) in ("exact", "symbolic")
    arrays = [as_objects(v) if exact else np.asarray(v, dtype=np.float64) for v in items]
    return np.stack(np.broadcast_arrays(*arrays, subok=in_force()), axis=axis)


def trailing(x: Any, axes: int = 1) -> Any:
    """Append axes, so that a value per instance meets values per client or pair; scalars pass."""
    return x[(..., *(None,) * axes)] if getattr(x, "ndim", 0) else x


def to_float(x: Any) -> Any:
    """Any kind as a float64 numpy array (balls at their midpoint, infinite beyond all floats)."""
    if is_torch(x):
        return np.asarray(x.detach().cpu().numpy(), dtype=np.float64)
    values = np.asarray(x)
    if values.dtype.kind not in "biuf":
        values = np.asarray(x, dtype=object)
    try:
        return values.astype(np.float64)
    except OverflowError:  # an exact number may be too large
        return np.vectorize(_nearest, otypes=[np.float64])(values)


# -- private helpers ---------------------------------------------------------------------


def _alike(items: list[Any]) -> bool:
    """Whether these are float64 arrays of one shape."""
    shape = getattr(items[0], "shape", None)
    return all(
        type(item) is np.ndarray and item.dtype.char == "d" and item.shape == shape
        for item in items
    )


def _nearest(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _constant_like(x: Any, value: int) -> Any:
    if is_torch(x):
        return getattr(sys.modules["torch"], "ones_like" if value else "zeros_like")(x)
    if isinstance(x, np.ndarray):
        if x.dtype.char == "O":
            return np.full(x.shape, Fraction(value), dtype=object)
        return np.full(x.shape, float(value))
    return float(value) if isinstance(x, float) else Fraction(value)
