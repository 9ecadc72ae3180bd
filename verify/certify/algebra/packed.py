"""Polynomials whose monomials are single integers, for the many products of a search.

The exponents of a monomial stand side by side in the bits of one integer, the first variable in
the highest ones: monomials multiply by adding integers and are ordered as their exponents are.  The
coefficients are whole, over one common denominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from verify.certify.algebra.facts import Monomial, Polynomial

__all__ = ["ONE", "Packed", "Packing"]


@dataclass(frozen=True, slots=True)
class Packed:
    """The polynomial ``sum_m terms[m] m / scale`` with m as `Packing.monomial` gives it."""

    terms: dict[int, int]
    scale: int

    def times(self, other: Packed) -> Packed:
        """The product, exactly."""
        left, right = self.terms, other.terms
        if len(left) > len(right):
            left, right = right, left
        product: dict[int, int] = {}
        for m, a in left.items():
            for n, b in right.items():
                product[m + n] = product.get(m + n, 0) + a * b
        if len(left) > 1:  # else nothing cancels
            product = {m: c for m, c in product.items() if c}
        return Packed(product, self.scale * other.scale)

    def coefficient(self, monomial: int) -> Fraction:
        """The coefficient of a monomial, 0 where it does not occur."""
        return Fraction(self.terms.get(monomial, 0), self.scale)


ONE = Packed({0: 1}, 1)


class Packing:
    """Room for products of so many polynomials.

    Parameters
    ----------
    width : int
        Number of variables.
    polynomials : iterable of polynomials
        Those that are multiplied.
    factors : int
        Largest number of factors, counted with multiplicity.
    """

    def __init__(self, width: int, polynomials: Iterable[Polynomial], factors: int) -> None:
        highest = max((e for p in polynomials for m in p for e in m), default=0)
        bits = max(highest * factors, 1).bit_length()
        self._shifts = [(bits + 1) * (width - 1 - v) for v in range(width)]
        self._mask = (1 << bits) - 1
        self._known: dict[int, Monomial] = {}
        self._guards = sum(1 << (shift + bits) for shift in self._shifts)

    def monomial(self, exponents: Monomial) -> int:
        """Exponents in one integer."""
        return sum(e << shift for e, shift in zip(exponents, self._shifts, strict=True))

    def exponents(self, monomial: int) -> Monomial:
        """The exponents that an integer stands for."""
        found = self._known.get(monomial)
        if found is None:
            mask = self._mask
            found = tuple([(monomial >> shift) & mask for shift in self._shifts])
            self._known[monomial] = found
        return found

    def variables(self, places: Iterable[int]) -> int:
        """All bits of the exponents of some variables."""
        return sum(self._mask << self._shifts[v] for v in places)

    def quotient(self, monomial: int, other: int) -> int | None:
        """One monomial over another; None where that is none."""
        found = (monomial | self._guards) - other
        return found ^ self._guards if found & self._guards == self._guards else None

    def pack(self, terms: Sequence[tuple[Monomial, Fraction]]) -> Packed:
        """A polynomial with its terms in the order given."""
        scale = lcm(*(c.denominator for _, c in terms))
        return Packed(
            {self.monomial(m): c.numerator * (scale // c.denominator) for m, c in terms}, scale
        )
