r"""Points and expressions: dictionaries of exact coefficients, made by ordinary arithmetic.

A point is a linear combination of named vectors, an expression an affine combination of named
numbers and of inner products of named vectors.  Vectors have no dimension yet: a worst case is
about their Gram matrix.

The first character of a name, where it is no letter, says in which of several spaces a vector lies
that are orthogonal to each other: products between them are zero.  ``~`` are deviations of clients
from their mean (:mod:`.clients`), digits are blocks of coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from verify.certify.gram.claim import Form, Key

Number = Any
"""int, Fraction, float, or a rational of flint."""
DENOMINATOR = 1000
"""A float within rounding of a fraction with at most this denominator is taken for it."""

LONGEST = 2**27
"""Largest denominator of other floats: the nearest such fraction is within their rounding error,
and its products stay half as long as those of the floats themselves."""
DEVIATION, BLOCKS = "~", "123456789"
"""First characters of names of deviations, and of vectors in each block."""

__all__ = [
    "BLOCKS",
    "Coefficient",
    "DEVIATION",
    "Inequality",
    "Expression",
    "SymbolicPoint",
    "combined",
    "fraction",
    "number",
    "rational",
    "real",
    "space",
]


class Coefficient:
    """What stands for a rational where parameters have no numbers, see `.parameters`."""


@dataclass(frozen=True)
class SymbolicPoint:
    """A linear combination of named vectors; `parts` has no zeros."""

    parts: Mapping[str, Any]

    def __add__(self, other: SymbolicPoint) -> SymbolicPoint:
        return SymbolicPoint(_summed(self.parts, other.parts))

    def __sub__(self, other: SymbolicPoint) -> SymbolicPoint:
        return self + other * -1

    def __neg__(self) -> SymbolicPoint:
        return self * -1

    def __mul__(self, factor: Number) -> SymbolicPoint:
        q = rational(factor)
        return SymbolicPoint({a: p * q for a, p in self.parts.items()} if q else {})

    __rmul__ = __mul__

    def __truediv__(self, divisor: Number) -> SymbolicPoint:
        return self.__mul__(1 / rational(divisor))

    def __matmul__(self, other: SymbolicPoint) -> Expression:
        """Inner product."""
        return combined([], [(1, self, other)])

    def __pow__(self, exponent: int) -> Expression:
        """Squared norm, ``x**2``."""
        if exponent != 2:
            raise ValueError(f"the exponent of a point must be 2, got {exponent}: square it")
        return self @ self

    def same(self, other: SymbolicPoint) -> bool:
        """Whether the coefficients are equal, all of them."""
        return self.parts == other.parts

    def mean(self) -> SymbolicPoint:
        """Its mean over clients; a point without deviations stays."""
        return SymbolicPoint({a: q for a, q in self.parts.items() if not a.startswith(DEVIATION)})

    def block(self, k: int) -> SymbolicPoint:
        """Its part in the k-th block of coordinates, counted from 0."""
        return SymbolicPoint({a: q for a, q in self.parts.items() if a.startswith(BLOCKS[k])})


@dataclass(frozen=True)
class Expression:
    """An affine combination: ``()`` the constant, ``(a,)`` a number, ``(a, b)`` a product."""

    terms: Mapping[Key, Any]

    def __add__(self, other: Expression | Number) -> Expression:
        return Expression(_summed(self.terms, _expression(other).terms))

    __radd__ = __add__

    def __sub__(self, other: Expression | Number) -> Expression:
        return self + _expression(other) * -1

    def __rsub__(self, other: Number) -> Expression:
        return self.__mul__(-1).__add__(other)

    def __neg__(self) -> Expression:
        return self * -1

    def __mul__(self, factor: Number) -> Expression:
        q = rational(factor)
        return Expression({k: p * q for k, p in self.terms.items()} if q else {})

    __rmul__ = __mul__

    def __truediv__(self, divisor: Number) -> Expression:
        return self.__mul__(1 / rational(divisor))

    def __ge__(self, other: Expression | Number) -> Inequality:
        return Inequality(self - other)

    def __le__(self, other: Expression | Number) -> Inequality:
        return Inequality(_expression(other) - self)

    def form(self) -> Form:
        """The same as the checker of certificates reads it."""
        return Form({k: fraction(q) for k, q in self.terms.items()})


@dataclass(frozen=True)
class Inequality:
    """``difference >= 0``, or ``== 0`` if `equality`."""

    difference: Expression
    equality: bool = False


def number(name: str) -> Expression:
    """A number of which nothing is known, such as a function's value."""
    return Expression({(name,): fmpq(1)})


def rational(value: Number) -> Any:
    """A number as a rational of flint; a float as the fraction that was most likely meant.

    Examples
    --------
    >>> rational(0.1), rational(1 / 3), rational(Fraction(2, 7))
    (1/10, 1/3, 2/7)
    """
    if isinstance(value, fmpq | Coefficient):
        return value
    if isinstance(value, int):
        return fmpq(value)
    if not isinstance(value, Fraction):
        whole = Fraction(float(value))
        near = whole.limit_denominator(DENOMINATOR)
        value = near if float(near) == float(value) else whole.limit_denominator(LONGEST)
    return fmpq(value.numerator, value.denominator)


def fraction(value: Any) -> Fraction:
    """A rational of flint as a fraction."""
    return Fraction(int(value.p), int(value.q))


def real(value: Any) -> float:
    """A rational of flint as a float."""
    return int(value.p) / int(value.q)


def combined(
    linear: Iterable[tuple[Number, Expression]],
    products: Iterable[tuple[Number, SymbolicPoint, SymbolicPoint]],
) -> Expression:
    """Sum of factors times expressions and of factors times inner products, in one pass."""
    total: dict[Key, Any] = {}
    for factor, expression in linear:
        q = rational(factor)
        for key, p in expression.terms.items():
            total[key] = total[key] + q * p if key in total else q * p
    for factor, one, other in products:
        q = rational(factor)
        if not q:
            continue
        others = _by_space(other)
        for a, p in one.parts.items():
            factor = p * q
            for b, r in others.get(space(a), ()):
                key = (a, b) if a <= b else (b, a)
                total[key] = total[key] + factor * r if key in total else factor * r
    return Expression({k: q for k, q in total.items() if q})


def space(name: str) -> str:
    """The space that a vector lies in by its name; empty for the common one."""
    return "" if name[0].isalpha() else name[0]


# -- private helpers -------------------------------------------------------------------------------


def _by_space(point: SymbolicPoint) -> dict[str, list[tuple[str, Any]]]:
    found: dict[str, list[tuple[str, Any]]] = {}
    for name, q in point.parts.items():
        found.setdefault(space(name), []).append((name, q))
    return found


def _expression(value: Expression | Number) -> Expression:
    if isinstance(value, Expression):
        return value
    q = rational(value)
    return Expression({(): q} if q else {})


def _summed(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> dict[Any, Any]:
    total = dict(one)
    for key, q in other.items():
        total[key] = total[key] + q if key in total else q
    return {k: q for k, q in total.items() if q}
