"""The cheap looks at the hypotheses of a case against the search for a contradiction."""

from __future__ import annotations

from random import Random

import pytest
import sympy

from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.prove import Hypothesis, searched
from verify.reading.clients.contradicts import FALSEHOOD, contradict, opposed
from verify.reading.clients.points import met_at_a_point

K, N = client_symbol()
A, B = sympy.symbols("a b", positive=True)
X, Y = sympy.symbols("x y", real=True)
Z = sympy.Symbol("z", nonnegative=True)
ROW = sympy.IndexedBase("row", positive=True)
PART = sympy.IndexedBase("part", positive=True)
TOTAL = sympy.Sum(PART[K], (K, 1, N))


def given(*said: tuple[sympy.Expr, bool]) -> list[Hypothesis]:
    return [Hypothesis(f"h{i}", e, strict) for i, (e, strict) in enumerate(said)]


MET = {
    "an equation": given((TOTAL - 1, False), (1 - TOTAL, False)),
    "a sum over clients": given((3 - sympy.Sum(ROW[K] ** 2, (K, 1, N)), True), (ROW[K] - A, True)),
    "a largest value": given((sympy.Max(X, Y) - A, True), (-X, True), (2 * A - abs(Y), False)),
    "a quotient": given((A / B - 2, True), (1 - B, False)),
    "an equation of squares": given((X**2 - A, False), (A - X**2, False)),
}
OPPOSED = {
    "a sign": given((X, False), (-A - Z, False)),
    "zero": given((-(Z**2) * A, True)),
    "another one": given((A - 1, True), (1 - A, False)),
    "up to a factor": given((2 * X - 2 * Y, False), (3 * Y - 3 * X, True)),
    "a square left over": given((X - Y, False), (Y - X - X**2, True)),
    "one of them strict": given((X - Y, False), (Y - X - A, True)),
}
NEITHER = {
    "none of them strict": given((X - Y, False), (Y - X - A, False)),
    "over a number": given((X / A, False), (-X / A - 1 / A, True)),
    "products": given((X - Y, True), (-((X - Y) ** 2), False)),
    "an answer without a form": given((sympy.sqrt(A) - 1, True), (1 - A, True)),
    "two others": given((X - Y, True), (Y - A, True), (B - X, True), (A - 2 * B, True)),
    "not positive, as is known": given((-Z, False), (-X + Y, False), (X - Y, False)),
}


@pytest.mark.parametrize("case", [pytest.param(h, id=n) for n, h in MET.items()])
def test_a_point_shows_that_hypotheses_do_not_contradict(case: list[Hypothesis]) -> None:
    assert met_at_a_point(case)
    assert not opposed(case)
    assert searched(*FALSEHOOD, case, 2) is None


@pytest.mark.parametrize("case", [pytest.param(h, id=n) for n, h in OPPOSED.items()])
def test_opposed_hypotheses_contradict(case: list[Hypothesis]) -> None:
    assert opposed(case)
    assert not met_at_a_point(case)
    assert searched(*FALSEHOOD, case, 1) is not None


@pytest.mark.parametrize("case", [pytest.param(h, id=n) for n, h in NEITHER.items()])
def test_what_no_cheap_look_tells_is_left_to_the_search(case: list[Hypothesis]) -> None:
    assert not opposed(case)
    assert contradict(case, 2) == (searched(*FALSEHOOD, case, 2) is not None)


@pytest.mark.parametrize("seed", range(60))
def test_the_answer_is_that_of_the_search(seed: int) -> None:
    random = Random(seed)
    terms = [A, B, X, Y, Z, X * Y, X**2, A * B, A * X, Z / A, sympy.Integer(1)]
    case = given(
        *(
            (sum(random.choice((-2, -1, 1, 2)) * t for t in random.sample(terms, 2)), strict)
            for strict in random.choices((False, True), k=random.choice((1, 2, 3)))
        )
    )
    found = searched(*FALSEHOOD, case, 2) is not None
    assert contradict(case, 2) == found
    assert not (met_at_a_point(case) and found)
    assert found or not opposed(case)


def test_a_symbol_of_another_kind_has_no_value_at_the_points() -> None:
    assert not met_at_a_point(given((sympy.Symbol("x", integer=True, even=True), False)))
    assert not met_at_a_point(given((sympy.Symbol("x", negative=True) + 100, False)))
    assert not met_at_a_point(given((sympy.Float(0.1) * A, False)))
