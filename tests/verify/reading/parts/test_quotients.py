"""Quotients of flint's polynomials: two are the same where sympy says that they are."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import sympy

from verify.certify.algebra.ratios import NotRational
from verify.reading.parts.quotients import Ring, ring_of, symbols_of
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import formula, free_in, parts_in, same

Expr = Any  # sympy carries no types
x, K = sympy.Symbol("x", real=True), sympy.Symbol("K", integer=True, positive=True)
a10, a9, mu = sympy.symbols("a10 a9 mu", positive=True)
k = sympy.Symbol("k", integer=True)
g = sympy.IndexedBase("g", real=True)
SYMBOLS = (x, K, a10, a9, mu, g[k])

WRITTEN = [
    sympy.Integer(0),
    sympy.Rational(-6, 4),
    x,
    -x,
    2 * x + 2 * mu,
    -2 * x - 2 * mu,
    (x - mu) / 2,
    (mu - x) / (a9 - a10),
    (x**2 - mu**2) / (x - mu),
    (x**2 - mu**2) / (mu - x) ** 3,
    6 * x * mu / (4 * a9 * x + 10 * a9),
    1 / (1 / x + 1 / mu),
    (1 - x * mu) ** 4 - (1 - x * mu) ** 2,
    (x + 1) ** 2 - x**2 - 2 * x - 1,
    K * (1 - a9) ** 3 / (3 * mu) + g[k] ** 2,
    sympy.Mul(2, x + mu, evaluate=False),
    sympy.Mul(-1, x + mu, evaluate=False) / (a9 + 1),
]
NOT_RATIONAL = [sympy.sqrt(a9) * x + x, sympy.exp(x) / 2 + x**2, a9**K + 1, abs(x) * x, 0.5 * x]


def drawn(random: Random, depth: int) -> Expr:
    """Some formula."""
    if not depth:
        number = sympy.Rational(random.randint(-6, 6), random.randint(1, 5))
        return random.choice((*SYMBOLS, number))
    one, other = drawn(random, depth - 1), drawn(random, depth - 1)
    ways = (one + other, one - other, one * other, one ** random.randint(1, 3))
    return one / other if random.random() < 0.2 and other != 0 else random.choice(ways)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.every(3)
def test_formulas_that_are_drawn(seed: int) -> None:
    random = Random(seed)
    for depth in (1, 2, 3, 4):
        e, other = drawn(random, depth), drawn(random, depth)
        if (e + other).has(sympy.zoo, sympy.nan):
            continue
        assert same(e, other) == (sympy.cancel(sympy.together(e - other)) == 0)
        assert same(e, sympy.factor(e))
        assert same(e, sympy.cancel(e))
        assert not same(e, e + x**5)
        assert free_in(e) == e.free_symbols


@pytest.mark.parametrize("e", [*WRITTEN, *NOT_RATIONAL], ids=str)
def test_formulas_are_the_same_as_themselves_alone(e: Expr) -> None:
    assert same(e, sympy.expand(e))
    for more in (sympy.Rational(1, 10**9), a9 - a10, 1 / (x + mu)):
        assert not same(e, e + more)


def test_symbols_of_one_name_are_not_taken_for_each_other() -> None:
    other = sympy.Symbol("x", positive=True)
    assert not same(x, other)
    with pytest.raises(NotRational):
        ring_of(frozenset({x, other}))


@pytest.mark.parametrize("e", NOT_RATIONAL, ids=str)
def test_what_is_not_rational_has_no_ring(e: Expr) -> None:
    with pytest.raises(NotRational):
        ring_of(symbols_of(e))(e)


def test_nothing_is_divided_by_zero() -> None:
    nothing = sympy.Add(x, sympy.Mul(-1, x), evaluate=False)
    for e in (
        sympy.Pow(nothing, -1, evaluate=False),
        sympy.Mul(2, 1 / ((x + 1) ** 2 - x**2 - 2 * x - 1)),
    ):
        with pytest.raises(NotRational):
            Ring([x])(e)
    ring = Ring([x])
    with pytest.raises(NotRational):
        ring(x) / ring.number(0)


@pytest.mark.parametrize("e", [*WRITTEN, *NOT_RATIONAL, sympy.Sum(k * x, (k, 1, K))], ids=str)
def test_parts_are_met_once(e: Expr) -> None:
    found = list(parts_in(e))
    assert len(found) == len(set(found))
    assert set(found) == set(sympy.preorder_traversal(e))
    assert free_in(e) == e.free_symbols


def test_a_number_that_has_been_rounded_is_found_wherever_it_stands() -> None:
    assert formula(sympy.exp(0.5 * x) + 1).has(sympy.Float)
    with pytest.raises(NotReadable, match="rounded"):
        formula(sympy.exp(x * sympy.Float(1 / 3)) + 1)
