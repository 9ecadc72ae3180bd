"""Names for the sums over clients in a claim, so that what is left is about plain numbers.

A sum over all clients, the followed one's part and a formal sum over the others, gets a positive
symbol: ``sum{i}of{t}`` if it is about place t, ``sum{i}`` if it is about no place.  That it is
positive is a claim of its own.
"""

from __future__ import annotations

from typing import Any

import sympy

from verify.reading.federations.places import moved, places_of
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
        """A formula with symbols for its sums: for denominators first, then for what is left.

        Raises
        ------
        NotReadable
            Where another sum is left, or a number of one client.
        """
        found = self.denominators(e)
        if found.has(sympy.Sum):
            found = found.replace(lambda p: isinstance(p, sympy.Sum), _pulled)
            found = found.replace(lambda p: p.is_Add and p.has(sympy.Sum), self._joined)
        if found.atoms(sympy.Sum, sympy.Indexed):
            raise NotReadable("a sum over clients without the followed one's part")
        return found

    def denominators(self, e: Expr) -> Expr:
        """A formula with symbols for the sums that it divides by."""
        return sympy.sympify(e).replace(
            lambda p: p.is_Pow and p.exp.is_negative and p.base.has(sympy.Sum),
            lambda p: self.symbol(p.base) ** p.exp,
        )

    def about_places(self) -> dict[Expr, Expr]:
        """The symbol at the first place, or of no place -> the sum."""
        return {self.symbol(total): total for total in self.known}

    def _joined(self, e: Expr) -> Expr:
        """Each formal sum joined with the followed one's part, times what both have in common."""
        rest = list(e.args)
        for part in [a for a in e.args if a.has(sympy.Sum)]:
            formal = [f for f in sympy.Mul.make_args(part) if isinstance(f, sympy.Sum)]
            if len(formal) != 1:
                continue
            factor, others = part / formal[0], [a for a in rest if a != part]
            leads = [a for a in others if a.atoms(sympy.Indexed) and not _has_name(a / factor)]
            total = sympy.Add(formal[0], *(a / factor for a in leads))
            rest = [a for a in others if a not in leads] + [factor * self.symbol(total)]
        return sympy.Add(*rest)


def _pulled(e: Expr) -> Expr:
    """A formal sum with the named sums among its factors before it."""
    parts = sympy.Mul.make_args(e.function)
    factor = sympy.Mul(*(p for p in parts if _has_name(p) and not p.atoms(sympy.Indexed)))
    return factor * e.func(e.function / factor, *e.limits)


def _has_name(e: Expr) -> bool:
    return any(str(s).startswith("sum") for s in e.free_symbols)
