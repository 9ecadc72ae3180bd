"""A claim on numbers read with clients written out: formulas in k, N and single clients.

The program runs on a few clients with symbols of their own (`bounds.numbers.formal`), so that it
may pick one out, compare pairs and take extremes.  What it gives is a claim about any number of
clients, unless it depends on how many were written out; that is found by comparing the formulas
with exact values in several numbers of clients (`verify.reading.clients.agreement`).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bounds.numbers.formal import Axis, generic_entry, listed
from bounds.numbers.symbolic import LongFormula, Symbolic, client_symbol
from verify.claim.instance import Instance
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import formula, free_in, require_reached, symbol_values
from verify.terms.claims import terms_of
from verify.terms.values import lengths_counted
from verify.world.score import score

__all__ = [
    "FIXED",
    "LISTED",
    "PROBLEMS",
    "Reading",
    "StandsForAny",
    "WhateverClients",
    "axes_of",
    "by_place",
    "read_clients",
]

Expr = Any

PROBLEMS = "its instances are problems or runs that stand for a class, not numbers"

LISTED = 5
"""Clients that are written out: five, so that at least three are compared with each other."""

FIXED = ("N", "d", "rounds", "local_steps", "points")
"""Sizes that stand for any number even where a family lists one value of them."""


class WhateverClients(NotReadable):
    """A refusal that does not depend on which clients are singled out, nor on how they count."""


class StandsForAny:
    """Base of numbers that count, and in whose place a symbol stands in every formula."""

    def _compared(self, other: object) -> bool:
        raise NotReadable("a program that compares a number that stands for any")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _compared
    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise NotReadable("a program that asks whether a number that stands for any is none")


class _Size(Symbolic):
    """A symbol for a size: a program that asks a plain number of it does so for any clients."""

    __slots__ = ()

    def __index__(self) -> int:
        try:
            found: int = super().__index__()
        except NotReadable as error:
            raise WhateverClients(f"{error}") from None
        return found


@dataclass(frozen=True)
class Reading:
    """Both sides and the hypotheses, each for every leading client and for the generic one.

    Attributes
    ----------
    axis : Axis
    left, right : dict
        By place: () where there is one value, else (i,) for leading client i and ("k",) for all
        others.
    margins : dict
        By name of the hypothesis, the same.
    relation : str
        ``<=`` or ``==``.
    sizes : dict
        Symbols of sizes other than the number of clients.
    name : str
        The axis that stands for any number, "" for none.
    marks : tuple of symbols
        Indices of further clients that the claim is about, each of them any.
    strict : set of str
        Names of margins that are positive, beside those of the statement.
    spelled : bool
        Whether each coordinate of a vector has a symbol of its own.
    unshared : Reading or None
        The same with positive numbers where this one has their parts of one.
    """

    axis: Axis
    left: Mapping[tuple[Any, ...], Expr]
    right: Mapping[tuple[Any, ...], Expr]
    margins: Mapping[str, Mapping[tuple[Any, ...], Expr]]
    relation: str
    sizes: Mapping[str, Expr] = field(default_factory=dict)
    name: str = ""
    marks: tuple[Expr, ...] = ()
    strict: frozenset[str] = frozenset()
    spelled: bool = False
    unshared: Reading | None = None

    def expressions(self) -> list[Expr]:
        """All formulas."""
        parts = (self.left, self.right, *self.margins.values())
        return [e for part in parts for e in part.values()]


def axes_of(statement: Statement) -> tuple[str, ...]:
    """Axes of parameters one of which may stand for any number; ``""`` where all have a fixed
    length, nothing where several stand for any number.

    Coordinates are clients like others where nothing else is; beside clients, or else, they are
    vectors that are read on the line.
    """
    found = {axis for p in statement.family.box.values() for axis in p.per}
    free = {axis for axis in found - {"d"} if axis in FIXED or len(_lengths(statement, axis)) > 1}
    if len(free) > 1:
        return ()
    return (*free,) if free else ("", "d") if "d" in found else ("",)


def read_clients(
    statement: Statement,
    shape: Shape,
    name: str,
    leads: int,
    sizes: Mapping[str, Expr],
    more: int = 0,
    spelled: bool = False,
) -> Reading:
    """Read a claim with so many leading clients.

    Parameters
    ----------
    statement : Statement
        About numbers, at each point.
    shape : mapping
        One shape of the family; the length of the axis is another one here.
    name : str
        One of `axes_of`.
    leads : int
        Clients 0, 1, ... that are singled out.
    sizes : mapping
        Symbols for other whole numbers of the shape, or what stands for them in the program.
    more : int
        Clients that are written out beyond the usual number.
    spelled : bool
        Whether each coordinate gets a symbol, in the dimension of the shape.

    Returns
    -------
    Reading

    Raises
    ------
    NotReadable
        Where the program has no such form.
    """
    import sympy  # noqa: F401  (formal axes use what is loaded)

    axis = Axis.of(LISTED + max(leads - 2, 0) + more, leads)
    changed = {**shape, "d": 1} if "d" in shape and not spelled else dict(shape)
    if name:
        changed[name] = axis.size
    values = symbol_values(statement.family.box, changed, name, axis, spelled)
    with listed(axis):
        with asked():
            instance = statement.family.instance(values, changed)
        if instance.family != "numbers":
            raise WhateverClients(f"{PROBLEMS} ({instance.family})")
        try:
            return _counted_or_not(statement, instance, axis, name, sizes, spelled)
        except LongFormula as error:
            raise WhateverClients(f"{error}") from None


def _counted_or_not(
    statement: Statement,
    instance: Instance,
    axis: Axis,
    name: str,
    sizes: Mapping[str, Expr],
    spelled: bool,
) -> Reading:
    """A reading with the number of clients as a symbol, else one with that of those written out."""
    try:
        return _read(statement, instance, axis, name, sizes, True, spelled)
    except (LongFormula, WhateverClients):
        raise
    except NotReadable:
        if not name or not read_at_few_sizes(statement):
            raise  # a program that goes through the clients one by one asks for a plain number
        return _read(statement, instance, axis, name, sizes, False, spelled)


def _read(
    statement: Statement,
    instance: Instance,
    axis: Axis,
    name: str,
    sizes: Mapping[str, Expr],
    counted: bool,
    spelled: bool,
) -> Reading:
    """A reading in which the number of clients is a symbol where the program asks for it, or the
    number of those that are written out."""
    import sympy

    counts = {**sizes, **({name: axis.count} if name and counted else {})}
    constants = {
        n: (_Size(s) if n in sizes else Symbolic(s)) if isinstance(s, sympy.Basic) else s
        for n, s in counts.items()
        if n in instance.params
    }
    counted_in = replace(instance, params={**instance.params, **constants})
    with asked(), lengths_counted() if counted else nullcontext():
        require_symbols(statement, counted_in)
        result = score(statement, counted_in, "symbolic")
    left, right = by_place(result.left, axis), by_place(result.right, axis)
    margins = {n: by_place(m, axis) for n, m in result.margins.items()}
    if statement.relation == ">=":
        left, right = right, left
    reading = Reading(
        axis,
        left,
        right,
        margins,
        "==" if statement.relation == "==" else "<=",
        dict(sizes),
        name,
        spelled=spelled,
    )
    require_reached(statement, instance)
    _no_other(reading)
    return reading


def read_at_few_sizes(statement: Statement) -> bool:
    """Whether what is read with a few clients written out says what it is with any number."""
    terms = terms_of(statement)
    return terms is None or not terms.obstacle


def require_symbols(statement: Statement, instance: Instance) -> None:
    """Where few sizes do not say what others are like, every size must be a symbol.

    Raises
    ------
    NotReadable
        If a size is a plain number.
    """
    terms = terms_of(statement)
    if terms is None or not terms.obstacle:
        return
    found = {n: instance.params.get(n) for n in terms.size_names}
    plain = [n for n, size in found.items() if not isinstance(size, Symbolic | StandsForAny)]
    if plain:
        raise WhateverClients(f"{terms.obstacle}, and {', '.join(plain)} is a plain number")


# -- private helpers -----------------------------------------------------------------------------


def _lengths(statement: Statement, axis: str) -> set[Any]:
    return {shape[axis] for shape in statement.family.shapes if axis in shape}


def by_place(value: np.ndarray[Any, Any], axis: Axis) -> dict[tuple[Any, ...], Expr]:
    """The formulas of a side: one, or those of the leading clients and of the generic one.

    Raises
    ------
    NotReadable
        Where it is about something else than one value or one for each client.
    """
    if value.shape[:2] != (1, 1):
        raise NotReadable("an outcome has been picked out")
    entries = np.asarray(value).reshape(value.shape[2:])
    if entries.size == 1:
        found: dict[tuple[Any, ...], Expr] = {(): formula(entries.item())}
    elif entries.ndim == 1 and len(entries) == axis.size:
        found = {(i,): formula(entries[i]) for i in range(axis.leads)}
        found["k",] = formula(Symbolic(generic_entry(list(entries), axis)))
    else:
        raise NotReadable("a claim is about pairs, or about something else than every client")
    return found


def _no_other(reading: Reading) -> None:
    """No client beyond the leading ones may have been picked out."""
    others = set(reading.axis.marks[reading.axis.leads :])
    k, _ = client_symbol()
    for part in (reading.left, reading.right, *reading.margins.values()):
        for place, e in part.items():
            free = free_in(e)
            if free & others or (k in free and place != ("k",)):
                raise NotReadable("a single client has been picked out of a symbolic array")
