"""Numbers that are affine in inner products and values: what a claim becomes on unknown vectors.

A coordinate of an unknown vector is a `CoordinateForm`; products of coordinates along one axis, and
values of functions, are `ScalarForm`; roots and extremes of these are kept as such.  Ordinary
arithmetic makes one of the other, so that the formulas of a claim, and the steps of a method, are
run on them as they are on numbers.  What leaves these forms raises `NotQuadratic`, which says what
was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from numbers import Real
from typing import Any, NoReturn

import numpy as np
from flint import fmpq

from bounds import generic as xp
from verify.worst_case.points import (
    Coefficient,
    Expression,
    SymbolicPoint,
    fraction,
    rational,
)

__all__ = [
    "AXES",
    "ON_FORMS",
    "CoordinateForm",
    "ExtremeForm",
    "NotQuadratic",
    "RootForm",
    "ScalarForm",
    "extreme",
    "extreme_along",
    "is_form",
    "point_of",
    "rooted",
    "value_form",
    "vector_forms",
    "whole",
]

AXES = 2
"""Coordinates in which each vector is written out: what enters alike along two axes does so along
any number, and a product across axes shows."""


class NotQuadratic(ValueError):
    """A formula that is not linear in inner products and values, with what is not."""


class _Form:
    """What all forms share: comparisons have no answer."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def _no_answer(self, *_: Any) -> NoReturn:
        raise NotQuadratic("a comparison of unknown numbers decides something")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no_answer

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        return self + other * -1

    def __rsub__(self, other: Any) -> Any:
        return self * -1 + other

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __truediv__(self, other: Any) -> Any:
        q = _number(other)
        if q is None or q == 0:
            raise NotQuadratic(f"a quotient by {'zero' if q is not None else 'what is unknown'}")
        return self * (1 / q)

    def __rtruediv__(self, other: Any) -> Any:
        raise NotQuadratic("a quotient by what is unknown")

    def __pow__(self, exponent: Any) -> Any:
        whole_one = _number(exponent)
        if whole_one == 1:
            return self
        if whole_one == 2:
            return self * self
        raise NotQuadratic(f"the power {exponent} of what is unknown")

    def __rpow__(self, other: Any) -> Any:
        raise NotQuadratic("what is unknown is an exponent")

    def __add__(self, other: Any) -> Any:
        raise NotImplementedError

    def __mul__(self, other: Any) -> Any:
        raise NotImplementedError

    def root(self) -> Any:
        """Square root."""
        raise NotQuadratic("a root of what is no inner product")


@dataclass(frozen=True, eq=False, slots=True)
class CoordinateForm(_Form):
    """One coordinate of an unknown vector."""

    axis: int
    point: SymbolicPoint

    def __add__(self, other: Any) -> Any:
        q = _number(other)
        if q is not None:
            if q != 0:
                raise NotQuadratic("a coordinate of an unknown vector plus a number")
            return self
        if not isinstance(other, CoordinateForm) or other.axis != self.axis:
            raise NotQuadratic("coordinates along different axes are added up")
        return CoordinateForm(self.axis, self.point + other.point)

    def __mul__(self, other: Any) -> Any:
        q = _number(other)
        if q is not None:
            return CoordinateForm(self.axis, self.point * q)
        if not isinstance(other, CoordinateForm) or other.axis != self.axis:
            raise NotQuadratic("a product that is no inner product")
        made = {self.axis: self.point @ other.point}
        return _scalar(Expression({}), made)

    def __abs__(self) -> Any:
        raise NotQuadratic("the absolute value of one coordinate")


@dataclass(frozen=True, eq=False, slots=True)
class ScalarForm(_Form):
    """Constants and values, and products of coordinates along each axis."""

    common: Expression
    along: Mapping[int, Expression]

    def __add__(self, other: Any) -> Any:
        q = _number(other)
        if q is not None:
            return _scalar(self.common + Expression({(): q} if q else {}), self.along)
        if isinstance(other, RootForm | ExtremeForm):
            return other + self
        if not isinstance(other, ScalarForm):
            raise NotQuadratic("a coordinate plus an inner product")
        along = dict(self.along)
        for axis, e in other.along.items():
            along[axis] = along[axis] + e if axis in along else e
        return _scalar(self.common + other.common, along)

    def __mul__(self, other: Any) -> Any:
        q = _number(other)
        if q is None:
            raise NotQuadratic("a product of inner products or values")
        return _scalar(self.common * q, {axis: e * q for axis, e in self.along.items()})

    def __abs__(self) -> Any:
        return ExtremeForm(True, (self, self * -1))

    def root(self) -> Any:
        """A norm, where it is the root of an inner product."""
        return RootForm(Fraction(0), ((fmpq(1), self),))


@dataclass(frozen=True, eq=False, slots=True)
class RootForm(_Form):
    """A number plus multiples of square roots of inner products."""

    offset: Any
    parts: tuple[tuple[Any, ScalarForm], ...]

    def __add__(self, other: Any) -> Any:
        q = _number(other)
        if q is not None:
            return RootForm(rational(self.offset) + q, self.parts)
        if isinstance(other, ExtremeForm):
            return other + self
        if not isinstance(other, RootForm):
            raise NotQuadratic("a norm beside an inner product")
        return RootForm(
            rational(self.offset) + rational(other.offset), _joined(self.parts, other.parts)
        )

    def __mul__(self, other: Any) -> Any:
        q = _number(other)
        if q is not None:
            if q == 0:
                return Fraction(0)
            return RootForm(rational(self.offset) * q, tuple((a * q, e) for a, e in self.parts))
        mine = self._alone()
        if isinstance(other, RootForm) and mine is not None:
            theirs = other._alone()
            if theirs is not None and _same(mine[1], theirs[1]):
                return mine[1] * (mine[0] * theirs[0])
        raise NotQuadratic("a product of norms")

    def _alone(self) -> tuple[Any, ScalarForm] | None:
        return self.parts[0] if len(self.parts) == 1 and self.offset == 0 else None

    def __abs__(self) -> Any:
        if self.offset >= 0 and all(a >= 0 for a, _ in self.parts):
            return self
        raise NotQuadratic("the absolute value of a difference of norms")


@dataclass(frozen=True, eq=False, slots=True)
class ExtremeForm(_Form):
    """The largest, or smallest, of some numbers."""

    largest: bool
    parts: tuple[Any, ...]

    def __add__(self, other: Any) -> Any:
        if isinstance(other, ExtremeForm):
            if other.largest is not self.largest:
                raise NotQuadratic("a largest number plus a smallest one")
            return ExtremeForm(self.largest, tuple(a + b for a in self.parts for b in other.parts))
        return ExtremeForm(self.largest, tuple(a + other for a in self.parts))

    def __mul__(self, other: Any) -> Any:
        q = _number(other)
        if q is None:
            raise NotQuadratic("a product with a largest or smallest number")
        if q == 0:
            return Fraction(0)
        return ExtremeForm(self.largest is (q > 0), tuple(a * q for a in self.parts))

    def __abs__(self) -> Any:
        return extreme(self, self * -1, largest=True)

    def root(self) -> Any:
        """The extreme of the roots."""
        return ExtremeForm(self.largest, tuple(rooted(part) for part in self.parts))


def vector_forms(point: SymbolicPoint) -> list[CoordinateForm]:
    """Coordinates of a point."""
    return [CoordinateForm(axis, point) for axis in range(AXES)]


def value_form(expression: Expression) -> ScalarForm:
    """An unknown number, such as the value of a function; no inner products."""
    return ScalarForm(expression, {})


def point_of(coordinates: Iterator[Any] | list[Any]) -> SymbolicPoint:
    """The point that coordinates are of.

    Raises
    ------
    NotQuadratic
        Where they are those of no point.
    """
    found: list[SymbolicPoint] = []
    for axis, one in enumerate(coordinates):
        if isinstance(one, CoordinateForm) and one.axis == axis:
            found.append(one.point)
        elif _number(one) == 0:
            found.append(SymbolicPoint({}))
        else:
            raise NotQuadratic("coordinates that are those of no point")
    if any(not found[0].same(other) for other in found):
        raise NotQuadratic("coordinates of a point that do not move alike")
    return found[0]


def whole(form: Any) -> Expression:
    """A number or a form as an expression in inner products.

    Raises
    ------
    NotQuadratic
        Where it is none, or has not the same part along every axis.
    """
    q = _number(form)
    if q is not None:
        return Expression({(): q} if q else {})
    if not isinstance(form, ScalarForm):
        raise NotQuadratic("a coordinate, a norm or an extreme stands by itself")
    if not form.along:
        return form.common
    parts = [form.along.get(axis, Expression({})).terms for axis in range(AXES)]
    if any(part != parts[0] for part in parts):
        raise NotQuadratic("coordinates do not enter alike")
    return form.common + Expression(parts[0])


def is_form(value: Any) -> bool:
    """Whether something is unknown in a number."""
    return isinstance(value, _Form)


def rooted(value: Any) -> Any:
    """Square roots of numbers and forms, entry by entry."""
    from bounds.numbers.rational import sqrt_exact

    def one(x: Any) -> Any:
        return x.root() if isinstance(x, _Form) else sqrt_exact(x)

    return np.frompyfunc(one, 1, 1)(value) if isinstance(value, np.ndarray) else one(value)


def extreme(one: Any, other: Any, *, largest: bool) -> Any:
    """The larger, or smaller, of two numbers or forms, entry by entry."""

    def pick(u: Any, v: Any) -> Any:
        if not (isinstance(u, _Form) or isinstance(v, _Form)):
            return xp.maximum(u, v) if largest else xp.minimum(u, v)
        return ExtremeForm(largest, (*_among(u, largest), *_among(v, largest)))

    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.frompyfunc(pick, 2, 1)(one, other)
    return pick(one, other)


def extreme_along(value: Any, axis: int = -1, *, largest: bool) -> Any:
    """The largest, or smallest, entry along an axis."""
    entries = list(np.moveaxis(np.asarray(value, dtype=object), axis, 0))
    return reduce(partial(extreme, largest=largest), entries)


ON_FORMS: Mapping[str, Callable[..., Any]] = {
    "sqrt": rooted,
    "maximum": partial(extreme, largest=True),
    "minimum": partial(extreme, largest=False),
    "positive_part": lambda x: extreme(x, 0, largest=True),
    "largest": partial(extreme_along, largest=True),
    "smallest": partial(extreme_along, largest=False),
}
"""What stands in for functions of `bounds.generic` that ask for an order of numbers."""


# -- private helpers -------------------------------------------------------------------------------


def _number(value: Any) -> Any:
    """A known number as a rational; None where it is a form."""
    if isinstance(value, _Form):
        return None
    if isinstance(value, int | Fraction | fmpq | Real | Coefficient) or hasattr(value, "is_point"):
        return rational(value)
    raise NotQuadratic(f"a {type(value).__name__} beside unknown vectors")


def _scalar(common: Expression, along: Mapping[int, Expression]) -> Any:
    """A form, or the number that is left of it."""
    kept = {axis: e for axis, e in along.items() if e.terms}
    if kept or any(common.terms.keys()):
        return ScalarForm(common, kept)
    left = common.terms.get((), fmpq(0))
    return left if isinstance(left, Coefficient) else fraction(left)


def _same(one: ScalarForm, other: ScalarForm) -> bool:
    return one.common.terms == other.common.terms and {
        k: e.terms for k, e in one.along.items()
    } == {k: e.terms for k, e in other.along.items()}


def _joined(one: Any, other: Any) -> Any:
    """Multiples of roots, those of the same number in one."""
    made: list[tuple[Any, ScalarForm]] = []
    for a, e in (*one, *other):
        place = next((k for k, (_, known) in enumerate(made) if _same(known, e)), None)
        if place is None:
            made.append((a, e))
        else:
            made[place] = (made[place][0] + a, e)
    return tuple((a, e) for a, e in made if a != 0)


def _among(value: Any, largest: bool) -> tuple[Any, ...]:
    """The numbers whose extreme a value is."""
    if isinstance(value, ExtremeForm) and value.largest is largest:
        return value.parts
    return (value,)
