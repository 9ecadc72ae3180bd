"""Powers with exponents that need not be whole, on every kind of number."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from bounds.numbers.ball import Ball, exact_float
from bounds.numbers.dispatch import each_entry, is_exact
from bounds.numbers.rational import exp_exact, log_exact, sqrt_exact
from bounds.numbers.symbolic import Symbolic

__all__ = ["power"]

ROOTS = (1, 2, 4, 8, 16, 32, 64)
"""Denominators of exponents for which square roots are taken, one more for each."""

LARGEST = 64
"""Exponent up to which fractions are multiplied out; a larger one gives a ball."""


def power(x: Any, exponent: Any) -> Any:
    """``x ** exponent`` of numbers that are not negative; of fractions never a rounded float.

    Parameters
    ----------
    x : any kind of number, broadcasting
        At least 0; positive where the exponent is negative.
    exponent : float, Fraction or array, broadcasting
        Of exact numbers: taken at its exact value. Where its denominator is 2, 4, ... or 64 only
        square roots are taken, so that rational roots stay rational.

    Examples
    --------
    >>> power(Fraction(16, 81), Fraction(3, 4))
    Fraction(8, 27)
    >>> power(4.0, 0.5)
    2.0
    """
    if is_exact(x) or isinstance(x, int):
        return each_entry(_entry, x, exponent)
    return x ** (float(exponent) if isinstance(exponent, Fraction) else exponent)


def _entry(x: Any, exponent: Any) -> Any:
    if isinstance(x, Symbolic) or isinstance(exponent, Symbolic):
        return x**exponent
    wanted = exact_float(exponent) if isinstance(exponent, float) else Fraction(exponent)
    value = Fraction(x) if isinstance(x, int) else exact_float(x) if isinstance(x, float) else x
    if wanted.denominator in ROOTS and abs(wanted) <= LARGEST:
        for _ in range(ROOTS.index(wanted.denominator)):
            value = sqrt_exact(value)
        return value**wanted.numerator
    if isinstance(value, Fraction) and value == 0:
        return value if wanted > 0 else 1 / value
    if isinstance(value, Ball) and wanted > 0 and value.lo == 0 < value.hi:
        top = _entry(value.hi, wanted)
        return Ball(0, top.hi if isinstance(top, Ball) else top)
    return exp_exact(wanted * log_exact(value))
