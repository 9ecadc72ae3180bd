r"""What a program gives after any number of rounds, read off from a few that are written out.

A round that is the same linear map of what came before gives numbers

.. math:: V_n = \sum_i c_i\,r_i^n + c\,n ,

with roots that do not depend on n.  Which they are is found from the first numbers, coefficient by
coefficient of what a round does not multiply, and tried on further ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import sympy

from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same

Expr = Any  # sympy carries no types

MOST = 4
"""Terms of one coefficient."""

__all__ = ["closed", "outer"]


def outer(values: Sequence[Expr]) -> list[Expr]:
    """Symbols in which what is given after each number of rounds is a polynomial of one degree."""
    tops = [sympy.fraction(sympy.together(v))[0] for v in values[1:4]]
    bottoms = [sympy.fraction(sympy.together(v))[1] for v in values[1:4]]
    free = {s for v in values for s in v.free_symbols}
    held = {s for b in bottoms for s in b.free_symbols}
    held |= {s for v in values for p in v.atoms(sympy.Pow) if not p.exp.is_Integer for s in p.free_symbols}
    held |= {s for v in values for f in v.atoms(sympy.Function) for s in f.free_symbols}
    return sorted(
        (
            s
            for s in free - held
            if len({sympy.degree(top, s) if top.has(s) else 0 for top in tops}) == 1
        ),
        key=str,
    )


def closed(values: Sequence[Expr], rounds: Expr) -> Expr:
    """The formula in the number of rounds.

    Parameters
    ----------
    values : sequence of expressions
        After 0, 1, 2, ... rounds.
    rounds : symbol

    Raises
    ------
    NotReadable
        Where they are no such numbers.
    """
    if all(v == values[0] for v in values):
        return values[0]
    outers = outer(values)
    polys = [sympy.Poly(v, *outers) if outers else None for v in values]
    monomials = sorted({m for p in polys for m in p.monoms()}) if outers else [()]
    rows = {
        m: [p.coeff_monomial(m) if p is not None else v for p, v in zip(polys, values, strict=True)]
        for m in monomials
    }
    rows = {m: [sympy.factor(c) for c in row] for m, row in rows.items()}
    roots: dict[Expr, None] = {}
    for row in rows.values():
        for root in _roots(row):
            roots.setdefault(root)
    total = sympy.Integer(0)
    for m, row in rows.items():
        term = sympy.Mul(*(s**n for s, n in zip(outers, m, strict=True)))
        total += term * _fitted(row, list(roots), rounds)
    return total


def _roots(row: Sequence[Expr]) -> Iterator[Expr]:
    """What may be a root of these numbers: their quotients, those of their differences, their
    squares and roots."""
    gaps = [sympy.factor(b - a) for a, b in zip(row, row[1:], strict=False)]
    for found in (row, gaps, row[1:], gaps[1:]):
        if len(found) < 3 or found[0] == 0 or found[1] == 0:
            continue
        ratio = sympy.cancel(found[1] / found[0])
        if ratio.is_number or not same(found[2], ratio * found[1]):
            continue
        root = sympy.factor(ratio)
        half = sympy.sqrt(root)
        base, power = root.as_base_exp()
        if power == 2:
            half = base
        plain = half.is_rational_function(*half.free_symbols)
        if plain:
            yield sympy.expand(half)
        yield root if plain else sympy.expand(root)
        if not plain:
            yield root**2
        return


def _fitted(row: Sequence[Expr], roots: Sequence[Expr], rounds: Expr) -> Expr:
    """The formula of one coefficient."""
    if all(same(c, row[0]) for c in row[1:]):
        return row[0]
    numbers = range(len(row))
    one, n = sympy.Integer(1), sympy.Symbol("n_", integer=True)
    modes = [*roots, one, None]  # None is for n itself
    for size in range(1, MOST + 1):
        for some in combinations(modes, size):
            values = [[i if r is None else r**i for r in some] for i in numbers]
            if not _may_fit(values, row, size):
                continue
            matrix = sympy.Matrix([values[i] for i in range(size)])
            weights = matrix.LUsolve(sympy.Matrix(row[:size]))
            weights = [sympy.factor(w) for w in weights]
            if all(
                same(sympy.Add(*(w * v for w, v in zip(weights, line, strict=True))), c)
                for line, c in zip(values, row, strict=True)
            ):
                return sympy.Add(
                    *(
                        w * (rounds if r is None else r**rounds)
                        for w, r in zip(weights, some, strict=True)
                    )
                )
    assert n is not None
    raise NotReadable("numbers of another form in the number of rounds")


def _may_fit(values: Sequence[Sequence[Expr]], row: Sequence[Expr], size: int) -> bool:
    """Whether the numbers fit at one point: most combinations of roots do not."""
    symbols = sorted({s for e in (*row, *(v for line in values for v in line)) for s in sympy.sympify(e).free_symbols}, key=str)
    at = {s: sympy.Rational(7 + 4 * i, 31 + 6 * i) for i, s in enumerate(symbols)}
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
