"""Points that rule a refutation out, and the count of a search's effort."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy

from verify.certify.algebra.facts import Fact, has_point
from verify.certify.algebra.points import moved_point
from verify.certify.prover.prove import Hypothesis, certify
from verify.certify.prover.refutation import refute
from verify.limits.counter import OutOfEffort, metered

X, Y, W = (1, 0, 0), (0, 1, 0), (0, 0, 1)
ONE, XX, YY, WW, XY = (0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0)


def fact(terms: dict[Any, int], strict: bool = False) -> Fact:
    return Fact.of(str(terms), {m: Fraction(c) for m, c in terms.items()}, strict)


def equation(terms: dict[Any, int]) -> list[Fact]:
    return [fact(terms), fact({m: -c for m, c in terms.items()})]


SYSTEMS: dict[str, tuple[list[Fact], bool]] = {
    "a sum": ([*equation({X: 7, Y: 7, W: 7, ONE: -71}), fact({X: 1}, True)], True),
    "a product": ([*equation({XY: 7, ONE: -71}), fact({X: 1, Y: -1}, True)], True),
    "a root": ([*equation({WW: 1, X: -1}), fact({W: 1}), fact({X: 1, ONE: -9}, True)], True),
    "an absolute value": (
        [
            *equation({WW: 1, XX: -1}),
            fact({W: 1, X: -1}),
            fact({W: 1, X: 1}),
            fact({X: -1, ONE: -3}, True),
        ],
        True,
    ),
    "an indicator": (
        [
            *equation({XX: 1, X: -1}),
            fact({X: 1}),
            fact({XY: 1}),
            fact({XY: 1, Y: -1}),
            fact({Y: 1, ONE: -3}, True),
        ],
        True,
    ),
    "an indicator that is wrong": (
        [
            *equation({XX: 1, X: -1}),
            fact({X: 1}),
            fact({XY: 1}),
            fact({XY: 1, Y: -1}),
            fact({Y: 1, ONE: -3}, True),
            fact({X: -1, ONE: 1}, True),
        ],
        False,
    ),
    "a square below nothing": ([fact({XX: -1, X: 2, ONE: -1}), fact({X: 1, ONE: -1}, True)], False),
    "two sums": ([*equation({X: 1, Y: 1, ONE: -1}), *equation({X: 1, Y: 1, ONE: -2})], False),
    "a root below nothing": ([*equation({WW: 1, XX: 1, ONE: 1})], False),
    "equal, and not": ([*equation({X: 1, Y: -1}), fact({X: 1, Y: -1}, True)], False),
}


def _indicators(count: int, level: int) -> list[Fact]:
    """Numbers that are zero or one, with so large a sum."""
    units = [tuple(int(i == v) for i in range(count)) for v in range(count)]
    found = [f for u in units for f in equation({tuple(2 * e for e in u): 1, u: -1})]
    return [*found, fact({**dict.fromkeys(units, 1), (0,) * count: -level}, True)]


def test_what_is_zero_or_one_is_put_at_either() -> None:
    assert moved_point(_indicators(12, 11), 12)
    assert not moved_point(_indicators(12, 12), 12)


DRAWN = ("an absolute value", "an indicator")
"""Where a point that is drawn from simple numbers would do."""


@pytest.mark.parametrize("name", SYSTEMS)
def test_points_are_moved_to_where_equations_hold(name: str) -> None:
    facts, there_is_one = SYSTEMS[name]
    assert moved_point(facts, 3) == there_is_one
    assert not has_point(facts, 3) or name in DRAWN
    if there_is_one:
        assert refute(facts, ["x", "y", "w"], [True] * 3) is None


a, b, c = sympy.symbols("a b c", positive=True)


def test_effort_is_the_same_each_time_and_stops_the_search() -> None:
    claim: Any = ((a + b) ** 2, 2 * a**2 + 2 * b**2, "<=", [Hypothesis("c", c - a)])
    with metered() as first:
        assert certify(*claim) is not None
    with metered(first.spent) as second:
        assert certify(*claim) is not None
    assert first.spent == second.spent > 0
    with metered(first.spent - 1), pytest.raises(OutOfEffort):
        certify(*claim)
    assert certify(*claim) is not None, "outside nothing is counted"


HUGE = 10**400


def test_coefficients_beyond_floats_are_compared_all_the_same() -> None:
    above, below = fact({X: HUGE, ONE: -HUGE}, True), fact({X: -HUGE, ONE: HUGE}, True)
    assert moved_point([above], 3)
    assert has_point([above], 3)
    assert not moved_point([above, below], 3)
    assert not has_point([above, below], 3)


@pytest.mark.parametrize("size", [10**200, HUGE])
def test_a_claim_with_huge_numbers_is_proved_or_left_without_a_fault(size: int) -> None:
    x = sympy.Symbol("x", real=True)
    inside = [Hypothesis("low", x + size), Hypothesis("high", size - x)]
    assert certify(x**2, x**2 + 1, "<=", inside) is not None
    assert certify(size * x**2, size * x**2 - 1, "<=", inside) is None
    assert certify(size**2 * x + 1, size * x**2, "<=", inside) is None
