"""Squares that may complete a square in a fact.

Two sources: binomials ``(m_i - q m_j)^2`` with the ratios that the coefficients suggest, and
Lagrange's reduction of the negated claim, read as a quadratic form in its monomials.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from verify.certify.algebra.facts import (
    Fact,
    Monomial,
    Polynomial,
    multiply,
    square,
    symbol_facts,
    unit,
)

__all__ = ["squares"]


def squares(
    facts: Sequence[Fact], variables: Sequence[str], real: Sequence[bool], limit: int = 9
) -> Iterator[Fact]:
    """Yield squares that could complete a square in one of the facts.

    The monomials are halves of even monomials of a fact, of the negated claim times a positive
    symbol, or of the part of them in the symbols of unknown sign.

    Parameters
    ----------
    facts : sequence of Fact
    variables : sequence of str
        Names, used to print the squares.
    real : sequence of bool
        Which variables are known to be real; only those occur in a root.
    limit : int
        Largest number of monomials combined.

    Yields
    ------
    Fact
        Each square once, of kind "square".
    """
    sign = symbol_facts(facts)
    free = [v for v in range(len(variables)) if v not in sign and real[v]]
    units = [unit(len(variables), v) for v in sign]
    targets = [fact.polynomial for fact in facts if fact.kind != "symbol"]
    negated = [fact.polynomial for fact in facts if fact.kind == "negation"]
    targets += [multiply(p, {unit: Fraction(1)}) for p in negated for unit in units]
    roots: dict[Monomial, None] = {}
    for polynomial in targets:
        for m in polynomial:
            for candidate in (m, tuple(e if v in free else 0 for v, e in enumerate(m))):
                half = tuple(e // 2 for e in candidate)
                even = all(e % 2 == 0 for e in candidate)
                if even and all(real[v] for v, e in enumerate(half) if e):
                    roots.setdefault(half)
    basis = sorted(roots, key=lambda m: (sum(m), m))[:limit]
    free_basis = [m for m in basis if any(e for v, e in enumerate(m) if v in free)]
    roots_of: list[Polynomial] = [{m: Fraction(1)} for m in free_basis]
    roots_of += [
        {a: Fraction(1), b: -ratio}
        for a, b in combinations(basis, 2)
        for ratio in sorted(_ratios(targets, a, b))
    ]
    for polynomial in negated:
        roots_of += _reduction({m: -c for m, c in polynomial.items()}, basis)
        roots_of += _reduction({m: -c for m, c in polynomial.items()}, basis[::-1])
    seen: set[tuple[tuple[Monomial, Fraction], ...]] = set()
    for root in roots_of:
        fact = square(root, variables)
        if fact.terms not in seen:
            seen.add(fact.terms)
            yield fact


def _reduction(form: Polynomial, basis: Sequence[Monomial]) -> Iterator[Polynomial]:
    """Lagrange's reduction: the roots of the squares taken off one after the other."""
    for m in basis:
        leading = form.get(_sum(m, m), Fraction(0))
        if leading <= 0:
            continue
        root = {m: Fraction(1)}
        for n in basis:
            cross = form.get(_sum(m, n), Fraction(0))
            if n != m and cross:
                root[n] = cross / (2 * leading)
        for n, c in multiply(root, root).items():
            form[n] = form.get(n, Fraction(0)) - leading * c
        yield root


def _ratios(targets: Sequence[Polynomial], a: Monomial, b: Monomial) -> set[Fraction]:
    """Values q for which a target may contain ``(m_a - q m_b)^2``; always 1 and -1."""
    ratios = {Fraction(1), Fraction(-1)}
    aa, ab, bb = _sum(a, a), _sum(a, b), _sum(b, b)
    for polynomial in targets:
        cross = polynomial.get(ab, Fraction(0))
        if cross and polynomial.get(aa):
            ratios.add(-cross / (2 * polynomial[aa]))
        if cross and polynomial.get(bb):
            ratios.add(-2 * polynomial[bb] / cross)
    return ratios


def _sum(m: Monomial, n: Monomial) -> Monomial:
    return tuple(map(int.__add__, m, n))
