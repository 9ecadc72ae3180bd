"""Outward rounding of rationals, and rational enclosures of elementary functions."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from bounds.numbers.validate import require

__all__ = ["decimal", "enclosure", "precision", "root", "round_down", "round_up"]

_PRECISION: ContextVar[int] = ContextVar("fedassay_precision", default=128)
_LOCAL = threading.local()


class _Precision:
    """Both a question, ``precision()``, and a block, ``with precision(bits):``."""

    def __call__(self, bits: int | None = None) -> Any:
        return _PRECISION.get() if bits is None else _set_precision(bits)


precision = _Precision()
"""``precision()`` tells the significant bits of new balls; ``with precision(bits):`` sets them."""


def round_down(x: Fraction, bits: int) -> Fraction:
    """The largest dyadic with ``bits`` significant bits below ``x``; short ``x`` stay."""
    n, d = x.numerator, x.denominator
    size = n.bit_length()
    if size <= bits and d.bit_length() <= bits:
        return x
    shift = bits - size + d.bit_length()
    q = (n << shift) // d if shift >= 0 else n // (d << -shift)
    return Fraction(q, 1 << shift) if shift >= 0 else Fraction(q << -shift)


def round_up(x: Fraction, bits: int) -> Fraction:
    """The counterpart of `round_down`."""
    return -round_down(-x, bits)


def root(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Rational bounds of the square root, equal where the root is rational."""
    n, d = x.numerator, x.denominator
    a, b = math.isqrt(n), math.isqrt(d)
    if a * a == n and b * b == d:
        exact = Fraction(a, b)
        return exact, exact
    # sqrt(n/d) = sqrt(n d) / d; the shift leaves at least bits + 2 bits in the integer root
    shift = max(0, bits + 2 - (n * d).bit_length() // 2)
    q = math.isqrt((n * d) << (2 * shift))
    below, above = Fraction(q, d << shift), Fraction(q + 1, d << shift)
    return round_down(below, bits), round_up(above, bits)


def enclosure(name: str, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Rational bounds of exp, log, cos or sin over an interval, by mpmath's interval arithmetic."""
    bits = precision()
    context = _interval_context()
    with _working_precision(context, max(abs(low), abs(high))):
        ends = context.mpf([_interval(context, low).a, _interval(context, high).b])
        lower, upper = getattr(context, name)(ends)._mpi_
    return round_down(_from_mpf(lower), bits), round_up(_from_mpf(upper), bits)


def decimal(x: Fraction, digits: int, rounding: str | None = None) -> str:
    """A rounded decimal for people to read."""
    context = Context(prec=digits, rounding=rounding)
    value = context.divide(Decimal(x.numerator), Decimal(x.denominator))
    if abs(value.adjusted()) < 6 or value == 0:
        return f"{value:f}"
    return f"{value:e}"


# -- private helpers ---------------------------------------------------------------------


@contextlib.contextmanager
def _set_precision(bits: int) -> Iterator[None]:
    require(bits >= 16, "bits", "at least 16", bits, "ask for more bits")
    token = _PRECISION.set(int(bits))
    try:
        yield
    finally:
        _PRECISION.reset(token)


def _interval_context() -> Any:
    """One interval context of mpmath per thread (its precision is mutable state)."""
    if not hasattr(_LOCAL, "context"):
        from mpmath.ctx_iv import MPIntervalContext

        _LOCAL.context = MPIntervalContext()
    return _LOCAL.context


@contextlib.contextmanager
def _working_precision(context: Any, size: Fraction) -> Iterator[None]:
    # guard bits: 32 for rounding, and the size of the argument for cos, sin, exp of large ones
    extra = 32 + math.ceil(size).bit_length()
    before = context.prec
    context.prec = _PRECISION.get() + extra
    try:
        yield
    finally:
        context.prec = before


def _interval(context: Any, x: Fraction) -> Any:
    return context.mpf(x.numerator) / context.mpf(x.denominator)


def _from_mpf(raw: Any) -> Fraction:
    sign, mantissa, exponent, _ = raw
    size = int(mantissa)
    value = Fraction(size << exponent) if exponent >= 0 else Fraction(size, 1 << -exponent)
    return -value if sign else value
