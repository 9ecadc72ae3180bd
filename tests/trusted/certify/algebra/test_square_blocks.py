"""Which monomials may be squared: all that a sum of squares can need, and few that it cannot."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.certify.algebra.facts import Fact, multiply
from verify.certify.algebra.square_blocks import (
    Block,
    by_signs,
    degree,
    monomials,
    scalings,
    weight,
    without_lone,
)

ONE = Fraction(1)
CONSTANT = (0, 0)
MOTZKIN = {(4, 2): ONE, (2, 4): ONE, (0, 0): ONE, (2, 2): Fraction(-3)}


def fact(polynomial: Any) -> Fact:
    return Fact.of("", polynomial, False)


def asked(polynomial: Any, half: int) -> list[Block]:
    """Is a polynomial in two variables a sum of squares?"""
    claim = {m: -c for m, c in polynomial.items()}
    squares = Block.of((), {CONSTANT: ONE}, list(monomials((0, 1), 2, half)))
    return [squares, Block.of((0,), claim, [CONSTANT], counted=True)]


def left(polynomial: Any, half: int) -> set[Any]:
    kept = without_lone(asked(polynomial, half), 2)
    return {next(iter(root)) for block in kept if not block.counted for root in block.roots}


def test_all_monomials_up_to_a_degree_are_listed_once() -> None:
    found = list(monomials((0, 2), 3, 3))
    assert len(found) == len({*found}) == 10
    assert max(map(sum, found)) == 3
    assert all(m[1] == 0 for m in found)


def test_what_is_left_is_half_the_newton_polytope() -> None:
    """Of Motzkin's polynomial: 1, xy, x^2 y and x y^2, of ten monomials of degree three."""
    assert left(MOTZKIN | {(2, 2): ONE}, 3) == {(0, 0), (1, 1), (2, 1), (1, 2)}


def test_a_polynomial_that_is_no_sum_of_squares_may_be_told_at_once() -> None:
    """The square of xy could only stand with a negative weight: -3 x^2 y^2 has no other source."""
    assert without_lone(asked(MOTZKIN, 3), 2) == []
    assert without_lone(asked({(2, 0): ONE, (0, 2): -ONE}, 1), 2) == []


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(list(monomials((0, 1), 2, 2))),
            st.fractions(-3, 3, max_denominator=3).filter(bool),
            min_size=1,
            max_size=3,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_no_monomial_of_a_square_is_left_out(roots: Any) -> None:
    whole: dict[Any, Fraction] = {}
    for root in roots:
        for m, c in multiply(root, root).items():
            whole[m] = whole.get(m, Fraction(0)) + c
    needed = {m for root in roots for m in root}
    assert needed <= left({m: c for m, c in whole.items() if c}, 2)


def test_scalings_are_units_of_all_facts() -> None:
    """h f and |x|^2 scale alike, as do f, v x and h v^2: two free units."""
    known = [
        fact({(1, 1, 0, 0): ONE, (0, 0, 2, 0): -ONE}),  # h f - x^2
        fact({(0, 1, 0, 0): ONE, (0, 0, 1, 1): ONE, (1, 0, 0, 2): -ONE}),  # f + x v - h v^2
    ]
    found = scalings(known, 4)
    assert len(found) == 2
    for scaling in found:
        for one in known:
            assert len({weight(scaling, m) for m, _ in one.terms}) == 1
    assert scalings([fact({(1, 0): ONE, (0, 0): ONE}), fact({(0, 2): ONE, (0, 1): ONE})], 2) == []


def test_blocks_are_taken_apart_by_signs() -> None:
    """x^4 - x y + y^4 stays as it is where both signs are turned, and not where one is."""
    block = Block.of((), {CONSTANT: ONE}, list(monomials((0, 1), 2, 2)))
    known = [fact({(4, 0): ONE, (1, 1): -ONE, (0, 4): ONE})]
    kinds = [{sum(next(iter(r))) % 2 for r in part.roots} for part in by_signs([block], known, 2)]
    assert sorted(map(sorted, kinds)) == [[0], [1]]
    assert len(by_signs([block], [*known, fact({(1, 0): ONE})], 2)) == 1
    assert len(by_signs([block], [fact({(2, 0): ONE, (0, 2): ONE})], 2)) == 4


def test_a_fact_that_changes_its_sign_forbids_the_turn() -> None:
    """Control: x >= 0 is another fact for -x, although it has one monomial."""
    block = Block.of((), {CONSTANT: ONE}, [(0, 0), (1, 0)])
    assert len(by_signs([block], [fact({(2, 0): ONE})], 2)) == 2
    assert len(by_signs([block], [fact({(1, 0): ONE})], 2)) == 1


@pytest.mark.parametrize("scale", [Fraction(1, 10**9), Fraction(7), Fraction(10**30)])
def test_a_block_knows_by_what_it_is_scaled(scale: Fraction) -> None:
    polynomial = {m: c * scale for m, c in MOTZKIN.items()}
    block = Block.of((0,), polynomial, [CONSTANT])
    assert max(abs(c) for c in block.polynomial.values()) == 1
    assert {m: c / block.scale for m, c in block.polynomial.items()} == polynomial
    assert degree(block.polynomial) == 6
