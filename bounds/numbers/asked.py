"""What a value is by its own account: asked by its kind, so that no error has to be caught.

Python's own `operator.index` and `float` raise `TypeError` of what is no number, and a handler of
that would hide a typo in what it guards.
"""

from __future__ import annotations

import operator
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np

from bounds.numbers.kinds import is_torch

__all__ = ["all_floats", "has_float", "index_of"]


def index_of(value: Any) -> int | None:
    """The whole number that a value is; None of any other value, 3.0 and yes or no of numpy too.

    Examples
    --------
    >>> index_of(np.int64(3)), index_of(3.0), index_of("3"), index_of(np.array([3]))
    (3, None, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, np.ndarray):
        return operator.index(value) if value.ndim == 0 and value.dtype.kind in "iu" else None
    if is_torch(value):
        whole = value.numel() == 1 and not (value.is_floating_point() or value.is_complex())
        return int(value) if whole else None
    return operator.index(value) if isinstance(value, SupportsIndex) else None


def has_float(value: Any) -> bool:
    """Whether a value is a single number, or a text that may be one: `float` raises no `TypeError`.

    Examples
    --------
    >>> has_float("1/2"), has_float(1), has_float(None), has_float([1.0])
    (True, True, False, False)
    """
    if isinstance(value, str | bytes | int | float):
        return True
    if isinstance(value, np.ndarray):
        single = value.ndim == 0
        return single and (
            value.dtype.kind in "biufSU" or (value.dtype.kind == "O" and has_float(value.item()))
        )
    # formulas of sympy say whether they are a number
    number = all(getattr(value, name, True) for name in ("is_number", "is_real"))
    return number and isinstance(value, SupportsFloat | SupportsIndex)


def all_floats(values: Any) -> bool:
    """Whether numbers, or each entry of an array or a list, can be asked for a float.

    Raises
    ------
    ValueError
        Of a list of uneven rows.

    Examples
    --------
    >>> all_floats([1, "2"]), all_floats(np.ones((2, 2))), all_floats([1, None])
    (True, True, False)
    """
    found = np.asarray(values)
    return found.dtype.kind in "biufSU" or all(map(has_float, np.asarray(values, object).flat))
