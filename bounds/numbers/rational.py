"""Rational numbers: `Fraction` with the arithmetic of flint, four to five times faster."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from bounds.numbers.validate import InvalidInput

__all__ = ["Rational", "as_flint", "as_rational", "from_flint"]


def _arithmetic(function: Callable[[Any, Any], Any], name: str) -> tuple[Any, Any]:
    """A binary operation and its reflection; beside floats the answer is a float."""

    def forward(a: Rational, b: Any) -> Any:
        if type(b) is Rational:
            return from_flint(function(a.flint, b.flint))
        if isinstance(b, int | Fraction):
            return from_flint(function(a.flint, as_flint(b)))
        return getattr(Fraction, name)(a, b)

    def reverse(a: Rational, b: Any) -> Any:
        if isinstance(b, int | Fraction):
            return from_flint(function(as_flint(b), a.flint))
        return getattr(Fraction, "__r" + name[2:])(a, b)

    return forward, reverse


def _comparison(function: Callable[[Any, Any], Any], name: str) -> Any:
    def compare(a: Rational, b: Any) -> Any:
        if type(b) is Rational:
            return function(a.flint, b.flint)
        return function(a.flint, b) if type(b) is int else getattr(Fraction, name)(a, b)

    return compare


class Rational(Fraction):
    """A `Fraction` that is equal to, hashed like and mixes with every other one.

    Its arithmetic returns rationals again, beside ints and plain fractions too.  What `Fraction`
    does beyond the four operations, powers and comparisons is inherited.

    Examples
    --------
    >>> Rational(1, 3) + Fraction(1, 6), Rational("0.5") == Fraction(1, 2)
    (Rational(1, 2), True)
    """

    __slots__ = ("flint",)

    flint: fmpq

    def __new__(cls, numerator: Any = 0, denominator: Any = None) -> Rational:
        if type(numerator) is int and denominator is None:
            return from_flint(fmpq(numerator))
        return from_flint(as_flint(Fraction(numerator, denominator)))

    # the two names under which Fraction's own methods look
    @property
    def _numerator(self) -> int:
        return int(self.flint.p)

    @property
    def _denominator(self) -> int:
        return int(self.flint.q)

    __add__, __radd__ = _arithmetic(operator.add, "__add__")
    __sub__, __rsub__ = _arithmetic(operator.sub, "__sub__")
    __mul__, __rmul__ = _arithmetic(operator.mul, "__mul__")
    __truediv__, __rtruediv__ = _arithmetic(operator.truediv, "__truediv__")

    __eq__ = _comparison(operator.eq, "__eq__")
    __lt__ = _comparison(operator.lt, "__lt__")
    __le__ = _comparison(operator.le, "__le__")
    __gt__ = _comparison(operator.gt, "__gt__")
    __ge__ = _comparison(operator.ge, "__ge__")

    __hash__ = Fraction.__hash__

    def __str__(self) -> str:
        return str(self.flint)

    def __float__(self) -> float:
        return int(self.flint.p) / int(self.flint.q)

    def __pow__(self, exponent: Any) -> Any:
        if type(exponent) is int:
            return from_flint(self.flint**exponent)
        return super().__pow__(exponent)

    def __neg__(self) -> Rational:
        return from_flint(-self.flint)

    def __pos__(self) -> Rational:
        return self

    def __abs__(self) -> Rational:
        return from_flint(abs(self.flint))

    def __bool__(self) -> bool:
        return bool(self.flint)


def from_flint(value: fmpq) -> Rational:
    """The rational that a number of flint is."""
    made: Rational = _NEW(Rational)
    made.flint = value
    return made


def as_flint(x: int | Fraction) -> fmpq:
    """The number of flint that an int or fraction is."""
    return x.flint if type(x) is Rational else fmpq(x.numerator, x.denominator)


def as_rational(x: Any) -> Any:
    """Convert numbers to `Rational`, without rounding.

    Parameters
    ----------
    x : int, float, str, Fraction, Ball that is a point, or nested lists or arrays of them
        Floats are taken at their exact binary value, strings as ``"p/q"`` or decimals.

    Returns
    -------
    Rational or ndarray
        A scalar, or an object array of the shape of ``x``.

    Raises
    ------
    InvalidInput
        Where an entry is not a finite number.

    Examples
    --------
    >>> as_rational("2/6"), as_rational(0.5)
    (Rational(1, 3), Rational(1, 2))
    """
    if isinstance(x, list | tuple) or hasattr(x, "tolist"):
        entries = np.array(x.tolist() if hasattr(x, "tolist") else x, dtype=object)
        if entries.shape == ():
            return _scalar(entries.item())
        result = np.empty(entries.shape, dtype=object)
        result.flat[:] = [_scalar(entry) for entry in entries.flat]
        return result
    return _scalar(x)


# -- private helpers ---------------------------------------------------------------------

_NEW: Any = object.__new__


def _scalar(x: Any) -> Rational:
    if type(x) is Rational:
        return x
    try:
        if isinstance(x, str):
            return Rational(x)
        if hasattr(x, "as_integer_ratio"):
            return from_flint(fmpq(*map(int, x.as_integer_ratio())))
        return Rational(operator.index(x))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        raise InvalidInput(
            f'number must be finite and rational, got {x!r}: pass an int, a float or "p/q".'
        ) from error
