"""Rational input, and elementary functions that stay rational where the value is rational."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers.asked import index_of
from bounds.numbers.ball import Ball
from bounds.numbers.validate import InvalidInput

__all__ = ["as_rational", "cos_exact", "exp_exact", "log_exact", "sin_exact", "sqrt_exact"]


def as_rational(x: Any) -> Any:
    """Convert numbers to `Fraction`, without rounding.

    Parameters
    ----------
    x : int, float, str, Fraction, Ball that is a point, or nested lists or arrays of them
        Floats are taken at their exact binary value, strings as ``"p/q"`` or decimals.

    Returns
    -------
    Fraction or ndarray
        A scalar, or an object array of the shape of ``x``.

    Raises
    ------
    InvalidInput
        Where an entry is not a finite number.

    Examples
    --------
    >>> as_rational("2/6"), as_rational(0.5)
    (Fraction(1, 3), Fraction(1, 2))
    """
    if isinstance(x, list | tuple) or hasattr(x, "tolist"):
        entries = np.array(x.tolist() if hasattr(x, "tolist") else x, dtype=object)
        if entries.shape == ():
            return _scalar(entries.item())
        result = np.empty(entries.shape, dtype=object)
        result.flat[:] = [_scalar(entry) for entry in entries.flat]
        return result
    return _scalar(x)


def sqrt_exact(x: Any) -> Fraction | Ball:
    """Square root: a Fraction where the root is rational, else a `Ball`.

    Examples
    --------
    >>> sqrt_exact(Fraction(4, 9))
    Fraction(2, 3)
    """
    root = _ball(x).sqrt()
    return root.lo if root.is_point else root


def exp_exact(x: Any) -> Fraction | Ball:
    """Exponential; exp 0 is exactly 1."""
    return Fraction(1) if _is(x, 0) else _ball(x).exp()


def log_exact(x: Any) -> Fraction | Ball:
    """Natural logarithm; log 1 is exactly 0."""
    return Fraction(0) if _is(x, 1) else _ball(x).log()


def cos_exact(x: Any) -> Fraction | Ball:
    """Cosine; cos 0 is exactly 1."""
    return Fraction(1) if _is(x, 0) else _ball(x).cos()


def sin_exact(x: Any) -> Fraction | Ball:
    """Sine; sin 0 is exactly 0."""
    return Fraction(0) if _is(x, 0) else _ball(x).sin()


# -- private helpers ---------------------------------------------------------------------


def _scalar(x: Any) -> Fraction:
    if isinstance(x, Fraction):
        return x
    try:
        if isinstance(x, str):
            return Fraction(x)
        if hasattr(x, "as_integer_ratio"):
            return Fraction(*map(int, x.as_integer_ratio()))
        whole = index_of(x)
        if whole is None:
            raise ValueError("no whole number")
        return Fraction(whole)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise InvalidInput(
            f'number must be finite and rational, got {x!r}: pass an int, a float or "p/q".'
        ) from error


def _ball(x: Any) -> Ball:
    return x if isinstance(x, Ball) else Ball(x)


def _is(x: Any, value: int) -> bool:
    """Whether ``x`` is exactly ``value``, without asking a wide ball."""
    return bool(x == value) if not isinstance(x, Ball) else x.is_point and x.lo == value
