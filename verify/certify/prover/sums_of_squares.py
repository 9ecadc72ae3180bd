r"""Refute polynomial inequalities by sums of squares: what is tried after short products.

Looked for is an identity :math:`\sum_j q_j P_j s_j^2 \equiv 0` with products :math:`P_j` of facts
and any polynomials :math:`s_j`, some product being positive by itself.  The squares come from one
semidefinite programme (Parrilo, Math. Program. 96, 2003; how it is rounded: Peyrl and Parrilo,
Theor. Comput. Sci. 409, 2008), so that each is a fact like others and the checker needs no rule.

First are the coefficients of Bernstein, where all variables lie in intervals.  Then come squares
times facts and times products of two; squares that multiply the claim too, which proves what is no
sum of squares itself (Motzkin's polynomial times 1 + x^2 + y^2 is one); and the square of the
supposition as the positive product, for forms, of which no multiplier has a constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm

from verify.certify.algebra.boxes import bernstein, intervals, moved_back, on_unit_intervals
from verify.certify.algebra.exact_squares import BITS, Weighted, faces
from verify.certify.algebra.facts import Fact, Monomial, has_point, square
from verify.certify.algebra.packed import ONE, Packing
from verify.certify.algebra.points import moved_point
from verify.certify.algebra.solvers import complaints
from verify.certify.algebra.square_blocks import Block, degree
from verify.certify.prover.multipliers import Products, integers, multipliers
from verify.certify.prover.refutation import Refutation
from verify.certify.prover.square_stages import System
from verify.limits.counter import QUESTION, spend

VARIABLES, FACTS, DEGREE = 12, 30, 20
"""Beyond so many variables or facts, or such a degree of the claim, nothing is tried."""
BINOMIALS = 1_000
"""Entries of all matrices up to which squares of sums of two roots are tried first."""
STEEP = 6
"""Degree of a claim from which on intervals are moved to [-1, 1]."""

__all__ = ["refute_by_squares"]


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
        return Refutation(tuple(facts), _whole(products))
    for given, moves in _systems(facts, width):
        system, met = System(given, real), list[list[Block]]()
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
        products = _whole([(q, key) for key, q in weights.items()])
    return None if products is None else Refutation(tuple(known), products)


def _weighed(known: Sequence[Fact], keys: Sequence[tuple[int, ...]], width: int) -> Products | None:
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
    with complaints():  # what it fails at may be rounded still
        return multipliers(columns, [all(known[i].strict for i in key) for key in keys])


def _whole(products: Sequence[tuple[Fraction, tuple[int, ...]]]) -> Products:
    """Weights in whole numbers, where these are short enough to be read."""
    short = lcm(*(q.denominator for q, _ in products)).bit_length() < BITS
    return tuple(integers(products) if short else products)
