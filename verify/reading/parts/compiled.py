"""Formulas as functions of Python, so that one is looked through once and has many values.

A formula becomes a function of what its axes stand for, of the clients that its indices name and of
the numbers of its symbols.  Parts are computed in the order in which they stand, and what has no
value is refused where its value is asked for: a part that is not reached refuses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import exp, isqrt, log
from typing import Any, Protocol

from bounds.numbers.formal_terms import extreme_type, indicator_type
from bounds.numbers.symbolic import client_symbol
from verify.reading.parts.refusals import NotReadable

__all__ = ["Here", "Value", "compiled"]

Expr = Any  # sympy carries no types
Clients = dict[Any, int]
ZERO = Fraction(0)


class Here(Protocol):
    """What a value depends on beside the numbers: see `verify.reading.parts.values.Formulas`."""

    def at(self, e: Expr, clients: Clients, table: Any) -> Any:
        """Value of a formula."""

    def others(self) -> range:
        """The clients that a sum is over."""

    def client(self, index: Expr, clients: Clients) -> int:
        """The client that an index names."""

    def size(self, symbol: Expr) -> Fraction | None:
        """The number that a symbol of a size stands for; None of any other symbol."""


Value = Callable[[Here, Clients, Any], Any]
"""What has a value: where, for which clients, with which numbers."""


@lru_cache(maxsize=20_000, typed=True)
def compiled(e: Expr) -> Value:
    """The function that gives the values of a formula.

    Parameters
    ----------
    e : expression

    Returns
    -------
    callable
        Raises NotReadable where a symbol stands for nothing, or the formula has no value.
    """
    import sympy

    if e.is_Rational:
        return _constant(Fraction(int(e.p), int(e.q)))
    if not e.args and e.is_number:
        return _constant(float(e))
    if isinstance(e, sympy.Indexed):
        return _entry(e.base.name, e.indices)
    if e.is_Symbol:
        return _symbol(e)
    if e.is_Add:
        return _sum([_part(a) for a in e.args])
    if e.is_Mul:
        return _product([_part(a) for a in e.args])
    if e.is_Pow:
        return _power_of(_part(e.base), e.exp)
    if isinstance(e, sympy.Sum):
        return _over_clients(e)
    if isinstance(e, extreme_type()):
        return _extreme(e)
    if isinstance(e, indicator_type()):
        return _indicator(_part(e.args[0]), bool(e.args[1]))
    return _function(e)


def _part(e: Expr) -> Value:
    """The same of a part; an extreme is left to whoever has another rule for extremes."""
    if isinstance(e, extreme_type()):
        return lambda here, clients, table: here.at(e, clients, table)
    return compiled(e)


def _constant(value: Any) -> Value:
    return lambda here, clients, table: value


def _entry(name: str, indices: Sequence[Expr]) -> Value:
    if len(indices) == 1:
        (index,) = indices
        return lambda here, clients, table: _number(table, name, (here.client(index, clients),))
    return lambda here, clients, table: _number(
        table, name, tuple([here.client(i, clients) for i in indices])
    )


def _symbol(e: Expr) -> Value:
    name = e.name

    def value(here: Here, clients: Clients, table: Any) -> Any:
        size = here.size(e)
        return _number(table, name, ()) if size is None else size

    return value


def _number(table: Mapping[tuple[str, tuple[int, ...]], Any], name: str, who: Any) -> Any:
    """What a symbol stands for."""
    if (name, who) not in table:
        raise NotReadable(f"{name} stands for no parameter")
    return table[name, who]


def _sum(parts: Sequence[Value]) -> Value:
    def value(here: Here, clients: Clients, table: Any) -> Any:
        first, *others = [part(here, clients, table) for part in parts]
        return sum(others, first)  # from zero on, each sum would have an addition more

    return value


def _product(parts: Sequence[Value]) -> Value:
    def value(here: Here, clients: Clients, table: Any) -> Any:
        first, *others = [part(here, clients, table) for part in parts]
        total = first if type(first) is Fraction else Fraction(1) * first
        for factor in others:
            total = total * factor
        return total

    return value


def _power_of(base: Value, exponent: Expr) -> Value:
    if exponent.is_Integer:
        n = int(exponent)
        return lambda here, clients, table: base(here, clients, table) ** n
    power = _part(exponent)
    return lambda here, clients, table: _power(
        base(here, clients, table), power(here, clients, table)
    )


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return base ** int(exponent)
    if isinstance(base, Fraction) and exponent in (Fraction(1, 2), Fraction(-1, 2)):
        top, bottom = isqrt(max(base.numerator, 0)), isqrt(base.denominator)
        if top * top == base.numerator and bottom * bottom == base.denominator:
            return Fraction(top, bottom) ** int(2 * exponent)
    return float(base) ** float(exponent)


def _over_clients(e: Expr) -> Value:
    index, low, high = e.limits[0]
    if len(e.limits) > 1 or (low, high) != (1, client_symbol()[1]):
        return _refused("a sum over something else than clients")
    body = _part(e.function)
    return lambda here, clients, table: sum(
        [body(here, {**clients, index: c}, table) for c in here.others()], ZERO
    )


def _extreme(e: Expr) -> Value:
    word, index, leads, bodies = e.args
    singled = [_part(v) for lead in leads for v in lead]
    generic = [_part(body) for body in bodies]
    of = max if str(word) == "max" else min

    def value(here: Here, clients: Clients, table: Any) -> Any:
        found = [v(here, clients, table) for v in singled]
        for body in generic:
            found += [body(here, {**clients, index: c}, table) for c in here.others()]
        return of(found)

    return value


def _indicator(part: Value, strict: bool) -> Value:
    def value(here: Here, clients: Clients, table: Any) -> Fraction:
        found = part(here, clients, table)
        return Fraction(int(found > 0 if strict else found >= 0))

    return value


def _function(e: Expr) -> Value:
    import sympy

    functions: dict[Any, Any] = {
        sympy.Max: max,
        sympy.Min: min,
        sympy.Abs: abs,
        sympy.exp: exp,
        sympy.log: _log,
    }
    if e.func not in functions:
        return _refused(f"a formula with the function {e.func}")
    function, parts = functions[e.func], [_part(a) for a in e.args]
    return lambda here, clients, table: function(*[part(here, clients, table) for part in parts])


def _log(value: Any) -> float:
    if value <= 0:
        raise NotReadable(f"the logarithm of {value}")
    return log(value)


def _refused(why: str) -> Value:
    def value(here: Here, clients: Clients, table: Any) -> Any:
        raise NotReadable(why)

    return value
