"""Elementary functions that stay rational where the value is rational."""

from __future__ import annotations

from typing import Any

from bounds.numbers.ball import Ball
from bounds.numbers.rational import Rational

__all__ = ["cos_exact", "exp_exact", "log_exact", "sin_exact", "sqrt_exact"]


def sqrt_exact(x: Any) -> Rational | Ball:
    """Square root: a Rational where the root is rational, else a `Ball`.

    Examples
    --------
    >>> sqrt_exact(Rational(4, 9))
    Rational(2, 3)
    """
    root = _ball(x).sqrt()
    return root.lo if root.is_point else root


def exp_exact(x: Any) -> Rational | Ball:
    """Exponential; exp 0 is exactly 1."""
    return Rational(1) if _is(x, 0) else _ball(x).exp()


def log_exact(x: Any) -> Rational | Ball:
    """Natural logarithm; log 1 is exactly 0."""
    return Rational(0) if _is(x, 1) else _ball(x).log()


def cos_exact(x: Any) -> Rational | Ball:
    """Cosine; cos 0 is exactly 1."""
    return Rational(1) if _is(x, 0) else _ball(x).cos()


def sin_exact(x: Any) -> Rational | Ball:
    """Sine; sin 0 is exactly 0."""
    return Rational(0) if _is(x, 0) else _ball(x).sin()


# -- private helpers ---------------------------------------------------------------------


def _ball(x: Any) -> Ball:
    return x if isinstance(x, Ball) else Ball(x)


def _is(x: Any, value: int) -> bool:
    """Whether ``x`` is exactly ``value``, without asking a wide ball."""
    return bool(x == value) if not isinstance(x, Ball) else x.is_point and x.lo == value
