"""Shapes of a family that one reading stands for, and that reading."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from verify.claim.statement import Statement
from verify.reading.clients.agreement import agrees_everywhere
from verify.reading.clients.reading import FIXED, Reading, WhateverClients, axes_of, read_clients
from verify.reading.clients.shares import with_shares
from verify.reading.clients.sizes import with_length
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable
from verify.terms.claims import terms_of

__all__ = ["Group", "groups_of", "why_unread"]

Expr = Any

MOST_LEADS = 2
"""Clients that a claim itself may single out."""

KEPT = 8
"""Lists of groups that are remembered: those of the statement that was read last, or of two."""

ROWS = ("row", "client")
"""Entries of shapes that number rows and columns of a printed table: there are no others."""


class Group:
    """Listed shapes that differ in sizes alone, and what is read of them.

    Parameters
    ----------
    statement : Statement
    shapes : sequence of mappings
    sizes : mapping
        A symbol for each size but the axis.
    axis : str
        One of `verify.reading.clients.reading.axes_of`.
    spelled : bool
        Whether each coordinate gets a symbol.
    """

    def __init__(
        self,
        statement: Statement,
        shapes: Sequence[Any],
        sizes: Mapping[str, Expr],
        axis: str,
        spelled: bool,
    ) -> None:
        self.statement, self.shapes, self.sizes = statement, shapes, sizes
        self.axis, self.spelled = axis, spelled
        self._wider: dict[int, Reading | None] = {}

    @cached_property
    def reading(self) -> Reading | None:
        """With as few leading clients as there may be; None if there is none."""
        return self.wider(0)

    def wider(self, leads: int) -> Reading | None:
        """The reading with the fewest leading clients, at least so many; None if there is none."""
        if leads not in self._wider:
            self._wider[leads] = _read(
                self.statement, self.shapes, self.axis, self.sizes, leads, self.spelled
            )
        return self._wider[leads]


def groups_of(
    statement: Statement, axis: str, spelled: bool, sized: bool = True
) -> list[Group] | None:
    """Listed shapes that differ in sizes alone; None where one of the sizes may be zero.

    Where coordinates are spelled out, those of one dimension each; where sizes are not `sized`,
    those of one size each.

    The claims of a statement are asked for several times in a row, and are read once.
    """
    key = (id(statement), axis, spelled, sized, known_before())
    if key not in _LATEST:
        _LATEST[key] = statement, _grouped(statement, axis, spelled, sized)
        while len(_LATEST) > KEPT:
            _LATEST.popitem(last=False)
    return _LATEST[key][1]


_LATEST: OrderedDict[tuple[Any, ...], tuple[Statement, list[Group] | None]] = OrderedDict()
"""By the identity of a statement, which stays what it is while the statement is kept here."""


def _grouped(statement: Statement, axis: str, spelled: bool, sized: bool) -> list[Group] | None:
    import sympy

    shapes = statement.family.shapes
    groups: dict[str, list[Any]] = {}
    per = {a for p in statement.family.box.values() for a in p.per}
    sizes = {
        n
        for n in {n for shape in shapes for n in shape} - per
        if sized
        and n not in ROWS
        and all(
            isinstance(s[n], int) and not isinstance(s[n], bool) and s[n] >= 0
            for s in shapes
            if n in s
        )
        and (n in FIXED or len({s[n] for s in shapes if n in s}) > 1)
    }
    terms = terms_of(statement)
    if terms is not None:  # other numbers are choices, of which each has terms of its own
        sizes &= terms.sizes
    for shape in shapes:
        options = {
            n: v
            for n, v in shape.items()
            if (n == "d" and spelled) or (n not in sizes and n not in (axis, "d"))
        }
        groups.setdefault(repr(sorted(options.items(), key=str)), []).append(shape)
    if any(shape.get(n, 1) < 1 for shape in shapes for n in sizes):
        return None
    symbols = {n: sympy.Symbol(f"{n}_", integer=True, positive=True) for n in sizes}
    return [
        Group(statement, group, {n: s for n, s in symbols.items() if n in group[0]}, axis, spelled)
        for group in groups.values()
    ]


def why_unread(statement: Statement) -> str:
    """What the first shape says where it has no form with symbols; empty where it has one."""
    said = "several axes" if not axes_of(statement) else ""
    for name in axes_of(statement):
        for leads in range(MOST_LEADS + 1 if name else 1):
            try:
                read_clients(statement, statement.family.shapes[0], name, leads, {})
            except NotReadable as error:
                said = str(error)
            else:
                return ""
    return said


def _read(
    statement: Statement,
    shapes: Sequence[Any],
    name: str,
    sizes: Mapping[str, Expr],
    leads: int,
    spelled: bool,
) -> Reading | None:
    """The reading with the fewest leading clients, at least so many; None if there is none."""
    for more in range(leads, max(leads, MOST_LEADS) + 1):
        if more and not name:
            return None
        try:
            reading = read_clients(statement, shapes[0], name, more, sizes, spelled=spelled)
        except WhateverClients:
            return None
        except NotReadable:
            continue
        if agrees_everywhere(statement, shapes, reading):
            return with_shares(statement, reading)
        return _with_length(statement, shapes, reading)
    return None


def _with_length(statement: Statement, shapes: Sequence[Any], reading: Reading) -> Reading | None:
    """The reading in which numbers that go with the length of an array do; None if it has none."""
    if not reading.name:
        return None
    try:
        longer = [
            read_clients(
                statement,
                shapes[0],
                reading.name,
                reading.axis.leads,
                reading.sizes,
                more,
                reading.spelled,
            )
            for more in (1, 2, 3)
        ]
        found = with_length([reading, *longer])
    except NotReadable:
        return None
    same = agrees_everywhere(statement, shapes, found)
    return with_shares(statement, found) if same else None
