"""The checker on its own: honest certificates pass, and each forgery beside them is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tests.each import each
from tests.trusted.certify.claims import CLAIMS, STORED, by_hand, stored, told
from verify.certify.prover.check import cancels
from verify.certify.prover.prove import verify_certificate
from verify.certify.prover.record import FORMAT, Certificate, PolynomialPremise
from verify.certify.prover.text import written


def fact(
    name: str,
    *terms: Any,
    strict: bool = False,
    kind: str = "hypothesis",
    lemmas: tuple[int, ...] = (),
) -> PolynomialPremise:
    """The sum of ``coefficient x^i y^j``, given as ``(coefficient, i, j)``."""
    polynomial = tuple(sorted(((i, j), str(c)) for c, i, j in terms))
    return PolynomialPremise(name, polynomial, strict, kind, "a reason", lemmas)


claim_false = fact("negation", (1, 1, 0), (-1, 0, 0), strict=True, kind="negation")  # x - 1 > 0
below = fact("below", (-1, 1, 0), (1, 0, 0))  # 1 - x >= 0
half = fact("half", ("1/2", 0, 0), (-1, 1, 0))  # 1/2 - x >= 0
positive = fact("positive", (1, 1, 0), strict=True)  # x > 0
negative = fact("negative", (-1, 1, 0))  # -x >= 0
once = [("1", ("negation",)), ("1", ("below",))]

#: lemma that other certificates rest on
LEMMA = by_hand([claim_false, below], once)
NO_LEMMA = by_hand([claim_false, half], [("1", ("negation",)), ("1", ("half",))])


def square_of(*terms: Any) -> Certificate:
    """That the negation of a polynomial and the polynomial, called a square, cancel."""
    opposite = [(-Fraction(c), i, j) for c, i, j in terms]
    return by_hand(
        [fact("n", *opposite, strict=True, kind="negation"), fact("q", *terms, kind="square")],
        [("1", ("n",)), ("1", ("q",))],
    )


def equality(*sides: Any, products: Any = None, kinds: Any = None) -> Certificate:
    """That two fractions are equal by their cross products."""
    names = ("a", "b", "c", "d")
    kinds = kinds or ("numerator", "denominator") * 2
    premises = [
        fact(name, *terms, kind=kind) for name, terms, kind in zip(names, sides, kinds, strict=True)
    ]
    return by_hand(premises, products or [("1", ("a", "d")), ("-1", ("c", "b"))], "==")


x, one, two, nothing = [(1, 1, 0)], [(1, 0, 0)], [(2, 0, 0)], [(0, 0, 0)]
twice_x, x_plus_y = [(2, 1, 0)], [(1, 1, 0), (1, 0, 1)]

# name: an honest certificate and the forgery that differs from it in one respect
PAIRS: dict[str, tuple[Certificate, Certificate]] = {
    "a remainder is left": (
        by_hand([claim_false, half], [("1", ("negation",)), ("1", ("half",)), ("1/2", ())]),
        by_hand([claim_false, half], [("1", ("negation",)), ("1", ("half",)), ("1/3", ())]),
    ),
    "a remainder in y": (
        by_hand([claim_false, below], once),
        by_hand(
            [
                claim_false,
                replace(below, terms=(*below.terms[:1], ((0, 1), "1"), *below.terms[1:])),
            ],
            once,
        ),
    ),
    "multiplier negative": (
        by_hand([positive, negative], [("1", ("positive",)), ("1", ("negative",))]),
        by_hand([positive, fact("x >= 0", (1, 1, 0))], [("1", ("positive",)), ("-1", ("x >= 0",))]),
    ),
    "multiplier negative, the strict one": (
        by_hand([positive, negative], [("1", ("positive",)), ("1", ("negative",))]),
        by_hand([positive, fact("x >= 0", (1, 1, 0))], [("-1", ("positive",)), ("1", ("x >= 0",))]),
    ),
    "multiplier zero": (
        by_hand([positive, negative], [("1", ("positive",)), ("1", ("negative",))]),
        by_hand([positive, negative], [("0", ("positive",)), ("0", ("negative",))]),
    ),
    "a strict product without weight": (
        by_hand([claim_false, below], once),
        by_hand([replace(claim_false, strict=False), below], [*once, ("0", ())]),
    ),
    "one digit of a multiplier": (
        by_hand([claim_false, half], [("12/7", ("negation",)), ("12/7", ("half",)), ("6/7", ())]),
        by_hand([claim_false, half], [("12/7", ("negation",)), ("13/7", ("half",)), ("6/7", ())]),
    ),
    "one digit of a coefficient": (
        by_hand(
            [fact("n", ("123457/100003", 1, 0), strict=True), fact("h", ("-123457/100003", 1, 0))],
            [("1", ("n",)), ("1", ("h",))],
        ),
        by_hand(
            [fact("n", ("123457/100003", 1, 0), strict=True), fact("h", ("-123456/100003", 1, 0))],
            [("1", ("n",)), ("1", ("h",))],
        ),
    ),
    "the premise of another": (
        by_hand([claim_false, below, half], once),
        by_hand([claim_false, below, half], [("1", ("negation",)), ("1", ("half",))]),
    ),
    "a premise twice": (
        by_hand([positive, fact("h", (-1, 2, 0))], [("1", ("positive",) * 2), ("1", ("h",))]),
        by_hand([positive, fact("h", (-1, 2, 0))], [("1", ("positive",) * 3), ("1", ("h",))]),
    ),
    "nothing is strict": (
        by_hand([claim_false, below], once),
        by_hand([replace(claim_false, strict=False), below], once),
    ),
    "one factor is not strict": (
        by_hand(
            [positive, fact("m", (1, 0, 1), strict=True), fact("h", (-1, 1, 1))],
            [("1", ("positive", "m")), ("1", ("h",))],
        ),
        by_hand(
            [positive, fact("m", (1, 0, 1)), fact("h", (-1, 1, 1))],
            [("1", ("positive", "m")), ("1", ("h",))],
        ),
    ),
    "a square claimed strict": (
        square_of((1, 2, 0), (-2, 1, 1), (1, 0, 2)),
        by_hand(
            [
                fact("n", (-1, 2, 0), kind="negation"),
                fact("q", (1, 2, 0), kind="square", strict=True),
            ],
            [("1", ("n",)), ("1", ("q",))],
        ),
    ),
    "a square with one cross term off": (
        square_of((1, 2, 0), (-2, 1, 1), (1, 0, 2)),
        square_of((1, 2, 0), (-1, 1, 1), (1, 0, 2)),
    ),
    "a square and another": (square_of((1, 2, 2)), square_of((1, 2, 0), (1, 0, 2))),
    "a negative square": (square_of((3, 2, 0)), square_of((-3, 2, 0))),
    "a constant square": (square_of((5, 0, 0)), square_of((-5, 0, 0))),
    "an odd power": (square_of((1, 4, 0)), square_of((1, 3, 0))),
    "a square times an odd factor": (
        square_of((1, 4, 0), (-2, 3, 0), (1, 2, 0)),
        square_of((1, 3, 0), (-2, 2, 0), (1, 1, 0)),
    ),
    "a sum of terms without lemma": (
        by_hand([claim_false, replace(below, kind="sum", lemmas=(0,))], once, lemmas=(LEMMA,)),
        by_hand([claim_false, replace(below, kind="sum")], once, lemmas=(LEMMA,)),
    ),
    "a power without lemma": (
        by_hand([claim_false, replace(below, kind="power", lemmas=(0,))], once, lemmas=(LEMMA,)),
        by_hand([claim_false, replace(below, kind="power")], once, lemmas=(LEMMA,)),
    ),
    "a lemma out of range": (
        by_hand([claim_false, replace(below, lemmas=(1,))], once, lemmas=(LEMMA, LEMMA)),
        by_hand([claim_false, replace(below, lemmas=(1,))], once, lemmas=(LEMMA,)),
    ),
    "a lemma counted from the end": (
        by_hand([claim_false, replace(below, lemmas=(0,))], once, lemmas=(LEMMA,)),
        by_hand([claim_false, replace(below, lemmas=(-1,))], once, lemmas=(LEMMA,)),
    ),
    "a lemma that does not cancel": (
        by_hand([claim_false, below], once, lemmas=(LEMMA, LEMMA)),
        by_hand([claim_false, below], once, lemmas=(LEMMA, NO_LEMMA)),
    ),
    "a lemma's lemma that does not cancel": (
        by_hand([claim_false, below], once, lemmas=(replace(LEMMA, lemmas=()),)),
        by_hand([claim_false, below], once, lemmas=((replace(LEMMA, lemmas=(NO_LEMMA,))),)),
    ),
    "duplicated names": (
        by_hand(
            [positive, negative, replace(negative, name="again")],
            [("1", ("positive",)), ("1", ("negative",))],
        ),
        by_hand(
            [positive, replace(negative, name="positive"), negative],
            [("1", ("positive",)), ("1", ("negative",))],
        ),
    ),
    "exchanged denominators": (equality(twice_x, two, x, one), equality(twice_x, one, x, two)),
    "unequal fractions": (equality(x, one, x, one), equality(x, one, x_plus_y, one)),
    "no denominators": (equality(x, x_plus_y, x, x_plus_y), equality(x, [], one, [])),
    "hypotheses for denominators": (
        equality(x, one, x, one),
        equality(x, one, x, one, kinds=("numerator", "hypothesis", "numerator", "denominator")),
    ),
    "the other cross product": (
        equality(x, x, x, x),
        equality(x, x, x, x, products=[("1", ("a", "b")), ("-1", ("c", "d"))]),
    ),
    "cross products exchanged": (
        equality(x, x, x, x),
        equality(x, x, x, x, products=[("-1", ("c", "b")), ("1", ("a", "d"))]),
    ),
    "cross products without weight": (
        equality(x, one, x, one),
        equality(x, one, one, one, products=[("0", ("a", "d")), ("0", ("c", "b"))]),
    ),
    "cross products of weight two": (
        equality(x, one, x, one),
        equality(x, one, x, one, products=[("2", ("a", "d")), ("-2", ("c", "b"))]),
    ),
    "a third cross product": (
        equality(x, one, x, one),
        equality(
            x, one, x, one, products=[("1", ("a", "d")), ("-1", ("c", "b")), ("0", ("a", "b"))]
        ),
    ),
    "one inequality for an equality": (
        by_hand([], [], "==", lemmas=(LEMMA, LEMMA)),
        by_hand([], [], "==", lemmas=(LEMMA,)),
    ),
    "three inequalities for an equality": (
        by_hand([], [], "==", lemmas=(LEMMA, LEMMA)),
        by_hand([], [], "==", lemmas=(LEMMA,) * 3),
    ),
    "strict inequalities for an equality": (
        by_hand([], [], "==", lemmas=(LEMMA, LEMMA)),
        by_hand([], [], "==", lemmas=(LEMMA, (replace(LEMMA, relation="<")))),
    ),
    "an equality of which one half fails": (
        by_hand([], [], "==", lemmas=(LEMMA, LEMMA)),
        by_hand([], [], "==", lemmas=(LEMMA, NO_LEMMA)),
    ),
}

RAW: dict[str, dict[str, Any]] = {
    "empty identity": {"identity": ""},
    "another identity": {"identity": "0 == 0"},
    "text edited": {"text": "Claim: the claim."},
    "text extended": {"text": ""},
    "TeX edited": {"tex": ""},
    "claim edited": {"claim": "another claim"},
    "claim in TeX edited": {"claim_tex": "0 < 0"},
    "reading added": {"reading": "1 <= 0"},
    "definition added": {"definitions": (("S1", "0", "S_1 = 0"),)},
    "variable renamed": {"variables": ("y", "x")},
    "variable missing": {"variables": ("x",)},
    "nothing to sum": {"products": ()},
    "premises left out": {"premises": ()},
    "a product left out": {"products": LEMMA.products[1:]},
    "an unknown premise": {"products": (("1", ("negation",)), ("1", ("nothing",)))},
    "a multiplier that is no number": {"products": (("one", ("negation",)), ("1", ("below",)))},
    "a multiplier over zero": {"products": (("1/0", ("negation",)), ("1", ("below",)))},
    "a product that is no pair": {"products": (("1",),)},
}


@each("name", PAIRS)
def test_honest_certificates_pass_and_forgeries_do_not(name: str) -> None:
    # the texts of a forgery are consistent: only mathematics can refuse it
    honest, forged = (told(c) for c in PAIRS[name])
    assert cancels(honest)
    assert verify_certificate(honest)
    assert not cancels(forged)
    assert not verify_certificate(forged)


@each("name", RAW)
def test_what_is_shown_must_be_what_is_checked(name: str) -> None:
    assert cancels(told(LEMMA))
    assert not cancels(replace(told(LEMMA), **RAW[name]))


@pytest.mark.parametrize("relation", ["<=", "<", ">=", ">", "==", "!=", "", "= <"])
def test_contradictions_prove_inequalities_alone(relation: str) -> None:
    assert cancels(told(replace(LEMMA, relation="<=")))
    try:
        other = told(replace(LEMMA, relation=relation))
    except ValueError:  # an equality has four premises
        other = replace(LEMMA, relation=relation)
    assert cancels(other) == (relation in ("<=", "<"))


@pytest.mark.parametrize("exponents", [(-1, 0), (1, -1), (1,), (1, 0, 0), (), ("1", 0), (0.5, 0)])
def test_malformed_exponents_are_refused(exponents: tuple[Any, ...]) -> None:
    def twice(terms: Any) -> Certificate:
        return replace(
            LEMMA,
            premises=(
                replace(claim_false, terms=((terms, "1"),)),
                replace(below, terms=((terms, "-1"),)),
            ),
        )

    assert cancels(told(twice((1, 0))))
    try:
        forged = told(twice(exponents))
    except ValueError:  # the text of a wrong width cannot even be written
        forged = twice(exponents)
    assert not cancels(forged)


@pytest.mark.parametrize("coefficient", ["x", "1/0", "", None])
def test_coefficients_are_rational(coefficient: Any) -> None:
    forged = replace(below, terms=((below.terms[0][0], coefficient), *below.terms[1:]))
    assert cancels(told(LEMMA))
    assert not cancels(replace(LEMMA, premises=(claim_false, forged)))


def test_repeated_exponents_are_refused() -> None:
    forged = replace(below, terms=((below.terms[0][0], "77"), *below.terms))
    assert cancels(told(LEMMA))
    assert not cancels(told(replace(LEMMA, premises=(claim_false, forged))))


def test_denominators_of_value_zero_are_refused() -> None:
    assert cancels(told(equality(x, one, x, one)))
    assert not cancels(told(equality(x, nothing, one, nothing)))


def test_numerators_and_denominators_keep_their_places() -> None:
    exchanged = ("denominator", "numerator") * 2
    assert cancels(told(equality(x, one, x, one)))
    assert not cancels(told(equality(x, [], one, [], kinds=exchanged)))


@pytest.mark.parametrize("terms", [(), ((1, 0, 0),), (("1/9", 2, 0),), (("1/2", 0, 4),)], ids=str)
def test_squares_may_be_small_or_zero(terms: Any) -> None:
    assert cancels(told(square_of(*terms)))


def test_constants_need_no_variables() -> None:
    def constant(value: str) -> Certificate:
        premise = PolynomialPremise("n", (((), value),), False, "negation")
        products = [("1", ()), ("1", ("n",))]
        return told(by_hand([premise], products, "<", variables=(), variables_tex=()))

    assert cancels(constant("-1"))
    assert not cancels(constant("1"))
    assert not cancels(constant("-2"))


def test_premises_that_no_product_uses_do_no_harm() -> None:
    assert cancels(told(by_hand([claim_false, below, half], once)))


def test_the_claim_takes_part_or_the_hypotheses_contradict_each_other() -> None:
    assert LEMMA.uses_claim
    without = by_hand(
        [claim_false, positive, negative], [("1", ("positive",)), ("1", ("negative",))]
    )
    assert cancels(told(without))
    assert not without.uses_claim
    beside = by_hand(
        [claim_false, below, positive],
        [("1", ("negation", "positive")), ("1", ("below", "positive"))],
    )
    assert cancels(told(beside))
    assert beside.uses_claim
    assert equality(x, one, x, one).uses_claim
    assert not replace(LEMMA, products=()).uses_claim


@each("name", CLAIMS)
def test_stored_certificates_stand_alone(name: str) -> None:
    certificate = stored(name)
    assert cancels(certificate)
    assert verify_certificate(certificate)
    assert certificate.uses_claim == (name != "empty")


@each("name", CLAIMS)
def test_json_gives_back_the_same_certificate(name: str) -> None:
    data = json.loads(STORED.read_text())[name]
    certificate = Certificate.from_json(data)
    assert json.loads(json.dumps(certificate.to_json())) == data
    assert Certificate.from_json(certificate.to_json()) == certificate
    assert data["format"] == FORMAT == "fedassay-certificate/1"
    assert hash(certificate) == hash(Certificate.from_json(data))  # tuples all the way down
    for field in ("premises", "products", "lemmas", "hypotheses", "variables", "definitions"):
        assert isinstance(getattr(certificate, field), tuple)


def test_the_format_is_checked() -> None:
    data = LEMMA.to_json()
    assert Certificate.from_json({k: v for k, v in data.items() if k != "format"}) == LEMMA
    message = (
        r"^format must be fedassay-certificate/1, got fedassay-certificate/0: "
        r"use the release that wrote it\.$"
    )
    with pytest.raises(ValueError, match=message):
        Certificate.from_json({**data, "format": "fedassay-certificate/0"})


def test_optional_fields_are_empty() -> None:
    bare = Certificate("c", "<=", (), (), (), (), (), ())
    assert (bare.claim_tex, bare.reading, bare.reading_tex) == ("", "", "")
    assert (bare.identity, bare.lemmas, bare.text, bare.tex) == ("", (), "", "")
    assert PolynomialPremise("p", (), True, "negation") == PolynomialPremise(
        "p", (), True, "negation", "", ()
    )


def test_written_fills_in_the_identity_and_the_derivations() -> None:
    whole = written(LEMMA)
    assert replace(whole, identity="", text="", tex="") == LEMMA
    assert whole.identity == "(1)*(x - 1) + (1)*(-x + 1) == 0"
    assert whole.text.startswith("Claim: the claim.\n(1) x - 1 > 0  [a reason]\n")
    assert whole.tex.startswith("Claim: $$.\n(1) $x - 1 > 0$  [a reason]\n")
