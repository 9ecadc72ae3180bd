"""Terms of formulas for any number of clients: indicators, formal extremes, and their indices.

What is asked of one term again and again is kept; sympy finds the same anew each time.

Nothing here imports sympy: whoever has a symbol has it loaded.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

__all__ = ["entry", "extreme_type", "free_in", "fresh_index", "indicator_type", "put"]

Expr = Any  # sympy carries no types


@lru_cache(1)
def indicator_type() -> Any:
    """The class of indicators ``(value, strict)``: 1 where value > 0, or >= 0, else 0."""
    base: Any = _sympy().Expr

    class Indicator(base):  # type: ignore[misc]
        """1 where the first argument is positive, or not negative, and 0 elsewhere."""

        is_commutative = True
        is_extended_real = True
        is_finite = True
        is_nonnegative = True

        def _eval_power(self, exponent: Any) -> Any:
            return self if exponent.is_integer and exponent.is_positive else None

    return Indicator


@lru_cache(1)
def extreme_type() -> Any:
    """The class of formal extremes ``(word, index, leading entries, bodies)``."""
    base: Any = _sympy().Expr

    class Extreme(base):  # type: ignore[misc]
        """Largest or smallest of leading entries and of bodies over all other clients."""

        is_commutative = True

        @property
        def values(self) -> list[Expr]:
            """All that it is the extreme of."""
            return [*(v for lead in self.args[2] for v in lead), *self.args[3]]

        def _eval_is_extended_real(self) -> bool | None:
            return all(v.is_extended_real for v in self.values) or None

        def _eval_is_finite(self) -> bool | None:
            return all(v.is_extended_real for v in self.values) or None

        def _eval_is_positive(self) -> bool | None:
            return all(v.is_positive for v in self.values) or None

        def _eval_is_nonnegative(self) -> bool | None:
            return all(v.is_nonnegative for v in self.values) or None

        @property
        def free_symbols(self) -> set[Any]:
            inner: set[Any] = set().union(*(b.free_symbols for b in self.args[3]))
            outer: set[Any] = set().union(*(v.free_symbols for v in self.args[2]))
            return (inner - {self.args[1]}) | outer

    return Extreme


@lru_cache(4_000)
def put(e: Expr, old: Expr, new: Expr) -> Expr:
    """An expression with a free index replaced; indices of sums around it make way."""
    sympy = _sympy()
    if old not in free_in(e):
        return e
    if isinstance(e, sympy.Indexed):
        return entry(e.base, tuple(new if i == old else i for i in e.indices))
    if isinstance(e, sympy.Sum | extreme_type()):
        if _bound(e) in (old, *free_in(new)):
            e = _rebound(e, _bound(e), fresh_index(sympy.Tuple(e, old, new)))
        if isinstance(e, sympy.Sum):
            return e.func(put(e.function, old, new), e.limits[0])
        word, index, leads, bodies = e.args
        return e.func(word, index, put(leads, old, new), put(bodies, old, new))
    if not e.args:
        return new if e == old else e
    if isinstance(e, sympy.Max | sympy.Min) and new not in free_in(e):
        # with another name for an index the same values are left out: none
        return e.func(*(put(part, old, new) for part in e.args), evaluate=False)
    return e.func(*(put(part, old, new) for part in e.args))


@lru_cache(maxsize=20_000)
def free_in(e: Expr) -> frozenset[Expr]:
    """Free symbols of a formula, kept of each part: sympy makes terms of sums anew each time."""
    sympy = _sympy()
    e = sympy.sympify(e)
    if e.args and type(e).free_symbols is sympy.Basic.free_symbols:
        return frozenset[Any]().union(*map(free_in, e.args))
    if isinstance(e, sympy.Sum) and len(e.limits) == 1:
        index, *ends = e.limits[0]
        return (free_in(e.function) - {index}).union(*map(free_in, ends))
    return frozenset(e.free_symbols)


@lru_cache(4_000)
def entry(base: Expr, indices: tuple[Expr, ...]) -> Expr:
    """A symbol with indices: one object, as two that are equal take long to compare."""
    return base[indices]


def fresh_index(e: Expr) -> Expr:
    """An index that does not occur in an expression."""
    sympy = _sympy()
    names = {str(s) for s in e.atoms(sympy.Symbol)}
    name = next(
        n for n in ("j", "l", "m", "o", "p", "q", *(f"j{i}" for i in range(99))) if n not in names
    )
    return sympy.Symbol(name, integer=True, positive=True)


# -- private helpers -----------------------------------------------------------------------------


def _sympy() -> Any:
    return sys.modules["sympy"]


def _bound(e: Expr) -> Expr:
    return e.limits[0][0] if isinstance(e, _sympy().Sum) else e.args[1]


def _rebound(e: Expr, old: Expr, new: Expr) -> Expr:
    """The same with another name for the index that is bound."""
    sympy = _sympy()
    if isinstance(e, sympy.Sum):
        return e.func(put(e.function, old, new), (new, *e.limits[0][1:]))
    word, _, leads, bodies = e.args
    return e.func(word, new, leads, put(bodies, old, new))
