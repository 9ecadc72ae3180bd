"""Symbols for what is no rational function: smallest and largest, logarithms, exponentials.

What such a part is of may have parts itself; the symbol of a part stands in what it is a part of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import is_
from typing import Any

import sympy

from bounds.numbers.formal_terms import extreme_type
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types

__all__ = ["Parts"]

KINDS = {sympy.Max: "most", sympy.Min: "least", sympy.log: "log", sympy.exp: "exp"}


@dataclass
class Parts:
    """The parts that have been met.

    Attributes
    ----------
    symbols : dict
        The symbol of each part, which is a function of formulas with symbols.
    """

    symbols: dict[Expr, Expr] = field(default_factory=dict)
    _lifted: dict[Expr, Expr] = field(default_factory=dict)

    def __call__(self, e: Expr) -> Expr:
        """A formula with symbols for its parts."""
        e = sympy.sympify(e)
        if not e.args or isinstance(e, sympy.Indexed | extreme_type()):
            return e
        if e not in self._lifted:
            self._lifted[e] = self._lift(e)
        return self._lifted[e]

    def _lift(self, e: Expr) -> Expr:
        if isinstance(e, sympy.Sum):
            return e.func(self(e.function), *e.limits)
        if e.is_Pow and e.exp.is_Rational and not e.exp.is_Integer:
            raise NotReadable("a root in a program that goes through rounds")
        parts = [self(part) for part in e.args]
        if (e.is_Add or e.is_Mul or e.is_Pow) and all(map(is_, parts, e.args)):
            return e
        made = e.func(*parts)
        word = next((w for kind, w in KINDS.items() if isinstance(made, kind)), None)
        if word is None:
            return made
        sign = {"positive": True} if made.is_positive else {"real": True}
        number = sum(str(s).startswith(f"{word}_") for s in self.symbols.values())
        return self.symbols.setdefault(made, sympy.Symbol(f"{word}_{number}", **sign))

    def each(self, rule: Callable[[Expr], Expr]) -> Parts:
        """The parts with a rule applied to what they are of."""
        return Parts({_of(part, rule): symbol for part, symbol in self.symbols.items()})

    def meanings(self, names: dict[Expr, Expr]) -> dict[Expr, Expr]:
        """Each symbol and the formula that it stands for, in which no symbols of parts are left."""
        table: dict[Expr, Expr] = {}
        for part, symbol in self.symbols.items():
            table[symbol] = _of(part, lambda e: e.xreplace(names).xreplace(table))
        return table

    def of(self, symbol: Expr) -> Expr | None:
        """The part that a symbol stands for."""
        return next((part for part, s in self.symbols.items() if s == symbol), None)


def _of(part: Expr, rule: Callable[[Expr], Expr]) -> Expr:
    made = part.func(*map(rule, part.args), evaluate=False)
    if not made.args:
        raise NotReadable("a part of something else than formulas")
    return made
