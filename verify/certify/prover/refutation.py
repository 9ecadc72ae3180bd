r"""Refute a system of polynomial inequalities by an identity with non-negative multipliers.

Given facts ``p_i >= 0`` (some strict), the search looks for rationals ``q_j > 0`` and products
``P_j`` of facts, of monomials of known sign and of squares, with

.. math:: \sum_j q_j P_j \equiv 0 \quad\text{and at least one } P_j > 0,

which no point can satisfy (Handelman, Pacific J. Math. 132, 1988; Schmuedgen, Math. Ann. 289,
1991).  A linear programme in floats proposes the support; the multipliers are then solved for in
`Fraction` and checked, so that an answer is exact or absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

from verify.certify.algebra.facts import Fact, Polynomial, has_point, square, symbol_facts, unit
from verify.certify.algebra.packed import ONE, Packed, Packing
from verify.certify.algebra.points import moved_point
from verify.certify.algebra.squares import squares
from verify.certify.prover.multipliers import Column, Products, integers, multipliers
from verify.limits.counter import QUESTION, spend

TWICE = 2
"""How often the negated claim may enter a product."""

__all__ = ["Refutation", "refute"]


@dataclass(frozen=True)
class Refutation:
    """Facts (squares appended) and ``(multiplier, indices into facts)``; multipliers positive."""

    facts: tuple[Fact, ...]
    products: Products


def refute(
    facts: Sequence[Fact],
    variables: Sequence[str],
    real: Sequence[bool],
    *,
    degree: int = 3,
    cap: int = 3000,
    roots: Sequence[Polynomial] = (),
) -> Refutation | None:
    """Search for a refutation of `facts`, shortest products first.

    Parameters
    ----------
    facts : sequence of Fact
        Facts of kind "negation" enter a product at most twice; a fact of kind "symbol" states the
        sign of one variable and lends itself to monomials.
    variables : sequence of str
        Names, used to print squares.
    real : sequence of bool
        Which variables are known to be real: only those enter squares.
    degree : int
        Largest number of factors in a product; powers of signed symbols come on top where they
        lead to monomials that occur anyway.
    cap : int
        Largest number of products tried; beyond it the search gives up.
    roots : sequence of polynomials
        Whose squares to try besides those that the facts suggest.

    Returns
    -------
    Refutation or None
        Exact, or nothing.
    """
    if not variables:
        return _of_numbers(facts)
    spend(QUESTION)
    if has_point(facts, len(variables)):
        return None
    completions = [square(root, variables) for root in roots]
    named = {fact.terms for fact in completions}
    completions += [fact for fact in squares(facts, variables, real) if fact.terms not in named]
    search = _Search(facts, completions, variables, real, degree)
    for size in range(1, degree + 1):
        for extra in ([], completions) if completions else ([],):
            if search.count(size, len(extra)) > cap:
                return None
            known = [*facts, *extra]
            columns = search.products(size, len(known))
            rows = {m for _, polynomial in columns for m in polynomial.terms}
            search.scale(columns, rows)
            known += search.monomials(columns, rows, known)
            strict = [all(known[i].strict for i in factors) for factors, _ in columns]
            found = multipliers(columns, strict)
            if found is not None:
                return Refutation(tuple(known), found)
            if size == 1 and not extra and moved_point(facts, len(variables)):
                return None
    return None


def _of_numbers(facts: Sequence[Fact]) -> Refutation | None:
    """A fact about numbers that is false by itself; floats could not tell two close ones apart."""
    for i, fact in enumerate(facts):
        value = fact.polynomial.get((), Fraction(0))
        if value < 0:
            one, other = integers([(1 / -value, (i,)), (Fraction(1), ())])
            return Refutation(tuple(facts), (other, one))
        if value == 0 and fact.strict:
            return Refutation(tuple(facts), ((Fraction(1), (i,)),))
    return None


class _Search:
    """The products of facts and of squares, each of them formed once."""

    def __init__(
        self,
        facts: Sequence[Fact],
        completions: Sequence[Fact],
        variables: Sequence[str],
        real: Sequence[bool],
        degree: int,
    ) -> None:
        everything = [*facts, *completions]
        self._facts, self._variables, self._real = facts, variables, real
        self._packing = Packing(len(variables), (f.polynomial for f in everything), max(degree, 2))
        self._packed = [self._packing.pack(fact.terms) for fact in everything]
        self._made: dict[tuple[int, ...], Packed] = {(): ONE}
        self._negations = {i for i, fact in enumerate(facts) if fact.kind == "negation"}
        self._sign = symbol_facts(facts)

    def count(self, size: int, extra: int) -> int:
        """How many products of up to `size` facts there are, at most one a square of `extra`."""
        plain, negations = len(self._facts) - len(self._negations), len(self._negations)
        found = sum(
            _multisets(plain, length - n) * _multisets(negations, n)
            for length in range(size + 1)
            for n in range(min(length, TWICE) + 1)
        )
        shorter = sum(_multisets(plain, length) for length in range(max(size, 2)))
        return found + extra * shorter

    def products(self, size: int, known: int) -> list[Column]:
        """All products of up to `size` facts, at most one of them a square below `known`."""
        keys: list[tuple[int, ...]] = [()]
        for length in range(1, size + 1):
            keys += [
                key
                for key in combinations_with_replacement(range(len(self._facts)), length)
                if sum(i in self._negations for i in key) <= TWICE
            ]
        keys += [
            (*key, i)
            for key in keys
            if len(key) < max(size, 2) and not self._negations & set(key)
            for i in range(len(self._facts), known)
        ]
        for key in keys:
            if key not in self._made:
                self._made[key] = self._made[key[:-1]].times(self._packed[key[-1]])
        return [(key, self._made[key]) for key in keys]

    def scale(self, columns: list[Column], rows: set[int]) -> None:
        """Append facts times monomials of positive symbols that lead to monomials in `rows`."""
        packing, sign = self._packing, self._sign
        unsigned = packing.variables(set(range(len(self._variables))) - set(sign))
        present = {factors for factors, _ in columns}
        ordered = sorted(rows)
        for i, fact in enumerate(self._facts):
            if fact.kind == "symbol" or not fact.terms:
                continue
            packed = self._packed[i]
            first, *others = packed.terms
            for row in ordered:
                shift = packing.quotient(row, first)
                if shift is None or shift & unsigned or any(m + shift not in rows for m in others):
                    continue
                powers = [sign[v] for v, e in enumerate(packing.exponents(shift)) for _ in range(e)]
                key = tuple(sorted([i, *powers]))
                if key not in present:
                    present.add(key)
                    moved = {m + shift: c for m, c in packed.terms.items()}
                    columns.append((key, Packed(moved, packed.scale)))

    def monomials(self, columns: list[Column], rows: set[int], known: Sequence[Fact]) -> list[Fact]:
        """Append the monomials of known sign in `rows`; return unknown squares that they need."""
        needed: list[Fact] = []
        squared = {f.terms: i for i, f in enumerate(known) if f.kind == "square"}
        place: dict[int, int] = {}
        present = {factors for factors, _ in columns}
        for row in sorted(rows):
            factors: list[int] = []
            for v, exponent in enumerate(self._packing.exponents(row)):
                if v in self._sign:
                    factors += [self._sign[v]] * exponent
                elif exponent % 2 or (exponent and not self._real[v]):
                    break
                elif exponent:
                    if v not in place:
                        root = square({unit(len(self._variables), v): Fraction(1)}, self._variables)
                        place[v] = squared.get(root.terms, len(known) + len(needed))
                        if root.terms not in squared:
                            needed.append(root)
                    factors += [place[v]] * (exponent // 2)
            else:
                key = tuple(sorted(factors))
                if key not in present:
                    present.add(key)
                    columns.append((key, Packed({row: 1}, 1)))
        return needed


def _multisets(kinds: int, size: int) -> int:
    """How many ways there are to choose with repetition."""
    return comb(kinds + size - 1, size) if kinds else int(size == 0)
