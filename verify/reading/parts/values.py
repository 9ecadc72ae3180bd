"""Values of formulas at random rational points, at which a formula is held to its program.

What a program gives in exact numbers is what the formulas read from it must give: in every listed
shape and in others, at points of the stated domains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from random import Random
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.formal import Axis
from bounds.numbers.symbolic import client_symbol
from verify.claim.parameters import Real, Shape
from verify.reading.parts.compiled import Value, compiled
from verify.reading.parts.refusals import NotReadable

__all__ = [
    "POINTS",
    "Formulas",
    "Table",
    "agree",
    "equal",
    "over_coordinates",
    "rational_values",
    "whole",
]

Expr = Any
Table = Mapping[tuple[str, tuple[int, ...]], Any]
"""Numbers by name of a symbol and clients of its indices."""

POINTS = 2
"""Random points per shape: what differs agrees at one with probability near zero."""

DRAWS = 20
"""Points per shape of which so many must meet the hypotheses where a claim needs that."""

ROUNDING = 1e-9
"""Values that are no rational numbers are compared as floats, relative to their size."""


def agree(
    key: str,
    shapes: Iterable[Any],
    at: Callable[[Any, Random], bool | None],
    points: int = POINTS,
) -> bool:
    """Whether formulas give what a program gives: so many points of each shape agree.

    Parameters
    ----------
    key : str
        Of the statement; the points follow from it.
    shapes : iterable
    at : callable
        A shape and where its point is drawn from -> whether they agree there; None at a point at
        which the claim has no value, as a hypothesis is broken.
    points : int
    """
    try:
        return all(_agree_in(shape, key, at, points) for shape in shapes)
    except (NotReadable, ArithmeticError):
        return False  # no value, or no such shape


def _agree_in(shape: Any, key: str, at: Callable[[Any, Random], bool | None], points: int) -> bool:
    left = points
    for number in range(DRAWS):
        found = at(shape, Random(f"{key} {number}"))
        if found is False:
            return False
        left -= bool(found)
        if not left:
            return True
    return False


def rational_values(
    box: Mapping[str, Real], shape: Shape, random: Random, finest: int = 1000
) -> dict[str, Any]:
    """Every parameter's value in its domain, an object array of the parameter's lengths each.

    Parameters
    ----------
    box : mapping
    shape : mapping
    random : random.Random
        Numbers are drawn in the order of the box and of the arrays.
    finest : int
        Largest denominator, where a domain leaves the choice.
    """
    return {name: _drawn(p, p.lengths(shape), random, finest) for name, p in box.items()}


def _drawn(
    parameter: Real, lengths: tuple[int, ...], random: Random, finest: int
) -> np.ndarray[Any, Any]:
    """Rational numbers of the domain."""
    out = np.empty(lengths, dtype=object)
    for index in np.ndindex(*lengths):
        place = parameter.from_unit(np.array([random.random()]))[0]
        number = Fraction(float(place)).limit_denominator(finest)
        out[index] = number if parameter.inside(number) else Fraction(float(place))
    return out


def over_coordinates(value: Callable[[Any], Any], tables: Sequence[Any], without: Any) -> Any:
    """A sum over the coordinates of vectors, what is free of vectors counted once.

    Parameters
    ----------
    value : callable
        Table -> value of a formula with one coordinate of each vector.
    tables : sequence
        Of each coordinate.
    without : table
        In which all vectors are zero.
    """
    return sum(map(value, tables)) - (len(tables) - 1) * value(without)


def whole(terms: Mapping[str, Any]) -> list[Any]:
    """A side as its terms stand: nothing has moved across, and nothing cancels."""
    total: Any = np.zeros((1, 1), dtype=object)
    for value in terms.values():
        total = total + value
    return list(np.asarray(total, dtype=object).reshape(-1))


def equal(one: Any, other: Any) -> bool:
    """Whether two values are equal, within rounding where one is no rational number."""
    if isinstance(one, int | Fraction) and isinstance(other, int | Fraction):
        return one == other
    a, b = float(one), float(xp.to_float(np.array([other], dtype=object))[0])
    return isfinite(a) and isfinite(b) and abs(a - b) <= ROUNDING * max(1.0, abs(a), abs(b))


class Formulas:
    """Values of formulas with a number of clients.

    Parameters
    ----------
    shape : mapping
        With the number of clients.
    name : str
        The axis of the clients, "" for none.
    axis : Axis, optional
        The clients that were written out.
    sizes : mapping
        Symbols of sizes other than the number of clients.
    """

    def __init__(
        self,
        shape: Shape,
        name: str = "",
        axis: Axis | None = None,
        sizes: Mapping[str, Expr] | None = None,
    ) -> None:
        self.shape, self.name = shape, name
        self.axis = Axis(0, ()) if axis is None else axis
        self.count = shape[name] if name else 0
        self._marks = {mark: i for i, mark in enumerate(self.axis.marks)}
        self._sizes = {s: Fraction(shape[n]) for n, s in (sizes or {}).items()}
        self._sizes[client_symbol()[1]] = Fraction(self.count - self.axis.leads)
        self._functions: dict[Expr, Value] = {}  # equal formulas are not compared at each value

    def at(self, e: Expr, clients: dict[Any, int], table: Any) -> Any:
        """Value of a formula; indices have the clients that `clients` names.

        Parameters
        ----------
        e : expression
        clients : dict
            Index -> client.
        table : mapping
            Values by name of the symbol and clients of its indices.
        """
        function = self._functions.get(e)
        if function is None:
            function = self._functions[e] = compiled(e)
        return function(self, clients, table)

    def others(self) -> range:
        """The clients that a sum is over."""
        return range(self.axis.leads, self.count)

    def client(self, index: Expr, clients: dict[Any, int]) -> int:
        """The client that an index names."""
        found = self._marks.get(index)
        return clients[index] if found is None else found

    def size(self, symbol: Expr) -> Fraction | None:
        """The number that a symbol of a size stands for; None of any other symbol."""
        return self._sizes.get(symbol)
