r"""What a program gives after any number of rounds, read off from a few that are written out.

A round that is the same linear map of what came before gives numbers

.. math:: V_n = \sum_i c_i\,r_i^n + c\,n ,

with roots that do not depend on n.  Which they are is found from the first numbers, coefficient by
coefficient of what a round does not multiply, and tried on further ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

import sympy

from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same, some_point

Expr = Any  # sympy carries no types

Root = tuple[Expr, int] | None
"""A root b^p as (b, p); None for the number of rounds."""

NONE = (sympy.Integer(1), 0)
"""The root 1."""
MOST = 3
"""Terms of one coefficient."""

__all__ = ["RoundPowers", "closed", "outer"]


def outer(values: Sequence[Expr]) -> list[Expr]:
    """Symbols in which what is given after each number of rounds is a polynomial of one degree."""
    free = sorted({s for v in values for s in v.free_symbols}, key=str)
    numbers = some_point(free)

    def degree(v: Expr, s: Expr) -> int | None:
        """Where all other symbols are numbers."""
        others = {t: n for t, n in numbers.items() if t != s}
        try:
            return int(sympy.Poly(v.xreplace(others), s).degree()) if v.has(s) else 0
        except sympy.PolynomialError:
            return None

    found = {s: {degree(v, s) for v in values[-3:]} for s in free}
    return [s for s, degrees in found.items() if len(degrees) == 1 and None not in degrees]


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
                total += sympy.factor(constant * (1 - base**power)) * symbol
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
        for power in sorted(e.atoms(sympy.Pow), key=str):
            if power.exp.has(rounds):
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
    for term, fitted in _terms(tuple(values)):
        total += term * powers.total(fitted, rounds)
    return total


@lru_cache(maxsize=200)
def _terms(values: tuple[Expr, ...]) -> list[tuple[Expr, dict[Root, Expr]]]:
    """What a round does not multiply, and the factor of each root beside it."""
    outers = outer(values)
    rows: dict[tuple[int, ...], list[Expr]] = {(): list(values)}
    if outers:
        polys = [sympy.Poly(v, *outers) for v in values]
        monomials = sorted({m for p in polys for m in p.monoms()})
        rows = {m: [p.coeff_monomial(m) for p in polys] for m in monomials}
    rows = {m: [sympy.factor(c) for c in row] for m, row in rows.items()}
    roots: dict[Root, None] = {}
    for row in rows.values():
        for root in _roots(row):
            roots.setdefault(root)
    terms = {m: sympy.Mul(*(s**n for s, n in zip(outers, m, strict=True))) for m in rows}
    return [(terms[m], _fitted(row, list(roots))) for m, row in rows.items()]


def _roots(row: Sequence[Expr]) -> Iterator[Root]:
    """What may be a root of these numbers: the quotient of two of them or of their differences, if
    it is the same for all, its root if it is a square, else its square."""
    gaps = [sympy.factor(b - a) for a, b in pairwise(row)]
    for found in (row, gaps, row[1:], gaps[1:]):
        if len(found) < 3 or found[0] == 0 or found[1] == 0:
            continue
        ratio = sympy.factor(sympy.cancel(found[1] / found[0]))
        if ratio.is_number or not same(found[2], ratio * found[1]):
            continue
        base = _square_root(ratio)
        base = ratio if base is None else base
        plain = sympy.expand(base)
        constant, _ = plain.as_coeff_Add()
        plain = -plain if constant < 0 and base != ratio else plain
        yield plain, 1
        yield plain, 2
        return


def _square_root(e: Expr) -> Expr | None:
    """The rational function of which it is the square."""
    number, factors = sympy.factor_list(e)
    half = sympy.sqrt(number)
    if not half.is_Rational or any(n % 2 for _, n in factors):
        return None
    return half * sympy.Mul(*(f ** (n // 2) for f, n in factors))


def _fitted(row: Sequence[Expr], roots: Sequence[Root]) -> dict[Root, Expr]:
    """The factor of each root in one coefficient."""
    if all(same(c, row[0]) for c in row[1:]):
        return {NONE: row[0]}
    modes: list[Root] = [*roots, NONE, None]  # None is for n itself
    for size in range(1, MOST + 1):
        for some in combinations(modes, size):
            values = [
                [n if r is None else (r[0] ** r[1]) ** n for r in some]
                for n in range(1, len(row) + 1)
            ]
            if not _may_fit(values, row, size):
                continue
            matrix = sympy.Matrix([values[i] for i in range(size)])
            weights = [sympy.factor(w) for w in matrix.LUsolve(sympy.Matrix(row[:size]))]
            if all(
                same(sympy.Add(*(w * v for w, v in zip(weights, line, strict=True))), c)
                for line, c in zip(values, row, strict=True)
            ):
                return dict(zip(some, weights, strict=True))
    raise NotReadable("numbers of another form in the number of rounds")


def _may_fit(values: Sequence[Sequence[Expr]], row: Sequence[Expr], size: int) -> bool:
    """Whether the numbers fit at one point: most combinations of roots do not."""
    formulas = [sympy.sympify(e) for e in (*row, *(v for line in values for v in line))]
    at = some_point(sorted({s for e in formulas for s in e.free_symbols}, key=str))
    table = [[sympy.sympify(v).xreplace(at) for v in line] for line in values]
    right = [c.xreplace(at) for c in row]
    matrix = sympy.Matrix([table[i] for i in range(size)])
    if matrix.det() == 0:
        return False
    weights = matrix.LUsolve(sympy.Matrix(right[:size]))
    return all(
        sympy.Add(*(w * v for w, v in zip(weights, line, strict=True))) == c
        for line, c in zip(table, right, strict=True)
    )
