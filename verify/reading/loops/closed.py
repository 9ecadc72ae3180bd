r"""What a program gives after any number of rounds, read off from a few that are written out.

A round that is the same linear map of what came before gives numbers

.. math:: V_n = \sum_i c_i\,r_i^n + c\,n ,

with roots that do not depend on n.  Which they are is found from the first numbers, coefficient by
coefficient of what a round does not multiply, and tried on further ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy

from verify.reading.loops.fitted import NONE, Root, fitted_terms
from verify.reading.parts.factored import factored
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import parts_in, same

Expr = Any  # sympy carries no types

__all__ = ["RoundPowers", "closed"]


@dataclass
class RoundPowers:
    """Symbols for powers b^K, and for sums of powers b^(p j) over j below K.

    Attributes
    ----------
    symbols : dict
        The symbol of each power, by b.
    series : dict
        The symbol of each sum, by (b, p).
    """

    symbols: dict[Expr, Expr] = field(default_factory=dict)
    series: dict[tuple[Expr, int], Expr] = field(default_factory=dict)

    def symbol(self, base: Expr) -> Expr:
        """The symbol of b^K."""
        if base == 1:
            return base
        name = f"power_{len(self.symbols)}"
        return self.symbols.setdefault(sympy.expand(base), sympy.Symbol(name, nonnegative=True))

    def total(self, fitted: Mapping[Root, Expr], rounds: Expr) -> Expr:
        """The sum of what each root gives; what is left of 1 - r^K is (1 - r) times a sum."""
        rest = dict(fitted)
        total = sympy.Integer(0)
        constant = rest.get(NONE, sympy.Integer(0))
        for root, c in fitted.items():
            if root in (None, NONE) or constant == 0 or not same(c, -constant):
                continue
            base, power = root
            if power == 2:
                self.symbol(base)
                name = f"series_{len(self.series)}"
                symbol = self.series.setdefault(root, sympy.Symbol(name, nonnegative=True))
                total += factored(constant * (1 - base**power)) * symbol
                del rest[root], rest[NONE]
                break
        for root, c in rest.items():
            total += c * (rounds if root is None else self.symbol(root[0]) ** root[1])
        return total

    def meanings(self, rounds: Expr) -> dict[Expr, Expr]:
        """Each symbol and what it is."""
        found = {symbol: base**rounds for base, symbol in self.symbols.items()}
        for (base, power), symbol in self.series.items():
            found[symbol] = (1 - base ** (power * rounds)) / (1 - base**power)
        return found

    def within(self, e: Expr, rounds: Expr) -> Expr:
        """A formula with symbols for its powers.

        Raises
        ------
        NotReadable
            Where an exponent is no multiple of K.
        """
        table = {}
        for power in sorted((p for p in parts_in(e) if p.is_Pow and p.exp.has(rounds)), key=str):
            times = power.exp / rounds
            if not (times.is_Integer and times > 0):
                raise NotReadable(f"the power {power}")
            table[power] = self.symbol(power.base) ** times
        return e.xreplace(table)


def closed(values: Sequence[Expr], rounds: Expr, powers: RoundPowers) -> Expr:
    """The formula in the number of rounds, with symbols for powers.

    Parameters
    ----------
    values : sequence of expressions
        After 1, 2, 3, ... rounds.
    rounds : symbol
    powers : RoundPowers

    Raises
    ------
    NotReadable
        Where they are no such numbers.
    """
    if all(v == values[0] for v in values):
        return values[0]
    total = sympy.Integer(0)
    for term, fitted in fitted_terms(tuple(values)):
        total += term * powers.total(fitted, rounds)
    return total
