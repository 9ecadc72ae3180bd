"""What a semidefinite programme proposes is made exact or dropped, whatever the solver says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import clarabel
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.certify.algebra import exact_squares
from verify.certify.algebra.exact_squares import Weighted, faces
from verify.certify.algebra.facts import Polynomial, multiply
from verify.certify.algebra.semidefinite import SquareProgramme, independent
from verify.certify.algebra.solvers import complaints
from verify.certify.algebra.square_blocks import Block, monomials

ONE = Fraction(1)


def asked(polynomial: Polynomial, half: int) -> list[Block]:
    """Is a polynomial a sum of squares?"""
    width = len(next(iter(polynomial)))
    one, claim = (0,) * width, {m: -c for m, c in polynomial.items()}
    squares = Block.of((), {one: ONE}, list(monomials(range(width), width, half)))
    return [squares, Block.of((0,), claim, [one], counted=True)]


def squares_of(blocks: Sequence[Block]) -> list[Weighted] | None:
    rounded = (face.rounded() for face in faces(blocks) if face.has_room)
    return next((found for found in rounded if found is not None), None)


def is_exact(found: Sequence[Weighted], polynomial: Polynomial) -> bool:
    """Whether the squares are as much as the claim, with positive weights."""
    rest: Polynomial = {}
    for q, factors, root in found:
        product = multiply(root, root)
        if factors:
            product = multiply(product, {m: -c for m, c in polynomial.items()})
        for m, c in product.items():
            rest[m] = rest.get(m, Fraction(0)) + q * c
    return not any(rest.values()) and all(q > 0 for q, _, _ in found)


def summed(*roots: Polynomial) -> Polynomial:
    whole: Polynomial = {}
    for root in roots:
        for m, c in multiply(root, root).items():
            whole[m] = whole.get(m, Fraction(0)) + c
    return {m: c for m, c in whole.items() if c}


TIGHT = summed({(2, 0): ONE, (0, 2): -ONE}, {(1, 0): Fraction(1, 3), (0, 1): Fraction(-1, 3)})
"""Zero on a line: no matrix has room before its null vectors are taken out."""


@settings(max_examples=20)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(list(monomials((0, 1), 2, 2))),
            st.fractions(-3, 3, max_denominator=3).filter(bool),
            min_size=1,
            max_size=3,
        ),
        min_size=1,
        max_size=5,
    )
)
def test_sums_of_squares_are_never_wrong_and_mostly_found(roots: Any) -> None:
    polynomial = summed(*roots)
    found = squares_of(asked(polynomial, 2))
    assert found is None or is_exact(found, polynomial)


def test_room_is_made_where_a_claim_is_tight() -> None:
    seen = list(faces(asked(TIGHT, 2)))
    assert [face.has_room for face in seen] == [False, True]
    assert sum(b.entries for b in seen[1].programme.blocks) < sum(
        b.entries for b in seen[0].programme.blocks
    )
    found = seen[1].rounded()
    assert found is not None
    assert is_exact(found, TIGHT)


@pytest.mark.parametrize(
    "polynomial",
    [
        {(4, 2): ONE, (2, 4): ONE, (0, 0): ONE, (2, 2): Fraction(-3)},  # Motzkin: true, and no sum
        {**TIGHT, (2, 2): TIGHT[2, 2] - Fraction(1, 1000)},  # false near the line
        {(2, 0): ONE, (1, 1): Fraction(-2), (0, 2): Fraction(999, 1000)},
    ],
)
def test_what_is_no_sum_of_squares_has_none(polynomial: Polynomial) -> None:
    assert squares_of(asked(polynomial, 3)) is None


def test_the_identity_is_seen_to_fail() -> None:
    """Control of the check above."""
    found = squares_of(asked(TIGHT, 2))
    assert found is not None
    assert not is_exact(found, {**TIGHT, (0, 0): Fraction(1, 10**9)})
    assert not is_exact([(-q, f, r) for q, f, r in found], TIGHT)


REAL = clarabel.DefaultSolver
LIES: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda x: np.zeros(0),
    "not numbers": lambda x: x * np.nan,
    "off by a thousandth": lambda x: x * 1.001,
    "noise": lambda x: np.random.default_rng(0).standard_normal(len(x)),
    "ones": np.ones_like,
    "the other sign": lambda x: np.append(-x[:-1], 1.0),
    "room where there is none": lambda x: np.append(x[:-1], 1.0),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_solver_that_lies_proves_nothing_false(lie: str, monkeypatch: Any) -> None:
    class Lying:
        def __init__(self, *programme: Any) -> None:
            self._programme = programme

        def solve(self) -> Any:
            return SimpleNamespace(x=LIES[lie](np.array(REAL(*self._programme).solve().x)))

    monkeypatch.setattr(clarabel, "DefaultSolver", Lying)
    for polynomial in (TIGHT, {(2, 0): ONE, (0, 0): -ONE}, {(2, 0): ONE, (0, 0): ONE}):
        found = squares_of(asked(polynomial, 2))
        assert found is None or is_exact(found, polynomial)
        assert found is None or polynomial.get((0, 0), 0) >= 0


def test_a_solver_that_fails_says_so(monkeypatch: Any) -> None:
    def fails(*_: Any) -> Any:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(clarabel, "DefaultSolver", fails)
    with complaints() as said:
        assert list(faces(asked(TIGHT, 2))) == []
    assert said == ["semidefinite programme: the solver failed: RuntimeError out of memory"]


def test_equations_that_contradict_each_other_are_not_put_to_the_solver(monkeypatch: Any) -> None:
    """x^2 - 2 x y has no squares without y^2: a root of x alone cannot make the middle term."""
    monkeypatch.setattr(clarabel, "DefaultSolver", None)
    only = Block.of((), {(0, 0): ONE}, [(1, 0)])
    claim = Block.of((0,), {(2, 0): -ONE, (1, 1): Fraction(2)}, [(0, 0)], counted=True)
    assert SquareProgramme([only, claim]).answer() is None


def test_long_numbers_are_not_handed_on(monkeypatch: Any) -> None:
    monkeypatch.setattr(exact_squares, "BITS", 1)
    assert squares_of(asked(TIGHT, 2)) is None


def test_independent_rows_span_all_others() -> None:
    rows = np.array([[1.0, 2, 0], [2, 4, 0], [0, 0, 1], [1, 2, 1]])
    chosen = independent(rows)
    assert len(chosen) == np.linalg.matrix_rank(rows) == 2
    assert np.linalg.matrix_rank(rows[chosen]) == 2
    assert independent(np.zeros((0, 3))) == []
