"""What kind of number an array holds, and how to go through it entry by entry."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers.ball import Ball, enclosing
from bounds.numbers.kinds import is_torch
from bounds.numbers.symbolic import Symbolic, applied

__all__ = [
    "as_objects",
    "each_entry",
    "has_symbols",
    "is_exact",
    "kind",
    "larger",
    "smaller",
]


def kind(*values: Any) -> str:
    """The number kind: "float", "torch", "exact" or "symbolic".

    Of several values the one that decides comes first in the order torch, symbolic, float,
    exact, so that an int beside a float array counts as float.
    """
    kinds = {_kind(x) for x in values}
    if len(kinds) == 1:
        return kinds.pop()
    return next((k for k in ("torch", "symbolic", "float", "exact") if k in kinds), "exact")


def is_exact(x: object) -> bool:
    """Object arrays and exact or symbolic scalars, which numpy's float functions spoil."""
    if isinstance(x, np.ndarray):
        return bool(x.dtype.char == "O")
    return isinstance(x, Fraction | Ball | Symbolic)


def has_symbols(x: Any) -> bool:
    """Whether an array holds a symbolic expression."""
    return any(isinstance(v, Symbolic) for v in x.ravel())


def as_objects(x: Any) -> Any:
    """An object array whose float entries have become their exact value."""
    if isinstance(x, np.ndarray):
        return x if x.dtype.char == "O" else each_entry(Fraction, x.astype(object))
    result = np.empty((), dtype=object)
    result[()] = Fraction(x) if isinstance(x, int | float) else x
    return result


def each_entry(function: Callable[..., Any], *arrays: Any) -> Any:
    """Apply to every entry of broadcast arrays; scalars give a scalar."""
    if not any(isinstance(a, np.ndarray) for a in arrays):
        return function(*arrays)
    # numpy reads the processor's flags afterwards, which Python code inside may have raised
    # in passing (an import does); exact numbers have no use for them
    with np.errstate(all="ignore"):
        return np.frompyfunc(function, len(arrays), 1)(*arrays)


def larger(u: Any, v: Any) -> Any:
    """The maximum in the number type of its arguments; of balls, a ball that holds it."""
    if isinstance(u, Symbolic) or isinstance(v, Symbolic):
        return applied("Max", u, v)
    if isinstance(u, Ball) or isinstance(v, Ball):
        return enclosing(max, u, v)
    return u if u >= v else type(u)(v) if isinstance(v, int) else v


def smaller(u: Any, v: Any) -> Any:
    """The minimum in the number type of its arguments; of balls, a ball that holds it."""
    if isinstance(u, Symbolic) or isinstance(v, Symbolic):
        return applied("Min", u, v)
    if isinstance(u, Ball) or isinstance(v, Ball):
        return enclosing(min, u, v)
    return u if u <= v else type(u)(v) if isinstance(v, int) else v


# -- private helpers ---------------------------------------------------------------------


def _kind(x: Any) -> str:
    if isinstance(x, np.ndarray):
        if x.dtype.char == "O":
            return "symbolic" if has_symbols(x) else "exact"
        return "float"
    if isinstance(x, float | np.floating):
        return "float"
    if is_torch(x):
        return "torch"
    if isinstance(x, Symbolic):
        return "symbolic"
    if isinstance(x, list | tuple):
        return kind(*x)
    return "exact"
