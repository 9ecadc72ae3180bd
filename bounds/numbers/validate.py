"""One message form for bad input: name, condition, value, remedy.

Every public function of the package checks its arguments through these helpers, so that a
user always reads the same sentence, for instance ``step_size must be in (0, 0.5], got 0.9:
lower it or pass a smoother problem.``  Symbolic arguments are let through where a condition
cannot be decided; exact numbers are checked exactly.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import numpy as np

from bounds.numbers.asked import index_of
from bounds.numbers.kinds import is_torch
from bounds.numbers.symbolic import Symbolic

__all__ = [
    "InvalidInput",
    "checking",
    "finite",
    "in_interval",
    "nonnegative",
    "positive",
    "probability",
    "require",
    "same_shape",
    "symmetric",
    "unchecked",
    "whole",
]

_SWITCHED_OFF: ContextVar[bool] = ContextVar("fedassay_unchecked", default=False)


class InvalidInput(ValueError):
    """An argument breaks a condition; the message names it and says what to do."""


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Skip every check inside the block.

    For inner loops that have checked their arguments once, and for mutants that step outside
    a formula's domain on purpose.
    """
    token = _SWITCHED_OFF.set(True)
    try:
        yield
    finally:
        _SWITCHED_OFF.reset(token)


def checking() -> bool:
    """Whether checks are on: not inside :func:`unchecked`."""
    return not _SWITCHED_OFF.get()


def require(ok: bool, name: str, condition: str, value: object, remedy: str) -> None:
    """Raise `InvalidInput` in the one message form unless ``ok``.

    Examples
    --------
    >>> require(False, "step_size", "in (0, 0.5]", 0.9, "lower it")
    Traceback (most recent call last):
    ...
    bounds.numbers.validate.InvalidInput: step_size must be in (0, 0.5], got 0.9: lower it.
    """
    if not ok and not _SWITCHED_OFF.get():
        raise InvalidInput(f"{name} must be {condition}, got {_show(value)}: {remedy}.")


def positive(name: str, x: Any, remedy: str = "pass a number above zero") -> None:
    """Require every entry of ``x`` to be above zero (NaN is not)."""
    if type(x) is float and x > 0.0:
        return
    _compare(name, x, "positive", remedy, lambda v: v > 0)


def nonnegative(name: str, x: Any, remedy: str = "pass zero or a number above it") -> None:
    """Require every entry of ``x`` to be at least zero (NaN is not)."""
    if type(x) is float and x >= 0.0:
        return
    _compare(name, x, "non-negative", remedy, lambda v: v >= 0)


def probability(name: str, x: Any, remedy: str = "pass a number between 0 and 1") -> None:
    """Require every entry of ``x`` to lie in [0, 1]."""
    _compare(name, x, "in [0, 1]", remedy, lambda v: _both(v >= 0, v <= 1))


def in_interval(
    name: str,
    x: Any,
    low: Any,
    high: Any,
    *,
    closed: str = "both",
    describe: str | None = None,
    remedy: str = "pass a value inside the interval",
) -> None:
    """Require ``low <= x <= high``, with open ends as ``closed`` says.

    Parameters
    ----------
    closed : {"both", "low", "high", "neither"}
        Which ends belong to the interval.
    describe : str, optional
        The interval in symbols, put before its value: ``(0, 1/beta]``.
    """
    left, right = closed in ("both", "low"), closed in ("both", "high")
    if _SWITCHED_OFF.get():
        return
    interval = f"{'[' if left else '('}{_show(low)}, {_show(high)}{']' if right else ')'}"
    condition = f"in {describe} = {interval}" if describe else f"in {interval}"

    def inside(v: Any) -> Any:
        return _both(v >= low if left else v > low, v <= high if right else v < high)

    _compare(name, x, condition, remedy, inside)


def finite(name: str, x: Any, remedy: str = "remove NaN and infinite entries") -> None:
    """Require every entry of ``x`` to be finite; exact and symbolic numbers always are."""
    if _SWITCHED_OFF.get():
        return
    if is_torch(x):
        ok = x.isfinite()
    else:
        values = np.asarray(x)
        ok = _finite_entries(values) if values.dtype.kind == "O" else np.isfinite(values)
    if not bool(ok.all()):
        require(False, name, "finite", _first_bad(x, ok), remedy)


def symmetric(name: str, A: Any, remedy: str = "pass (A + A.T) / 2") -> None:
    """Require square symmetric matrices on the last two axes, up to float rounding."""
    if _SWITCHED_OFF.get():
        return
    shape = tuple(getattr(A, "shape", np.shape(A)))
    if len(shape) < 2 or shape[-1] != shape[-2]:
        require(False, name, "square on its last two axes", f"shape {shape}", "reshape it")
    if shape[-1] == 1:
        return
    if not is_torch(A):
        A = np.asarray(A)
        if A.dtype.kind == "O":
            upper, lower = A.ravel(), np.swapaxes(A, -1, -2).ravel()
            ok = np.array([_may_agree(u, v) for u, v in zip(upper, lower, strict=True)])
            if not ok.all():
                require(False, name, "symmetric", _first_bad(A, ok.reshape(A.shape)), remedy)
            return
    flipped = A.swapaxes(-1, -2)
    # 1e-12: rounding of a user's own product P.T @ D @ P, far below any meant asymmetry
    gap, size = float(abs(A - flipped).max()), float(abs(A).max())
    require(gap <= 1e-12 * size, name, "symmetric", f"an asymmetry of {gap:.3g}", remedy)


def whole(name: str, value: Any, least: int = 1) -> int:
    """A whole number of at least ``least``; booleans and floats such as 3.0 are none.

    Examples
    --------
    >>> whole("rounds", 2.5, 0)
    Traceback (most recent call last):
    ...
    bounds.numbers.validate.InvalidInput: rounds must be a whole number of at least 0, got 2.5: \
pass an int.
    """
    found = None if isinstance(value, bool) else index_of(value)
    if found is None or found < least:
        # raised whether or not checks are on: nothing can be counted with it
        condition = f"a whole number of at least {least}"
        raise InvalidInput(f"{name} must be {condition}, got {_show(value)}: pass an int.")
    return found


def same_shape(*named: tuple[str, Any]) -> None:
    """Require all ``(name, array)`` pairs to have the shape of the first."""
    first_name, first = named[0]
    shape = tuple(np.shape(first))
    for name, x in named[1:]:
        if tuple(np.shape(x)) != shape:
            require(
                False,
                name,
                f"of the shape {shape} of {first_name}",
                f"shape {tuple(np.shape(x))}",
                "make the two shapes agree",
            )


# -- private helpers ---------------------------------------------------------------------


def _compare(name: str, x: Any, condition: str, remedy: str, test: Any) -> None:
    if _SWITCHED_OFF.get():
        return
    if isinstance(x, list | tuple):
        x = np.asarray(x)
    if isinstance(x, np.ndarray) and x.dtype.char == "O":
        ok = np.array([_decided(test, v) for v in x.ravel()], dtype=bool).reshape(x.shape)
    elif isinstance(x, np.ndarray) or is_torch(x):
        ok = test(x)
    else:
        if not _decided(test, x):
            require(False, name, condition, x, remedy)
        return
    if not bool(ok.all()):
        require(False, name, condition, _first_bad(x, ok), remedy)


def _decided(test: Any, value: Any) -> bool:
    """The test's answer; True where only a symbol stands in the way of an answer."""
    answer = test(value)
    return isinstance(answer, Symbolic) or bool(answer)


def _may_agree(u: Any, v: Any) -> bool:
    """Equal, or balls that overlap: two enclosures of one number need not have the same ends."""
    try:
        return u is v or bool(u == v)
    except ArithmeticError:
        return True


def _both(first: Any, second: Any) -> Any:
    """Both conditions, for booleans, boolean arrays and symbolic conditions alike."""
    return first & second


def _first_bad(x: Any, ok: Any) -> object:
    flat_ok = np.asarray(ok.cpu() if is_torch(ok) else ok).ravel()
    where = int(np.flatnonzero(~flat_ok)[0])
    shape = tuple(x.shape) if hasattr(x, "shape") else ()
    value = x.reshape(-1)[where] if shape else x
    value = value.item() if hasattr(value, "item") else value
    if not shape:
        return value
    index = tuple(int(j) for j in np.unravel_index(where, shape))
    return f"{_show(value)} at index {index}"


def _finite_entries(values: Any) -> Any:
    flat = [not isinstance(v, float) or bool(np.isfinite(v)) for v in values.ravel()]
    return np.array(flat, dtype=bool).reshape(values.shape)


def _show(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
