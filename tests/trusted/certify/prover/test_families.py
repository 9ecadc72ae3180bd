"""Small families of claims with known truth: true ones proved, false ones never."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational

from tests.each import each
from tests.trusted.certify.claims import N, T, a, b, by_hand, k, s, t, told, total, u, v, x, y, z
from verify.certify.prover.check import cancels
from verify.certify.prover.prove import Hypothesis, certify, verify_certificate
from verify.certify.prover.record import PolynomialPremise

few = settings(max_examples=4)
positive = st.fractions(Rational(1, 4), 4, max_denominator=6)
tiny = Rational(1, 10**6)


def rational(q: Any) -> Any:
    return Rational(q.numerator, q.denominator)


def proves(*claim: Any) -> bool:
    """Whether there is a certificate; if so, it must verify."""
    certificate = certify(*claim)
    assert certificate is None or verify_certificate(certificate, *claim)
    return certificate is not None


@few
@given(positive, positive)
def test_squares_of_differences(p: Any, q: Any) -> None:
    """2pq xy <= p^2 x^2 + q^2 y^2, with equality at x = q, y = p."""
    p, q = rational(p), rational(q)
    right = p**2 * x**2 + q**2 * y**2
    assert proves(2 * p * q * x * y, right, "<=")
    assert not proves(2 * p * q * (1 + tiny) * x * y, right, "<=")
    assert not proves(2 * p * q * x * y, right, "<")


@few
@given(positive, positive)
def test_fractions_of_positive_symbols(p: Any, q: Any) -> None:
    """p/(q + s) < p/q for s > 0, and the limit s -> 0 is p/q."""
    p, q = rational(p), rational(q)
    assert proves(p / (q + s), p / q, "<")
    assert not proves(p / (q + s), p / q - tiny, "<=")


@few
@given(positive, positive)
def test_intervals(p: Any, q: Any) -> None:
    """On [p, p + q] the product (x - p)(p + q - x) lies between 0 and q^2/4."""
    p, q = rational(p), rational(q)
    inside = [Hypothesis("p <= x", x - p), Hypothesis("x <= p + q", p + q - x)]
    middle = (x - p) * (p + q - x)
    assert proves(0, middle, "<=", inside)
    assert proves(middle, q**2 / 4, "<=", inside)
    assert not proves(middle, q**2 / 4 - tiny, "<=", inside)
    assert not proves(0, middle, "<=", inside[:1])


@pytest.mark.parametrize("n", [1, 2])
def test_sums_of_powers_of_ratios(n: int) -> None:
    ratios = [Hypothesis("u_k <= 1", 1 - u)]
    assert proves(total(u ** (n + 1)), total(u**n), "<=", ratios)
    assert not proves(total(u**n), total(u ** (n + 1)), "<=", ratios)
    assert not proves(total(u ** (n + 1)), total(u**n) - tiny, "<=", ratios)


FALSE: dict[str, tuple[Any, ...]] = {
    "an unknown denominator": (1 / x, 1 / x + x, "<="),
    "an unknown denominator cubed": (0, 1 / x**3, "<="),
    "an unknown factor": (0, 1 / (x * s), "<="),
    "a denominator that may be negative": (0, 1 / (s - 1), "<="),
    "one hypothesis too few": (1 / (x - 1), 0, "<", [Hypothesis("x <= 2", 2 - x)]),
    "a sum of what may be negative": (0, total(z), "<="),
    "a term above the sum": (z, total(z), "<="),
    "one client speaks for all": (total(u), u * N, "<="),
    "a bound on one sum": (u, 1, "<=", [Hypothesis("sum", N - total(u))]),
    "Cauchy-Schwarz reversed": (N * total(z**2), total(z) ** 2, "<="),
    "a growing power": ((1 + s) ** T, 1, "<="),
    "a power of what may be negative": (0, x**T, "<="),
    "a shrinking power at zero": ((1 - s) ** T, 1 - s * T, "<=", [Hypothesis("s <= 1", 1 - s)]),
    "an even root below": (sympy.sqrt(s), s, "<="),
    "the smaller of two": (x, sympy.Min(x, y), "<="),
    "the modulus": (sympy.Abs(x), x, "<="),
    "the exponential below two lines": (1 + x + x**2, sympy.exp(x), "<="),
    "an integer below one": (2, T, "<="),
    "a real positive number below one": (1, s, "<="),
    "strict at equality": (x**2, x**2, "<"),
    "equality on one side": (sympy.Abs(x), x, "=="),
}


@each("name", FALSE)
def test_false_claims_are_not_proved(name: str) -> None:
    assert certify(*FALSE[name]) is None


TRUE: dict[str, tuple[Any, ...]] = {
    "declared negative": (sympy.Symbol("n", negative=True), 0, "<"),
    "whole numbers": (1, T, "<="),
    "a sum over at least one client": (0, total(v), "<"),
    "a mean of ratios": (total(u) / N, 1, "<=", [Hypothesis("u_k <= 1", 1 - u)]),
    "the harmonic mean": (N**2, total(v) * total(1 / v), "<="),
    "weighted bound": (
        total(v * z),
        y * total(v),
        "<=",
        [Hypothesis("z_k <= y", y - z)],
    ),
    "two bounds, one declared": (total(u * v), total(v), "<=", [Hypothesis("u_k <= 1", 1 - u)]),
    "the power of a ratio": ((s / (s + t)) ** T, 1, "<="),
    "Bernoulli": (1 - s * T, (1 - s) ** T, "<=", [Hypothesis("s <= 1", 1 - s)]),
    "the smaller of two": (sympy.Min(x, y), (x + y) / 2, "<="),
    "a hypothesis on the sum": (total(v), 2, "<", [Hypothesis("sum", 1 - total(v))]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved(name: str) -> None:
    assert proves(*TRUE[name])


def test_denominators_may_be_negative_by_hypothesis() -> None:
    certificate = certify(1 / (x - 1), 0, "<", [Hypothesis("x < 1", 1 - x, True)])
    assert certificate is not None
    assert certificate.text.splitlines()[:5] == [
        "Claim: 1/(x - 1) < 0.",
        "(1) -1 >= 0  [the claim is false, times -(x - 1) > 0; lemma 1]",
        "The weighted sum 1 + (1)",
        "vanishes identically, although a term is positive and none is negative: a contradiction.",
        "Lemma 1. 0 < 1 - x.",
    ]
    claim = (y, 0, "<=", [Hypothesis("x < 1", 1 - x, True), Hypothesis("y", y / (x - 1) ** 3)])
    certificate = certify(*claim)
    assert certificate is not None
    assert verify_certificate(certificate, *claim)
    assert "-y >= 0  [hypothesis, times -((x - 1)**3) > 0: y; lemma 1]" in certificate.text


def test_even_powers_of_denominators_need_no_lemma() -> None:
    certificate = certify(0, s / (x - 1) ** 2, "<=")
    assert certificate is not None
    assert certificate.lemmas == ()
    assert "times (x - 1)**2 > 0]" in certificate.text
    certificate = certify(0, 1 / (s * (x - 1) ** 2 * (1 + t)), "<")
    assert certificate is not None
    assert [lemma.claim for lemma in certificate.lemmas] == ["0 < t + 1"]
    assert "times t + 1 > 0, s > 0, (x - 1)**2 > 0; lemma 1]" in certificate.text


def test_hypotheses_wait_for_the_signs_of_their_denominators() -> None:
    early = Hypothesis("early", 1 / (x - 1) - Rational(1, 2))
    late = Hypothesis("x > 1", x - 1, True)
    for hypotheses in ([early, late], [late, early]):
        assert proves(x, 3, "<=", hypotheses)
    assert proves(x, 3, "<=", [early])  # where that is defined, (x - 1)**2 > 0 is enough
    assert not proves(x, 2, "<=", [early])
    assert not proves(x, 3 - tiny, "<=", [early, late])


def test_hypotheses_of_one_name_are_told_apart() -> None:
    hypotheses = [Hypothesis("h", x - 1), Hypothesis("h", y - 2), Hypothesis("h", a - 3)]
    certificate = certify(6, x + y + a, "<=", hypotheses)
    assert certificate is not None
    assert [p.name for p in certificate.premises] == ["not the claim", "h", "h'", "h''"]
    assert certificate.hypotheses == ("h", "h", "h")
    assert verify_certificate(certificate, 6, x + y + a, "<=", hypotheses)


def test_lemmas_are_proved_with_effort_of_their_own() -> None:
    """z^2 <= z on [0, 1] is a lemma found whatever the degree of the claim."""
    ratio = [Hypothesis("z_k >= 0", z), Hypothesis("z_k <= 1", 1 - z)]
    one, three = (certify(total(z**2), total(z), "<=", ratio, degree=d) for d in (1, 3))
    assert one is not None
    assert one == three


def test_equalities_list_the_variables_of_both_sides() -> None:
    certificate = certify(a * b / (b + b * y), a / (1 + y) + (y - y), "==")
    assert certificate is not None
    assert certificate.variables == ("a", "b", "y")
    certificate = certify(a * (b**2 - 1) / (b - 1) - a * b, a, "==")
    assert certificate is not None
    assert certificate.variables == ("a", "b")
    assert certificate.premises[0].terms == (((1, 0), "1"),)


def test_claims_without_a_reading_have_no_proof_at_all() -> None:
    """The sign of x is unknown, so that no denominator can be cleared: 1/x <= 2/x."""
    negation = PolynomialPremise(
        "not the claim", (((0,), "-1"),), True, "negation", "the claim is false"
    )
    forged = told(
        by_hand(
            [negation],
            [("1", ()), ("1", ("not the claim",))],
            claim="1/x <= 2/x",
            claim_tex=r"\frac{1}{x} \le \frac{2}{x}",
            variables=("x",),
            variables_tex=("x",),
        )
    )
    assert cancels(forged)
    assert certify(1 / x, 2 / x, "<=") is None
    assert not verify_certificate(forged, 1 / x, 2 / x, "<=", [])
    assert certify(1 / s, 2 / s, "<=") is not None


def test_facts_about_clients_stay_out_of_claims_about_numbers() -> None:
    """Every u_k lies below x says nothing on x and y: no client appears in the derivation."""
    given_ = [Hypothesis("u_k <= x", x - u), Hypothesis("x <= y", y - x)]
    certificate = certify(x, y, "<=", given_)
    assert certificate is not None
    assert certificate.variables == ("x", "y")
    assert certify(u, y, "<=", given_) is not None
    each = certify(0, u, "<=")
    assert each is not None
    assert each.claim == "0 <= u[k] for every client k"


def test_contradictions_may_lie_among_facts_that_the_claim_does_not_mention() -> None:
    apart = [Hypothesis("x > y", x - y, True), Hypothesis("y >= x", y - x)]
    assert certify(1, 0, "<=", apart) is not None
    certificate = certify(1, 0, "<=", [Hypothesis("0 > 1", sympy.Integer(-1), True), *apart])
    assert certificate is not None
    assert not certificate.uses_claim
    certificate = certify(s, 0, "<=", [Hypothesis("-1 >= 0", sympy.Integer(-1))])
    assert certificate is not None
    assert not certificate.uses_claim
    generic = [Hypothesis("u_k <= -1", -1 - u)]
    assert certify(1, 0, "<=", generic) is not None


def test_definitions_are_given_for_what_is_used() -> None:
    certificate = certify(
        sympy.sqrt(s), sympy.sqrt(s) + 1, "<=", [Hypothesis("other", sympy.sqrt(t) - 1)]
    )
    assert certificate is not None
    assert certificate.definitions == ()  # the root cancels
    certificate = certify(0, total(sympy.sqrt(v)), "<")
    assert certificate is not None
    assert [(name, meaning) for name, meaning, _ in certificate.definitions] == [
        ("w1[k]", "sqrt(v[k])"),
        ("S1", "Sum(w1[k], (k, 1, N))"),
    ]
    assert k not in certificate.variables


def test_facts_are_reached_through_chains_in_any_order() -> None:
    chain = [Hypothesis("b <= 1", 1 - b), Hypothesis("a <= b", b - a), Hypothesis("x <= a", a - x)]
    for hypotheses in (chain, chain[::-1]):
        certificate = certify(x, 1, "<=", hypotheses)
        assert certificate is not None
        assert certificate.variables == ("a", "b", "x")


def test_every_factor_of_a_denominator_counts() -> None:
    for unknown in (x**3 + x - 1, y**3 + y - 1, x - y):
        assert certify(0, 1 / (x**2 * unknown), "<=") is None
        assert certify(0, 1 / (y**2 * unknown), "<=") is None
    below = [Hypothesis("x < 1", 1 - x, True), Hypothesis("y < 1", 1 - y, True)]
    assert proves(0, 1 / ((x - 1) * (y - 1)), "<", below)
    assert proves(1 / ((x - 1) * (y - 1) * (x + y - 2)), 0, "<", below)
    assert not proves(1 / ((x - 1) * (y - 1)), 0, "<=", below)


def test_fresh_symbols_are_no_symbols_of_the_claim() -> None:
    """Else the root of s would be the w1 of the claim, or of a hypothesis, at no cost."""
    w1 = sympy.Symbol("w1", positive=True)
    assert certify(sympy.sqrt(s), w1, "<=") is None
    assert certify(sympy.sqrt(s), 1, "<=", [Hypothesis("w1 <= 1", 1 - w1)]) is None
    assert proves(sympy.sqrt(s), sympy.sqrt(s) * (1 + w1), "<")
