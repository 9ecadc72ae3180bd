"""Whether formulas read from a few clients are what a claim says in other numbers of clients.

Both sides and the hypotheses are evaluated at random points, exactly where the claim has exact
values, with the numbers of clients of the listed shapes and beyond.  A program that looks at how
many clients there are, or treats one of them apart unseen, gives something else there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.symbolic import client_symbol
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.clients.reading import Reading
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.values import (
    POINTS,
    Formulas,
    agree,
    equal,
    over_coordinates,
    rational_values,
    whole,
)
from verify.world.returned import sides_of
from verify.world.score import score

__all__ = ["agrees_everywhere"]

Expr = Any

MORE = 3
"""Numbers of clients beyond the smallest listed one that are looked at."""

DIMENSIONS = (1, 2, 3)


def agrees_everywhere(statement: Statement, shapes: Sequence[Shape], reading: Reading) -> bool:
    """Whether the formulas give the exact values of the claim.

    Parameters
    ----------
    statement : Statement
    shapes : sequence of mappings
        Listed shapes that the reading stands for; numbers of clients and dimensions are varied.
    reading : Reading
    """

    def at(shape: Shape, random: Random) -> bool | None:
        return _agrees(statement, shape, reading, random)

    return agree(
        statement.key, _varied(statement, shapes, reading), at, 1 if known_before() else POINTS
    )


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


def _agrees(statement: Statement, shape: Shape, reading: Reading, random: Random) -> bool | None:
    """Whether one point agrees; None where the claim has no value, as a hypothesis is broken."""
    values = rational_values(statement.family.box, shape, random)
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


class _Point(Formulas):
    """Values of formulas at one point with a number of clients."""

    def __init__(
        self, statement: Statement, shape: Shape, reading: Reading, values: Mapping[str, Any]
    ) -> None:
        super().__init__(shape, reading.name, reading.axis, reading.sizes)
        self.reading = reading
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
        return over_coordinates(lambda table: self.at(formula, clients, table), tables, without)
