"""Names for the sums over clients in a claim, so that what is left is about plain numbers.

A sum over all clients in a denominator, the followed one's part and a formal sum over the others,
gets a positive symbol: ``sum{i}of{t}`` if it is about place t, ``sum{i}`` if it is about no place.
That it is positive is a claim of its own.
"""

from __future__ import annotations

from typing import Any

import sympy

from verify.reading.federations.world import moved, places_of
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

__all__ = ["ClientSums"]


class ClientSums:
    """The sums that have been met, as they are at the first place."""

    def __init__(self) -> None:
        self.known: list[Expr] = []

    def symbol(self, total: Expr) -> Expr:
        """The symbol of a sum."""
        places = places_of(total)
        if len(places) > 1:
            raise NotReadable("a sum over clients about several places")
        place = min(places, default=0)
        first = moved(total, -place) if places else total
        if first not in self.known:
            self.known.append(first)
        name = f"sum{self.known.index(first)}"
        return sympy.Symbol(f"{name}of{place}" if places else name, positive=True)

    def named(self, e: Expr) -> Expr:
        """A formula with symbols for the sums in its denominators.

        Raises
        ------
        NotReadable
            Where another sum is left, or a number of one client.
        """
        found = sympy.sympify(e).replace(
            lambda p: p.is_Pow and p.exp.is_negative and p.base.has(sympy.Sum),
            lambda p: self.symbol(p.base) ** p.exp,
        )
        if found.atoms(sympy.Sum, sympy.Indexed):
            raise NotReadable("a sum over clients that is no denominator")
        return found

    def about_places(self) -> dict[Expr, Expr]:
        """The symbol at the first place, or of no place -> the sum."""
        return {self.symbol(total): total for total in self.known}
