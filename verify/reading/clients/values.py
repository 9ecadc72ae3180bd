"""Whether formulas read from a few clients are what a claim says in other numbers of clients.

Both sides and the hypotheses are evaluated at random points, exactly where the claim has exact
values, with the numbers of clients of the listed shapes and beyond.  A program that looks at how
many clients there are, or treats one of them apart unseen, gives something else there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import exp, isfinite, isqrt, log
from random import Random
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.formal_terms import extreme_type, indicator_type
from bounds.numbers.symbolic import client_symbol
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.clients.reading import Reading
from verify.reading.parts.points import rational_values
from verify.reading.parts.refusals import NotReadable, asked
from verify.world.returned import sides_of
from verify.world.score import score

__all__ = ["POINTS", "Formulas", "agrees_everywhere", "equal", "whole"]

Expr = Any

MORE = 3
"""Numbers of clients beyond the smallest listed one that are looked at."""

DIMENSIONS = (1, 2, 3)
POINTS = 2
"""Random points per shape: what differs agrees at one with probability near zero."""

DRAWS = 20
"""Points per shape of which so many must meet the hypotheses where a claim needs that."""

ROUNDING = 1e-9
"""Values that are no rational numbers are compared as floats, relative to their size."""


def agrees_everywhere(statement: Statement, shapes: Sequence[Shape], reading: Reading) -> bool:
    """Whether the formulas give the exact values of the claim.

    Parameters
    ----------
    statement : Statement
    shapes : sequence of mappings
        Listed shapes that the reading stands for; numbers of clients and dimensions are varied.
    reading : Reading
    """
    try:
        return all(
            _agrees_at_points(statement, shape, reading)
            for shape in _varied(statement, shapes, reading)
        )
    except (NotReadable, ArithmeticError):
        return False  # no value, or no such shape


def _varied(
    statement: Statement, shapes: Sequence[Shape], reading: Reading
) -> Iterator[dict[str, Any]]:
    name = reading.name
    seen: set[str] = set()
    for shape in shapes:
        counts: Sequence[Any] = (None,)
        if name:
            least = max(min(s[name] for s in shapes), reading.axis.leads, 1)
            counts = range(least, least + MORE + 1)
        for n in counts:
            vectors = "d" in shape and name != "d" and not reading.spelled
            for d in DIMENSIONS if vectors else (None,):
                sizes = {**({} if n is None else {name: n}), **({} if d is None else {"d": d})}
                changed = {**shape, **sizes}
                if repr(changed) not in seen:
                    seen.add(repr(changed))
                    yield changed


def _agrees_at_points(statement: Statement, shape: Shape, reading: Reading) -> bool:
    """Whether so many points agree; one at which a claim has no value must break a hypothesis."""
    left = POINTS
    for number in range(DRAWS):
        agrees = _agrees(statement, shape, reading, Random(f"{statement.key} {number}"))
        if agrees is False:
            return False
        left -= bool(agrees)
        if not left:
            return True
    return False


def _agrees(statement: Statement, shape: Shape, reading: Reading, random: Random) -> bool | None:
    """Whether one point agrees; None where the claim has no value, as a hypothesis is broken."""
    values = rational_values(statement, shape, random)
    with asked():
        instance = statement.family.instance({k: v[None] for k, v in values.items()}, shape)
        found = score(statement, instance, "exact")
    here = _Point(statement, shape, reading, values)
    pairs: list[tuple[Any, Any]] = []
    for name, margin in found.margins.items():
        formulas = reading.margins[name]
        count = 1 if set(formulas) == {()} else here.count
        pairs.append((min(here.spread(formulas, count)), margin.reshape(-1).item()))
    broken = any(one < 0 for one, _ in pairs)
    try:
        with asked():
            sides = [whole(terms) for terms in sides_of(statement, found.world)]
    except NotReadable:  # a formula refuses what its theorem excludes: no hypothesis says so
        if broken:
            return None if all(equal(one, other) for one, other in pairs) else False
        with asked(), unchecked():
            sides = [whole(terms) for terms in sides_of(statement, found.world)]
    if statement.relation == ">=":
        sides.reverse()
    for formulas, side in zip((reading.left, reading.right), sides, strict=True):
        spread = here.spread(formulas, len(side))
        if len(spread) != len(side):
            return False
        pairs += zip(spread, side, strict=True)
    return all(equal(one, other) for one, other in pairs)


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
    reading : Reading
        Whose formulas they are.
    shape : mapping
        With the number of clients.
    """

    def __init__(self, reading: Reading, shape: Shape) -> None:
        self.reading, self.shape, self.name = reading, shape, reading.name
        self.count = shape[self.name] if self.name else 0
        self._marks = {mark: i for i, mark in enumerate(reading.axis.marks)}
        self._sizes = {s: shape[n] for n, s in reading.sizes.items()}

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
        import sympy

        def at(part: Expr) -> Any:
            return self.at(part, clients, table)

        if e.is_Rational:
            return Fraction(int(e.p), int(e.q))
        if not e.args and e.is_number:
            return float(e)
        if isinstance(e, sympy.Indexed):
            return _number(table, e.base.name, *(self._client(i, clients) for i in e.indices))
        if e.is_Symbol:
            return self._symbol(e, table)
        if e.is_Add:
            return sum(map(at, e.args))
        if e.is_Mul:
            return _product([at(part) for part in e.args])
        if e.is_Pow:
            return _power(at(e.base), at(e.exp))
        if isinstance(e, sympy.Sum):
            index, low, high = e.limits[0]
            if len(e.limits) > 1 or (low, high) != (1, client_symbol()[1]):
                raise NotReadable("a sum over something else than clients")
            return sum(
                (self.at(e.function, {**clients, index: c}, table) for c in self._others()),
                Fraction(0),
            )
        if isinstance(e, extreme_type()):
            word, index, leads, bodies = e.args
            found = [at(v) for lead in leads for v in lead]
            found += [
                self.at(body, {**clients, index: c}, table)
                for body in bodies
                for c in self._others()
            ]
            return max(found) if str(word) == "max" else min(found)
        if isinstance(e, indicator_type()):
            value, strict = at(e.args[0]), bool(e.args[1])
            return Fraction(int(value > 0 if strict else value >= 0))
        functions: dict[Any, Any] = {
            sympy.Max: max,
            sympy.Min: min,
            sympy.Abs: abs,
            sympy.exp: exp,
            sympy.log: _log,
        }
        if e.func not in functions:
            raise NotReadable(f"a formula with the function {e.func}")
        return functions[e.func](*map(at, e.args))

    def _others(self) -> range:
        return range(self.reading.axis.leads, self.count)

    def _client(self, index: Expr, clients: dict[Any, int]) -> int:
        found = self._marks.get(index)
        return clients[index] if found is None else found

    def _symbol(self, symbol: Expr, table: Any) -> Any:
        if symbol == client_symbol()[1]:
            return Fraction(self.count - self.reading.axis.leads)
        size = self._sizes.get(symbol)
        return _number(table, symbol.name) if size is None else Fraction(size)


class _Point(Formulas):
    """Values of formulas at one point with a number of clients."""

    def __init__(
        self, statement: Statement, shape: Shape, reading: Reading, values: Mapping[str, Any]
    ) -> None:
        super().__init__(reading, shape)
        vectors = (
            self.name != "d"
            and not reading.spelled
            and any("d" in p.per for p in statement.family.box.values())
        )
        self.coordinates = shape.get("d", 0) if vectors else 0
        self.tables = [self._table(statement, values, j) for j in (*range(self.coordinates), None)]

    def spread(self, formulas: Mapping[tuple[Any, ...], Expr], count: int) -> list[Any]:
        """The value at each of `count` places; coordinates of vectors are summed over."""
        if set(formulas) == {()}:
            return [self._value(formulas[()], {})] * count
        k, _ = client_symbol()
        leads = self.reading.axis.leads
        return [
            self._value(formulas[(i,)], {}) if i < leads else self._value(formulas["k",], {k: i})
            for i in range(self.count)
        ]

    def _table(self, statement: Statement, values: Mapping[str, Any], j: int | None) -> Any:
        """Numbers by name and clients, of one coordinate of each vector (none: zero vectors)."""
        table: dict[tuple[str, tuple[int, ...]], Any] = {}
        for name, p in statement.family.box.items():
            for place in np.ndindex(*values[name].shape):
                spots = list(zip(place, p.per, strict=True))
                if self.coordinates and any(a == "d" and i != (j or 0) for i, a in spots):
                    continue
                unnamed = (self.name,) if self.reading.spelled else ("d", self.name)
                own = "_".join([name, *(str(i) for i, a in spots if a not in unnamed)])
                who = tuple(i for i, a in spots if a == self.name)
                vector = self.coordinates and any(a == "d" for _, a in spots)
                table[own, who] = values[name][place] * (0 if vector and j is None else 1)
        return table

    def _value(self, formula: Expr, clients: dict[Any, int]) -> Any:
        """Sum over coordinates, what is free of vectors counted once."""
        if not self.coordinates:
            return self.at(formula, clients, self.tables[0])
        *tables, without = self.tables
        total = sum(self.at(formula, clients, table) for table in tables)
        return total - (self.coordinates - 1) * self.at(formula, clients, without)


def _number(table: Mapping[tuple[str, tuple[int, ...]], Any], name: str, *who: int) -> Any:
    """What a symbol stands for."""
    if (name, who) not in table:
        raise NotReadable(f"{name} stands for no parameter")
    return table[name, who]


def _log(value: Any) -> float:
    if value <= 0:
        raise NotReadable(f"the logarithm of {value}")
    return log(value)


def _product(factors: Sequence[Any]) -> Any:
    total: Any = Fraction(1)
    for factor in factors:
        total = total * factor
    return total


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return base ** int(exponent)
    if isinstance(base, Fraction) and exponent in (Fraction(1, 2), Fraction(-1, 2)):
        top, bottom = isqrt(max(base.numerator, 0)), isqrt(base.denominator)
        if top * top == base.numerator and bottom * bottom == base.denominator:
            return Fraction(top, bottom) ** int(2 * exponent)
    return float(base) ** float(exponent)
