r"""Variables that lie in intervals: the coefficients of Bernstein, and intervals moved to [-1, 1].

On a box a polynomial is
:math:`\sum_I b_I \prod_v \binom{d_v}{i_v} u_v^{i_v} (1-u_v)^{d_v-i_v}`, u going from 0 to 1.
Where no coefficient is negative this is a proof that it is not, in products of the facts about the
ends.  Higher degrees than its own leave fewer negative ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb, prod

from verify.certify.algebra.facts import Fact, Monomial, Polynomial, multiply, unit

RAISED = (0, 1, 2, 4, 8)
"""By how much the degrees are raised, in this order."""
PRODUCTS = 100
"""Products of facts about the ends, at most: each is multiplied out by the checker."""

__all__ = ["Interval", "bernstein", "intervals", "moved_back", "on_unit_intervals"]


@dataclass(frozen=True)
class Interval:
    """The ends of a variable, and which facts say so."""

    low: Fraction
    high: Fraction
    above: int
    below: int

    @property
    def width(self) -> Fraction:
        """Positive."""
        return self.high - self.low


def intervals(facts: Sequence[Fact], width: int) -> dict[int, Interval]:
    """Variables with a smallest and a largest value that is a number."""
    low: dict[int, tuple[Fraction, int]] = {}
    high: dict[int, tuple[Fraction, int]] = {}
    for number, fact in enumerate(facts):
        terms, zero = fact.polynomial, (0,) * width
        slopes = [m for m in terms if m != zero]
        if len(slopes) != 1 or sum(slopes[0]) != 1 or fact.kind == "negation":
            continue
        v, slope = slopes[0].index(1), terms[slopes[0]]
        end = -terms.get(zero, Fraction(0)) / slope
        if slope > 0 and (v not in low or end > low[v][0]):
            low[v] = end, number
        if slope < 0 and (v not in high or end < high[v][0]):
            high[v] = end, number
    return {
        v: Interval(low[v][0], high[v][0], low[v][1], high[v][1])
        for v in low.keys() & high.keys()
        if low[v][0] < high[v][0]
    }


def bernstein(
    negation: Fact, facts: Sequence[Fact], width: int
) -> list[tuple[Fraction, tuple[int, ...]]] | None:
    """Weights of products of facts about the ends that show the negated claim to be false.

    Parameters
    ----------
    negation : Fact
        The first of the facts.
    facts : sequence of Fact
    width : int
        Number of variables.

    Returns
    -------
    list of (weight, indices of facts)
        None where a variable has no ends, or no degree that is tried leaves only such weights.
    """
    within = intervals(facts, width)
    places = sorted({v for m in negation.polynomial for v, e in enumerate(m) if e})
    if not places or not set(places) <= within.keys():
        return None
    unmoved = {v: (within[v].low, within[v].width) for v in places}
    claim = _substituted({m: -c for m, c in negation.polynomial.items()}, unmoved)
    own = [max(m[v] for m in claim) for v in places]
    for more in RAISED:
        degrees = [d + more if d else 0 for d in own]
        if prod(d + 1 for d in degrees) > PRODUCTS:
            return None
        found = _coefficients(claim, places, degrees)
        least = min(found.values())
        if least > 0 or (least == 0 and negation.strict):
            return _weights(found, negation.strict, facts, [within[v] for v in places], degrees)
    return None


def _coefficients(
    claim: Polynomial, places: Sequence[int], degrees: Sequence[int]
) -> dict[tuple[int, ...], Fraction]:
    """Coefficients of Bernstein on the unit box, by index."""
    found = dict.fromkeys(product(*(range(d + 1) for d in degrees)), Fraction(0))
    for m, c in claim.items():
        powers = [m[v] for v in places]
        for index in found:
            if all(i >= k for i, k in zip(index, powers, strict=True)):
                share = prod(
                    Fraction(comb(i, k), comb(d, k))
                    for i, k, d in zip(index, powers, degrees, strict=True)
                )
                found[index] += c * share
    return found


def _weights(
    coefficients: Mapping[tuple[int, ...], Fraction],
    strict: bool,
    facts: Sequence[Fact],
    within: Sequence[Interval],
    degrees: Sequence[int],
) -> list[tuple[Fraction, tuple[int, ...]]]:
    """The negated claim plus all products of Bernstein is zero, or less by a positive number."""
    least = Fraction(0) if strict else min(coefficients.values())
    found: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(1), (0,))]
    found += [] if strict else [(least, ())]
    for index, c in coefficients.items():
        weight, factors = c - least, list[int]()
        for i, d, ends in zip(index, degrees, within, strict=True):
            slopes = [
                max(abs(q) for m, q in facts[k].terms if any(m)) for k in (ends.above, ends.below)
            ]
            weight *= (
                comb(d, i) / (slopes[0] * ends.width) ** i / (slopes[1] * ends.width) ** (d - i)
            )
            factors += [ends.above] * i + [ends.below] * (d - i)
        if weight:
            found.append((weight, tuple(sorted(factors))))
    return found


def on_unit_intervals(
    facts: Sequence[Fact], within: Mapping[int, Interval]
) -> tuple[list[Fact], dict[int, tuple[Fraction, Fraction]]]:
    """Facts about variables that go from -1 to 1, and the middle and half width of each.

    Powers of them are of one size, which those of a variable that is far from 0 are not.
    """
    moves = {v: ((w.low + w.high) / 2, w.width / 2) for v, w in within.items()}
    moved = [
        replace(
            fact,
            terms=Fact.of("", _substituted(fact.polynomial, moves), fact.strict).terms,
            kind="hypothesis" if fact.kind == "symbol" else fact.kind,
        )
        for fact in facts
    ]
    return moved, moves


def moved_back(root: Polynomial, moves: Mapping[int, tuple[Fraction, Fraction]]) -> Polynomial:
    """A polynomial in moved variables as one in those that they were."""
    return _substituted(
        root, {v: (-middle / half, 1 / half) for v, (middle, half) in moves.items()}
    )


def _substituted(
    polynomial: Polynomial, moves: Mapping[int, tuple[Fraction, Fraction]]
) -> Polynomial:
    """A polynomial with ``start + slope x`` in the place of each of some variables x."""
    found: Polynomial = {}
    powers: dict[tuple[int, int], Polynomial] = {}
    for m, c in polynomial.items():
        rest: Monomial = tuple(0 if v in moves else e for v, e in enumerate(m))
        part: Polynomial = {rest: c}
        for v, (start, slope) in moves.items():
            if m[v] and (v, m[v]) not in powers:
                line = {(0,) * len(m): start, unit(len(m), v): slope}
                power: Polynomial = {(0,) * len(m): Fraction(1)}
                for _ in range(m[v]):
                    power = multiply(power, line)
                powers[v, m[v]] = power
            part = multiply(part, powers[v, m[v]]) if m[v] else part
        for n, q in part.items():
            found[n] = found.get(n, Fraction(0)) + q
    return {m: c for m, c in found.items() if c}
