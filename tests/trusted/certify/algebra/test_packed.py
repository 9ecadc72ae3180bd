"""Packed polynomials are the polynomials, and only what cancels goes to the solver."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.certify.algebra import solvers
from verify.certify.algebra.facts import Fact, Polynomial, multiply
from verify.certify.algebra.packed import ONE, Packed, Packing
from verify.certify.algebra.solvers import Answer, simplex
from verify.certify.prover.multipliers import multipliers

rationals = st.fractions(-3, 3, max_denominator=5)
monomials = st.tuples(*[st.integers(0, 4)] * 3)
polynomials = st.dictionaries(monomials, rationals.filter(bool), max_size=4)


def unpacked(packing: Packing, packed: Packed) -> Polynomial:
    return {packing.exponents(m): packed.coefficient(m) for m in packed.terms}


@settings(max_examples=50)
@given(polynomials, polynomials)
def test_packed_products_are_the_products(p: Polynomial, q: Polynomial) -> None:
    packing = Packing(3, (p, q), 2)
    one, other = (packing.pack(Fact.of("", x, False).terms) for x in (p, q))
    assert unpacked(packing, one.times(other)) == multiply(p, q)
    assert unpacked(packing, ONE.times(one)) == p


@given(st.lists(monomials, min_size=2, max_size=6))
def test_packed_monomials_are_ordered_as_their_exponents(listed: list[Any]) -> None:
    packing = Packing(3, [{m: Fraction(1)} for m in listed], 1)
    assert sorted(listed) == [packing.exponents(m) for m in sorted(map(packing.monomial, listed))]


@given(monomials, monomials)
def test_quotients_are_monomials_or_nothing(one: Any, other: Any) -> None:
    packing = Packing(3, [{one: Fraction(1), other: Fraction(1)}], 1)
    found = packing.quotient(packing.monomial(one), packing.monomial(other))
    parts = tuple(a - b for a, b in zip(one, other, strict=True))
    assert found == (packing.monomial(parts) if min(parts) >= 0 else None)


X, Y, Z = 1 << 8, 1 << 4, 1
CANCEL: dict[str, tuple[list[dict[int, int]], bool]] = {
    "opposite": ([{X: 1}, {X: -1}], True),
    "one sign": ([{X: 1}, {X: 2}], False),
    "a chain that falls": ([{X: 1, Y: -1}, {Y: 1, Z: -1}, {Z: 1}], False),
    "a circle": ([{X: 1, Y: -1}, {Y: 1, Z: -1}, {Z: 1, X: -1}], True),
    "both signs, but no sum": ([{X: 1, Y: -1}, {X: -2, Y: 1}], False),
}


@pytest.mark.parametrize("name", CANCEL)
def test_what_cancels_is_found(name: str) -> None:
    listed, cancels = CANCEL[name]
    columns = [((i,), Packed(terms, 1)) for i, terms in enumerate(listed)]
    found = multipliers(columns, [True] * len(columns))
    assert (found is not None) == cancels
    if found is not None:
        total: dict[int, Fraction] = {}
        for q, (i,) in found:
            for m, c in listed[i].items():
                total[m] = total.get(m, Fraction(0)) + q * c
        assert found
        assert not any(total.values())


def test_no_solver_is_asked_about_what_one_sign_rules_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def solve(*programme: Any) -> Answer:
        asked.append(1)
        return simplex(*programme)

    monkeypatch.setattr(solvers, "simplex", solve)
    for name, solved in (("a chain that falls", 0), ("both signs, but no sum", 1)):
        columns = [((i,), Packed(terms, 1)) for i, terms in enumerate(CANCEL[name][0])]
        assert multipliers(columns, [True] * len(columns)) is None
        assert len(asked) == solved
