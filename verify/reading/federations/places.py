r"""Names of what is known at the places of a run, and formulas in them.

At place t, after so many rounds, the followed client's excess loss is ``value{t}``, its squared
gradient ``own{t}``, and the squared gap of client k to it ``gap{t}[k]``; ``step{t}`` is the step of
the round that follows, where steps differ, and ``sum{i}of{t}`` a sum over the clients
(`verify.reading.federations.sums`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import sympy

from bounds.numbers.formal import Axis
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import free_in

Expr = Any  # sympy carries no types

WRITTEN_OUT = 11
"""Clients that are written out: more than any axis of rounds has entries."""
BETA = sympy.Symbol("beta", positive=True)
MU = sympy.Symbol("mu", positive=True)
STEP = sympy.Symbol("step_size", positive=True)
VARIANCE = sympy.IndexedBase("sigma2", positive=True)
BIAS = sympy.IndexedBase("squared_bias", nonnegative=True)
SLOPE = sympy.IndexedBase("slope", nonnegative=True)

_PLACE = re.compile(r"(value|own|gap|step|sum\d+of)(\d+)")
"""Names of what is said of a place."""

__all__ = [
    "BETA",
    "BIAS",
    "MU",
    "SLOPE",
    "STEP",
    "VARIANCE",
    "axis_of_clients",
    "exchanged",
    "gap_at",
    "in_squares",
    "moved",
    "own_at",
    "places_of",
    "step_at",
    "value_at",
]


def axis_of_clients() -> Axis:
    """The axis of the clients: the followed one first, then any number of others."""
    return Axis.of(WRITTEN_OUT, 1)


def value_at(t: int) -> Expr:
    """Own excess loss after t rounds."""
    return sympy.Symbol(f"value{t}", nonnegative=True)


def own_at(t: int) -> Expr:
    """Squared own gradient after t rounds."""
    return sympy.Symbol(f"own{t}", positive=True)


def gap_at(t: int) -> Expr:
    """Squared gaps of the others' gradients to the own one after t rounds."""
    return sympy.IndexedBase(f"gap{t}", nonnegative=True)


def step_at(t: int) -> Expr:
    """Step of the round after so many, where steps differ."""
    return sympy.Symbol(f"step{t}", positive=True)


def place_of(symbol: Expr) -> int | None:
    """After how many rounds a symbol says something; None where it is about no place."""
    found = _PLACE.fullmatch(str(symbol.base if isinstance(symbol, sympy.Indexed) else symbol))
    return None if found is None else int(found[2])


def places_of(e: Expr) -> set[int]:
    """The places that a formula is about."""
    found = {place_of(s) for s in free_in(e)}
    return {place for place in found if place is not None}


@lru_cache(4_000, typed=True)
def exchanged(e: Expr, table: tuple[tuple[Expr, Expr], ...]) -> Expr:
    """A formula with other parts in place of some, of which pairs are given."""
    return e.xreplace(dict(table))


@lru_cache(4_000)
def moved(e: Expr, by: int) -> Expr:
    """A formula about the places after so many rounds more."""

    def at(s: Expr) -> Expr:
        found = _PLACE.fullmatch(str(s))
        return s if found is None else s.func(f"{found[1]}{int(found[2]) + by}", **s.assumptions0)

    def entry(i: Expr) -> Expr:
        label = at(i.base.label)
        return sympy.IndexedBase(label, **label.assumptions0)[i.indices]

    e = sympy.sympify(e)
    table = {i: entry(i) for i in e.atoms(sympy.Indexed)}
    labels = {i.base.label for i in table}
    table |= {s: at(s) for s in e.atoms(sympy.Symbol) - labels}
    return e.xreplace({old: new for old, new in table.items() if old != new})


def in_squares(e: Expr) -> Expr:
    """A formula with the squares that may be spoken of in place of gradients.

    Raises
    ------
    NotReadable
        Where a gradient, a place or another client's loss is left.
    """
    found = _squared(e)
    for s in found.atoms(sympy.Symbol):  # a number of each client has its name for a symbol too
        if s.name.startswith(("gradient", "point", "optimum", "of_another", "start")):
            raise NotReadable(f"a claim about {s}, which is no square")
    return found


@lru_cache(20_000, typed=True)
def _squared(e: Expr) -> Expr:
    """A formula with squares for squared gradients, from the inside out, each part once."""
    if not e.args:
        return e
    args = tuple(map(_squared, e.args))
    found = e if args == e.args else e.func(*args)
    if found.is_Pow and found.exp.is_Integer and found.exp % 2 == 0:
        return _square(found)
    return found


def _square(p: Expr) -> Expr:
    """An even power as one of a square that has a name, or as it is."""
    lead, half, base = _lead(), p.exp / 2, p.base
    if isinstance(base, sympy.Indexed) and base.indices == (lead,):
        number = _of_gradient(base)
        return p if number is None else own_at(number) ** half
    parts = base.args if base.is_Add and len(base.args) == 2 else ()
    for one, other in (parts, parts[::-1]) if parts else ():
        if not isinstance(one, sympy.Indexed) or not isinstance(-other, sympy.Indexed):
            continue
        mine, number = -other, _of_gradient(one)
        for own, his in ((mine, one), (one, mine)):
            if number is not None and number == _of_gradient(own) and own.indices == (lead,):
                return gap_at(number)[his.indices[0]] ** half
    return p


@lru_cache(1)
def _lead() -> Expr:
    """The index of the followed client."""
    return axis_of_clients().marks[0]


def _of_gradient(e: Expr) -> int | None:
    name = e.base.name
    return int(name.removeprefix("gradient")) if name.startswith("gradient") else None
