"""What balls and exact matrices need of flint: conversions, precision and enclosures."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from bounds.numbers.validate import require

__all__ = ["as_flint", "enclosure", "from_flint", "precision", "working_bits"]

_BITS: ContextVar[int] = ContextVar("fedassay_precision", default=128)


class _Precision:
    """Both a question, ``precision()``, and a block, ``with precision(bits):``."""

    def __call__(self, bits: int | None = None) -> Any:
        return _BITS.get() if bits is None else _set_precision(bits)


precision = _Precision()
"""``precision()`` tells the significant bits of new balls; ``with precision(bits):`` sets them."""


def as_flint(x: int | Fraction) -> fmpq:
    """The rational of flint that an int or fraction is."""
    return fmpq(x.numerator, x.denominator)


def from_flint(x: fmpq) -> Fraction:
    """The fraction that a rational of flint is."""
    return Fraction(int(x.p), int(x.q))


def enclosure(low: fmpq, high: fmpq, function: str = "") -> tuple[fmpq, fmpq]:
    """Dyadic bounds of a function of flint over an interval; of the interval itself without one.

    Flint's precision is global, so it is set for this call alone; should another thread set it
    meanwhile, the bounds are wider or narrower, but still bounds.
    """
    bits = _BITS.get()
    # guard bits: 32 for rounding, and the size of the argument for cos, sin, exp of large ones
    extra = 32 + int(max(abs(low), abs(high)).ceil()).bit_length() if function else 0
    before = ctx.prec
    try:
        ctx.prec = bits + extra
        value = arb(low) if low == high else arb(low).union(arb(high))
        if function:
            value = getattr(value, function)()
        ctx.prec = bits
        return value.lower().fmpq(), value.upper().fmpq()
    finally:
        ctx.prec = before


@contextlib.contextmanager
def working_bits(bits: int) -> Iterator[None]:
    """Set flint's own precision in a block."""
    before, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = before


# -- private helpers ---------------------------------------------------------------------


@contextlib.contextmanager
def _set_precision(bits: int) -> Iterator[None]:
    require(bits >= 16, "bits", "at least 16", bits, "ask for more bits")
    token = _BITS.set(int(bits))
    try:
        yield
    finally:
        _BITS.reset(token)
