"""Derivations in words and in TeX, read by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.trusted.certify.claims import by_hand, stored
from verify.certify.prover.record import Certificate, PolynomialPremise
from verify.certify.prover.text import derivation, identity_of, polynomial_text

POLYNOMIALS: dict[Any, tuple[str, str]] = {
    (): ("0", "0"),
    (((0, 0), "1"),): ("1", "1"),
    (((0, 0), "-1"),): ("-1", "-1"),
    (((1, 0), "1"),): ("a", "a"),
    (((1, 0), "-1"),): ("-a", "-a"),
    (((0, 1), "-1/2"), ((2, 0), "1")): ("a**2 - 1/2*b", r"a^{2} - \tfrac{1}{2} b"),
    (((2, 0), "1"), ((0, 1), "-1/2")): ("a**2 - 1/2*b", r"a^{2} - \tfrac{1}{2} b"),
    (((0, 0), "5"), ((1, 1), "3")): ("3*a*b + 5", "3 a b + 5"),
    (((0, 0), "-2/7"), ((1, 12), "-3/4")): (
        "-3/4*a*b**12 - 2/7",
        r"-\tfrac{3}{4} a b^{12} - \tfrac{2}{7}",
    ),
    (((0, 0), "1"), ((0, 1), "1"), ((1, 0), "1")): ("a + b + 1", "a + b + 1"),
}


@pytest.mark.parametrize("terms", POLYNOMIALS)
def test_polynomials(terms: Any) -> None:
    plain, tex = POLYNOMIALS[terms]
    assert polynomial_text(terms, ("a", "b")) == plain
    assert polynomial_text(terms, ("a", "b"), tex=True) == tex


def test_every_variable_has_a_name() -> None:
    with pytest.raises(ValueError, match="zip"):
        polynomial_text((((1, 2), "1"),), ("a",))


def fact(
    name: str,
    terms: Any,
    *,
    strict: bool = False,
    kind: str = "hypothesis",
    reason: str = "hypothesis",
    lemmas: tuple[int, ...] = (),
) -> PolynomialPremise:
    return PolynomialPremise(name, terms, strict, kind, reason, lemmas)


up, down = (((1, 0), "1"),), (((1, 0), "-1"),)
WEIGHTED = by_hand(
    [
        fact("n", down, strict=True, kind="negation", reason="the claim is false"),
        fact("50 % & x_1^2", up, reason=r"a_b & 5 % of $\pi^2 #1"),
        fact("sum", up, kind="sum", reason="a sum of such terms", lemmas=(1, 0)),
        fact("power", up, strict=True, kind="power", reason="w1 is such a power", lemmas=(0,)),
        fact("x > 0 (declared)", up, strict=True, kind="symbol", reason="declared"),
        fact("bare", up, reason=""),
    ],
    [
        ("1", ("n",)),
        ("2", ()),
        ("1", ()),
        ("3/2", ("n", "n", "sum")),
        ("1", ("power", "bare")),
        ("1", ("sum", "n", "sum", "sum")),
    ],
    claim="x <= 0",
    claim_tex=r"x \le 0",
)


def test_a_weighted_sum_in_words() -> None:
    assert derivation(WEIGHTED, tex=False).splitlines() == [
        "Claim: x <= 0.",
        "(1) -x > 0  [the claim is false]",
        r"(2) x >= 0  [a_b & 5 % of $\pi^2 #1: 50 % & x_1^2]",
        "(3) x >= 0  [a sum of such terms; lemma 2, lemma 1]",
        "(4) x > 0  [w1 is such a power; lemma 1]",
        "(5) x > 0  [declared]",
        "(6) x >= 0  [bare]",
        "The weighted sum (1) + 2 + 1 + 3/2*(1)**2*(3) + (4)*(6) + (3)**3*(1)",
        "vanishes identically, although a term is positive and none is negative: a contradiction.",
    ]


def test_a_weighted_sum_in_tex() -> None:
    assert derivation(WEIGHTED, tex=True).splitlines() == [
        r"Claim: $x \le 0$.",
        "(1) $-x > 0$  [the claim is false]",
        r"(2) $x \ge 0$  [a\_b \& 5 \% of \$\textbackslash{}pi\^{}2 \#1: "
        r"\texttt{50 \% \& x\_1\^{}2}]",
        r"(3) $x \ge 0$  [a sum of such terms; lemma 2, lemma 1]",
        r"(4) $x > 0$  [w1 is such a power; lemma 1]",
        r"(5) $x > 0$  [declared]",
        r"(6) $x \ge 0$  [\texttt{bare}]",
        r"The weighted sum $(1) + 2 + 1 + 3/2 \cdot (1)^{2} \cdot (3) + (4) \cdot (6) "
        r"+ (3)^{3} \cdot (1)$",
        "vanishes identically, although a term is positive and none is negative: a contradiction.",
    ]


def test_the_identity_is_the_sum_in_full() -> None:
    assert identity_of(WEIGHTED) == (
        "(1)*(-x) + (2) + (1) + (3/2)*(-x)*(-x)*(x) + (1)*(x)*(x) + (1)*(x)*(-x)*(x)*(x) == 0"
    )
    assert identity_of(replace(WEIGHTED, products=())) == ""


def test_contradictory_hypotheses_are_pointed_out() -> None:
    without = replace(WEIGHTED, products=(("1", ("bare",)),))
    last = "The negated claim is not needed: the hypotheses contradict each other."
    for tex in (False, True):
        assert derivation(without, tex=tex).splitlines()[-1] == last
        assert last not in derivation(WEIGHTED, tex=tex)


EQUAL = by_hand(
    [
        fact("a", up, kind="numerator"),
        fact("b", down, kind="denominator"),
        fact("c", (((0, 1), "1"),), kind="numerator"),
        fact("d", (), kind="denominator"),
    ],
    [("1", ("a", "d")), ("-1", ("c", "b")), ("-2", ("a",)), ("-1", ())],
    "==",
    claim="x == y",
    claim_tex="x = y",
    variables_tex=(r"\xi", r"\eta"),
    reading="the reading",
    reading_tex=r"\rho",
    definitions=(("x", "1 + 1", "x = 1 + 1"), ("y", "2", "y = 2")),
)


def test_an_equality_in_words() -> None:
    assert derivation(EQUAL, tex=False).splitlines() == [
        "Claim: x == y.",
        "Write x = 1 + 1.",
        "Write y = 2.",
        "In these variables, with constants taken out of sums: the reading.",
        "The left side is (1) x over (2) -x.",
        "The right side is (3) y over (4) 0.",
        "The cross products agree: (1)*(4) - (3)*(2) - 2*(1) - 1 = 0 identically,",
        "so both sides are equal wherever they are defined.",
    ]


def test_an_equality_in_tex() -> None:
    assert derivation(EQUAL, tex=True).splitlines() == [
        "Claim: $x = y$.",
        "Write $x = 1 + 1$.",
        "Write $y = 2$.",
        r"In these variables, with constants taken out of sums: $\rho$.",
        r"The left side is (1) $\xi$ over (2) $-\xi$.",
        r"The right side is (3) $\eta$ over (4) $0$.",
        r"The cross products agree: $(1) \cdot (4) - (3) \cdot (2) - 2 \cdot (1) - 1 = 0$ "
        "identically,",
        "so both sides are equal wherever they are defined.",
    ]


def test_lemmas_follow_in_order_and_indented() -> None:
    def named(claim: str, *lemmas: Certificate) -> Certificate:
        return by_hand([], [], "==", claim=claim, claim_tex=f"T{claim}", lemmas=lemmas)

    nested = named("whole", named("first", named("inner")), named("second"))
    both = "Both inequalities hold, by the lemmas below."
    assert derivation(nested, tex=False).splitlines() == [
        "Claim: whole.",
        both,
        "Lemma 1. first.",
        f"  {both}",
        "  Lemma 1. inner.",
        f"    {both}",
        "Lemma 2. second.",
        f"  {both}",
    ]
    assert derivation(nested, tex=True).splitlines()[2:5] == [
        "Lemma 1. $Tfirst$.",
        f"  {both}",
        "  Lemma 1. $Tinner$.",
    ]


def test_a_derivation_from_search_reads_well() -> None:
    assert (
        stored("bounded terms").text
        == """\
Claim: Sum(u[k], (k, 1, N)) <= N.
Write S1 = Sum(u[k], (k, 1, N)).
In these variables, with constants taken out of sums: S1 <= N.
(1) -N + S1 > 0  [the claim is false]
(2) N - S1 >= 0  [a sum of such terms; lemma 1]
The weighted sum (1) + (2)
vanishes identically, although a term is positive and none is negative: a contradiction.
Lemma 1. 0 <= 1 - u[k] for every client k.
  (1) u[k] - 1 > 0  [the claim is false]
  (2) -u[k] + 1 >= 0  [hypothesis: u_k <= 1]
  The weighted sum (1) + (2)
  vanishes identically, although a term is positive and none is negative: a contradiction."""
    )
    assert (
        stored("bounded terms").tex
        == r"""Claim: $\sum_{k=1}^{N} {u}_{k} \le N$.
Write $S_{1} = \sum_{k=1}^{N} {u}_{k}$.
In these variables, with constants taken out of sums: $S_{1} \le N$.
(1) $-N + S_{1} > 0$  [the claim is false]
(2) $N - S_{1} \ge 0$  [a sum of such terms; lemma 1]
The weighted sum $(1) + (2)$
vanishes identically, although a term is positive and none is negative: a contradiction.
Lemma 1. $0 \le 1 - {u}_{k}\quad\text{ for every client k}$.
  (1) ${u}_{k} - 1 > 0$  [the claim is false]
  (2) $-{u}_{k} + 1 \ge 0$  [hypothesis: \texttt{u\_k <= 1}]
  The weighted sum $(1) + (2)$
  vanishes identically, although a term is positive and none is negative: a contradiction."""
    )
