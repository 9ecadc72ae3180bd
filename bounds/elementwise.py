"""One expression on every kind of number: float64, torch, Fraction, `Ball` and sympy.

Formulas in this package call these functions instead of numpy's.  Float arrays go straight to
numpy, torch tensors to torch (which is never imported here: whoever passes a tensor has it
loaded), and object arrays entry by entry to exact or symbolic functions.  Ints count as exact.

In a symbolic world the client axis has length one and holds a generic element that contains
`client_symbol()`; `total` turns it into a symbolic sum over all clients.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.kinds import is_sympy, is_torch
from bounds.numbers import Ball, cos_exact, exp_exact, log_exact, sin_exact, sqrt_exact

__all__ = [
    "above",
    "absolute",
    "at_least",
    "ceil",
    "client_symbol",
    "cos",
    "divide",
    "exp",
    "eye",
    "floor",
    "indicator",
    "kind",
    "largest",
    "log",
    "maximum",
    "mean",
    "minimum",
    "ones_like",
    "positive_part",
    "sin",
    "smallest",
    "sqrt",
    "stack",
    "to_float",
    "total",
    "trailing",
    "where",
    "zeros_like",
]

_ZERO: Any = Fraction(0)
_ONE: Any = Fraction(1)
_SHORT = 8  # axes up to this length are reduced slice by slice


def kind(*values: Any) -> str:
    """The number kind: "float", "torch", "exact" or "symbolic".

    Of several values the one that decides comes first in the order torch, symbolic, float,
    exact, so that an int beside a float array counts as float.
    """
    kinds = {_kind(x) for x in values}
    return next((k for k in ("torch", "symbolic", "float", "exact") if k in kinds), "exact")


def client_symbol() -> tuple[Any, Any]:
    """The symbols (k, N) of the generic client and of the number of clients."""
    import sympy

    symbol = sympy.Symbol
    return symbol("k", integer=True, positive=True), symbol("N", integer=True, positive=True)


# -- elementwise -------------------------------------------------------------------------


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
    return _pairwise(x, y, "maximum", _max)


def minimum(x: Any, y: Any) -> Any:
    """The smaller of the two, entry by entry (never undecided on balls)."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O" and not _is_special(y):
        return np.minimum(x, y)
    return _pairwise(x, y, "minimum", _min)


def positive_part(x: Any) -> Any:
    """max(x, 0)."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        return np.maximum(x, 0.0)
    return _pairwise(x, 0, "maximum", _max)


def at_least(x: Any, y: Any) -> Any:
    """``x >= y`` as booleans, or as sympy relations in an object array."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O" and not _is_special(y):
        return x >= y
    return _relation(x, y, operator.ge)


def above(x: Any, y: Any) -> Any:
    """``x > y`` as booleans, or as sympy relations in an object array."""
    if isinstance(x, np.ndarray) and x.dtype.char != "O" and not _is_special(y):
        return x > y
    return _relation(x, y, operator.gt)


def where(condition: Any, a: Any, b: Any) -> Any:
    """``a`` where the condition holds, else ``b``."""
    if isinstance(condition, np.ndarray) and condition.dtype.char == "?":
        if _is_exact(a) or _is_exact(b):
            return np.where(condition, _objects(a), _objects(b))
        return np.where(condition, a, b)
    if is_torch(condition):
        torch = sys.modules["torch"]
        return torch.where(condition, a, b)
    if isinstance(condition, bool | np.bool_):
        return a if condition else b
    return _map(_piecewise, condition, a, b)


def indicator(condition: Any, like: Any) -> Any:
    """1 where the condition holds and 0 elsewhere, in the number type of ``like``."""
    if is_torch(condition):
        return condition.to(like.dtype if is_torch(like) else None)
    if isinstance(condition, np.ndarray) and condition.dtype.char == "?":
        if _is_exact(like):
            return np.where(condition, _ONE, _ZERO)
        return condition.astype(np.float64)
    if isinstance(condition, bool | np.bool_):
        if _kind(like) == "float":
            return 1.0 if condition else 0.0
        return _ONE if condition else _ZERO
    return _map(_piecewise, condition, 1, 0)


# -- reductions --------------------------------------------------------------------------


def total(x: Any, axis: int = -1) -> Any:
    """Sum over one axis, the last by default.

    Raises
    ------
    TypeError
        In a symbolic world, where the axis has length one and an entry does not contain the
        client symbol (one client or a constant summed N times: the entry does not say).
    """
    if not (isinstance(x, np.ndarray) and x.dtype.char == "O" and _has_sympy(x)):
        return sum_last(x) if axis == -1 else x.sum(axis)
    if x.shape[axis] > 1:
        if any(_is_generic(v) for v in x.ravel()):
            raise TypeError("a generic client needs a client axis of length one")
        return x.sum(axis)
    return _map(_symbolic_sum, np.take(x, 0, axis=axis))


def mean(x: Any, axis: int = -1) -> Any:
    """Average over one axis, the last by default."""
    if isinstance(x, np.ndarray) and x.dtype.char == "O":
        if _has_sympy(x) and x.shape[axis] == 1:
            return total(x, axis) / client_symbol()[1]
        return total(x, axis) / Fraction(x.shape[axis])
    return x.mean(axis)


def largest(x: Any, axis: int = -1) -> Any:
    """Maximum over one axis, the last by default."""
    return _extreme(x, axis, "amax", _max)


def smallest(x: Any, axis: int = -1) -> Any:
    """Minimum over one axis, the last by default."""
    return _extreme(x, axis, "amin", _min)


# -- building ----------------------------------------------------------------------------


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
    if _is_exact(like):
        return np.where(np.eye(d, dtype=bool), _ONE, _ZERO)
    return np.eye(d)


def stack(items: Any, axis: int = 0) -> Any:
    """Join arrays or scalars of one kind along a new axis, broadcasting their shapes."""
    items = list(items)
    if any(is_torch(item) for item in items):
        torch: Any = sys.modules["torch"]
        like = next(item for item in items if is_torch(item))
        tensors = [torch.as_tensor(v, dtype=like.dtype, device=like.device) for v in items]
        return torch.stack(torch.broadcast_tensors(*tensors), dim=axis)
    exact = kind(*items) in ("exact", "symbolic")
    arrays = [_objects(v) if exact else np.asarray(v, dtype=np.float64) for v in items]
    return np.stack(np.broadcast_arrays(*arrays), axis=axis)


def trailing(x: Any, axes: int = 1) -> Any:
    """Append axes, so that a value per instance meets values per client or pair; scalars pass."""
    return x[(..., *(None,) * axes)] if getattr(x, "ndim", 0) else x


def to_float(x: Any) -> Any:
    """Any kind as a float64 numpy array (balls at their midpoint)."""
    if is_torch(x):
        return np.asarray(x.detach().cpu().numpy(), dtype=np.float64)
    return np.asarray(x, dtype=object).astype(np.float64)


# -- private helpers ---------------------------------------------------------------------


def _is_exact(x: object) -> bool:
    """Object arrays and exact or symbolic scalars, which numpy's float functions spoil."""
    if isinstance(x, np.ndarray):
        return bool(x.dtype.char == "O")
    return isinstance(x, Fraction | Ball) or is_sympy(x)


def _is_special(x: object) -> bool:
    return not isinstance(x, int | float) and (_is_exact(x) or is_torch(x))


def _has_sympy(x: Any) -> bool:
    return "sympy" in sys.modules and any(is_sympy(v) for v in x.ravel())


def sum_last(x: Any) -> Any:
    """Plain sum over the last axis.

    numpy spends about ten times longer on reducing a short last axis than on adding its slices,
    and the search loop lives on axes of two or three.
    """
    if isinstance(x, np.ndarray) and 1 < x.shape[-1] <= _SHORT and x.ndim > 1:
        return _fold(np.add, x)
    return x.sum(-1)


def _fold(function: Any, x: Any) -> Any:
    result = x[..., 0]
    for j in range(1, x.shape[-1]):
        result = function(result, x[..., j])
    return result


def _kind(x: Any) -> str:
    if isinstance(x, float | np.floating):
        return "float"
    if isinstance(x, np.ndarray):
        if x.dtype.char == "O":
            return "symbolic" if _has_sympy(x) else "exact"
        return "float"
    if is_torch(x):
        return "torch"
    if is_sympy(x):
        return "symbolic"
    if isinstance(x, list | tuple):
        return kind(*x)
    return "exact"


def _objects(x: Any) -> Any:
    """An object array whose float entries have become their exact value."""
    if isinstance(x, np.ndarray):
        return x if x.dtype.char == "O" else _map(Fraction, x.astype(object))
    result = np.empty((), dtype=object)
    result[()] = Fraction(x) if isinstance(x, int | float) else x
    return result


def _map(function: Callable[..., Any], *arrays: Any) -> Any:
    """Apply to every entry of broadcast arrays; scalars give a scalar."""
    if not any(isinstance(a, np.ndarray) for a in arrays):
        return function(*arrays)
    return np.frompyfunc(function, len(arrays), 1)(*arrays)


def _apply(x: Any, name: str, exact: Any, sympy_name: str | None = None) -> Any:
    if isinstance(x, float | np.floating):
        return np.float64(getattr(np, name)(x))
    if is_torch(x):
        return getattr(sys.modules["torch"], name)(x)

    def entry(value: Any) -> Any:
        if is_sympy(value):
            return getattr(sys.modules["sympy"], sympy_name or name)(value)
        return exact(value)

    return _map(entry, x)


def _pairwise(x: Any, y: Any, name: str, exact: Callable[[Any, Any], Any]) -> Any:
    if is_torch(x) or is_torch(y):
        torch: Any = sys.modules["torch"]
        like = x if is_torch(x) else y
        tensors = (torch.as_tensor(v, dtype=like.dtype, device=like.device) for v in (x, y))
        return getattr(torch, name)(*tensors)
    if kind(x, y) == "float" and not (_is_exact(x) or _is_exact(y)):
        return getattr(np, name)(x, y)
    return _map(exact, x, y)


def _max(u: Any, v: Any) -> Any:
    if isinstance(u, Ball) or isinstance(v, Ball):
        return _enclosing(u, v, max)
    if is_sympy(u) or is_sympy(v):
        return sys.modules["sympy"].Max(u, v)
    return u if u >= v else type(u)(v) if isinstance(v, int) else v


def _min(u: Any, v: Any) -> Any:
    if isinstance(u, Ball) or isinstance(v, Ball):
        return _enclosing(u, v, min)
    if is_sympy(u) or is_sympy(v):
        return sys.modules["sympy"].Min(u, v)
    return u if u <= v else type(u)(v) if isinstance(v, int) else v


def _enclosing(u: Any, v: Any, pick: Any) -> Any:
    if is_sympy(u) or is_sympy(v):
        raise TypeError("balls and symbols do not mix: substitute numbers first")
    a, b = (w if isinstance(w, Ball) else Ball(w) for w in (u, v))
    return Ball(pick(a.lo, b.lo), pick(a.hi, b.hi))


def _relation(x: Any, y: Any, entry: Callable[[Any, Any], Any]) -> Any:
    if is_torch(x) or is_torch(y):
        return entry(x, y)
    result = _map(entry, x, y)
    if "symbolic" in (_kind(x), _kind(y)):
        return result
    return result.astype(bool) if isinstance(result, np.ndarray) else bool(result)


def _piecewise(condition: Any, a: Any, b: Any) -> Any:
    if isinstance(condition, bool | np.bool_):
        return a if condition else b
    sympy: Any = sys.modules["sympy"]
    return sympy.Piecewise((a, condition), (b, True))


def _is_generic(value: Any) -> bool:
    return is_sympy(value) and bool(client_symbol()[0] in value.free_symbols)


def _symbolic_sum(value: Any) -> Any:
    client, clients = client_symbol()
    if not _is_generic(value):
        raise TypeError(
            f"ambiguous sum over one symbolic client: {value} does not contain {client}; "
            "write one client's value with the client symbol, or pass two or more clients"
        )
    sympy: Any = sys.modules["sympy"]
    return sympy.Sum(value, (client, 1, clients))


def _extreme(x: Any, axis: int, name: str, exact: Callable[[Any, Any], Any]) -> Any:
    if isinstance(x, np.ndarray) and x.dtype.char != "O":
        if axis == -1 and 0 < x.shape[-1] <= _SHORT and x.ndim > 1:
            return _fold(np.maximum if name == "amax" else np.minimum, x)
        return getattr(np, name)(x, axis=axis)
    if is_torch(x):
        return getattr(x, name)(dim=axis)
    if _has_sympy(x) and any(_is_generic(v) for v in x.ravel()):
        raise TypeError("the extreme of a generic client's values is not one expression")
    # frompyfunc's reduce keeps balls as balls, where numpy's own would compare them
    return np.frompyfunc(exact, 2, 1).reduce(x, axis=axis)


def _constant_like(x: Any, value: int) -> Any:
    if is_torch(x):
        return getattr(sys.modules["torch"], "ones_like" if value else "zeros_like")(x)
    if isinstance(x, np.ndarray):
        if x.dtype.char == "O":
            return np.full(x.shape, Fraction(value), dtype=object)
        return np.full(x.shape, float(value))
    return float(value) if isinstance(x, float) else Fraction(value)
