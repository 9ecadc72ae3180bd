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
    lead = axis_of_clients().marks[0]

    def square(p: Expr) -> Expr:
        half = p.exp / 2
        base = p.base
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

    found = e.replace(lambda p: p.is_Pow and p.exp.is_Integer and p.exp % 2 == 0, square)
    for s in found.free_symbols:
        name = str(s).partition("[")[0]
        if name.startswith(("gradient", "point", "optimum", "of_another", "start")):
            raise NotReadable(f"a claim about {s}, which is no square")
    return found


def _of_gradient(e: Expr) -> int | None:
    name = str(e.base)
    return int(name.removeprefix("gradient")) if name.startswith("gradient") else None
