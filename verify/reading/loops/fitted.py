"""Which roots a few numbers have, and what stands beside each: exact, on quotients of polynomials.

The numbers are taken apart by what a round does not multiply; the coefficients of that are looked
at one by one.  A root is a quotient of two that follow each other, or of their differences; weights
that fit the first numbers are kept if they fit the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

import sympy
from flint import fmpq

from verify.certify.algebra.ratios import NotRational
from verify.reading.parts.quotients import Quotient, Ring, leaves, ring_of
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types
Number = Any  # a quotient of polynomials, or of flint's whole numbers

Root = tuple[Expr, int] | None
"""A root b^p as (b, p); None for the number of rounds."""

NONE = (sympy.Integer(1), 0)
"""The root 1."""
MOST = 3
"""Terms of one coefficient."""

__all__ = ["NONE", "Root", "fitted_terms", "outer"]


@lru_cache(maxsize=200)
def fitted_terms(values: tuple[Expr, ...]) -> list[tuple[Expr, dict[Root, Expr]]]:
    """What a round does not multiply, and the factor of each root beside it.

    Parameters
    ----------
    values : tuple of expressions
        After 1, 2, 3, ... rounds.

    Raises
    ------
    NotReadable
        Where they are no such numbers.
    """
    try:
        ring, numbers = _quotients(values)
        outers = _outer(ring, numbers)
        parts = [ring.coefficients(q, outers) for q in numbers]
        monomials = sorted({m for part in parts for m in part})
        rows = {m: [part.get(m, ring.number(0)) for part in parts] for m in monomials}
        roots = dict.fromkeys(root for row in rows.values() for root in _roots(ring, row))
        modes = _modes(ring, list(roots), len(values))
        terms = {m: sympy.Mul(*(s**n for s, n in zip(outers, m, strict=True))) for m in rows}
        return [(terms[m], _fitted(ring, row, modes)) for m, row in rows.items()]
    except (NotRational, ZeroDivisionError) as error:
        raise NotReadable(str(error)) from error


def outer(values: Sequence[Expr]) -> list[Expr]:
    """Symbols in which what is given after each number of rounds is a polynomial of one degree.

    Raises
    ------
    NotRational
    """
    return _outer(*_quotients(values))


# -- private helpers -------------------------------------------------------------------------------


def _quotients(values: Sequence[Expr]) -> tuple[Ring, list[Quotient]]:
    """The values, as quotients of polynomials in all symbols."""
    ring = ring_of(frozenset[Expr]().union(*map(leaves, values)))
    return ring, [ring(v) for v in values]


def _outer(ring: Ring, numbers: Sequence[Quotient]) -> list[Expr]:
    over = [[max(int(n), 0) for n in q.over.degrees()] for q in numbers[-3:]]
    under = [q.under.degrees() for q in numbers]
    inside = {s for v in ring.variables if not v.is_Symbol for s in v.free_symbols}
    found = [
        v
        for i, v in enumerate(ring.variables)
        if v.is_Symbol and v not in inside
        if len({d[i] for d in over}) == 1 and not any(d[i] for d in under)
    ]
    return sorted(found, key=str)


def _roots(ring: Ring, row: Sequence[Quotient]) -> Iterator[tuple[Expr, int]]:
    """What may be a root of these numbers: the quotient of two of them or of their differences, if
    it is the same for all, its root if it is a square, else its square."""
    gaps = [b - a for a, b in pairwise(row)]
    for found in (row, gaps, row[1:], gaps[1:]):
        if len(found) < 3 or not found[0] or not found[1]:
            continue
        ratio = found[1] / found[0]
        if ratio.is_constant() or found[2] != ratio * found[1]:
            continue
        square = _square_root(ring, ratio)
        plain = sympy.expand(ring.factored(ratio) if square is None else square)
        constant, _ = plain.as_coeff_Add()
        plain = -plain if constant < 0 and square is not None else plain
        yield plain, 1
        yield plain, 2
        return


def _square_root(ring: Ring, q: Quotient) -> Expr | None:
    """The polynomial of which it is the square."""
    if not q.under.is_constant():
        raise NotReadable("a round that multiplies by a quotient")
    number, factors = ring.factors(q.over)
    half = sympy.sqrt(sympy.Rational(number, int(q.under.leading_coefficient())))
    if not half.is_Rational or any(n % 2 for _, n in factors):
        return None
    return half * sympy.Mul(*(f ** (n // 2) for f, n in factors))


def _modes(ring: Ring, roots: Sequence[tuple[Expr, int]], count: int) -> dict[Root, list[Quotient]]:
    """What each root gives after 1, 2, 3, ... rounds; None is for the number itself."""
    found: dict[Root, list[Quotient]] = {}
    for base, power in (*roots, NONE):
        once = ring(base) ** power
        found[base, power] = [once**n for n in range(1, count + 1)]
    return {**found, None: [ring.number(n) for n in range(1, count + 1)]}


def _fitted(
    ring: Ring, row: Sequence[Quotient], modes: Mapping[Root, Sequence[Quotient]]
) -> dict[Root, Expr]:
    """The factor of each root in one coefficient."""
    if all(c == row[0] for c in row[1:]):
        return {NONE: ring.factored(row[0])}
    right = _at_a_point(row)
    table = {root: _at_a_point(values) for root, values in modes.items()}
    for size in range(1, MOST + 1):
        for some in combinations(modes, size):
            if not _weights([table[root] for root in some], right):
                continue  # most combinations do not fit at one point
            weights = _weights([modes[root] for root in some], row)
            if weights:
                return {r: ring.factored(w) for r, w in zip(some, weights, strict=True)}
    raise NotReadable("numbers of another form in the number of rounds")


def _weights(columns: Sequence[Sequence[Number]], right: Sequence[Number]) -> list[Number]:
    """By what the columns are multiplied where they add up to the right side; nothing else."""
    size = len(columns)
    lines = [[*line, c] for *line, c in zip(*columns, right, strict=True)]
    for i in range(size):
        pivot = next((n for n in range(i, size) if lines[n][i]), None)
        if pivot is None:
            return []
        lines[i], lines[pivot] = lines[pivot], lines[i]
        lines[i] = [v / lines[i][i] for v in lines[i]]
        for n, line in enumerate(lines):
            if n != i and line[i]:
                lines[n] = [v - line[i] * w for v, w in zip(line, lines[i], strict=True)]
    return [] if any(line[-1] for line in lines[size:]) else [line[-1] for line in lines[:size]]


def _at_a_point(values: Sequence[Quotient]) -> list[Any]:
    """The values where each symbol is a whole number of no pattern."""
    found = []
    for q in values:
        at = [pow(5, i + 9, 10_007) for i in range(q.over.context().nvars())]
        found.append(fmpq(q.over(*at), q.under(*at)))
    return found
