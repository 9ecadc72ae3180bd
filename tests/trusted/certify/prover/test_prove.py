"""Certificates against claims: stored ones are found again, forged ones refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sympy
from sympy import Rational

from tests.each import each
from tests.trusted.certify.claims import (
    CLAIMS,
    STORED,
    N,
    a,
    b,
    s,
    stored,
    t,
    told,
    total,
    u,
    v,
    x,
    y,
)
from verify.certify.prover.check import cancels
from verify.certify.prover.prove import Certificate, Hypothesis, certify, verify_certificate
from verify.certify.prover.record import PolynomialPremise


@each("name", CLAIMS)
def test_certificates_are_found_as_stored(name: str) -> None:
    certificate = certify(*CLAIMS[name])
    assert certificate is not None
    assert json.loads(json.dumps(certificate.to_json())) == json.loads(STORED.read_text())[name]


@each("name", CLAIMS)
def test_stored_certificates_prove_their_claims_and_no_others(name: str) -> None:
    left, right, relation, hypotheses = CLAIMS[name]
    certificate = stored(name)
    assert verify_certificate(certificate, *CLAIMS[name])
    assert not verify_certificate(certificate, left, right + 1, relation, hypotheses)
    for other in {"<=", "<", "=="} - {relation}:
        assert not verify_certificate(certificate, left, right, other, hypotheses)
    if relation != "==":
        assert not verify_certificate(certificate, right, left, relation, hypotheses)
    if hypotheses:
        h, *others = hypotheses
        assert not verify_certificate(certificate, left, right, relation, others)
        for changed in (
            replace(h, strict=not h.strict),
            replace(h, name="other"),
            replace(h, expr=h.expr + 1),
        ):
            assert not verify_certificate(certificate, left, right, relation, [changed, *others])


Forger = Callable[[Certificate], Certificate]


def premise(place: int, **changes: Any) -> Forger:
    """Change a premise, and its name in the products."""

    def forge(c: Certificate) -> Certificate:
        old, new = c.premises[place], replace(c.premises[place], **changes)
        premises = (*c.premises[:place], new, *c.premises[place + 1 :])
        products = tuple(
            (q, tuple(new.name if name == old.name else name for name in names))
            for q, names in c.products
        )
        return replace(c, premises=premises, products=products)

    return forge


def lemma(place: int, forge: Forger) -> Forger:
    """Forge one lemma."""
    return lambda c: replace(
        c, lemmas=(*c.lemmas[:place], forge(c.lemmas[place]), *c.lemmas[place + 1 :])
    )


def field(**changes: Any) -> Forger:
    """Change fields; a function gets the certificate."""
    return lambda c: replace(
        c, **{name: new(c) if callable(new) else new for name, new in changes.items()}
    )


def same_claim(other: str) -> Forger:
    """The proof of another claim under this one's name."""

    def forge(c: Certificate) -> Certificate:
        proof = stored(other)
        return replace(
            proof,
            claim=c.claim,
            claim_tex=c.claim_tex,
            reading=c.reading,
            reading_tex=c.reading_tex,
            hypotheses=c.hypotheses,
        )

    return forge


def beside(certificate: str) -> Forger:
    """One lemma more, which nothing rests on."""
    return lambda c: replace(c, lemmas=(*c.lemmas, stored(certificate)))


def both(*forgers: Forger) -> Forger:
    def forge(c: Certificate) -> Certificate:
        for one in forgers:
            c = one(c)
        return c

    return forge


third = (((0,), "1/3"), ((1,), "-1"))
halved = ((0, 2, 0), "1/2"), ((1, 1, 1), "-1"), ((2, 0, 2), "1/2")
invented = PolynomialPremise(
    "x <= 1/4", (((0,), "1/4"), ((1,), "-1")), False, "hypothesis", "hypothesis"
)
trusted = premise(1, name="0 <= 1 - u[k]")  # the lemma's own claim for a hypothesis

FORGERIES: dict[str, tuple[str, Forger]] = {
    "hypothesis sharpened": (
        "half",
        both(
            premise(1, terms=third),
            field(products=(("2", ()), ("3", ("not the claim",)), ("3", ("x <= 1/2",)))),
        ),
    ),
    "hypothesis renamed": ("half", premise(1, name="x <= 1")),
    "hypothesis made strict": ("half", premise(1, strict=True)),
    "hypothesis called a definition": ("half", premise(1, kind="definition")),
    "hypothesis for another reason": ("half", premise(1, reason="by definition")),
    "hypothesis with a lemma": ("half", both(beside("half"), premise(1, lemmas=(0,)))),
    "hypothesis invented": (
        "half",
        field(
            premises=lambda c: (*c.premises[:1], invented),
            products=(("3", ()), ("4", ("not the claim",)), ("4", ("x <= 1/4",))),
        ),
    ),
    "hypothesis invented, not needed": ("half", field(premises=lambda c: (*c.premises, invented))),
    "hypothesis listed": ("half", field(hypotheses=("x <= 1/2", "x <= 1/4"))),
    "hypotheses not listed": ("half", field(hypotheses=())),
    "negation of another claim": (
        "half",
        both(
            premise(0, terms=(((0,), "-2/3"), ((1,), "1"))),
            field(products=(("1", ()), ("6", ("not the claim",)), ("6", ("x <= 1/2",)))),
        ),
    ),
    "negation not strict": ("half", premise(0, strict=False)),
    "negation for another reason": ("half", premise(0, reason="the claim is false, times x > 0")),
    "a strict claim": ("half", field(relation="<")),
    "a variable renamed": ("half", field(variables=("y",))),
    "a variable shown otherwise": ("half", field(variables_tex=("y",))),
    "a variable too many": (
        "half",
        field(
            variables=("x", "y"),
            variables_tex=("x", "y"),
            premises=lambda c: tuple(
                replace(p, terms=tuple(((*m, 0), q) for m, q in p.terms)) for p in c.premises
            ),
        ),
    ),
    "the claim shown otherwise": ("half", field(claim_tex="x \\le 0")),
    "the claim worded otherwise": ("half", field(claim="x <= 0")),
    "a reading": ("half", field(reading="x <= 0", reading_tex="x \\le 0")),
    "a claim behind its reading": (
        "half",
        field(claim="1 <= 0", claim_tex="1 \\le 0", reading="x <= 1", reading_tex="x \\le 1"),
    ),
    "a reading that repeats the claim": ("half", field(reading="x <= 1", reading_tex="x \\le 1")),
    "a reading in words alone": ("half", field(reading="x <= 1")),
    "a reading in TeX alone": ("half", field(reading_tex="x \\le 1")),
    "a definition": ("half", field(definitions=(("x", "0", "x = 0"),))),
    "a lemma": ("half", beside("empty")),
    "declared sign invented": (
        "half",
        field(
            premises=lambda c: (
                *c.premises,
                PolynomialPremise("x > 0 (declared)", (((1,), "1"),), True, "symbol", "declared"),
            )
        ),
    ),
    "square of another name": ("Young", premise(1, name="(a*s + b)**2")),
    "square for another reason": ("Young", premise(1, reason="evidently")),
    "square of another size": (
        "Young",
        both(
            premise(1, terms=halved),
            field(products=(("1", ("not the claim",)), ("2", ("(a*s - b)**2",)))),
        ),
    ),
    "square with a term twice": (
        "Young",
        lambda c: premise(1, terms=(((0, 2, 0), "77"), *c.premises[1].terms))(c),
    ),
    "square resting on a lemma": ("Young", both(beside("half"), premise(1, lemmas=(0,)))),
    "square called a hypothesis": ("Young", premise(1, kind="hypothesis")),
    "fractions not cancelled": (
        "cancelled",
        lambda c: replace(
            c,
            premises=tuple(
                replace(p, terms=tuple((m, str(2 * Rational(q))) for m, q in p.terms))
                for p in c.premises
            ),
        ),
    ),
    "fractions with a lemma": ("cancelled", beside("half")),
    "fractions with a definition": ("cancelled", field(definitions=(("a", "1", "a = 1"),))),
    "inequalities exchanged": ("pinned", lambda c: replace(c, lemmas=c.lemmas[::-1])),
    "inequality twice": ("pinned", lambda c: replace(c, lemmas=c.lemmas[:1] * 2)),
    "inequality of another": (
        "pinned",
        lemma(0, both(same_claim("empty"), field(hypotheses=("above", "below")))),
    ),
    "inequality from another hypothesis": ("pinned", lemma(1, premise(1, name="below"))),
    "inequalities with a premise": (
        "pinned",
        field(premises=lambda _: stored("half").premises, variables=("x",), variables_tex=("x",)),
    ),
    "inequalities with hypotheses": ("pinned", field(hypotheses=("above",))),
    "sum with another lemma": ("bounded terms", lemma(0, same_claim("empty"))),
    "sum with a lemma on no ground": ("bounded terms", lemma(0, premise(1, name="trust me"))),
    "sum with a circular lemma": ("bounded terms", lemma(0, trusted)),
    "sum with a lemma of another claim": ("bounded terms", lemma(0, field(claim="1 <= 0"))),
    "sum with a lemma that reads otherwise": (
        "bounded terms",
        lemma(
            0,
            lambda c: replace(
                c, claim="1 <= 0", claim_tex="1 \\le 0", reading=c.claim, reading_tex=c.claim_tex
            ),
        ),
    ),
    "sum with a strict lemma": ("bounded terms", lemma(0, field(relation="<"))),
    "sum without lemma": (
        "bounded terms",
        both(premise(1, kind="hypothesis", lemmas=()), field(lemmas=())),
    ),
    "sum whose lemma it does not name": ("bounded terms", premise(1, kind="hypothesis", lemmas=())),
    "sum that names its lemma twice": ("bounded terms", premise(1, lemmas=(0, 0))),
    "sum with an idle lemma": ("bounded terms", beside("half")),
    "sum with an idle lemma before": (
        "bounded terms",
        lambda c: premise(1, lemmas=(1,))(replace(c, lemmas=(stored("half"), *c.lemmas))),
    ),
    "sum called a hypothesis": ("bounded terms", premise(1, kind="hypothesis")),
    "sum defined otherwise": ("bounded terms", field(definitions=(("S1", "N", "S_{1} = N"),))),
    "sum not defined": ("bounded terms", field(definitions=())),
    "sum read otherwise": ("bounded terms", field(reading="S1 <= 1")),
    "sum read otherwise in TeX": ("bounded terms", field(reading_tex="S_1 \\le 1")),
    "sum shown otherwise": ("bounded terms", field(claim_tex="0 \\le 1")),
    "negation without its lemma": ("below one", both(premise(0, lemmas=()), field(lemmas=()))),
    "negation with the denominator's opposite": ("below one", lemma(0, field(claim="0 < -s - 1"))),
    "denominator on no ground": ("below one", lemma(0, premise(1, name="s > 0"))),
    "lemmas exchanged": ("shrinking power", lambda c: replace(c, lemmas=c.lemmas[::-1])),
    "lemmas named in the other order": ("shrinking power", premise(1, lemmas=(1, 0))),
    "lemmas exchanged and renamed": (
        "shrinking power",
        lambda c: premise(1, lemmas=(1, 0))(replace(c, lemmas=c.lemmas[::-1])),
    ),
    "one lemma for two": (
        "shrinking power",
        lambda c: premise(1, lemmas=(0,))(replace(c, lemmas=c.lemmas[:1])),
    ),
}


@each("name", FORGERIES)
def test_forgeries_do_not_prove_the_claim(name: str) -> None:
    """The honest certificate of each is accepted in the test above."""
    of, forge = FORGERIES[name]
    honest = stored(of)
    forged = told(forge(honest))
    assert told(honest) == honest != forged
    assert not verify_certificate(forged, *CLAIMS[of])


def test_squares_of_what_may_be_complex_prove_nothing() -> None:
    """A forger proves ``0 <= w**2`` by the square w**2; for w == i it is false."""
    real, maybe = sympy.Symbol("w", real=True), sympy.Symbol("w")
    certificate = certify(0, real**2, "<=")
    assert certificate is not None
    assert verify_certificate(certificate, 0, real**2, "<=", [])
    assert verify_certificate(certificate)
    assert certify(0, maybe**2, "<=") is None
    assert not verify_certificate(certificate, 0, maybe**2, "<=", [])


def test_denominators_of_what_may_be_complex_have_no_sign() -> None:
    """``1/w**2`` is -1 for w == i, unless a hypothesis says that w is positive or negative."""
    real, maybe = sympy.Symbol("w", real=True), sympy.Symbol("w")
    assert certify(0, 1 / real**2, "<") is not None
    assert certify(0, 1 / maybe**2, "<=") is None
    assert certify(0, 1 / (maybe**2 + 1) ** 2, "<=") is None
    for sign in (1, -1):
        known = certify(0, 1 / maybe**2, "<", [Hypothesis("h", sign * maybe, True)])
        assert known is not None
        assert "times w**2 > 0; lemma 1" in known.text


def test_proofs_of_another_degree_are_checked_all_the_same() -> None:
    certificate = certify(*CLAIMS["Young"], degree=1)
    assert certificate == stored("Young")
    assert certify(*CLAIMS["positive part"], degree=1) is None
    assert certify(*CLAIMS["positive part"], degree=2) == stored("positive part")


def test_the_cap_bounds_the_search() -> None:
    assert certify(*CLAIMS["Young"], cap=1) is None
    assert certify(*CLAIMS["Young"], cap=60) == stored("Young")


@pytest.mark.parametrize("relation", [">=", ">", "=", "", "!="])
def test_unknown_relations_are_explained(relation: str) -> None:
    message = rf"^relation must be <=, < or ==, got {relation}: swap the sides for >=\.$"
    with pytest.raises(ValueError, match=message):
        certify(a, b, relation)


def test_degrees_below_one_are_explained() -> None:
    with pytest.raises(ValueError, match=r"^degree must be at least 1, got 0: 3 is usual\.$"):
        certify(a, b, "<=", degree=0)
    assert certify(a, a + 1, "<=", degree=1) is not None


def test_names_have_one_meaning() -> None:
    message = (
        r"^symbols must have one meaning per name, got two called a: "
        r"declare it once and pass it around\.$"
    )
    positive = sympy.Symbol("a", positive=True)
    with pytest.raises(ValueError, match=message):
        certify(a, positive, "<=")
    with pytest.raises(ValueError, match=message):
        certify(a, a, "<=", [Hypothesis("h", positive)])


@pytest.mark.parametrize(
    "claim",
    [
        (0, sympy.oo, "<="),
        (0, sympy.nan, "<="),
        (sympy.I, 1, "<="),
        (sympy.cbrt(x), 1, "<="),
        (0, x ** sympy.Symbol("c"), "<="),
        (1, x / y, "<="),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_not_proved(claim: Any) -> None:
    assert certify(*claim) is None
    assert certify(0, 0, "<=", [Hypothesis("unread", sympy.sympify(claim[1]))]) is None or (
        claim[1] in (1, x / y)
    )
    assert not verify_certificate(stored("half"), *claim, [])


def test_plain_symbols_may_stand_for_the_generic_client() -> None:
    rho = sympy.Symbol("rho", nonnegative=True)
    claim = (total(rho**2), total(rho), "<=", [Hypothesis("rho <= 1", 1 - rho)])
    certificate = certify(*claim, generic=[rho])
    assert certificate is not None
    assert certificate.claim == "Sum(rho**2, (k, 1, N)) <= Sum(rho, (k, 1, N))"
    assert certificate.reading == "S1 <= S2"
    assert verify_certificate(certificate, *claim, generic=[rho])
    # without generic= the sums have constant terms: a claim of its own
    assert not verify_certificate(certificate, *claim)
    # sign and reality of the plain symbol carry over, and no more than these
    for assumptions in ({"real": True}, {"positive": True}, {"integer": True}, {}):
        other = sympy.Symbol("rho", **assumptions)
        found = certify(0, total(other), "<=", generic=[other])
        assert (found is not None) == (assumptions == {"positive": True})
    whole = sympy.Symbol("rho", integer=True, positive=True)
    assert certify(N, total(whole), "<=", generic=[whole]) is not None
    assert certify(N, total(rho), "<=", generic=[rho]) is None


def test_claims_keep_the_form_in_which_they_were_put() -> None:
    certificate = certify(sympy.sqrt(s) * (a + b) ** 2, sympy.sqrt(s) * (2 * a**2 + 2 * b**2), "<=")
    assert certificate is not None
    assert certificate.claim == "sqrt(s)*(a + b)**2 <= sqrt(s)*(2*a**2 + 2*b**2)"
    assert certificate.claim_tex == (
        r"\sqrt{s} \left(a + b\right)^{2} \le \sqrt{s} \left(2 a^{2} + 2 b^{2}\right)"
    )
    assert certificate.reading == "w1*(a + b)**2 <= w1*(2*a**2 + 2*b**2)"
    assert certificate.definitions == (("w1", "sqrt(s)", r"w_{1} = \sqrt{s}"),)
    for relation, sign in (("<", "<"), ("<=", r"\le")):
        certificate = certify(0, total(v), relation)
        assert certificate is not None
        assert certificate.claim_tex == rf"0 {sign} \sum_{{k=1}}^{{N}} {{v}}_{{k}}"
    certificate = certify(total(2 * v), 2 * total(v), "==")
    assert certificate is not None
    assert certificate.claim_tex == (r"\sum_{k=1}^{N} 2 {v}_{k} = 2 \sum_{k=1}^{N} {v}_{k}")
    plain = stored("Young")
    assert (plain.claim, plain.reading, plain.reading_tex) == ("2*a*b <= a**2*s + b**2/s", "", "")
    each = certify(u, u + 1, "<")
    assert each is not None
    assert each.claim == "u[k] < u[k] + 1 for every client k"
    assert each.claim_tex == r"{u}_{k} < {u}_{k} + 1\quad\text{ for every client k}"
    assert each.reading == each.reading_tex == ""


def test_numbers_are_read_as_expressions() -> None:
    certificate = certify(1, 2, "<")
    assert certificate is not None
    assert certificate.claim == "1 < 2"
    assert cancels(certificate)
    assert certify(2, 1, "<") is None
    assert certify(1, 1, "<") is None
    assert certify(1, 1, "<=") is not None
    assert certify(1, 1, "==") is not None
    assert certify(1, 2, "==") is None


def test_hypotheses_without_strictness_are_weak() -> None:
    assert not Hypothesis("h", x).strict
    assert certify(0, x, "<", [Hypothesis("x >= 0", x)]) is None
    assert certify(0, x, "<", [Hypothesis("x > 0", x, True)]) is not None


def test_equality_needs_both_inequalities() -> None:
    assert certify(x, 1, "==", [Hypothesis("x >= 1", x - 1)]) is None
    assert certify(x, 1, "==", [Hypothesis("x <= 1", 1 - x)]) is None
    assert certify(x * (s + t), x * s + x * t, "==") is not None
