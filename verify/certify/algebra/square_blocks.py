r"""Products of facts times sums of squares, and the monomials that the squares may be made of.

A proof by sums of squares is an identity :math:`\sum_b P_b\, r_b^\top G_b\, r_b = 0` with products
:math:`P_b` of facts, lists :math:`r_b` of polynomials and positive semidefinite :math:`G_b`.  Which
monomials a list begins with is found from outside: half the degrees that there is room for, only
those that scale as the claim does, and none whose square nothing could cancel, which leaves half
the Newton polytope or less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from verify.certify.algebra.elimination import reduced
from verify.certify.algebra.facts import Fact, Monomial, Polynomial
from verify.certify.algebra.packed import Packing

__all__ = ["Block", "by_signs", "degree", "monomials", "scalings", "weight", "without_lone"]


@dataclass(frozen=True)
class Block:
    """A product of facts and the polynomials of which a sum of squares multiplies it.

    Attributes
    ----------
    factors : tuple of int
        The facts that are multiplied, by index.
    polynomial : Polynomial
        Their product times `scale`.
    roots : tuple of Polynomial
        At first monomials, later combinations of them.
    scale : Fraction
        Positive, so that the largest coefficient is one.
    counted : bool
        Whether it is a positive product by itself: weights of these add up to one.
    """

    factors: tuple[int, ...]
    polynomial: Polynomial
    roots: tuple[Polynomial, ...]
    scale: Fraction
    counted: bool = False

    @staticmethod
    def of(
        factors: Sequence[int],
        polynomial: Polynomial,
        monomials: Sequence[Monomial],
        counted: bool = False,
    ) -> Block:
        """A block of monomials."""
        scale = 1 / max(abs(c) for c in polynomial.values())
        roots = tuple({m: Fraction(1)} for m in monomials)
        scaled = {m: c * scale for m, c in polynomial.items()}
        return Block(tuple(factors), scaled, roots, scale, counted)

    @property
    def entries(self) -> int:
        """Entries of a triangle of its matrix."""
        return len(self.roots) * (len(self.roots) + 1) // 2


def degree(polynomial: Polynomial) -> int:
    """Largest total degree of its monomials."""
    return max(map(sum, polynomial), default=0)


def weight(scaling: Sequence[int], monomial: Monomial) -> int:
    """By which power of the factor a monomial grows."""
    return sum(w * e for w, e in zip(scaling, monomial, strict=True))


def scalings(facts: Sequence[Fact], width: int) -> list[tuple[int, ...]]:
    """Exponents with which all variables can be scaled so that each fact is multiplied by a number.

    Units of a claim are such, and so is the degree where all facts are homogeneous.  A refutation
    may be taken apart by how its products scale, and the part with the claim is one by itself.

    Examples
    --------
    >>> from fractions import Fraction
    >>> scalings([Fact.of("xy - z^2", {(1, 1, 0): Fraction(1), (0, 0, 2): Fraction(-1)}, False)], 3)
    [(-1, 1, 0), (2, 0, 1)]
    """
    rows = [
        [Fraction(e - first) for e, first in zip(m, fact.terms[0][0], strict=True)] + [Fraction(0)]
        for fact in facts
        for m, _ in fact.terms[1:]
    ]
    solved = reduced(rows, width) if rows else ([], [])
    known, pivots = solved or ([], [])
    found = []
    for free in range(width):
        if free in pivots:
            continue
        exponents = [Fraction(int(v == free)) for v in range(width)]
        for row, pivot in zip(known, pivots, strict=True):
            exponents[pivot] = -row[free]
        size = lcm(*(q.denominator for q in exponents))
        found.append(tuple(int(q * size) for q in exponents))
    return found


def monomials(places: Sequence[int], width: int, most: int) -> Iterator[Monomial]:
    """Monomials of degree at most so much in the variables at some places."""
    if not places:
        yield (0,) * width
        return
    first, *others = places
    for rest in monomials(others, width, most):
        for e in range(most - sum(rest) + 1):
            yield (*rest[:first], e, *rest[first + 1 :])


def without_lone(blocks: Sequence[Block], width: int) -> list[Block]:
    """Leave out monomials whose square stands in the sum where nothing has the other sign.

    Its weight could only be zero.  What is left meets the same test, in turn.

    Returns
    -------
    list of Block
        Empty if no counted block is left: there is no such identity.
    """
    top = max((e for b in blocks for r in b.roots for m in r for e in m), default=0)
    high = max((e for b in blocks for m in b.polynomial for e in m), default=0)
    packing = Packing(width, [{(2 * top + high,) * width: Fraction(1)}], 1)
    left = [
        (
            block,
            {packing.monomial(next(iter(r))): r for r in block.roots},
            [(packing.monomial(m), c > 0) for m, c in block.polynomial.items()],
        )
        for block in blocks
    ]
    while True:
        mixed: set[int] = set()
        signs: dict[bool, set[int]] = {True: set(), False: set()}
        for _, roots, terms in left:
            listed = list(roots)
            for i, m in enumerate(listed):
                for n, plus in terms:
                    signs[plus].add(m + m + n)
                pairs = {m + other for other in listed[:i]}
                mixed.update(pair + n for pair in pairs for n, _ in terms)
        lone = (signs[True] ^ signs[False]) - mixed
        if not lone:
            break
        for _, roots, terms in left:
            for m in [m for m in roots if any(m + m + n in lone for n, _ in terms)]:
                del roots[m]
        left = [item for item in left if item[1]]
        if not any(block.counted for block, _, _ in left):
            return []
    return [replace(block, roots=tuple(roots.values())) for block, roots, _ in left]


def by_signs(blocks: Sequence[Block], facts: Sequence[Fact], width: int) -> list[Block]:
    """Take blocks of monomials apart where the signs of variables may be turned.

    Facts that stay as they are (up to their sign) if some variables change theirs have, on the
    average over all such changes, a proof in which no square mixes monomials that change with ones
    that do not.
    """
    rows = [
        [Fraction((e - first) % 2) for e, first in zip(m, fact.terms[0][0], strict=True)]
        for fact in facts
        for m, _ in fact.terms[1:]
    ]
    # a fact that changes its own sign is not the same fact: its first monomial counts as well
    rows += [[Fraction(e % 2) for e in fact.terms[0][0]] for fact in facts if fact.terms]
    turns = _null_space([[int(q) for q in row] for row in rows], width)
    found: list[Block] = []
    for block in blocks:
        classes: dict[tuple[int, ...], list[Polynomial]] = {}
        for root in block.roots:
            monomial = next(iter(root))
            kind = tuple(weight(turn, monomial) % 2 for turn in turns)
            classes.setdefault(kind, []).append(root)
        found += [replace(block, roots=tuple(roots)) for roots in classes.values()]
    return found


def _null_space(rows: Sequence[Sequence[int]], width: int) -> list[tuple[int, ...]]:
    """Vectors of zeros and ones that are orthogonal to all rows modulo two."""
    pivots: dict[int, list[int]] = {}
    for row in rows:
        rest = list(row)
        for place, known in pivots.items():
            if rest[place]:
                rest = [(a + b) % 2 for a, b in zip(rest, known, strict=True)]
        if not any(rest):
            continue
        lead = rest.index(1)
        for place, known in pivots.items():
            if known[lead]:
                pivots[place] = [(a + b) % 2 for a, b in zip(known, rest, strict=True)]
        pivots[lead] = rest
    return [
        tuple(pivots[v][free] if v in pivots else int(v == free) for v in range(width))
        for free in range(width)
        if free not in pivots
    ]
