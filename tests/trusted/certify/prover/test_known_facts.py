"""What declarations, sums and powers bring along, and the record of a fact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy

from tests.trusted.certify.claims import N, T, b, by_hand, s, u, v, x, y, z
from verify.certify.algebra.facts import Fact
from verify.certify.algebra.formal_sums import FormalSum, Translation
from verify.certify.prover.known_facts import (
    KnownFact,
    declared,
    polynomial_fact,
    power_facts,
    premise,
    square_premise,
    sum_facts,
    sum_signs,
)
from verify.certify.prover.record import Certificate, PolynomialPremise

S, P, Q = sympy.symbols("S P Q", real=True)


def proof(text: str) -> Certificate:
    return by_hand((), (), claim=text)


class Oracle:
    """Proves what it was told is true, and remembers what it was asked."""

    def __init__(self, *true: str) -> None:
        self.true = true
        self.asked: list[str] = []

    def __call__(self, left: Any, right: Any, relation: str) -> Certificate | None:
        self.asked.append(f"{left} {relation} {right}")
        return proof(self.asked[-1]) if self.asked[-1] in self.true else None


def told(found: Any) -> list[tuple[str, str, bool, str, str, tuple[str, ...]]]:
    return [
        (f.name, str(f.expr), f.strict, f.kind, f.reason, tuple(c.claim for c in f.lemmas))
        for f in found
    ]


# -- declarations --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assumptions", "facts"),
    [
        ({"positive": True}, [("s > 0 (declared)", "s", True)]),
        ({"nonnegative": True}, [("s >= 0 (declared)", "s", False)]),
        ({"negative": True}, [("s < 0 (declared)", "-s", True)]),
        ({"nonpositive": True}, [("s <= 0 (declared)", "-s", False)]),
        ({"zero": True}, [("s >= 0 (declared)", "s", False), ("s <= 0 (declared)", "-s", False)]),
        (
            {"integer": True, "positive": True},
            [("s > 0 (declared)", "s", True), ("s >= 1 (declared)", "s - 1", False)],
        ),
        ({"integer": True, "nonnegative": True}, [("s >= 0 (declared)", "s", False)]),
        ({"integer": True, "negative": True}, [("s < 0 (declared)", "-s", True)]),
        ({"real": True}, []),
        ({}, []),
    ],
    ids=str,
)
def test_declared_signs(assumptions: Any, facts: Any) -> None:
    found = list(declared(sympy.Symbol("s", **assumptions)))
    assert [(f.name, str(f.expr), f.strict) for f in found] == facts
    assert all(f.kind == "symbol" and f.lemmas == () for f in found)
    assert [f.reason for f in found] == [
        "positive integer" if "1" in f.name else "declared" for f in found
    ]


# -- sums ----------------------------------------------------------------------------------------

sum_u, sum_v, sum_z = FormalSum(S, u, N), FormalSum(P, v, N), FormalSum(Q, z, N)


def test_sums_have_the_sign_of_their_terms() -> None:
    oracle = Oracle("0 <= u[k]", "0 < v[k]")
    assert told(sum_signs([sum_u, sum_v, sum_z], oracle)) == [
        ("S >= 0", "S", False, "sum", "a sum of such terms", ("0 <= u[k]",)),
        ("P > 0", "P", True, "sum", "a sum of such terms", ("0 < v[k]",)),
    ]
    assert oracle.asked == [
        "0 < u[k]",
        "0 <= u[k]",
        "0 < v[k]",
        "0 < z[k]",
        "0 <= z[k]",
    ]


def known(expression: Any, *lemmas: str, strict: bool = False) -> KnownFact:
    return KnownFact(
        f"{expression} known", expression, strict, "sum", "", tuple(map(proof, lemmas))
    )


def test_sums_are_ordered_as_their_terms_are() -> None:
    oracle = Oracle("u[k] <= v[k]", "u[k] <= 1", "1 <= v[k]")
    found = sum_facts([sum_u, sum_v], [], [], oracle, one_client=True)
    reason = "a sum of such terms"
    assert told(found) == [
        ("P - S >= 0", "P - S", False, "sum", reason, ("u[k] <= v[k]",)),
        ("N - S >= 0", "N - S", False, "sum", reason, ("u[k] <= 1",)),
        ("-N + P >= 0", "-N + P", False, "sum", reason, ("1 <= v[k]",)),
    ]


def test_sums_over_other_ranges_are_not_compared() -> None:
    other = FormalSum(P, v, T)
    oracle = Oracle("u[k] <= v[k]", "v[k] <= 1")
    found = told(sum_facts([sum_u, other], [], [], oracle, one_client=False))
    assert [f[0] for f in found] == ["-P + T >= 0"]


def test_weighted_sums_of_hypotheses() -> None:
    """u <= 2 b^2 times u gives the sums of u^2 and of u, with factors that do not move."""
    squares, one_bound = FormalSum(P, u**2, N), known(2 * b**2 - u)
    oracle = Oracle("0 <= 2*b**2*u[k] - u[k]**2", "0 <= 2*b**2 - u[k]")
    found = told(sum_facts([squares, sum_u], [], [one_bound], oracle, one_client=False))
    assert found == [
        (
            "-P + 2*S*b**2 >= 0",
            "-P + 2*S*b**2",
            False,
            "sum",
            "a sum of such terms",
            ("0 <= 2*b**2*u[k] - u[k]**2",),
        ),
        (
            "2*N*b**2 - S >= 0",
            "2*N*b**2 - S",
            False,
            "sum",
            "a sum of such terms",
            ("0 <= 2*b**2 - u[k]",),
        ),
    ]


def test_weighted_sums_of_what_is_not_proved_are_left_out() -> None:
    assert list(sum_facts([sum_u], [], [known(2 * b**2 - u)], Oracle(), one_client=False)) == []


@pytest.mark.parametrize("claim", ["0 <= 1 - u[k]", "0 <= u[k] - 1"])
def test_every_term_is_tried_for_a_weight(claim: str) -> None:
    """The weight 1 leads to sums that occur, the weight u does not."""
    expression = 1 - u if claim == "0 <= 1 - u[k]" else u - 1
    found = told(sum_facts([sum_u], [], [known(expression)], Oracle(claim), one_client=False))
    assert [f[0] for f in found] == [f"{(N - S) * (1 if '- u' in claim else -1)} >= 0"]


def test_weighted_sums_with_terms_that_do_not_occur_are_left_out() -> None:
    """u v^2 <= v with the sum of u alone: what comes of it is named by no sum that occurs."""
    oracle = Oracle()
    assert list(sum_facts([sum_u], [], [known(v - u * v**2)], oracle, one_client=False)) == []
    assert not any("0 <=" in claim for claim in oracle.asked)
    # a single term is the sum's own sign, which is asked for elsewhere
    assert list(sum_facts([sum_u], [], [known(u)], oracle, one_client=False)) == []
    assert "0 <= u[k]" not in oracle.asked


def test_each_sum_fact_is_given_once() -> None:
    oracle = Oracle("0 <= 1 - u[k]", "u[k] <= 1")
    found = told(sum_facts([sum_u], [], [known(1 - u), known(1 - u)], oracle, one_client=False))
    assert [f[0] for f in found] == ["N - S >= 0"]


def test_cauchy_schwarz_needs_both_signs() -> None:
    squares = FormalSum(P, z**2, N)
    signs = [known(P, "0 <= z[k]**2")]
    assert told(sum_facts([squares, sum_z], signs, [], Oracle(), one_client=False)) == [
        ("Q**2 <= P*N", "N*P - Q**2", False, "sum", "Cauchy-Schwarz", ("0 <= z[k]**2",)),
    ]
    assert list(sum_facts([squares, sum_z], [], [], Oracle(), one_client=False)) == []
    weighted = [FormalSum(S, u, N), FormalSum(P, u * z**2, N), FormalSum(Q, u * z, N)]
    signs = [known(S, "first"), known(P, "second")]
    assert told(sum_facts(weighted, signs, [], Oracle(), one_client=False)) == [
        ("Q**2 <= S*P", "P*S - Q**2", False, "sum", "Cauchy-Schwarz", ("first", "second")),
    ]
    assert list(sum_facts(weighted, signs[:1], [], Oracle(), one_client=False)) == []


def test_cauchy_schwarz_stays_within_one_range() -> None:
    signs = [known(S, "first"), known(P, "second")]
    for ranges in ((T, N, N), (N, T, N), (N, N, T)):
        sums = [
            FormalSum(atom, summand, count)
            for atom, summand, count in zip((S, P, Q), (u, u * z**2, u * z), ranges, strict=True)
        ]
        assert list(sum_facts(sums, signs, [], Oracle(), one_client=False)) == []


def test_one_term_is_at_most_the_sum_if_all_are_non_negative() -> None:
    signs = [known(S, "0 <= u[k]")]
    assert told(sum_facts([sum_u, sum_z], signs, [], Oracle(), one_client=True)) == [
        (
            "u[k] <= S",
            "S - u[k]",
            False,
            "sum",
            "one of the terms of a sum of such terms",
            ("0 <= u[k]",),
        ),
    ]
    assert list(sum_facts([sum_u, sum_z], signs, [], Oracle(), one_client=False)) == []
    fewer = FormalSum(S, u, T)
    assert list(sum_facts([fewer], signs, [], Oracle(), one_client=True)) == []


# -- powers --------------------------------------------------------------------------------------


def powers(expression: Any, *true: str) -> list[tuple[str, str, bool, tuple[str, ...]]]:
    translate = Translation()
    translate(expression)
    found = list(power_facts(translate, Oracle(*true)))
    assert all(f.kind == "power" and f.reason == "w1 is such a power" for f in found)
    return [(f.name, str(f.expr), f.strict, tuple(c.claim for c in f.lemmas)) for f in found]


def test_powers_have_the_sign_and_the_bound_of_their_base() -> None:
    at_least, at_most, above = "0 <= 1 - s", "1 - s <= 1", "0 < 1 - s"
    base = 1 - s
    bernoulli = "T*s + w1 - 1"
    assert powers(base**T, at_least, at_most, above) == [
        ("w1 > 0", "w1", True, (above,)),
        ("w1 >= 0", "w1", False, (at_least,)),
        ("w1 <= 1", "1 - w1", False, (at_least, at_most)),
        (f"{bernoulli} >= 0", bernoulli, False, (at_least,)),
    ]
    assert powers(base**T) == []
    assert powers(base**T, at_most) == []
    assert [f[0] for f in powers(base**T, at_least)] == ["w1 >= 0", f"{bernoulli} >= 0"]
    assert [f[0] for f in powers(base**T, above)] == ["w1 > 0"]


def test_bounds_of_powers_need_exponents_of_known_sign() -> None:
    everything = ("0 <= 1 - s", "1 - s <= 1", "0 < 1 - s")
    weight = sympy.Symbol("w", nonnegative=True)
    assert [f[0] for f in powers((1 - s) ** x, *everything)] == ["w1 > 0", "w1 >= 0"]
    assert [f[0] for f in powers((1 - s) ** weight, *everything)] == [
        "w1 > 0",
        "w1 >= 0",
        "w1 <= 1",
    ]
    n = sympy.Symbol("n", integer=True)
    assert [f[0] for f in powers((1 - s) ** n, *everything)] == ["w1 > 0", "w1 >= 0"]


# -- records -------------------------------------------------------------------------------------


def test_expressions_are_read_as_polynomials() -> None:
    fact = KnownFact("name", x**2 - x * y / 2 + 3, True, "sum", "because")
    assert polynomial_fact(fact, (x, y)) == Fact(
        "name",
        (((0, 0), Fraction(3)), ((1, 1), Fraction(-1, 2)), ((2, 0), Fraction(1))),
        True,
        "sum",
    )
    assert polynomial_fact(fact, (y, x)).terms[1] == ((0, 2), Fraction(1))
    number = KnownFact("number", sympy.Rational(-2, 3), False, "negation", "")
    constant = ((), Fraction(-2, 3))
    assert polynomial_fact(number, ()) == Fact("number", (constant,), False, "negation")
    with pytest.raises(sympy.PolynomialError):
        polynomial_fact(KnownFact("fraction", 1 / x, True, "hypothesis", ""), (x, y))
    with pytest.raises(sympy.CoercionFailed):
        polynomial_fact(KnownFact("too much", x * y, True, "hypothesis", ""), (x,))


def test_premises_number_their_lemmas() -> None:
    fact = Fact.of("name", {(1,): Fraction(-1, 2)}, True, "sum")
    one, two, three = map(proof, ("one", "two", "three"))
    lemmas = {one: 0}
    source = KnownFact("name", x, True, "sum", "because", (two, one, three))
    assert premise(fact, source, lemmas) == PolynomialPremise(
        "name", (((1,), "-1/2"),), True, "sum", "because", (1, 0, 2)
    )
    assert lemmas == {one: 0, two: 1, three: 2}
    square = Fact.of("(x)**2", {(2,): Fraction(1)}, False, "square")
    written = (((2,), "1"),)
    assert premise(square, None, {}) == PolynomialPremise(
        "(x)**2", written, False, "square", "a square"
    )


@pytest.mark.parametrize(
    ("terms", "name"),
    [
        ((((0, 2), "1"), ((1, 1), "-2"), ((2, 0), "1")), "(x - y)**2"),
        ((((0, 0), "4"), ((1, 0), "-2"), ((2, 0), "1/4")), "(1/2*x - 2)**2"),
        ((((2, 4), "9"),), "(3*x*y**2)**2"),
        ((((0, 0), "1/4"),), "(1/2)**2"),
        (
            (((0, 0), "1"), ((1, 0), "4"), ((2, 0), "6"), ((3, 0), "4"), ((4, 0), "1")),
            "(x**2 + 2*x + 1)**2",
        ),
    ],
)
def test_squares_are_known_by_their_terms(terms: Any, name: str) -> None:
    assert square_premise(terms, ("x", "y")) == PolynomialPremise(
        name, terms, False, "square", "a square"
    )


@pytest.mark.parametrize(
    "terms",
    [
        (),
        (((2, 0), "2"),),  # no rational root
        (((2, 0), "-1"),),
        (((1, 0), "1"),),
        (((3, 0), "1"),),
        (((0, 2), "1"), ((2, 0), "1")),
        (((0, 0), "-4"),),
    ],
    ids=str,
)
def test_other_terms_are_no_squares(terms: Any) -> None:
    assert square_premise(terms, ("x", "y")) is None


def test_constants_are_not_called_squares() -> None:
    assert square_premise((((), "1"),), ()) is None


def test_terms_out_of_order_are_not_what_a_square_looks_like() -> None:
    terms = (((2, 0), "1"), ((0, 0), "1"), ((1, 0), "2"))
    found = square_premise(terms, ("x", "y"))
    assert found is not None
    assert found.terms == tuple(sorted(terms))
