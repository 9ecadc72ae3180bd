"""Rational functions as quotients of polynomials of flint, which are calculated with in no time.

Sympy builds every step of a calculation as an expression again; here an expression is read once,
and two of them are compared as quotients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from flint import Ordering, fmpz_mpoly_ctx

from verify.certify.algebra.ratios import NotRational

Expr = Any  # sympy carries no types
Polynomial = Any  # of flint, over the integers

RINGS, PARTS = 32, 2_000
"""Sets of symbols of which polynomials are kept, and how many of each."""
LARGEST = 1_000_000
"""Terms of a product beyond which an expression is left to sympy."""

__all__ = ["Quotient", "Ring", "leaves", "lowest", "ring_of", "symbols_of"]


@dataclass(frozen=True, slots=True)
class Quotient:
    """A numerator and a denominator without a common factor.

    Attributes
    ----------
    over, under : polynomial
        With whole coefficients; the leading one of the denominator is positive.
    """

    over: Polynomial
    under: Polynomial

    def __bool__(self) -> bool:
        return bool(self.over)

    def is_constant(self) -> bool:
        """Whether it is a number."""
        return bool(self.over.is_constant() and self.under.is_constant())

    def __neg__(self) -> Quotient:
        return Quotient(-self.over, self.under)

    def __add__(self, other: Quotient) -> Quotient:
        if self.under == other.under:
            return lowest(self.over + other.over, self.under)
        common = self.under.gcd(other.under)
        mine, theirs = self.under / common, other.under / common
        total = _times(self.over, theirs) + _times(other.over, mine)
        return lowest(total, _times(self.under, theirs))

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Quotient) -> Quotient:
        one, two = lowest(self.over, other.under), lowest(other.over, self.under)
        return Quotient(_times(one.over, two.over), _times(one.under, two.under))

    def __truediv__(self, other: Quotient) -> Quotient:
        if not other:
            raise NotRational("a division by zero")
        return self * _signed(other.under, other.over)

    def __pow__(self, n: int) -> Quotient:
        if n >= 0:
            return Quotient(_power(self.over, n), _power(self.under, n))
        if not self:
            raise NotRational("a division by zero")
        return _signed(_power(self.under, -n), _power(self.over, -n))


def lowest(over: Polynomial, under: Polynomial) -> Quotient:
    """The quotient of two polynomials."""
    common = over.gcd(under)
    return _signed(over, under) if common.is_one() else _signed(over / common, under / common)


class Ring:
    """Quotients of polynomials in some symbols.

    Parameters
    ----------
    variables : sequence of expressions
        Symbols, and what is taken for one, in sympy's order.
    """

    def __init__(self, variables: Sequence[Expr]) -> None:
        self.variables = tuple(variables)
        names = [f"x{i}" for i in range(len(self.variables))]
        self.context = fmpz_mpoly_ctx.get(names, Ordering.lex)
        self._one = self.context.constant(1)
        self._known: dict[Expr, Quotient] = {}
        self._forget()

    def _forget(self) -> None:
        gens = zip(self.variables, self.context.gens(), strict=True)
        self._known = {v: Quotient(x, self._one) for v, x in gens}

    def number(self, p: int, q: int = 1) -> Quotient:
        """A rational number."""
        return lowest(p * self._one, q * self._one)

    def __call__(self, e: Expr) -> Quotient:
        """The quotient that an expression is; parts of it are worked out once.

        Raises
        ------
        NotRational
        """
        if e not in self._known:
            found = self._read(e)
            if len(self._known) > PARTS:
                self._forget()
            self._known[e] = found
        return self._known[e]

    def _read(self, e: Expr) -> Quotient:
        if e.is_Rational:
            return self.number(int(e.p), int(e.q))
        if e.is_Add:
            return self._sum([self(part) for part in e.args])
        if e.is_Mul:
            first, *rest = e.args
            found = self(first)
            for part in rest:
                found = found * self(part)
            return found
        if e.is_Pow and e.exp.is_Integer:
            return self(e.base) ** int(e.exp)
        raise NotRational(f"{e} is not rational")

    def _sum(self, parts: Sequence[Quotient]) -> Quotient:
        """Terms over one denominator are added first."""
        sums: list[tuple[Polynomial, Polynomial]] = []
        for part in parts:
            place = next((i for i, (_, under) in enumerate(sums) if under == part.under), None)
            if place is None:
                sums.append((part.over, part.under))
            else:
                sums[place] = sums[place][0] + part.over, part.under
        total, *others = (lowest(over, under) for over, under in sums)
        for other in others:
            total = total + other
        return total


@lru_cache(RINGS)
def ring_of(variables: frozenset[Expr]) -> Ring:
    """The ring of some symbols.

    Raises
    ------
    NotRational
        Where two of them have one name, so that they are in no order.
    """
    if len({str(v) for v in variables}) < len(variables):
        raise NotRational("two symbols of one name")
    numbers = sorted((v for v in variables if v.is_number), key=str)
    named = [v for v in variables if not v.is_number]
    return Ring([*(sympy.Poly(sympy.Add(*named)).gens if named else ()), *numbers])


def leaves(e: Expr) -> set[Expr]:
    """What an expression has for symbols as a quotient: these, and functions of something."""
    found: set[Expr] = set()
    open_ones, seen = [e], {e}
    while open_ones:
        part = open_ones.pop()
        if part.is_Add or part.is_Mul:
            more = part.args
        elif part.is_Pow and part.exp.is_Integer:
            more = (part.base,)
        else:
            more = ()
            if not part.is_Rational:
                found.add(part)
        for one in more:
            if one not in seen:
                seen.add(one)
                open_ones.append(one)
    return found


def symbols_of(*formulas: Expr) -> frozenset[Expr]:
    """The symbols of rational formulas, with an index or without.

    Raises
    ------
    NotRational
        Where something else stands in them.
    """
    found = frozenset[Expr]().union(*map(leaves, formulas))
    if not all(isinstance(s, sympy.Symbol | sympy.Indexed) for s in found):
        raise NotRational("something else than symbols and numbers")
    return found


# -- private helpers -------------------------------------------------------------------------------


def _signed(over: Polynomial, under: Polynomial) -> Quotient:
    return Quotient(-over, -under) if under.leading_coefficient() < 0 else Quotient(over, under)


def _times(one: Polynomial, other: Polynomial) -> Polynomial:
    if len(one) * len(other) > LARGEST:
        raise NotRational("the product has too many terms")
    return one * other


def _power(base: Polynomial, exponent: int) -> Polynomial:
    if len(base) <= 1 or exponent <= 1:
        return base**exponent
    found = base
    for _ in range(exponent - 1):
        found = _times(found, base)
    return found
