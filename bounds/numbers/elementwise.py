"""Elementwise functions on every kind of number.

Float arrays go straight to numpy, tensors to torch (which is never imported here: whoever passes
a tensor has it loaded), object arrays entry by entry to exact or symbolic functions.  Ints count
as exact.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers.dispatch import as_objects, each_entry, is_exact, kind, larger, smaller
from bounds.numbers.formal import chosen, in_force
from bounds.numbers.kinds import is_torch
from bounds.numbers.rational import cos_exact, exp_exact, log_exact, sin_exact, sqrt_exact
from bounds.numbers.symbolic import Symbolic, applied, piecewise

__all__ = [
    "above",
    "absolute",
    "at_least",
    "ceil",
    "cos",
    "divide",
    "exp",
    "floor",
    "indicator",
    "log",
    "maximum",
    "minimum",
    "positive_part",
    "sin",
    "sqrt",
    "where",
]

_ZERO: Any = Fraction(0)
_ONE: Any = Fraction(1)


def sqrt(x: Any) -> Any:
    """Square root; exact where rational."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.sqrt(x)
    return _apply(x, "sqrt", sqrt_exact)


def exp(x: Any) -> Any:
    """Exponential."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.exp(x)
    return _apply(x, "exp", exp_exact)


def log(x: Any) -> Any:
    """Natural logarithm."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.log(x)
    return _apply(x, "log", log_exact)


def cos(x: Any) -> Any:
    """Cosine."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.cos(x)
    return _apply(x, "cos", cos_exact)


def sin(x: Any) -> Any:
    """Sine."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.sin(x)
    return _apply(x, "sin", sin_exact)


def absolute(x: Any) -> Any:
    """Absolute value."""
    return abs(x)


def floor(x: Any) -> Any:
    """Largest integer not above ``x``; raises `Undecided` on a ball that holds two answers."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.floor(x)
    return _apply(x, "floor", lambda v: Fraction(math.floor(v)))


def ceil(x: Any) -> Any:
    """Smallest integer not below ``x``; raises `Undecided` on a ball that holds two answers."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.ceil(x)
    return _apply(x, "ceil", lambda v: Fraction(math.ceil(v)), sympy_name="ceiling")


def divide(x: Any, y: Any) -> Any:
    """``x / y``, a Fraction where both are ints (plain division would round to a float)."""
    if isinstance(x, int) and isinstance(y, int):
        return Fraction(x, y)
    return x / y


def maximum(x: Any, y: Any) -> Any:
    """The larger of the two, entry by entry (never undecided on balls)."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O" and not _is_special(y):
        return np.maximum(x, y)
    return _pairwise(x, y, "maximum", larger)


def minimum(x: Any, y: Any) -> Any:
    """The smaller of the two, entry by entry (never undecided on balls)."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O" and not _is_special(y):
        return np.minimum(x, y)
    return _pairwise(x, y, "minimum", smaller)


def positive_part(x: Any) -> Any:
    """max(x, 0)."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.maximum(x, 0.0)
    return _pairwise(x, 0, "maximum", larger)


def at_least(x: Any, y: Any) -> Any:
    """``x >= y`` as booleans, or as symbolic conditions in an object array."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O" and not _is_special(y):
        return x >= y
    return _relation(x, y, operator.ge)


def above(x: Any, y: Any) -> Any:
    """``x > y`` as booleans, or as symbolic conditions in an object array."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O" and not _is_special(y):
        return x > y
    return _relation(x, y, operator.gt)


def where(condition: Any, a: Any, b: Any) -> Any:
    """``a`` where the condition holds, else ``b``."""
    if isinstance(condition, np.ndarray) and condition.dtype.char == "?":
        if is_exact(a) or is_exact(b):
            return np.where(condition, as_objects(a), as_objects(b))
        return np.where(condition, a, b)
    if is_torch(condition):
        torch = sys.modules["torch"]
        return torch.where(condition, a, b)
    if isinstance(condition, bool | np.bool_):
        return a if condition else b
    return each_entry(_piecewise, condition, a, b)


def indicator(condition: Any, like: Any) -> Any:
    """1 where the condition holds and 0 elsewhere, in the number type of ``like``."""
    if is_torch(condition):
        return condition.to(like.dtype if is_torch(like) else None)
    if isinstance(condition, np.ndarray) and condition.dtype.char == "?":
        if is_exact(like):
            return np.where(condition, _ONE, _ZERO)
        return condition.astype(np.float64)
    if isinstance(condition, bool | np.bool_):
        if kind(like) == "float":
            return 1.0 if condition else 0.0
        return _ONE if condition else _ZERO
    return each_entry(_piecewise, condition, 1, 0)


# -- private helpers ---------------------------------------------------------------------


def _is_special(x: object) -> bool:
    return not isinstance(x, int | float) and (is_exact(x) or is_torch(x))


def _apply(x: Any, name: str, exact: Any, sympy_name: str | None = None) -> Any:
    if isinstance(x, float | np.floating):
        return np.float64(getattr(np, name)(x))
    if is_torch(x):
        return getattr(sys.modules["torch"], name)(x)

    def entry(value: Any) -> Any:
        symbolic = isinstance(value, Symbolic)
        return applied(sympy_name or name, value) if symbolic else exact(value)

    return each_entry(entry, x)


def _pairwise(x: Any, y: Any, name: str, exact: Callable[[Any, Any], Any]) -> Any:
    if is_torch(x) or is_torch(y):
        torch: Any = sys.modules["torch"]
        like = x if is_torch(x) else y
        tensors = (torch.as_tensor(v, dtype=like.dtype, device=like.device) for v in (x, y))
        return getattr(torch, name)(*tensors)
    if kind(x, y) == "float" and not (is_exact(x) or is_exact(y)):
        return getattr(np, name)(x, y)
    return each_entry(exact, x, y)


def _relation(x: Any, y: Any, entry: Callable[[Any, Any], Any]) -> Any:
    if is_torch(x) or is_torch(y):
        return entry(x, y)
    result = each_entry(entry, x, y)
    if "symbolic" in (kind(x), kind(y)):
        return result
    return result.astype(bool) if isinstance(result, np.ndarray) else bool(result)


def _piecewise(condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, Symbolic):
        if in_force():
            return chosen(condition, a, b)
        return piecewise(condition, a, b)
    return a if condition else b
