"""Numbers that know their value and how they were made.

A claim's program runs on them as on any other numbers: comparisons are decided by the value, and
what is added, multiplied or put under a root is remembered, so that each term comes out as a
formula in the symbols that the program has read.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from math import ceil, floor, isfinite
from typing import Any

import numpy as np

from bounds.numbers import Ball
from bounds.numbers.dispatch import larger, smaller
from bounds.numbers.rational import cos_exact, exp_exact, log_exact, sin_exact, sqrt_exact
from bounds.numbers.symbolic import NotReadable, Symbolic

__all__ = ["LONG", "Names", "Shown", "same"]

MOST_STEPS = 1_500
"""Operations after which no formula would be short enough to be read: from there on numbers are
known by their values alone."""

LONG = "long"
"""How a number was made whose formula would be too long."""

NESTED = ("Max", "Min")
"""Functions of which one inside another is the same one of more arguments."""

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "exp": exp_exact,
    "log": log_exact,
    "sin": sin_exact,
    "cos": cos_exact,
    "sqrt": sqrt_exact,
    "Abs": abs,
    "floor": floor,
    "ceiling": ceil,
    "Max": lambda *values: reduce(larger, values),
    "Min": lambda *values: reduce(smaller, values),
}
"""Exact values of functions, as sympy calls them."""


class Names:
    """The named numbers of one computation."""

    def __init__(self) -> None:
        self.steps = 0
        self._named: dict[str, Shown] = {}

    @property
    def is_long(self) -> bool:
        """Whether so much was calculated that nobody would read it; one more step is counted."""
        self.steps += 1
        return self.steps > MOST_STEPS

    def named(self, tex: str, value: Any) -> Shown:
        """A number by its name in TeX; the same name with another value is another number."""
        known = self._named.get(tex)
        if known is None or not same(known.value, value):
            known = self._named[tex] = Shown("name", (tex,), value, self)
        return known

    def differs(self, tex: str, value: Any) -> bool:
        """Whether a number of this name has another value."""
        known = self._named.get(tex)
        return known is not None and not same(known.value, value)

    def number(self, value: Any) -> Shown:
        """A number without a name."""
        return Shown("number", (), value, self)

    def plain(self, value: Any) -> Any:
        """The value of a number, or of every number of an array, without the way it was made."""
        if isinstance(value, np.ndarray) and value.dtype == object:
            out = np.empty(value.shape, dtype=object)
            out[...] = value
            for index in np.ndindex(value.shape):
                out[index] = self.plain(value[index])
            return out
        return value.value if isinstance(value, Shown) else value


class Shown(Symbolic):
    """A number with the way it was made.

    Parameters
    ----------
    made : str
        ``name``, ``number``, an operation ``+ - * / ^ neg``, or a function.
    parts : tuple
        Operands; of a name its TeX.
    value : Fraction, Ball or None
        None where there is no value, a quotient by zero in a branch that is not taken.
    names : Names

    Attributes
    ----------
    key : int
        The same for numbers that were made alike.
    """

    __slots__ = ("key", "made", "names", "parts", "value")

    key: int
    made: str
    parts: tuple[Any, ...]
    value: Any
    names: Names

    def __init__(self, made: str, parts: tuple[Any, ...], value: Any, names: Names) -> None:
        inner = tuple(part.key if isinstance(part, Shown) else part for part in parts)
        key = hash((made, inner or str(value)))
        for name, item in zip(self.__slots__, (key, made, names, parts, value), strict=True):
            object.__setattr__(self, name, item)

    def __repr__(self) -> str:
        return f"{self.made} {self.value}"

    @property
    def expr(self) -> Any:
        """Nothing that sympy could work with."""
        raise NotReadable("a number with a name is not turned into a symbol")

    def function(self, name: str, values: tuple[Any, ...]) -> Any:
        """A function of such numbers; a maximum of maxima is one maximum."""
        if name not in FUNCTIONS:
            raise NotReadable(f"{name} has no exact value here")
        parts: list[Shown] = []
        for value in values:
            operand = self._operand(value)
            if operand is None:
                raise NotReadable(f"{name} is asked of what is no number")
            joined = operand.parts if name in NESTED and operand.made == name else (operand,)
            parts += [part for part in joined if all(part.key != old.key for old in parts)]
        numbers = [part.value for part in parts]
        value = None if None in numbers else FUNCTIONS[name](*numbers)
        if isinstance(value, int):
            value = Fraction(value)
        if name in NESTED and len(parts) == 1:
            return parts[0]
        if all(part.made == "number" for part in parts) and isinstance(value, Fraction):
            return self.names.number(value)
        if self.names.is_long:
            return Shown(LONG, (), value, self.names)
        return Shown(name, tuple(parts), value, self.names)

    def __bool__(self) -> bool:
        return bool(self.value != 0)

    def __index__(self) -> int:
        if isinstance(self.value, Ball) or self.value != int(self.value):
            raise NotReadable("a number that is not whole stands for a size")
        return int(self.value)

    def __floor__(self) -> int:
        return int(self.value.__floor__())

    def __ceil__(self) -> int:
        return int(self.value.__ceil__())

    def __neg__(self) -> Shown:
        if self.made == "neg":
            inner: Shown = self.parts[0]
            return inner
        if self.made == "number":
            return self.names.number(-self.value)
        return Shown("neg", (self,), None if self.value is None else -self.value, self.names)

    def __abs__(self) -> Shown:
        return self if self.value is None or self.value >= 0 else -self

    def __add__(self, other: object) -> Any:
        return self._with("+", other)

    def __radd__(self, other: object) -> Any:
        return self._with("+", other, True)

    def __sub__(self, other: object) -> Any:
        return self._with("-", other)

    def __rsub__(self, other: object) -> Any:
        return self._with("-", other, True)

    def __mul__(self, other: object) -> Any:
        return self._with("*", other)

    def __rmul__(self, other: object) -> Any:
        return self._with("*", other, True)

    def __truediv__(self, other: object) -> Any:
        return self._with("/", other)

    def __rtruediv__(self, other: object) -> Any:
        return self._with("/", other, True)

    def __pow__(self, other: object) -> Any:
        return self._with("^", other)

    def __rpow__(self, other: object) -> Any:
        return self._with("^", other, True)

    def __eq__(self, other: object) -> Any:
        return self._decided(operator.eq, other)

    def __ne__(self, other: object) -> Any:
        return self._decided(operator.ne, other)

    def __lt__(self, other: object) -> Any:
        return self._decided(operator.lt, other)

    def __le__(self, other: object) -> Any:
        return self._decided(operator.le, other)

    def __gt__(self, other: object) -> Any:
        return self._decided(operator.gt, other)

    def __ge__(self, other: object) -> Any:
        return self._decided(operator.ge, other)

    __hash__ = None  # type: ignore[assignment]

    def _with(self, sign: str, other: object, reflected: bool = False) -> Any:
        operand = self._operand(other)
        if operand is None:
            return NotImplemented
        first, second = (operand, self) if reflected else (self, operand)
        if self.names.is_long:
            return Shown(LONG, (), _calculated(sign, first.value, second.value), self.names)
        return _simplest(sign, first, second)

    def _operand(self, other: object) -> Shown | None:
        """Another number as such a one; None of what is no number."""
        if isinstance(other, Shown):
            return other
        if isinstance(other, Ball):
            return self.names.number(other.lo if other.is_point else other)
        if isinstance(other, float) and not isfinite(other):
            return self.names.number(None)  # no value, in a branch that is not taken
        if isinstance(other, int | float | Fraction) and not isinstance(other, bool):
            return self.names.number(Fraction(other))
        return None

    def _decided(self, function: Callable[[Any, Any], Any], other: object) -> Any:
        operand = self._operand(other)
        if operand is None:
            return NotImplemented
        if self.value is None or operand.value is None:
            return False  # in a branch that is not taken
        if self.key == operand.key:  # of two balls that are made alike the order is known
            return bool(function(0, 0))
        return bool(function(self.value, operand.value))


def _simplest(sign: str, a: Shown, b: Shown) -> Shown:
    """An operation, without what changes nothing: plus zero, times one."""
    names = a.names
    value = _calculated(sign, a.value, b.value)
    if a.made == b.made == "number" and value is not None:
        return names.number(value)
    if sign in "+-":
        if _is(b, 0):
            return a
        if _is(a, 0):
            return b if sign == "+" else -b
        if b.made == "neg" or (b.made == "number" and b.value is not None and b.value < 0):
            return Shown("-" if sign == "+" else "+", (a, -b), value, names)
    if sign in "*/":
        if _is(a, 0) or (sign == "*" and _is(b, 0)):
            return names.number(Fraction(0))
        if _is(b, 1):
            return a
        if sign == "*" and _is(a, 1):
            return b
        if sign == "*" and (_is(a, -1) or _is(b, -1)):
            return -(b if _is(a, -1) else a)
        if a.made == "neg":
            return -_simplest(sign, a.parts[0], b)
        if b.made == "neg":
            return -_simplest(sign, a, b.parts[0])
    if sign == "*" and a.made != "number" and a.key == b.key:
        return Shown("^", (a, names.number(Fraction(2))), value, names)
    if sign == "^" and _is(b, 1):
        return a
    return Shown(sign, (a, b), value, names)


def _calculated(sign: str, a: Any, b: Any) -> Any:
    if a is None or b is None:
        return None
    try:
        if sign == "^":
            return _power(a, b)
        signs = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
        return signs[sign](a, b)
    except ZeroDivisionError:
        return None


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Ball) and exponent.is_point:
        exponent = exponent.lo
    if isinstance(exponent, Ball):
        return exp_exact(exponent * log_exact(base))
    if exponent.denominator == 1:
        return base**exponent.numerator
    if exponent.denominator == 2:
        return sqrt_exact(base) ** exponent.numerator
    return exp_exact(exponent * log_exact(base))


def _is(number: Shown, value: int) -> bool:
    if number.made != "number" or isinstance(number.value, Ball):
        return False
    return bool(number.value == value)


def _positive(value: Any) -> bool:
    if value is None:
        return False
    return bool(value.lo > 0 if isinstance(value, Ball) else value > 0)


def same(first: Any, second: Any) -> bool:
    """Whether two numbers are the same one, which of balls is never undecided."""
    if isinstance(first, Ball) and isinstance(second, Ball):
        return (first.lo, first.hi) == (second.lo, second.hi)
    if isinstance(first, Ball) or isinstance(second, Ball):
        return False
    return bool(first == second)
