"""Squares that may help to prove a claim about vectors: those that it speaks of, and their kin."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from verify.reading.parts.claim import ReadClaim, said

Expr = Any  # sympy carries no types

__all__ = ["squares_met"]


def squares_met(one: ReadClaim) -> list[Expr]:
    """Linear forms whose squares may prove a claim about vectors.

    What is squared in its formulas, differences of two numbers whose sum is, then the sums and
    differences of two forms that share a vector.
    """
    import sympy

    _, claim, vectors = one
    squared = [
        p.base
        for e in said(claim)
        for p in sorted(e.atoms(sympy.Pow), key=str)
        if p.exp == 2 and p.base.is_polynomial()
    ]
    bases = [b for b in squared if {str(s) for s in b.free_symbols} & {*vectors}]
    others = [b.args[0] - b.args[1] for b in squared if len(b.args) == 2 and b.is_Add]
    bases += [b for b in others if not {str(s) for s in b.free_symbols} & {*vectors}]
    plain = [b for b in bases if {str(s) for s in b.free_symbols} <= {*vectors}]
    pairs = [
        sympy.expand(a + sign * b)
        for a, b in combinations(plain, 2)
        for sign in (1, -1)
        if a.free_symbols & b.free_symbols
    ]
    found: dict[Expr, Expr] = {}
    for e in [*bases, *pairs]:
        if e != 0:
            found.setdefault(_up_to_a_factor(e), e)
    return [*found.values()]


def _up_to_a_factor(e: Expr) -> Expr:
    """The same of a form and of its multiples."""
    import sympy

    plain = sympy.expand(e)
    terms = [term.as_coeff_Mul() for term in sympy.Add.make_args(plain)]
    first, _ = min(terms, key=lambda term: str(term[1]))
    return sympy.expand(plain / first)
