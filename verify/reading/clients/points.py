"""Points at which hypotheses are looked at: one that meets all shows that they do not contradict.

There is one client beside those that are singled out, so that a sum over the others is its one
term.  Many points are tried at once in floats; that one of them meets a hypothesis is then
calculated in fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from math import prod
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.symbolic import client_symbol
from verify.reading.parts.refusals import NotReadable

__all__ = ["met_at_a_point"]

Expr = Any  # sympy carries no types
Array = np.ndarray[Any, Any]

POINTS = 1024
"""Points that are tried at once."""

TRIES = 4
"""Points at which it is calculated in fractions whether they meet the hypotheses."""

FINEST = 64
"""Denominator of the numbers at the points: floats hold them exactly."""

LARGEST = 4
"""They are up to two to this power, and down to one over that."""

PLAIN = 0.4
"""Share of numbers that are 0 or 1: there equations hold."""


def met_at_a_point(hypotheses: Sequence[Any]) -> bool:
    """Whether a point was found that meets all hypotheses; False says nothing."""
    met: Array = np.ones(POINTS, dtype=bool)
    for h in hypotheses:
        value = _floats(h.expr)
        if value is None:
            return False
        met = met & (value > 0 if h.strict else value >= 0)
        if not met.any():
            return False
    return any(
        all(_meets(h.expr, h.strict, int(place)) for h in hypotheses)
        for place in np.flatnonzero(met)[:TRIES]
    )


@lru_cache(2_000)
def _floats(e: Expr) -> Array | None:
    """Values of a formula at all points; None of one that has other parts than are known here."""
    try:
        with np.errstate(all="ignore"):
            value = _value(e, _known_floats, _float_numbers)
    except NotReadable:
        return None
    return np.broadcast_to(np.asarray(value, dtype=float), POINTS)


def _known_floats(e: Expr) -> Any:
    """Of a part of a formula."""
    if e.is_Rational:
        return float(e)
    found = _floats(e)
    if found is None:
        raise NotReadable(f"a part without a value at the points: {e}")
    return found


@lru_cache(4_000)
def _meets(e: Expr, strict: bool, place: int) -> bool:
    """Whether the value of a formula at one point is (strictly) positive."""

    def part(one: Expr) -> Any:
        if one.is_Rational:
            return Fraction(int(one.p), int(one.q))
        return _value(one, part, lambda s: Fraction(_numbers(s)[place], FINEST))

    try:
        value = part(e)
    except ZeroDivisionError:
        return False
    return bool(value > 0 if strict else value >= 0)


def _value(e: Expr, part: Callable[[Expr], Any], number: Callable[[Expr], Any]) -> Any:
    """Value of a formula made of those of its parts, where there is one client.

    Raises
    ------
    NotReadable
        Where it is no function of its parts that has exact values.
    """
    import sympy

    k, count = client_symbol()
    if isinstance(e, sympy.Symbol | sympy.Indexed):
        return number(e)
    if e.is_Rational:
        return part(e)
    if e.is_Add:
        return sum(map(part, e.args))
    if e.is_Mul:
        return prod(map(part, e.args))
    if e.is_Pow and e.exp.is_Integer:
        return part(e.base) ** int(e.exp)
    if isinstance(e, sympy.Max | sympy.Min):
        of_two = np.maximum if isinstance(e, sympy.Max) else np.minimum
        return reduce(of_two, map(part, e.args))
    if isinstance(e, sympy.Abs):
        return abs(part(e.args[0]))
    if isinstance(e, sympy.Sum) and len(e.limits) == 1 and e.limits[0][1:] == (1, count):
        return part(e.function.xreplace({e.limits[0][0]: k}))
    raise NotReadable(f"a formula with {e.func}")


def _float_numbers(s: Expr) -> Array:
    return np.array(_numbers(s), dtype=float) / FINEST


@lru_cache(1_000)
def _numbers(s: Expr) -> tuple[int, ...]:
    """The value of a symbol, with an index or without, at each point, in parts of `FINEST`.

    Raises
    ------
    NotReadable
        Where more is assumed of it than a sign, and that it is a whole number.
    """
    import sympy

    if s in client_symbol():
        return (FINEST,) * POINTS
    indexed = isinstance(s, sympy.Indexed)
    kind = next((n for n, facts in _kinds(indexed).items() if s.assumptions0 == facts), None)
    if kind is None:
        raise NotReadable(f"a symbol of another kind: {s}")
    name = f"{s.base}[]" if indexed else s.name
    random = Random(f"{name} {kind}")
    return tuple(_drawn(kind, random) for _ in range(POINTS))


def _drawn(kind: tuple[str, ...], random: Random) -> int:
    size = 2 ** random.uniform(-LARGEST, LARGEST)
    if "integer" in kind:
        return (round(size) + 1) * FINEST
    number = max(round(size * FINEST), 1)
    if random.random() < PLAIN:
        number = FINEST if "positive" in kind else random.choice((0, FINEST))
    return number if kind != ("real",) or random.random() < 1 / 2 else -number


@lru_cache(2)
def _kinds(indexed: bool) -> dict[tuple[str, ...], dict[str, bool]]:
    """What sympy says of a symbol of each kind."""
    import sympy

    kinds = (("positive",), ("nonnegative",), ("real",))
    whole = (("integer", "positive"), ("integer", "nonnegative"))
    made: dict[tuple[str, ...], dict[str, bool]] = {}
    for kind in kinds if indexed else (*kinds, *whole):
        facts = dict.fromkeys(kind, True)
        one = sympy.IndexedBase("x", **facts)[client_symbol()[0]] if indexed else None
        made[kind] = (sympy.Symbol("x", **facts) if one is None else one).assumptions0
    return made
