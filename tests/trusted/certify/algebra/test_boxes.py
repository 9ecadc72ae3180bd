"""Coefficients of Bernstein prove what they say, exactly, and nothing that is false."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.certify.algebra.boxes import bernstein, intervals, moved_back, on_unit_intervals
from verify.certify.algebra.facts import Fact, multiply

ONE = Fraction(1)


def system(claim: Any, *ends: tuple[Any, Any], strict: bool = True) -> list[Fact]:
    """The negation of claim >= 0, and a <= x <= b for each variable, the slopes not one."""
    width = len(ends)
    facts = [Fact.of("not the claim", {m: -c for m, c in claim.items()}, strict, "negation")]
    for v, (low, high) in enumerate(ends):
        x, one = tuple(int(i == v) for i in range(width)), (0,) * width
        facts += [
            Fact.of(f"low {v}", {x: Fraction(3), one: -3 * Fraction(low)}, False),
            Fact.of(f"high {v}", {x: Fraction(-1, 2), one: Fraction(high) / 2}, False),
        ]
    return facts


def total(facts: list[Fact], products: Any) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for q, factors in products:
        product = {(0,) * len(facts[0].terms[0][0]): Fraction(q)}
        for i in factors:
            product = multiply(product, facts[i].polynomial)
        for m, c in product.items():
            found[m] = found.get(m, Fraction(0)) + c
    return {m: c for m, c in found.items() if c}


POWER = {(1,): ONE, (12,): -ONE}  # t - t^12


def test_the_products_cancel() -> None:
    facts = system(POWER, (0, 1))
    products = bernstein(facts[0], facts, 1)
    assert products is not None
    assert total(facts, products) == {}
    assert all(q > 0 for q, _ in products)
    assert sum(0 in factors for _, factors in products) == 1


def test_a_strict_claim_needs_positive_coefficients() -> None:
    """t^12 < t fails at the ends; t^12 < t + 1/100 does not, and a number is positive by itself."""
    facts = system(POWER, (0, 1), strict=False)
    assert bernstein(facts[0], facts, 1) is None
    facts = system(POWER | {(0,): Fraction(1, 100)}, (0, 1), strict=False)
    products = bernstein(facts[0], facts, 1)
    assert products is not None
    assert total(facts, products) == {}
    assert any(factors == () and q > 0 for q, factors in products)


@pytest.mark.parametrize("ends", [(0, "101/100"), ("-1/1000", 1)])
def test_a_wider_interval_is_no_proof(ends: Any) -> None:
    facts = system(POWER, tuple(map(Fraction, ends)))
    assert bernstein(facts[0], facts, 1) is None


def test_a_variable_without_an_end_is_no_box() -> None:
    facts = system(POWER, (0, 1))
    assert bernstein(facts[0], facts[:2], 1) is None
    assert bernstein(facts[0], [facts[0], facts[2]], 1) is None
    assert intervals(facts[:2], 1) == {}


def test_the_narrowest_ends_are_taken() -> None:
    facts = [*system(POWER, (-2, 3)), *system(POWER, (0, 1))[1:]]
    (within,) = intervals(facts, 1).values()
    assert (within.low, within.high, within.above, within.below) == (0, 1, 3, 4)


def test_higher_degrees_prove_more() -> None:
    """(2 t - 1)^2 + 1/2 has the coefficients 3/2, -1/2, 3/2, and one degree higher none below 0."""
    facts = system({(2,): Fraction(4), (1,): Fraction(-4), (0,): Fraction(3, 2)}, (0, 1))
    products = bernstein(facts[0], facts, 1)
    assert products is not None
    assert total(facts, products) == {}
    assert {len(factors) for _, factors in products} == {1, 3}


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.integers(0, 2)),
        st.fractions(-2, 2, max_denominator=4).filter(bool),
        min_size=1,
        max_size=4,
    ),
    st.lists(st.fractions(0, 1, max_denominator=5), min_size=2, max_size=2),
)
def test_nothing_false_is_proved_and_every_proof_cancels(claim: Any, at: Any) -> None:
    facts = system(claim, (-1, 2), (0, Fraction(1, 3)))
    if facts[0].terms[-1][0] == (0, 0):
        return  # a number
    products = bernstein(facts[0], facts, 2)
    if products is not None:
        assert total(facts, products) == {}
        x, y = 3 * at[0] - 1, at[1] / 3
        assert sum(c * x**i * y**j for (i, j), c in claim.items()) >= 0


def test_moved_variables_are_moved_back() -> None:
    facts = system({(2, 1): ONE, (0, 3): Fraction(-2)}, (1, 4), (-1, 1))
    within = intervals(facts, 2)
    moved, moves = on_unit_intervals(facts, within)
    ends = intervals(moved, 2)
    assert {(w.low, w.high) for w in ends.values()} == {(-1, 1)}
    for fact, other in zip(facts, moved, strict=True):
        assert moved_back(other.polynomial, moves) == fact.polynomial
    assert moved[0].polynomial != facts[0].polynomial
