r"""Refute a system of polynomial inequalities by sums of squares: what is tried after short products.

Looked for is an identity :math:`\sum_j q_j P_j s_j^2 \equiv 0` with products :math:`P_j` of facts and
any polynomials :math:`s_j`, some product being positive by itself.  The squares come from one
semidefinite programme (Parrilo, Math. Program. 96, 2003; Peyrl and Parrilo, Theor. Comput. Sci. 409,
2008, for how it is rounded), so that each is a fact like others and the checker needs no rule.

Stages, the cheap ones first: coefficients of Bernstein where all variables lie in intervals; squares
times facts and times products of two; squares that multiply the claim too, which proves what is not
a sum of squares itself (Motzkin's polynomial times 1 + x^2 + y^2 is one); and the square of the
supposition as the positive product, for forms, of which no multiplier has a constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import comb

from verify.certify.algebra.boxes import bernstein, intervals, moved_back, on_unit_intervals
from verify.certify.algebra.exact_squares import Weighted, faces
from verify.certify.algebra.facts import (
    Fact,
    Monomial,
    Polynomial,
    has_point,
    multiply,
    square,
    symbol_facts,
)
from verify.certify.algebra.packed import ONE, Packing
from verify.certify.algebra.points import moved_point
from verify.certify.algebra.square_blocks import (
    Block,
    by_signs,
    degree,
    monomials,
    scalings,
    weight,
    without_lone,
)
from verify.certify.prover.multipliers import Products, integers, multipliers
from verify.certify.prover.refutation import Refutation
from verify.limits.counter import QUESTION, spend

VARIABLES, FACTS, DEGREE = 12, 30, 20
"""Beyond so many variables or facts, or such a degree of the claim, nothing is tried."""
MONOMIALS = 4_000
"""Of all monomials of half the degree, at most; those that scale otherwise are left out of them."""
WORK = 200_000
"""Pairs of monomials times terms of facts in a stage, at most, before lone ones are left out."""
PER_TERM = 10
"""Of them take as long as a term of a linear programme."""
ENTRIES, LARGEST = 1_600, 60
"""Entries of all matrices of a programme, and rows of one, at most: about a second."""
BINOMIALS = 1_000
"""Entries of all matrices up to which squares of sums of two roots are tried first."""
PAIRS = 150
"""Products of facts in a stage, at most."""
STEEP = 6
"""Degree of a claim from which on intervals are moved to [-1, 1]."""

__all__ = ["refute_by_squares"]


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


def refute_by_squares(
    facts: Sequence[Fact], variables: Sequence[str], real: Sequence[bool]
) -> Refutation | None:
    """Search for a refutation of facts of which the first is the negated claim.

    Parameters
    ----------
    facts, variables, real
        As for `verify.certify.prover.refutation.refute`.

    Returns
    -------
    Refutation or None
        Exact, or nothing.
    """
    width = len(variables)
    negation = facts[0]
    if (
        not 0 < width <= VARIABLES
        or len(facts) > FACTS
        or negation.kind != "negation"
        or not 0 < degree(negation.polynomial) <= DEGREE
    ):
        return None
    spend(QUESTION)
    if has_point(facts, width) or moved_point(facts, width):
        return None
    products = bernstein(negation, facts, width)
    if products is not None:
        return Refutation(tuple(facts), tuple(integers(products)))
    for given, moves in _systems(facts, width):
        system, met = _System(given, real), list[list[Block]]()
        for stage in system.stages():
            blocks = system.blocks(stage)
            if not blocks or blocks in met:
                continue
            met.append(blocks)
            for face in faces(blocks):
                candidates = _binomials(face.programme.blocks, moves)
                found = _refutation(facts, variables, candidates, few=True)
                if found is None and face.has_room:
                    rounded = face.rounded() or []
                    moved = [(q, used, moved_back(root, moves)) for q, used, root in rounded]
                    found = _refutation(facts, variables, moved)
                if found is not None:
                    return found
    return None


def _systems(
    facts: Sequence[Fact], width: int
) -> Iterator[tuple[Sequence[Fact], dict[int, tuple[Fraction, Fraction]]]]:
    """The facts as they are, and with variables moved where they lie in intervals."""
    within = intervals(facts, width)
    centred = all(w.low + w.high == 0 for w in within.values())
    if not centred and degree(facts[0].polynomial) >= STEEP:
        yield on_unit_intervals(facts, within)
    yield facts, {}


class _System:
    """The programmes of one system of facts."""

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
        squared = list(monomials(self._places, self._width, half))
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
        sets = sets[:PAIRS] + ([(0,)] if stage.claim else [])
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

    def _scales(self, stage: Stage, product: Polynomial, root: Monomial) -> bool:
        """Whether a product times a square is of the units of the supposition (or its square)."""
        own, first = next(iter(product)), self._facts[0].terms[0][0]
        return all(
            weight(s, own) + 2 * weight(s, root) == (1 + stage.twice) * weight(s, first)
            for s in self._scalings
        )

    def _block(
        self,
        stage: Stage,
        factors: tuple[int, ...],
        product: Polynomial,
        squared: Sequence[Monomial],
    ) -> Block | None:
        """All monomials whose squares may multiply a product."""
        room = (stage.degree - degree(product)) // 2
        found = [m for m in squared if sum(m) <= room and self._scales(stage, product, m)]
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
            symbols = factors[1:] if claim.strict else factors
            if all(self._facts[i].strict for i in symbols) and self._scales(stage, product, one):
                if stage.claim or not claim.strict or not symbols:
                    yield Block.of(factors, product, [one], counted=True)
        if not claim.strict:
            yield Block.of((0,), claim.polynomial, [one])


def _binomials(
    blocks: Sequence[Block], moves: Mapping[int, tuple[Fraction, Fraction]]
) -> list[Weighted]:
    """Squares of the roots, of sums and of differences of two: often a few of them are enough."""
    found: list[Weighted] = []
    if sum(block.entries for block in blocks) > BINOMIALS:
        return found
    for block in blocks:
        roots = [moved_back(root, moves) for root in block.roots]
        combined = [
            {m: left.get(m, 0) + sign * right.get(m, 0) for m in left | right}
            for left, right in combinations(roots, 2)
            for sign in (Fraction(1), Fraction(-1))
        ]
        for root in [*roots, *combined]:
            found.append((Fraction(1), block.factors, {m: c for m, c in root.items() if c}))
    return found


def _refutation(
    facts: Sequence[Fact],
    variables: Sequence[str],
    found: Sequence[Weighted],
    few: bool = False,
) -> Refutation | None:
    """Products and squares as they are recorded.

    Parameters
    ----------
    facts, variables
        As for `refute_by_squares`.
    found : sequence of (weight, factors, root)
    few : bool
        Whether the weights are still to be found, so that few of them are needed.
    """
    known, place = list(facts), dict[tuple[tuple[Monomial, Fraction], ...], int]()
    weights: dict[tuple[int, ...], Fraction] = {}
    for q, factors, root in found:
        if degree(root):
            fact = square(root, variables)
            if fact.terms not in place:
                place[fact.terms] = len(known)
                known.append(fact)
            key = (*sorted(factors), place[fact.terms])
        else:
            (c,) = root.values()
            key, q = tuple(sorted(factors)), q * c**2
        weights[key] = weights.get(key, Fraction(0)) + q
    if not weights:
        return None
    products = _weighed(known, list(weights), len(variables)) if few else None
    if products is None and not few:
        products = tuple(integers([(q, key) for key, q in weights.items()]))
    return None if products is None else Refutation(tuple(known), products)


def _weighed(
    known: Sequence[Fact], keys: Sequence[tuple[int, ...]], width: int
) -> Products | None:
    """Weights of products by the linear programme of the exact search."""
    used = {i for key in keys for i in key}
    packing = Packing(width, (known[i].polynomial for i in used), max(map(len, keys)))
    packed = {i: packing.pack(known[i].terms) for i in used}
    columns = []
    for key in keys:
        product = ONE
        for i in key:
            product = product.times(packed[i])
        columns.append((key, product))
    return multipliers(columns, [all(known[i].strict for i in key) for key in keys])
