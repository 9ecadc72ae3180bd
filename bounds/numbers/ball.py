"""Ball arithmetic: closed intervals with rational ends, rounded outwards.

A `Ball` stands for one unknown real number between its ends.  Every operation returns a ball
that contains the result for every choice inside the operands, so a decided comparison of two
balls is a proof.  Comparisons that the ends cannot decide raise `Undecided` instead of
guessing; the caller retries with more `precision`.

The ends are rationals of flint, and flint's real balls (`flint.arb`) round them and evaluate the
functions.  They are not the balls themselves: an arb holds neither 1/3 nor, since its radius has
30 bits, the interval [0, 1] exactly, so points and signs would be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from flint.utils.flint_exceptions import DomainError

from bounds.numbers.asked import index_of
from bounds.numbers.validate import InvalidInput, require
from bounds.numbers.via_flint import as_flint, enclosure, from_flint, precision

__all__ = [
    "Ball",
    "FloatAmongExact",
    "Undecided",
    "as_arb",
    "enclosing",
    "exact_float",
    "floats_refused",
    "from_arb",
]


class Undecided(ArithmeticError):
    """The ends of a ball do not decide the question; raise the precision."""


class FloatAmongExact(ArithmeticError):
    """A float came among exact numbers where a rounded one would be taken for the true value."""


_REFUSED: ContextVar[bool] = ContextVar("floats are no exact numbers", default=False)


@contextmanager
def floats_refused() -> Iterator[None]:
    """Inside the block a float is no exact number, and a ball of it raises `FloatAmongExact`.

    Elsewhere it stands for its binary value.  Where a claim is judged exactly, ``1 / n`` of two
    integers is a float that is not the number it was meant to be, and a ball around a root of it
    would hold the true root no longer.
    """
    token = _REFUSED.set(True)
    try:
        yield
    finally:
        _REFUSED.reset(token)


def exact_float(x: float) -> Fraction:
    """The binary value of a float, unless floats are refused."""
    if _REFUSED.get():
        raise FloatAmongExact(f"{x:.6g}")
    return Fraction(x)


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

    __slots__ = ("_high", "_low")

    _low: fmpq
    _high: fmpq

    def __init__(self, lo: Any, hi: Any = None) -> None:
        low = _flint(lo)
        high = low if hi is None else _flint(hi)
        require(low <= high, "hi", f"at least lo = {low}", high, "swap the two ends")
        object.__setattr__(self, "_low", low)
        object.__setattr__(self, "_high", high)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Ball is immutable: build a new one instead of setting {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Ball, (self.lo, self.hi)

    @property
    def lo(self) -> Fraction:
        """The lower end."""
        return from_flint(self._low)

    @property
    def hi(self) -> Fraction:
        """The upper end."""
        return from_flint(self._high)

    @property
    def mid(self) -> Fraction:
        """The exact midpoint."""
        return from_flint((self._low + self._high) / 2)

    @property
    def rad(self) -> Fraction:
        """Half the width."""
        return from_flint((self._high - self._low) / 2)

    @property
    def is_point(self) -> bool:
        """Whether both ends are one number."""
        return bool(self._low == self._high)

    def as_integer_ratio(self) -> tuple[int, int]:
        """Numerator and denominator of a point."""
        if not self.is_point:
            raise ValueError(f"{self!r} is not one rational number")
        return int(self._low.p), int(self._low.q)

    def __float__(self) -> float:
        return float(self.mid)

    def __repr__(self) -> str:
        mid = _decimal((self._low + self._high) / 2, 12)
        rad = _decimal((self._high - self._low) / 2, 2)
        return f"[{mid}]" if self.is_point else f"[{mid} +/- {rad}]"

    def to_json(self) -> dict[str, list[str]]:
        """The ends as "p/q" strings, without loss."""
        return {"ball": [str(self._low), str(self._high)]}

    @classmethod
    def from_json(cls, data: Any) -> Ball:
        """Read back what `to_json` wrote."""
        try:
            match data:
                case {"ball": [low, high]}:
                    return cls(str(low), str(high))
            raise ValueError("no such ends")
        except ValueError as error:
            raise InvalidInput(
                f'ball must be of the form {{"ball": ["p/q", "p/q"]}}, got {data!r}: '
                "write it with Ball.to_json."
            ) from error

    # -- arithmetic ------------------------------------------------------------------

    def __neg__(self) -> Ball:
        return _exactly(-self._high, -self._low)

    def __pos__(self) -> Ball:
        return self

    def __abs__(self) -> Ball:
        if self._low >= 0:
            return self
        if self._high <= 0:
            return -self
        return _exactly(_ZERO, max(-self._low, self._high))

    def __add__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else _rounded(self._low + b._low, self._high + b._high)

    __radd__ = __add__

    def __sub__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else _rounded(self._low - b._high, self._high - b._low)

    def __rsub__(self, other: object) -> Any:
        b = _ball(other)
        return b if b is NotImplemented else b - self

    def __mul__(self, other: object) -> Any:
        b = _ball(other)
        if b is NotImplemented:
            return b
        if self._low >= 0 and b._low >= 0:
            return _rounded(self._low * b._low, self._high * b._high)
        ends = (self._low * b._low, self._low * b._high, self._high * b._low, self._high * b._high)
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
        n = index_of(exponent)
        if n is None:
            if not isinstance(exponent, Fraction) or exponent.denominator != 1:
                return NotImplemented
            n = exponent.numerator
        if n < 0:
            return _reciprocal(self**-n)
        base = abs(self) if n % 2 == 0 else self
        return _rounded(base._low**n, base._high**n)

    # -- comparisons -----------------------------------------------------------------

    def __lt__(self, other: object) -> Any:
        b = _ball(other)
        if b is NotImplemented:
            return b
        return _decide(self._high < b._low, self._low >= b._high, self, b)

    def __le__(self, other: object) -> Any:
        b = _ball(other)
        if b is NotImplemented:
            return b
        return _decide(self._high <= b._low, self._low > b._high, self, b)

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
        same_point = self._low == b._high and b._low == self._high
        return _decide(same_point, self._high < b._low or b._high < self._low, self, b)

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __hash__(self) -> int:
        return hash(self._low) if self.is_point else hash((self._low, self._high))

    def __floor__(self) -> int:
        low, high = self._low.floor(), self._high.floor()
        return int(low) if low == high else _undecided(f"the floor of {self!r}")

    def __ceil__(self) -> int:
        low, high = self._low.ceil(), self._high.ceil()
        return int(low) if low == high else _undecided(f"the ceiling of {self!r}")

    # -- functions -------------------------------------------------------------------

    def sqrt(self) -> Ball:
        """Square root of a non-negative ball."""
        if self._low < 0:
            self._outside("sqrt", "non-negative", self._high < 0)
        low = _root(self._low)
        return _exactly(low[0], low[1] if self.is_point else _root(self._high)[1])

    def exp(self) -> Ball:
        """Exponential."""
        if max(-self._low, self._high) > _LARGEST_EXPONENT:
            raise OverflowError(f"exp of {self!r} has too many digits for a ball")
        return self._increasing("exp")

    def log(self) -> Ball:
        """Natural logarithm of a positive ball."""
        if self._low <= 0:
            self._outside("log", "positive", self._high <= 0)
        return self._increasing("log")

    def cos(self) -> Ball:
        """Cosine."""
        return _exactly(*enclosure(self._low, self._high, "cos"))

    def sin(self) -> Ball:
        """Sine."""
        return _exactly(*enclosure(self._low, self._high, "sin"))

    def _outside(self, function: str, condition: str, surely: bool) -> None:
        require(not surely, f"argument of {function}", condition, self, "check its sign")
        _undecided(f"whether {self!r} is {condition}")

    def _increasing(self, name: str) -> Ball:
        low = enclosure(self._low, self._low, name)
        high = low if self.is_point else enclosure(self._high, self._high, name)
        return _exactly(low[0], high[1])


def enclosing(pick: Callable[[Any, Any], Any], x: Any, y: Any) -> Ball:
    """The larger or smaller of two numbers, by ``max`` or ``min`` of their ends."""
    a, b = (v if isinstance(v, Ball) else Ball(v) for v in (x, y))
    return _exactly(pick(a._low, b._low), pick(a._high, b._high))


def as_arb(x: Any) -> arb:
    """A ball of flint around a number, at flint's own precision."""
    ball = _ball(x)
    return arb(ball._low) if ball.is_point else arb(ball._low).union(arb(ball._high))


def from_arb(x: arb) -> Ball:
    """The interval that a ball of flint stands for."""
    return _exactly(x.lower().fmpq(), x.upper().fmpq())


# -- private helpers ---------------------------------------------------------------------

_ZERO = fmpq(0)
_LARGEST_EXPONENT = 2**24  # the ends of exp then have 3 MB each; flint ends the process on more


def _flint(x: Any) -> fmpq:
    """Any exact scalar, or a float at its exact value."""
    if isinstance(x, Fraction):
        return as_flint(x)
    try:
        if isinstance(x, str | float):
            return as_flint(exact_float(x) if isinstance(x, float) else Fraction(x))
        whole = index_of(x)
        if whole is None:
            raise ValueError("no whole number")
        return fmpq(whole)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        raise InvalidInput(
            f'number must be an int, Fraction, finite float or "p/q", got {x!r}: convert it first.'
        ) from error


def _exactly(low: fmpq, high: fmpq) -> Ball:
    """A ball from two ordered ends, unchecked and unrounded."""
    ball = object.__new__(Ball)
    object.__setattr__(ball, "_low", low)
    object.__setattr__(ball, "_high", high)
    return ball


def _rounded(low: fmpq, high: fmpq) -> Ball:
    """A ball around two ordered ends that are rounded outwards where they are long."""
    bits = precision()
    if low.height_bits() > bits:
        low = enclosure(low, low)[0]
    if high.height_bits() > bits:
        high = enclosure(high, high)[1]
    return _exactly(low, high)


def _root(x: fmpq) -> tuple[fmpq, fmpq]:
    """Bounds of the square root, equal where it is rational."""
    try:
        root = x.sqrt()
    except DomainError:
        return enclosure(x, x, "sqrt")
    return root, root


def _decimal(x: fmpq, digits: int) -> str:
    """A rounded decimal for people to read."""
    return str(arb(x).str(digits, radius=False))


def _ball(x: Any) -> Any:
    """``x`` as a ball, or NotImplemented where another type must take over."""
    if isinstance(x, Ball):
        return x
    if isinstance(x, Fraction | float):
        point = _flint(x)
    else:
        whole = index_of(x)
        if whole is None:
            return NotImplemented
        point = fmpq(whole)
    return _exactly(point, point)


def _reciprocal(x: Ball) -> Ball:
    if x._low <= 0 <= x._high:
        if x.is_point:
            raise ZeroDivisionError("division of a Ball by zero")
        _undecided(f"whether the divisor {x!r} is zero")
    return _rounded(1 / x._high, 1 / x._low)


def _decide(surely: bool, surely_not: bool, a: Ball, b: Ball) -> bool:
    if surely:
        return True
    if surely_not:
        return False
    return bool(_undecided(f"the order of {a!r} and {b!r}"))


def _undecided(what: str) -> Any:
    bits = precision()
    raise Undecided(f"{what} is undecided at {bits} bits: raise it by precision(bits)")
