"""Polynomial facts, the raw material of a refutation, and arithmetic on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, Fraction]
LARGEST_FLOAT = Fraction(np.finfo(np.float64).max)

__all__ = [
    "Fact",
    "Monomial",
    "Polynomial",
    "has_point",
    "multiply",
    "square",
    "symbol_facts",
    "unit",
]


@dataclass(frozen=True)
class Fact:
    """A polynomial that is ``>= 0``, or ``> 0`` if `strict`.

    Attributes
    ----------
    name : str
        How the derivation calls it.
    terms : tuple of (exponents, coefficient)
        The polynomial, sorted by exponents; one exponent per variable of the system.
    strict : bool
    kind : str
        As in `verify.certify.prover.record.PolynomialPremise`; the search treats "negation",
        "symbol" and "square" apart.
    """

    name: str
    terms: tuple[tuple[Monomial, Fraction], ...]
    strict: bool
    kind: str = "hypothesis"

    @property
    def polynomial(self) -> Polynomial:
        """The terms as a dictionary from exponents to coefficient."""
        return dict(self.terms)

    def floats(self) -> list[float]:
        """Coefficients in floats; of a fact that no float holds, divided by the largest one."""
        largest = max((abs(c) for _, c in self.terms), default=Fraction(0))
        size = largest if largest > LARGEST_FLOAT else Fraction(1)
        return [float(c / size) for _, c in self.terms]

    @staticmethod
    def of(name: str, polynomial: Polynomial, strict: bool, kind: str = "hypothesis") -> Fact:
        """Build a fact with its terms in canonical order."""
        terms = tuple(sorted((m, c) for m, c in polynomial.items() if c))
        return Fact(name, terms, strict, kind)


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """Multiply two sparse polynomials exactly."""
    product: Polynomial = {}
    for m, a in left.items():
        for n, b in right.items():
            key = tuple(map(int.__add__, m, n))
            product[key] = product.get(key, Fraction(0)) + a * b
    return {m: c for m, c in product.items() if c}


def symbol_facts(facts: Sequence[Fact]) -> dict[int, int]:
    """Which fact states the sign of which variable (strict ones first)."""
    found: dict[int, int] = {}
    for i, fact in sorted(enumerate(facts), key=lambda item: not item[1].strict):
        if len(fact.terms) == 1 and sum(fact.terms[0][0]) == 1 and fact.terms[0][1] == 1:
            found.setdefault(fact.terms[0][0].index(1), i)
    return found


def square(root: Polynomial, variables: Sequence[str]) -> Fact:
    """The fact that a square is non-negative, named by its root."""
    if root[max(root)] < 0:
        root = {m: -c for m, c in root.items()}
    text = ""
    for m, c in sorted(root.items(), reverse=True):
        word = "*".join(
            name if e == 1 else f"{name}**{e}" for name, e in zip(variables, m, strict=True) if e
        )
        size = "" if abs(c) == 1 and word else str(abs(c)) + ("*" if word else "")
        text += (" - " if c < 0 else " + " if text else "") + size + word
    return Fact.of(f"({text})**2", multiply(root, root), False, "square")


def unit(length: int, place: int) -> Monomial:
    """The exponents of one variable."""
    return tuple(int(i == place) for i in range(length))


def has_point(facts: Sequence[Fact], width: int, points: int = 4000) -> bool:
    """Whether a fixed sample of points meets all facts, so that no refutation can exist."""
    random = np.random.default_rng(0)
    grid = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 10.0])
    sample = np.where(
        random.random((width, points)) < 0.5,
        random.choice(grid, (width, points)),
        np.where(
            random.random((width, points)) < 0.5,
            random.random((width, points)),
            np.exp(3.0 * random.standard_normal((width, points))),
        ),
    )
    signed = sorted(set(range(width)) - set(symbol_facts(facts)))
    sample[signed] *= random.choice([-1.0, 1.0], (len(signed), points))
    meets = np.ones(points, dtype=bool)
    for fact in facts:
        value, size = np.zeros(points), np.zeros(points)
        for (monomial, _), coefficient in zip(fact.terms, fact.floats(), strict=True):
            term = coefficient * np.prod(
                [sample[v] ** e for v, e in enumerate(monomial) if e] or [np.ones(points)], axis=0
            )
            value, size = value + term, size + abs(term)
        # a clear margin on strict facts: rounding must not invent a point
        meets &= (value > 1e-6 * size) if fact.strict else (value >= 0)
    return bool(meets.any())
