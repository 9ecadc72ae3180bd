"""Certificates: what must be proved, and what must not; forgeries are in ``tests/trusted``."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from sympy import Rational, Sum

from tests.each import each
from verify.certify.algebra.formal_sums import CLIENT as k
from verify.certify.algebra.formal_sums import CLIENTS as N
from verify.certify.prover.prove import Certificate, Hypothesis, certify, verify_certificate

a, b, c, x = sympy.symbols("a b c x", real=True)
s, t = sympy.symbols("s t", positive=True)
w, y = sympy.symbols("w y", nonnegative=True)
mu, beta, C, q, gap, g, eta = sympy.symbols("mu beta C q gap g eta", positive=True)
T = sympy.Symbol("T", integer=True, positive=True)
r, p, z = (sympy.IndexedBase(name, real=True)[k] for name in ("r", "p", "z"))
v = sympy.IndexedBase("v", positive=True)[k]
u = sympy.IndexedBase("u", nonnegative=True)[k]

ratio = [
    Hypothesis("r_k >= 0", r),
    Hypothesis("r_k <= 1", 1 - r),
    Hypothesis("p_k >= 0", p),
    Hypothesis("p_k <= r_k", r - p),
]
helped = [*ratio, Hypothesis("somebody helps", Sum(r * p / v, (k, 1, N)), True)]
below_one = [Hypothesis("u_k <= 1", 1 - u)]
step = [Hypothesis("step", 1 - eta * beta)]
slow = [Hypothesis("rate", 1 - eta * mu)]


def total(summand: Any) -> Any:
    return Sum(summand, (k, 1, N))


precision = total(r * p / v)
alpha = p / v / precision

emptiness = [
    Hypothesis("strong convexity", g - 2 * mu * gap),
    Hypothesis("smoothness", 2 * beta * gap - g),
    Hypothesis("q <= 1", 1 - q),
    Hypothesis("C > 1", C - 1, True),
    Hypothesis("condition", q / beta - C / mu),
]

TRUE = {
    # collaboration weights
    "weights average the ratio to one": (total(alpha * r), 1, "==", ratio),
    "weight sum": (total(alpha), total(p / v) / precision, "==", ratio),
    "noise of the weights": (
        total(alpha**2 * v),
        total(p**2 / v) / precision**2,
        "==",
        ratio,
    ),
    "noise at most effective variance": (total(alpha**2 * v), 1 / precision, "<=", helped),
    "weights sum to at least one": (1, total(alpha), "<=", helped),
    # contradictory hypotheses
    "emptiness": (1, 0, "<=", emptiness),
    # elementary inequalities
    "Young": (2 * a * b, s * a**2 + b**2 / s, "<=", []),
    "Young with two weights": (
        2 * a * b,
        s * a**2 + t * b**2,
        "<=",
        [Hypothesis("st >= 1", s * t - 1)],
    ),
    "split square": ((a + b) ** 2, (1 + s) * a**2 + (1 + 1 / s) * b**2, "<=", []),
    "AM-GM": (sympy.sqrt(s * t), (s + t) / 2, "<=", []),
    "square of a sum": ((a + b) ** 2, 2 * a**2 + 2 * b**2, "<=", []),
    "square of three": ((a + b + c) ** 2, 3 * (a**2 + b**2 + c**2), "<=", []),
    "one square, three terms": (0, (a - 2 * b + 3 * c) ** 2, "<=", []),
    "Jensen, two points": (
        (w * a + (1 - w) * b) ** 2,
        w * a**2 + (1 - w) * b**2,
        "<=",
        [Hypothesis("w <= 1", 1 - w)],
    ),
    "convexity of 1/x": (4 / (s + t), 1 / s + 1 / t, "<=", []),
    "tangent of 1/(1+x)": (1 - y, 1 / (1 + y), "<=", []),
    "strictly below one": (1 / (1 + s), 1, "<", []),
    # descent
    "gradient descent contracts": ((1 - eta * beta) ** 2, 1 - eta * beta, "<=", step),
    "and so for mu": (
        (1 - eta * mu) ** 2,
        1 - eta * mu,
        "<=",
        [*step, Hypothesis("mu <= beta", beta - mu)],
    ),
    "PL contraction": (
        a,
        (1 - eta * mu) * y,
        "<=",
        [Hypothesis("descent", y - eta * b**2 / 2 - a), Hypothesis("PL", b**2 - 2 * mu * y)],
    ),
    "power at most one": ((1 - eta * mu) ** T, 1, "<=", slow),
    "power decreases": ((1 - eta * mu) ** (T + 1), (1 - eta * mu) ** T, "<=", slow),
    "Bernoulli": (1 - T * eta * mu, (1 - eta * mu) ** T, "<=", slow),
    # positive parts
    "positive part": (sympy.Max(0, x), sympy.Abs(x), "<=", []),
    "positive part squared": (sympy.Max(0, x) ** 2, x * sympy.Max(0, x), "==", []),
    # formal sums
    "Cauchy-Schwarz": (total(z) ** 2, N * total(z**2), "<=", []),
    "Jensen over clients": (
        total(u * z) ** 2,
        total(u * z**2),
        "<=",
        [Hypothesis("weights", 1 - total(u))],
    ),
    "sum of bounded terms": (total(u), N, "<=", below_one),
    "powers": (total(u**3), total(u), "<=", below_one),
    "one client among them": (1 / total(1 / v), v, "<=", []),
    "ratio squared": (
        total(sympy.Max(0, 1 - u) ** 2 / v),
        total(sympy.Max(0, 1 - u) / v),
        "<=",
        [],
    ),
}

FALSE = {
    "Young with half the constant": (2 * a * b, (s * a**2 + b**2 / s) / 2, "<=", []),
    "C >= 1 leaves equality": (
        1,
        0,
        "<=",
        [*emptiness[:3], Hypothesis("C >= 1", C - 1), emptiness[4]],
    ),
    "weights sum to at most one": (total(alpha), 1, "<=", helped),
    "weight sum is one": (total(alpha), 1, "==", helped),
    "without somebody who helps": (1, total(p / v), "<=", ratio),
    "square of a sum without the two": ((a + b) ** 2, a**2 + b**2, "<=", []),
    "strict where equality holds": (2 * a * b, a**2 + b**2, "<", []),
    "unknown denominator": (1 / x, 1 / x + x**2 / x, "<=", []),
    "step too long": ((1 - eta * beta) ** 2, 1 - eta * beta, "<=", []),
    "reversed powers": (total(u), total(u**2), "<=", below_one),
    "unbounded summands": (total(u**2), total(u), "<=", []),
    "Cauchy-Schwarz without N": (total(z) ** 2, total(z**2), "<=", []),
    "positive part negative": (sympy.Max(0, x), x, "<=", []),
    "power of a growing base": ((1 + s) ** T, 1, "<=", []),
    "not real": (0, sympy.Symbol("complex") ** 2, "<=", []),
    "infinite": (0, sympy.oo, "<=", []),
}


@each("name", TRUE)
def test_true_claims_are_proved_and_the_proof_checks(name: str) -> None:
    certificate = certify(*TRUE[name])
    assert certificate is not None
    assert verify_certificate(certificate)
    assert verify_certificate(certificate, *TRUE[name])
    assert certificate.text.startswith("Claim: ")


@each("name", FALSE)
def test_false_claims_get_no_certificate(name: str) -> None:
    assert certify(*FALSE[name]) is None


def test_text_is_a_derivation() -> None:
    certificate = certify(*TRUE["noise at most effective variance"])
    assert certificate is not None
    for part in ("Write S1 = Sum(", "Lemma 1.", "for every client k", "contradiction"):
        assert part in certificate.text
    assert r"\sum" in certificate.tex
    assert certificate.tex.count("$") % 2 == 0
    assert certificate.uses_claim


def test_contradictory_hypotheses_are_reported() -> None:
    certificate = certify(1, 0, "<=", emptiness)
    assert certificate is not None
    assert not certificate.uses_claim
    assert "contradict each other" in certificate.text


def test_generic_symbols_stand_for_every_client() -> None:
    plain = sympy.Symbol("rho", nonnegative=True)
    hypothesis = [Hypothesis("rho <= 1", 1 - plain)]
    claim = (total(plain**2), total(plain), "<=", hypothesis)
    certificate = certify(*claim, generic=[plain])
    assert certificate is not None
    assert verify_certificate(certificate, *claim, generic=[plain])


def test_index_of_another_sum_gets_no_facts_about_clients() -> None:
    j = sympy.Symbol("j", integer=True)
    other = sympy.IndexedBase("r", real=True)[j]
    assert certify(0, Sum(other, (j, 1, T)), "<=", ratio) is None
    assert certify(0, Sum(other, (j, 1, N)), "<=", ratio) is not None
    # Max(0, 1 - j) vanishes for clients j >= 1, not for j = -3
    assert certify(Sum(sympy.Max(0, 1 - j), (j, -3, T)), 0, "==") is None


def test_nested_sums_are_pulled_apart() -> None:
    inner = Sum(v, (k, 1, N))
    assert certify(total(v * inner), inner**2, "==") is not None
    j = sympy.Symbol("j", integer=True)
    kernel = Sum(1 / (v + sympy.IndexedBase("v", positive=True)[j]), (j, 1, N))
    assert certify(total(kernel), N * kernel, "==") is None


def test_proof_search_gives_up_at_the_cap() -> None:
    assert certify(*TRUE["Young"], cap=2) is None


def test_rational_constants_stay_exact() -> None:
    third = Rational(1, 3)
    assert certify(2 * third * a * b, third * a**2 + third * b**2, "<=") is not None
    assert certify(2 * a * b, a**2 + (1 - Rational(1, 10**12)) * b**2, "<=") is None


def test_misuse_is_explained() -> None:
    with pytest.raises(ValueError, match="relation must be"):
        certify(a, b, ">=")
    with pytest.raises(ValueError, match="degree must be"):
        certify(a, b, "<=", degree=0)
    with pytest.raises(ValueError, match="one meaning per name"):
        certify(a, sympy.Symbol("a", positive=True), "<=")
    with pytest.raises(ValueError, match="format must be"):
        Certificate.from_json({"format": "other"})
