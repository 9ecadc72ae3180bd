"""What a semidefinite programme may multiply: products of facts, and squares of which monomials.

A system of facts is asked in stages, the cheap ones first.  What grows is the degree of the
products, how many facts are multiplied, and whether the supposition that the claim is false is
multiplied as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

from verify.certify.algebra.facts import Fact, Monomial, Polynomial, multiply, symbol_facts
from verify.certify.algebra.square_blocks import (
    Block,
    by_signs,
    degree,
    monomials,
    scalings,
    weight,
    without_lone,
)
from verify.limits.counter import spend

MONOMIALS = 4_000
"""Of all monomials of half the degree, at most; those that scale otherwise are left out of them."""
WORK = 200_000
"""Pairs of monomials times terms of facts in a stage, at most, before lone ones are left out."""
PER_TERM = 10
"""So many of them take as long as a term of a linear programme."""
ENTRIES, LARGEST = 1_600, 60
"""Entries of all matrices of a programme, and rows of one, at most: about a second."""
PRODUCTS = 150
"""Products of facts in a stage, at most, signs of symbols not counted."""

__all__ = ["Stage", "System"]


@dataclass(frozen=True)
class Stage:
    """What a programme may multiply.

    Attributes
    ----------
    degree : int
        Largest degree of a product.
    together : int
        How many facts are multiplied, besides signs of symbols.
    claim : bool
        Whether squares and signs of symbols multiply the supposition that the claim is false.
    twice : bool
        Whether its square is the positive product.
    """

    degree: int
    together: int = 1
    claim: bool = False
    twice: bool = False


class System:
    """The programmes of one system of facts.

    Parameters
    ----------
    facts : sequence of Fact
        The first is the supposition that the claim is false.
    real : sequence of bool
        Which variables are known to be real: only those enter squares.
    """

    def __init__(self, facts: Sequence[Fact], real: Sequence[bool]) -> None:
        self._facts, self._width = facts, len(real)
        self._places = [v for v, is_real in enumerate(real) if is_real]
        self._signs = symbol_facts(facts)
        self._others = [
            i
            for i, fact in enumerate(facts)
            if i and i not in self._signs.values() and degree(fact.polynomial)
        ]
        self._scalings = scalings(facts, self._width)

    def stages(self) -> Iterator[Stage]:
        """Cheap ones first."""
        top = degree(self._facts[0].polynomial)
        yield Stage(top)
        if self._others:
            yield Stage(top, 2)
            yield Stage(top + 1, 2)
            yield Stage(top + 2, 2)
        if self._signs:
            yield Stage(top + 1, 1, claim=True)
        yield Stage(top + 2, 1, claim=True)
        yield Stage(top + 4, 1, claim=True)
        yield Stage(2 * top, 1, claim=True, twice=True)

    def blocks(self, stage: Stage) -> list[Block]:
        """Blocks of monomials; none where they are too many, or could not be enough."""
        half = stage.degree // 2
        if comb(len(self._places) + half, half) > MONOMIALS:
            return []
        squared: dict[tuple[int, ...], list[Monomial]] = {}
        for m in monomials(self._places, self._width, half):
            squared.setdefault(self._weights(m, 2), []).append(m)
        made, work = [], 0
        for factors, product in self._products(stage):
            block = self._block(stage, factors, product, squared)
            if block is None:
                continue
            made.append(block)
            work += block.entries * len(product)
            if work > WORK:
                return []
        spend(work // PER_TERM)
        made += self._counted(stage)
        kept = without_lone(made, self._width)
        used = sorted({0, *(i for block in kept for i in block.factors)})
        found = by_signs(kept, [self._facts[i] for i in used], self._width)
        fits = sum(block.entries for block in found) <= ENTRIES and all(
            len(block.roots) <= LARGEST for block in found
        )
        return found if fits else []

    def _products(self, stage: Stage) -> Iterator[tuple[tuple[int, ...], Polynomial]]:
        """Products of facts, with signs of symbols, that sums of squares may multiply."""
        sets = [c for k in range(stage.together + 1) for c in combinations(self._others, k)]
        sets = sets[:PRODUCTS] + ([(0,)] if stage.claim else [])
        for chosen in sets:
            plain: Polynomial = {(0,) * self._width: Fraction(1)}
            for i in chosen:
                plain = multiply(plain, self._facts[i].polynomial)
            yield from self._signed(chosen, plain, stage.degree)

    def _signed(
        self, factors: tuple[int, ...], plain: Polynomial, most: int
    ) -> Iterator[tuple[tuple[int, ...], Polynomial]]:
        """A product times different symbols of known sign, up to a degree."""
        for k in range(min(most - degree(plain), len(self._signs)) + 1):
            for symbols in combinations(sorted(self._signs), k):
                by = tuple(int(v in symbols) for v in range(self._width))
                moved = {tuple(map(int.__add__, m, by)): c for m, c in plain.items()}
                yield (*factors, *(self._signs[v] for v in symbols)), moved

    def _weights(self, monomial: Monomial, power: int = 1) -> tuple[int, ...]:
        """How a power of a monomial scales."""
        return tuple(power * weight(scaling, monomial) for scaling in self._scalings)

    def _missing(self, stage: Stage, product: Polynomial) -> tuple[int, ...]:
        """How a square must scale so that a product has the units of the supposition."""
        own, first = next(iter(product)), self._facts[0].terms[0][0]
        whole = self._weights(first, 1 + stage.twice)
        return tuple(w - o for w, o in zip(whole, self._weights(own), strict=True))

    def _block(
        self,
        stage: Stage,
        factors: tuple[int, ...],
        product: Polynomial,
        squared: Mapping[tuple[int, ...], Sequence[Monomial]],
    ) -> Block | None:
        """All monomials whose squares may multiply a product."""
        room = (stage.degree - degree(product)) // 2
        found = [m for m in squared.get(self._missing(stage, product), ()) if sum(m) <= room]
        if 0 in factors and not any(map(sum, found)):
            return None  # by itself it is counted
        return Block.of(factors, product, found) if found else None

    def _counted(self, stage: Stage) -> Iterator[Block]:
        """Positive products, in which the supposition takes part if it is strict."""
        claim, one = self._facts[0], (0,) * self._width
        if stage.twice:
            whole = multiply(claim.polynomial, claim.polynomial)
            if claim.strict:
                yield Block.of((0, 0), whole, [one], counted=True)
            return
        plain = claim.polynomial if claim.strict else {one: Fraction(1)}
        for factors, product in self._signed((0,) if claim.strict else (), plain, stage.degree):
            if claim.strict and len(factors) > 1 and not stage.claim:
                break  # the others are the supposition times symbols
            strict = all(self._facts[i].strict for i in factors)
            if strict and not any(self._missing(stage, product)):
                yield Block.of(factors, product, [one], counted=True)
        if not claim.strict:
            yield Block.of((0,), claim.polynomial, [one])
