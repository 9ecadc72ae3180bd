"""Claims about All-for-one at one place of a run, on every path: of the weights that hold there.

What is known of a place is what the assumptions say of it, and what the statement asks.  Sums that
are divided by get symbols, and what positive parts are taken of is put in order first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import sympy

from bounds.numbers.formal import generic_entry, listed
from bounds.numbers.formal_terms import put
from bounds.numbers.symbolic import client_symbol
from bounds.numbers.validate import unchecked
from verify.reading.clients.reading import Reading
from verify.reading.federations.places import in_squares, moved, own_at, places_of
from verify.reading.federations.reading import After, WeighedRuns
from verify.reading.federations.shared_claims import shared_claims
from verify.reading.federations.sums import ClientSums
from verify.reading.federations.weights import (
    CASES,
    WHOLE,
    arguments_of,
    in_order,
    known_of_a_place,
    ordered,
    with_arguments,
)
from verify.reading.parts.claim import ReadClaim
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import formula
from verify.world.returned import margins_of, sides_of

Expr = Any  # sympy carries no types
Places = dict[tuple[Any, ...], Expr]

__all__ = ["PlaceRuns", "place_claims"]


class PlaceRuns(WeighedRuns):
    """A statement on every path, about one value or one of each client."""

    over: ClassVar[str] = "path"

    def said(self, rounds: int) -> list[Places]:
        """Both sides: of one value (), or of the followed client (0,) and any other ("k",)."""
        if rounds not in self._said:
            world = self._world(rounds)
            with listed(self.axis), asked(), unchecked():
                found = [self._entries(side) for side in sides_of(self.statement, world)]
            self._said[rounds] = found[::-1] if self.statement.relation == ">=" else found
        return self._said[rounds]

    @cached_property
    def _said(self) -> dict[int, list[Places]]:
        """The same by the number of rounds."""
        return {}

    def _read(self, rounds: int) -> After:
        world = self._world(rounds)
        with listed(self.axis), asked(), unchecked():
            sides_of(self.statement, world)
            margins = margins_of(self.statement, world)
        self.read |= set(world.read)
        found = {
            n: tuple(in_squares(formula(v)) for v in np.asarray(m, dtype=object).flat)
            for n, m in margins.items()
        }
        return After(sympy.Integer(0), {}, found)

    def _entries(self, side: Mapping[str, Any]) -> Places:
        total: Any = sum(np.asarray(v, dtype=object) for v in side.values())
        entries = list(np.asarray(total, dtype=object).reshape(-1))
        if len(entries) == 1:
            return {(): in_squares(formula(entries[0]))}
        if len(entries) != self.axis.size:
            raise NotReadable("a side that is neither one value nor one of each client")
        other = generic_entry(entries, self.axis)
        return {(0,): in_squares(formula(entries[0])), ("k",): in_squares(other)}


def place_claims(setting: PlaceRuns) -> Iterator[tuple[str, ReadClaim]]:
    """Claims about a place, each with a name.

    Raises
    ------
    NotReadable
        Where the statement is about more rounds than one, or about several places.
    """
    if setting.longest != 1 or setting.changing:
        raise NotReadable("places in more rounds than one")
    k, _ = client_symbol()
    zero, sums, psi = sympy.Integer(0), ClientSums(), setting.weighing().psi_sum
    margins, sides = setting.after(1).margins, setting.said(1)
    every = [*(e for m in margins.values() for e in m), *(e for s in sides for e in s.values())]
    places = {place for e in every for place in places_of(e)}
    if len(places) != 1:
        raise NotReadable("a claim about several places, or none")
    by = -min(places)
    strict = setting.statement.strict
    if not any(own_at(-by) in m for n, m in margins.items() if n in strict):
        raise NotReadable("a claim about a place at which there may be no weights")
    here = sums.symbol(psi)
    left, right = ({p: sums.denominators(moved(e, by)) for p, e in side.items()} for side in sides)
    others = {s: total for s, total in sums.about_places().items() if total != psi}
    known: dict[str, Places] = {n: dict(m) for n, m in known_of_a_place(setting).items()}
    known |= {n: {(): moved(e, by)} for n, m in margins.items() for e in m}
    claims: list[Any] = [("some weight", {(): zero}, {(): psi}, "<", {}, WHOLE)]
    order: dict[str, Places] = {}
    for symbol, total in others.items():
        inner, claim = ordered(f"{symbol} at most that of the weights", total, psi, known)
        claims += [("above zero", {(): zero}, {(): total}, "<", {}, WHOLE), *inner, claim]
        order[f"{symbol} at most that of the weights"] = {(): here - symbol}
    new = arguments_of(psi, [*left.values(), *right.values()])
    inner, more = in_order("in order", new, known)
    claims += inner
    order |= {n: dict(m) for n, m in more.items()}
    for name, low, high, relation, assumed, way in claims:
        reading = Reading(setting.axis, low, high, assumed, relation, {}, "N")
        for one in shared_claims(setting, reading, way):
            yield name, one
    mark = setting.axis.marks[1]
    for place in sorted({*left, *right}, key=str):
        if place == () and len({*left, *right}) > 1:
            continue  # one value beside those of every client
        low, high = (with_arguments(s.get(place, s.get(())), new) for s in (left, right))
        marks: tuple[Any, ...] = ()
        at = order
        if place == ("k",):
            low, high, marks = put(low, k, mark), put(high, k, mark), (mark,)
            at = {n: {(): put(m["k",], k, mark)} if ("k",) in m else m for n, m in order.items()}
        reading = Reading(setting.axis, {(): low}, {(): high}, at, "<=", {}, "N", marks)
        for one in shared_claims(setting, reading, CASES):
            label = {**one.label, "client": str(place[0])} if place else one.label
            yield "the place", one._replace(label=label)
