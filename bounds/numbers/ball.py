"""Ball arithmetic: closed intervals with rational ends, rounded outwards.

A `Ball` stands for one unknown real number between its ends.  Every operation returns a ball
that contains the result for every choice inside the operands, so a decided comparison of two
balls is a proof.  Comparisons that the ends cannot decide raise `Undecided` instead of
guessing; the caller retries with more `precision`.
"""

from __future__ import annotations

import math
import operator
from decimal import ROUND_UP
from fractions import Fraction
from typing import Any

from bounds.numbers.rounding import decimal, enclosure, precision, root, round_down, round_up
from bounds.numbers.validate import InvalidInput, require

__all__ = ["Ball", "Undecided", "precision"]


class Undecided(ArithmeticError):
    """The ends of a ball do not decide the question; raise the precision."""


class Ball:
    """A closed interval ``[lo, hi]`` of real numbers with rational ends.

    Parameters
    ----------
    lo, hi : int, Fraction, float or str
        The ends; floats are taken at their exact binary value, strings as "p/q".  With one
        argument the ball is a point.

    Examples
    --------
    >>> Ball("1/3") * 3 == 1
    True
    >>> abs(Ball(2).sqrt() ** 2 - 2) < Fraction(1, 10**30)
    True
    """

    __slots__ = ("hi", "lo")

    lo: Fraction
    hi: Fraction

    def __init__(self, lo: Any, hi: Any = None) -> None:
        low = _fraction(lo)
        high = low if hi is None else _fraction(hi)
        require(low <= high, "hi", f"at least lo = {low}", high, "swap the two ends")
        object.__setattr__(self, "lo", low)
        object.__setattr__(self, "hi", high)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Ball is immutable: build a new one instead of setting {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Ball, (self.lo, self.hi)

    @property
    def mid(self) -> Fraction:
        """The exact midpoint."""
        return (self.lo + self.hi) / 2

    @property
    def rad(self) -> Fraction:
        """Half the width."""
        return (self.hi - self.lo) / 2

    def __float__(self) -> float:
        return float(self.mid)

    def __repr__(self) -> str:
        mid, rad = decimal(self.mid, 12), self.rad
        if rad == 0:
            return f"[{mid}]"
        return f"[{mid} +/- {decimal(rad, 2, ROUND_UP)}]"

    def to_json(self) -> dict[str, list[str]]:
        """The ends as "p/q" strings, without loss."""
        return {"ball": [str(self.lo), str(self.hi)]}

    @classmethod
    def from_json(cls, data: Any) -> Ball:
        """Read back what `to_json` wrote."""
        try:
            low, high = data["ball"]
            return cls(str(low), str(high))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInput(
                f'ball must be of the form {{"ball": ["p/q", "p/q"]}}, got {data!r}: '
                "write it with Ball.to_json."
            ) from error

    # -- arithmetic ------------------------------------------------------------------

    def __neg__(self) -> Ball:
        return _exactly(-self.hi, -self.lo)

    def __pos__(self) -> Ball:
        return self

    def __abs__(self) -> Ball:
        if self.lo >= 0:
            return self
        if self.hi <= 0:
            return -self
        return _exactly(Fraction(0), max(-self.lo, self.hi))

    def __add__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else _rounded(self.lo + b.lo, self.hi + b.hi)

    __radd__ = __add__

    def __sub__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else _rounded(self.lo - b.hi, self.hi - b.lo)

    def __rsub__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else b - self

    def __mul__(self, other: object) -> Any:
        b = _ball(other)
        if b is NotImplemented:
            return b
        if self.lo >= 0 and b.lo >= 0:
            return _rounded(self.lo * b.lo, self.hi * b.hi)
        ends = (self.lo * b.lo, self.lo * b.hi, self.hi * b.lo, self.hi * b.hi)
        return _rounded(min(ends), max(ends))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else self * _reciprocal(b)

    def __rtruediv__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else b * _reciprocal(self)

    def __pow__(self, exponent: object) -> Any:
        if isinstance(exponent, Fraction) and exponent.denominator == 2:
            return self.sqrt() ** exponent.numerator
        try:
            n = operator.index(exponent)  # type: ignore[arg-type]
        except TypeError:
            if not isinstance(exponent, Fraction) or exponent.denominator != 1:
                return NotImplemented
            n = exponent.numerator
        if n < 0:
            return _reciprocal(self**-n)
        base = abs(self) if n % 2 == 0 else self
        return _rounded(base.lo**n, base.hi**n)

    # -- comparisons -----------------------------------------------------------------

    def __lt__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else _decide(self.hi < b.lo, self.lo >= b.hi, self, b)

    def __le__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else _decide(self.hi <= b.lo, self.lo > b.hi, self, b)

    def __gt__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else b < self

    def __ge__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else b <= self

    def __eq__(self, other: object) -> Any:
        b = _ball(other)
        if b is NotImplemented:
            return b
        same_point = self.lo == self.hi == b.lo == b.hi
        return _decide(same_point, self.hi < b.lo or b.hi < self.lo, self, b)

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __hash__(self) -> int:
        return hash(self.lo) if self.lo == self.hi else hash((self.lo, self.hi))

    def __floor__(self) -> int:
        low, high = math.floor(self.lo), math.floor(self.hi)
        return low if low == high else _undecided(f"the floor of {self!r}")

    def __ceil__(self) -> int:
        low, high = math.ceil(self.lo), math.ceil(self.hi)
        return low if low == high else _undecided(f"the ceiling of {self!r}")

    # -- functions -------------------------------------------------------------------

    def sqrt(self) -> Ball:
        """Square root of a non-negative ball."""
        if self.lo < 0:
            self._outside("sqrt", "non-negative", self.hi < 0)
        bits = precision()
        return _exactly(root(self.lo, bits)[0], root(self.hi, bits)[1])

    def exp(self) -> Ball:
        """Exponential."""
        return self._transcendental("exp")

    def log(self) -> Ball:
        """Natural logarithm of a positive ball."""
        if self.lo <= 0:
            self._outside("log", "positive", self.hi <= 0)
        return self._transcendental("log")

    def cos(self) -> Ball:
        """Cosine."""
        return self._transcendental("cos")

    def sin(self) -> Ball:
        """Sine."""
        return self._transcendental("sin")

    def _outside(self, function: str, condition: str, surely: bool) -> None:
        require(not surely, f"argument of {function}", condition, self, "check its sign")
        _undecided(f"whether {self!r} is {condition}")

    def _transcendental(self, name: str) -> Ball:
        return _exactly(*enclosure(name, self.lo, self.hi))


# -- private helpers ---------------------------------------------------------------------


def _fraction(x: Any) -> Fraction:
    """Any exact scalar, or a float at its exact value."""
    if isinstance(x, Fraction):
        return x
    try:
        return Fraction(x if isinstance(x, str | float) else operator.index(x))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        raise InvalidInput(
            f'number must be an int, Fraction, finite float or "p/q", got {x!r}: convert it first.'
        ) from error


def _exactly(low: Fraction, high: Fraction) -> Ball:
    """A ball from two ordered ends, unchecked and unrounded."""
    ball = object.__new__(Ball)
    object.__setattr__(ball, "lo", low)
    object.__setattr__(ball, "hi", high)
    return ball


def _rounded(low: Fraction, high: Fraction) -> Ball:
    bits = precision()
    return _exactly(round_down(low, bits), round_up(high, bits))


def _ball(x: Any) -> Any:
    """``x`` as a ball, or NotImplemented where another type must take over."""
    if isinstance(x, Ball):
        return x
    if isinstance(x, Fraction):
        return _exactly(x, x)
    if isinstance(x, float):
        point = _fraction(x)
        return _exactly(point, point)
    try:
        point = Fraction(operator.index(x))
    except TypeError:
        return NotImplemented
    return _exactly(point, point)


def _reciprocal(x: Ball) -> Ball:
    if x.lo <= 0 <= x.hi:
        if x.lo == x.hi:
            raise ZeroDivisionError("division of a Ball by zero")
        _undecided(f"whether the divisor {x!r} is zero")
    return _rounded(1 / x.hi, 1 / x.lo)


def _decide(surely: bool, surely_not: bool, a: Ball, b: Ball) -> bool:
    if surely:
        return True
    if surely_not:
        return False
    return bool(_undecided(f"the order of {a!r} and {b!r}"))


def _undecided(what: str) -> Any:
    bits = precision()
    raise Undecided(f"{what} is undecided at {bits} bits: raise it by precision(bits)")
