"""Points at which inequalities are looked at before they are claimed: nothing rests on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.parts.factored import degree_in

Expr = Any  # sympy carries no types

DRAWN, FEW, TURNS = 4_000, 12, 6
"""Points that are drawn, those without which nothing is seen, and how often they are moved."""
ROUNDING = 1e-9
MOST_POWERS = 500
"""Powers of which the values are kept, 16 MB."""

__all__ = ["Points"]


class Points:
    """Random points that meet hypotheses.

    Parameters
    ----------
    known : sequence of Hypothesis
    means : mapping
        What some symbols are, in the order in which they are found.
    """

    def __init__(self, known: Sequence[Hypothesis], means: Mapping[Expr, Expr]) -> None:
        formulas = [h.expr for h in known]
        free = {s for e in (*formulas, *means.values()) for s in e.free_symbols} - {*means}
        random = np.random.default_rng(0)
        self._values: dict[Expr, Any] = {}
        for s in sorted(free, key=str):
            self._values[s] = self._drawn(s, random)
        self._powers: dict[Expr, Any] = {}
        plain = [e for e in formulas if not e.free_symbols & {*means}]
        for turn in range(TURNS):
            for e in plain:
                self._repair(e, turn, random)
        for symbol, e in means.items():
            self._values[symbol] = self._at(e)
        meets = np.ones(DRAWN, dtype=bool)
        for e in formulas:
            meets &= self._meets(e)
        self._random = random
        self._values = {s: np.broadcast_to(v, meets.shape)[meets] for s, v in self._values.items()}
        self._powers.clear()
        self.count = int(meets.sum())

    def _repair(self, e: Expr, turn: int, random: Any) -> None:
        """Move one number, in which a formula is linear, to where it is not negative."""
        linear = _linear(e)
        if not linear:
            return
        s, slope = linear[turn % len(linear)]
        value, rise = self._at(e) + np.zeros(DRAWN), self._at(slope) + np.zeros(DRAWN)
        with np.errstate(all="ignore"):
            edge = self._values[s] - value / rise
            share = random.random(DRAWN) * random.integers(0, 2, DRAWN)
            size = np.abs(edge) + (0 if s.is_nonnegative else np.exp(random.standard_normal(DRAWN)))
            moved = edge + share * np.where(rise > 0, size, -size)
        broken = (value < 0) & np.isfinite(moved) & (~(moved <= 0) if s.is_positive else True)
        self._values[s] = np.where(broken, moved, self._values[s])
        self._powers.clear()

    def hold(self, e: Expr) -> bool:
        """Whether a formula is not negative at all points, of which there are a few at least."""
        for s in sorted(e.free_symbols - {*self._values}, key=str):
            self._values[s] = self._drawn(s, self._random)[: self.count]
        return self.count >= FEW and bool(np.all(self._meets(e)))

    def _meets(self, e: Expr) -> Any:
        with np.errstate(all="ignore"):
            terms = [self._of(term) for term in sympy.Add.make_args(e)]
            return sum(terms) > -ROUNDING * (1 + sum(map(abs, terms)))

    def _drawn(self, symbol: Expr, random: Any) -> Any:
        if symbol.is_integer:
            return random.integers(1, 40, DRAWN).astype(float)
        size = np.exp(1.5 * random.standard_normal(DRAWN))
        if symbol.is_nonnegative:
            return size
        return size * random.choice([-1.0, 1.0], DRAWN)

    def _at(self, e: Expr) -> Any:
        with np.errstate(all="ignore"):
            return self._of(e)

    def _of(self, e: Expr) -> Any:
        """The values of a formula; those of powers are kept."""
        if e.is_Symbol:
            return self._values[e]
        if e.is_Add:
            return sum(map(self._of, e.args))
        if e.is_Mul:
            return prod(map(self._of, e.args))
        if e.is_Rational:
            return int(e.p) / int(e.q)
        if not e.is_Pow or not e.exp.is_Integer:
            names, value = _computed(e)
            return value(*(self._values[s] for s in names))
        if e not in self._powers:
            if len(self._powers) > MOST_POWERS:
                self._powers.clear()
            self._powers[e] = _power(self._of(e.base), int(e.exp))
        return self._powers[e]


def _power(value: Any, n: int) -> Any:
    """Products are quicker than powers."""
    if n < 0:
        return 1 / _power(value, -n)
    return value**n if n < 3 else value * _power(value, n - 1)


@lru_cache(maxsize=2000)
def _computed(e: Expr) -> tuple[list[Expr], Callable[..., Any]]:
    """Symbols of a formula, and a function of their values."""
    names = sorted(e.free_symbols, key=str)
    return names, sympy.lambdify(names, e, "numpy", cse=True)


@lru_cache(maxsize=2000)
def _linear(e: Expr) -> list[tuple[Expr, Expr]]:
    """Symbols in which a formula is linear, with its slope in each."""
    free = [s for s in sorted(e.free_symbols, key=str) if not s.is_integer]
    return [(s, sympy.diff(e, s)) for s in free if degree_in(e, s) == 1]
