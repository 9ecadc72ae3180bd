"""Names of what is known of a client in an epoch, and formulas in them.

At the beginning of epoch t a client's excess loss is ``value{t}``, its gradient there
``gradient{t}``, the mean gradient of its group ``group{t}``, and the mean squared distance of its
model to those of the members ``apart{t}``; so far, in the same mean, its gradient is from what it
is at their models, ``moved{t}``.  ``dissimilarity`` is the mean of the members' constants of
similarity.  In arrays of clients the same names have the client for an index.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import sympy

from bounds.numbers.formal import Axis

Expr = Any  # sympy carries no types

WRITTEN_OUT = 11
"""Clients that are written out: no number of epochs that is read is a multiple of it."""
UPPER = sympy.Symbol("smoothness", positive=True)
"""L of all losses."""
DISSIMILARITY = sympy.Symbol("dissimilarity", nonnegative=True)
SIGNS: dict[str, dict[str, bool]] = {
    "value": {"real": True},
    "gradient": {"real": True},
    "group": {"real": True},
    "apart": {"nonnegative": True},
    "moved": {"nonnegative": True},
}
"""Names of what is known of a client in an epoch."""

_PLACE = re.compile(r"(value|gradient|group|apart|moved)(\d+)")
RESERVED = re.compile(
    r"(value|gradient|group|apart|moved|model|similar|crossed|update|mean_|pair).*|dissimilarity|noise|N|k"
)
"""Names that no parameter may have."""

__all__ = [
    "DISSIMILARITY",
    "RESERVED",
    "SIGNS",
    "UPPER",
    "apart_at",
    "axis_of_clients",
    "epochs_of",
    "gradient_at",
    "group_at",
    "moved",
    "moved_at",
    "value_at",
]


def axis_of_clients() -> Axis:
    """The axis of the clients, any number of them."""
    return Axis.of(WRITTEN_OUT, 0)


def named(word: str, t: int) -> Expr:
    """What is known of a client at the beginning of epoch t."""
    return sympy.Symbol(f"{word}{t}", **SIGNS[word])


def value_at(t: int) -> Expr:
    """Excess loss."""
    return named("value", t)


def gradient_at(t: int) -> Expr:
    """Own gradient, one coordinate of it."""
    return named("gradient", t)


def group_at(t: int) -> Expr:
    """Mean gradient of the members, each at its own model."""
    return named("group", t)


def apart_at(t: int) -> Expr:
    """Mean squared distance to the members' models."""
    return named("apart", t)


def moved_at(t: int) -> Expr:
    """Mean squared distance of the own gradient to what it is at the members' models."""
    return named("moved", t)


def epochs_of(e: Expr) -> set[int]:
    """The epochs that a formula is about."""
    found = (_PLACE.fullmatch(str(s)) for s in sympy.sympify(e).free_symbols)
    return {int(place[2]) for place in found if place is not None}


@lru_cache(4_000)
def moved(e: Expr, by: int) -> Expr:
    """A formula about the epochs after so many more."""
    table = {}
    for s in sympy.sympify(e).free_symbols:
        place = _PLACE.fullmatch(str(s))
        if place is not None:
            table[s] = named(place[1], int(place[2]) + by)
    return sympy.sympify(e).xreplace(table)
