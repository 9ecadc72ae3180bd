"""Polynomial facts, the squares suggested by them, and refutations."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.certify.algebra.facts import (
    Fact,
    Polynomial,
    has_point,
    multiply,
    square,
    symbol_facts,
    unit,
)
from verify.certify.algebra.squares import squares
from verify.certify.prover.refutation import Refutation, refute


def poly(*terms: Any) -> Polynomial:
    """The sum of ``coefficient x^i y^j``, given as ``(coefficient, i, j)``."""
    return {tuple(m): Fraction(c) for c, *m in terms}


def fact(name: str, *terms: Any, strict: bool = False, kind: str = "hypothesis") -> Fact:
    return Fact.of(name, poly(*terms), strict, kind)


def value(polynomial: Polynomial, point: tuple[Fraction, ...]) -> Fraction:
    return sum(
        (c * math.prod(p**e for p, e in zip(point, m, strict=True)) for m, c in polynomial.items()),
        Fraction(0),
    )


rationals = st.fractions(-3, 3, max_denominator=5)
polynomials = st.dictionaries(st.tuples(*[st.integers(0, 3)] * 2), rationals, max_size=4)

# -- facts ---------------------------------------------------------------------------------------


def test_terms_are_sorted_and_without_zeros() -> None:
    one = Fact.of("f", poly((1, 2, 0), (0, 0, 0), (-3, 0, 1)), True)
    assert one == Fact("f", (((0, 1), Fraction(-3)), ((2, 0), Fraction(1))), True, "hypothesis")
    assert one.polynomial == poly((1, 2, 0), (-3, 0, 1))
    assert Fact.of("f", {}, False, "square").kind == "square"


@settings(max_examples=10)
@given(polynomials, polynomials, rationals, rationals)
def test_products_have_the_product_of_values(
    p: Polynomial, q: Polynomial, x: Fraction, y: Fraction
) -> None:
    both = multiply(p, q)
    assert value(both, (x, y)) == value(p, (x, y)) * value(q, (x, y))
    assert all(both.values())


def test_products_by_hand() -> None:
    assert multiply(poly((1, 1), (1, 0)), poly((1, 1), (-1, 0))) == poly((1, 2), (-1, 0))
    assert multiply(poly((1, 1), (1, 0)), {}) == {}


def test_units_are_the_exponents_of_one_variable() -> None:
    assert [unit(3, i) for i in range(3)] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def test_signs_of_variables_come_from_facts_with_the_variable_alone() -> None:
    facts = [
        fact("x >= 0", (1, 1, 0)),
        fact("x > 0", (1, 1, 0), strict=True),
        fact("y >= 0", (1, 0, 1)),
        fact("y again", (1, 0, 1)),
    ]
    assert symbol_facts(facts) == {0: 1, 1: 2}  # the strict one first, then the first
    others = [
        fact("-x", (-1, 1, 0)),
        fact("2x", (2, 1, 0)),
        fact("x^2", (1, 2, 0)),
        fact("xy", (1, 1, 1)),
        fact("x - 1", (1, 1, 0), (-1, 0, 0)),
        fact("1", (1, 0, 0)),
        fact("zero"),
    ]
    assert symbol_facts(others) == {}


@pytest.mark.parametrize(
    ("root", "name"),
    [
        ([(1, 1, 0), (-1, 0, 1)], "(x - y)**2"),
        ([(-1, 1, 0), (1, 0, 1)], "(x - y)**2"),
        ([(1, 0, 1), (1, 0, 0)], "(y + 1)**2"),
        ([("-3/2", 2, 1), (-2, 0, 0)], "(3/2*x**2*y + 2)**2"),
        ([(1, 0, 0)], "(1)**2"),
        ([(7, 1, 1)], "(7*x*y)**2"),
        ([("1/3", 0, 0), (1, 1, 0)], "(x + 1/3)**2"),
    ],
)
def test_squares_are_named_by_their_root(root: Any, name: str) -> None:
    made = square(poly(*root), ("x", "y"))
    assert made == Fact.of(name, multiply(poly(*root), poly(*root)), False, "square")


# -- points --------------------------------------------------------------------------------------

POSSIBLE = {
    "nothing": [],
    "grid": [fact("a", (1, 1, 0), (-1, 0, 0)), fact("b", (-1, 1, 0), (1, 0, 0))],
    "negative": [fact("a", (-1, 1, 0), (-1, 0, 0))],
    "both negative": [fact("a", (-1, 1, 0), (-1, 0, 0)), fact("b", (-1, 0, 1), (-1, 0, 0))],
    "strict": [fact("a", (1, 1, 0), (-1, 0, 1), strict=True)],
    "small": [fact("a", ("1/20", 0, 0), (-1, 1, 0)), fact("b", (1, 1, 0), strict=True)],
    "large": [fact("a", (1, 1, 0), (-20, 0, 0))],
    "square root": [fact("a", (1, 2, 0), ("-2", 0, 0)), fact("b", ("21/10", 0, 0), (-1, 2, 0))],
    "signed": [fact("x", (1, 1, 0), strict=True, kind="symbol"), fact("a", (1, 1, 1))],
    "a product": [fact("a", (1, 1, 1), (-6, 0, 0)), fact("b", (7, 0, 0), (-1, 1, 1))],
}
IMPOSSIBLE = {
    "zero strict": [fact("a", strict=True)],
    "both signs": [fact("a", (1, 1, 0), strict=True), fact("b", (-1, 1, 0))],
    "negative square": [fact("a", (-1, 2, 0), strict=True)],
    "between": [fact("a", (1, 1, 0), (-1, 0, 0), strict=True), fact("b", (-1, 1, 0), (1, 0, 0))],
    "no square root": [fact("a", (-1, 2, 0), (2, 1, 1), (-1, 0, 2), strict=True)],
    "constant": [fact("a", (-1, 0, 0))],
    "declared": [fact("x", (1, 1, 0), strict=True, kind="symbol"), fact("a", (-1, 1, 0))],
}


@pytest.mark.parametrize("name", POSSIBLE)
def test_points_are_found_where_there_is_room(name: str) -> None:
    assert has_point(POSSIBLE[name], 2)
    assert refute(POSSIBLE[name], ("x", "y"), (True, True), degree=2) is None


@pytest.mark.parametrize("number", ["0", "1/4", "1/2", "3/4", "1", "3/2", "2", "3", "4", "10"])
def test_simple_numbers_of_both_signs_are_among_the_points(number: str) -> None:
    for at in (Fraction(number), -Fraction(number)):
        exactly = [fact("a", (1, 1, 0), (-at, 0, 0)), fact("b", (-1, 1, 0), (at, 0, 0))]
        assert has_point(exactly, 2)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_contradictions_have_no_point_and_are_refuted(name: str) -> None:
    assert not has_point(IMPOSSIBLE[name], 2)
    found = refute(IMPOSSIBLE[name], ("x", "y"), (True, True), degree=2)
    assert found is not None
    assert_refutes(found, IMPOSSIBLE[name])


def test_rounding_invents_no_point() -> None:
    """Of 1e-12 < (x - y)^2 < 1e-9 floats know nothing: strict facts want a clear margin."""
    tight = fact("b", (1, 2, 0), (-2, 1, 1), (1, 0, 2), ("-1/1000000000000", 0, 0), strict=True)
    opposite = fact("c", (-1, 2, 0), (2, 1, 1), (-1, 0, 2), ("1/1000000000", 0, 0), strict=True)
    assert not has_point([tight, opposite], 2)


# -- squares -------------------------------------------------------------------------------------

#: x^2 - 3xy + 9y^2 >= 0 denied
form = fact("n", (-1, 2, 0), (3, 1, 1), (-9, 0, 2), strict=True, kind="negation")
other = fact("h", (4, 4, 0), (1, 0, 2), (2, 1, 0))
sign = fact("x > 0", (1, 1, 0), strict=True, kind="symbol")


@pytest.mark.parametrize(
    ("facts", "real", "names"),
    [
        ([form], (True, True), "y; x; x + y; 1/6*x - y; 2/3*x - y; x - y; x - 3/2*y"),
        ([form], (True, False), "x; x + 1; x - 1"),
        (
            [form, sign],
            (True, True),
            "y; y + 1; y - 1; x + 1; x - 1; x + y; 1/6*x - y; 2/3*x - y; x - y; x; x - 3/2*y",
        ),
        ([other], (True, True), "y; x**2; x**2 + y; x**2 - y"),
        (
            [form, other],
            (True, True),
            "y; x; x**2; x + y; 1/6*x - y; 2/3*x - y; x - y; x**2 + y; x**2 - y; x**2 + x; "
            "x**2 - x; x - 3/2*y",
        ),
        ([other, sign], (True, True), "y; y + 1; y - 1; x**2 + 1; x**2 - 1; x**2 + y; x**2 - y"),
        (
            [fact("n", (-4, 2, 0), (12, 1, 1), (-9, 0, 2), kind="negation")],
            (True, True),
            "y; x; x + y; 2/3*x - y; x - y; x - 3/2*y",
        ),
        (
            [fact("h", (3, 1, 1)), fact("g", (2, 2, 0), (5, 0, 2))],
            (True, True),
            "y; x; x + y; x - y",
        ),
        ([sign], (True, True), ""),
        ([], (True, True), ""),
    ],
)
def test_squares_that_the_coefficients_suggest(facts: Any, real: Any, names: str) -> None:
    found = [f.name for f in squares(facts, ("x", "y"), real)]
    assert found == [f"({name})**2" for name in names.split("; ") if name]


def test_forms_in_three_variables_are_reduced_one_after_the_other() -> None:
    """(x + y + 2z)^2 + (y - 2z)^2 has no term in yz, yet both roots are found."""
    terms = {(2, 0, 0): -1, (0, 2, 0): -2, (0, 0, 2): -8, (1, 1, 0): -2, (1, 0, 1): -4}
    facts = [Fact.of("n", {m: Fraction(c) for m, c in terms.items()}, True, "negation")]
    names = [f.name for f in squares(facts, ("x", "y", "z"), (True, True, True))]
    assert "(x + y + 2*z)**2" in names
    assert "(y - 2*z)**2" in names
    assert refute(facts, ("x", "y", "z"), (True, True, True), degree=1) is not None


def test_squares_are_few_if_so_wished() -> None:
    assert [f.name for f in squares([form], ("x", "y"), (True, True), limit=1)] == ["(y)**2"]
    many = fact("many", *((1, 2 * i, 0) for i in range(1, 12)))
    # nine monomials, every pair with 1 and -1, pairs of like parity also with -1/2 and -2
    like = math.comb(5, 2) + math.comb(4, 2)
    found = list(squares([many], ("x", "y"), (True, True)))
    assert len(found) == 9 + 2 * math.comb(9, 2) + 2 * like


@settings(max_examples=10)
@given(st.lists(rationals, min_size=3, max_size=3))
def test_reduced_forms_are_sums_of_the_squares_found(c: list[Fraction]) -> None:
    """a x^2 + b xy + c y^2 with b^2 <= 4ac is denied; refutation needs the squares alone."""
    a, d = abs(c[0]) + 1, abs(c[2])
    f = fact(
        "n",
        (-a, 2, 0),
        (-c[1], 1, 1),
        (-(c[1] ** 2) / (4 * a) - d, 0, 2),
        strict=True,
        kind="negation",
    )
    found = refute([f], ("x", "y"), (True, True), degree=1)
    assert found is not None
    assert_refutes(found, [f])


# -- refutations ---------------------------------------------------------------------------------


def assert_refutes(found: Refutation, facts: list[Fact]) -> None:
    """The identity vanishes, multipliers are positive, some product is strict."""
    assert list(found.facts[: len(facts)]) == facts
    for added in found.facts[len(facts) :]:
        assert added.kind == "square"
        assert not added.strict
    total: Polynomial = {}
    for q, factors in found.products:
        assert q > 0
        assert list(factors) == sorted(factors)
        term = {(0,) * 2: q}
        for i in factors:
            term = multiply(term, found.facts[i].polynomial)
        for m, c in term.items():
            total[m] = total.get(m, Fraction(0)) + c
    assert not any(total.values())
    assert any(all(found.facts[i].strict for i in factors) for _, factors in found.products)
    assert math.gcd(*(int(q) for q, _ in found.products)) == 1
    assert all(q.denominator == 1 for q, _ in found.products)


def test_multipliers_are_coprime_whole_numbers() -> None:
    facts = [fact("a", ("2/3", 1, 0), strict=True), fact("b", ("-4/5", 1, 0))]
    found = refute(facts, ("x", "y"), (True, True))
    assert found is not None
    assert found.products == ((Fraction(6), (0,)), (Fraction(5), (1,)))
    assert found.facts == tuple(facts)


def test_short_refutations_come_first() -> None:
    facts = [
        fact("x > 1", (1, 1, 0), (-1, 0, 0), strict=True),
        fact("x <= y", (-1, 1, 0), (1, 0, 1)),
        fact("y <= 1", (-1, 0, 1), (1, 0, 0)),
        fact("x <= 1", (-1, 1, 0), (1, 0, 0)),
    ]
    found = refute(facts, ("x", "y"), (True, True))
    assert found is not None
    assert found.products == ((Fraction(1), (0,)), (Fraction(1), (3,)))
    found = refute(facts[:3], ("x", "y"), (True, True))
    assert found is not None
    assert found.products == ((Fraction(1), (0,)), (Fraction(1), (1,)), (Fraction(1), (2,)))


def test_products_have_at_most_the_degree() -> None:
    """x > 0, y > 0, xy <= 0 needs a product of two."""
    facts = [
        fact("x", (1, 1, 0), (-1, 0, 0), strict=True),
        fact("y", (1, 0, 1), (-1, 0, 0), strict=True),
        fact("xy", (-1, 1, 1), (1, 1, 0), (1, 0, 1), (-1, 0, 0)),
    ]
    assert refute(facts, ("x", "y"), (True, True), degree=1) is None
    found = refute(facts, ("x", "y"), (True, True), degree=2)
    assert found is not None
    assert found.products == ((Fraction(1), (2,)), (Fraction(1), (0, 1)))


def test_the_negated_claim_enters_a_product_twice_at_most() -> None:
    """x > 1, x^3 <= 1 by the cube of x - 1 alone, if nothing else is allowed."""
    cube = fact("c", (-1, 3, 0), (3, 2, 0), (-3, 1, 0), (1, 0, 0))  # -(x - 1)^3
    first = fact("n", (1, 1, 0), (-1, 0, 0), strict=True)
    found = refute([first, cube], ("x", "y"), (True, True), degree=3)
    assert found is not None
    assert found.products == ((Fraction(1), (1,)), (Fraction(1), (0, 0, 0)))
    negated = fact("n", (1, 1, 0), (-1, 0, 0), strict=True, kind="negation")
    assert refute([negated, cube], ("x", "y"), (True, True), degree=3) is None
    parabola = fact("p", (-1, 2, 0), (2, 1, 0), (-1, 0, 0))  # -(x - 1)^2
    found = refute([negated, parabola], ("x", "y"), (False, False), degree=2)
    assert found is not None
    assert found.products == ((Fraction(1), (1,)), (Fraction(1), (0, 0)))


@pytest.mark.parametrize(("cap", "found"), [(2, False), (3, True)])
def test_the_cap_counts_products(cap: int, found: bool) -> None:
    facts = [fact("a", (1, 1, 0), strict=True), fact("b", (-1, 1, 0))]
    assert (refute(facts, ("x", "y"), (True, True), cap=cap) is not None) == found


def test_the_cap_counts_products_with_squares() -> None:
    """(x - y)^2 < 0: nothing, the fact, and the squares of y, x, x + y and x - y."""
    facts = [fact("n", (-1, 2, 0), (2, 1, 1), (-1, 0, 2), kind="negation", strict=True)]
    assert len(list(squares(facts, ("x", "y"), (True, True)))) == 4
    assert refute(facts, ("x", "y"), (True, True), cap=5) is None
    assert refute(facts, ("x", "y"), (True, True), cap=6) is not None


def test_monomials_of_known_sign_need_no_product() -> None:
    """x > 0 gives x^3 y^2 >= 0 in one step, though the degree is one."""
    facts = [
        fact("x", (1, 1, 0), strict=True, kind="symbol"),
        fact("n", (-1, 3, 2), strict=True, kind="negation"),
    ]
    found = refute(facts, ("x", "y"), (True, True), degree=1)
    assert found is not None
    assert found.products == ((Fraction(1), (1,)), (Fraction(1), (0, 0, 0, 2)))
    assert found.facts[2] == square(poly((1, 0, 1)), ("x", "y"))
    assert refute(facts, ("x", "y"), (True, False), degree=2) is None


def test_a_square_is_known_once() -> None:
    """x^2 + (x - y)^2 >= 0: facts suggest the square of x, and the monomial x^2 needs it."""
    facts = [fact("n", (-2, 2, 0), (2, 1, 1), (-1, 0, 2), strict=True, kind="negation")]
    found = refute(facts, ("x", "y"), (True, True), degree=1)
    assert found is not None
    names = [one.name for one in found.facts]
    assert "(x)**2" in names
    assert len(names) == len(set(names))


def test_facts_times_monomials_of_known_sign_need_no_product() -> None:
    """y <= 1 times x^3 refutes x^3 y > x^3 at degree one."""
    facts = [
        fact("n", (1, 3, 1), (-1, 3, 0), strict=True, kind="negation"),
        fact("h", (-1, 0, 1), (1, 0, 0)),
        fact("x", (1, 1, 0), strict=True, kind="symbol"),
    ]
    found = refute(facts, ("x", "y"), (True, True), degree=1)
    assert found is not None
    assert found.products == ((Fraction(1), (0,)), (Fraction(1), (1, 2, 2, 2)))


def test_monomials_in_several_variables() -> None:
    """x^3 y >= 0 for positive x and y; x^2 y^4 >= 0 for real ones, by their squares."""
    facts = [
        fact("x", (1, 1, 0), strict=True, kind="symbol"),
        fact("y", (1, 0, 1), strict=True, kind="symbol"),
        fact("n", (-1, 3, 1), strict=True, kind="negation"),
    ]
    found = refute(facts, ("x", "y"), (True, True), degree=1)
    assert found is not None
    assert found.products == ((Fraction(1), (2,)), (Fraction(1), (0, 0, 0, 1)))
    denied = [fact("n", (-1, 2, 4), strict=True, kind="negation")]
    found = refute(denied, ("x", "y"), (True, True), degree=1)
    assert found is not None
    assert found.products == ((Fraction(1), (0,)), (Fraction(1), (1, 2, 2)))
    assert [f.name for f in found.facts] == ["n", "(x)**2", "(y)**2"]
    assert_refutes(found, denied)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_scaled_facts_in_any_order(order: Any) -> None:
    facts = [
        fact("n", (1, 3, 1), (-1, 3, 0), strict=True, kind="negation"),
        fact("h", (-1, 0, 1), (1, 0, 0)),
        fact("x", (1, 1, 0), strict=True, kind="symbol"),
    ]
    shuffled = [facts[i] for i in order]
    found = refute(shuffled, ("x", "y"), (True, True), degree=1)
    assert found is not None
    assert_refutes(found, shuffled)


@settings(max_examples=10)
@given(
    st.lists(st.tuples(rationals, rationals), min_size=2, max_size=3),
    st.lists(st.fractions(Fraction(1, 4), 4, max_denominator=6), min_size=3, max_size=3),
    st.tuples(rationals, rationals),
    st.sampled_from([Fraction(0), Fraction(1, 10**6), Fraction(1)]),
)
def test_linear_systems_are_refuted_if_and_only_if_they_contradict(
    rows: Any, weights: Any, point: Any, slack: Fraction
) -> None:
    """Half-planes through a point; the negated claim is a weighted sum of them, and the claim
    is false at the point as soon as its bound lies a little lower."""
    facts = []
    claim = poly((0, 1, 0), (0, 0, 1), (0, 0, 0))
    for i, ((a, b), q) in enumerate(zip(rows, weights, strict=False)):
        at = a * point[0] + b * point[1]
        facts.append(fact(f"h{i}", (-a, 1, 0), (-b, 0, 1), (at, 0, 0)))
        for m, c in facts[-1].polynomial.items():
            claim[m] -= q * c
    true = [Fact.of("n", claim, True, "negation"), *facts]
    found = refute(true, ("x", "y"), (True, True), degree=1)
    assert found is not None
    assert_refutes(found, true)
    claim[(0, 0)] += Fraction(1, 10**6) + slack
    false = [Fact.of("n", claim, True, "negation"), *facts]
    assert all(value(f.polynomial, point) >= 0 for f in false)
    assert refute(false, ("x", "y"), (True, True), degree=2) is None


def test_only_exact_identities_count() -> None:
    """Half-planes that miss each other by 1e-12 of their size are not refuted."""
    tiny = Fraction(1, 10**12)
    for gap, refuted in ((tiny, False), (Fraction(-1, 1000), True), (Fraction(0), True)):
        facts = [
            fact("a", (1, 1, 0), (-1, 0, 0), strict=True),
            fact("b", (-1, 1, 0), (1 + gap, 0, 0)),
        ]
        assert (refute(facts, ("x", "y"), (True, True), degree=1) is not None) == refuted


def test_contradictions_without_variables() -> None:
    assert refute([fact("n", (-1,))], (), ()) is not None
    assert refute([fact("n", (1,))], (), ()) is None
