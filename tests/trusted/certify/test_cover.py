"""Claims in cases: the checker sees that no case is missing, and what each of them says."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.trusted.certify.claims import a, s, total, x, z
from tests.trusted.certify.test_checker_defined import document, fact, proof
from tests.verify.reading.test_client_proofs import TRUE, made
from verify.certify.checker import COVER, Refused, check
from verify.certify.prover.prove import Hypothesis, certify, written_out
from verify.ladder.rungs.case_covers import documents

CLAIM = {"left": "x*Indicator(x, 1) + Max(0, a)", "right": "Abs(x) + Abs(a)", "relation": "<="}


def case(left: Any, right: Any, *given: tuple[Any, bool]) -> Any:
    """A proof of one case."""
    hypotheses = [Hypothesis(f"case {e}", e, strict) for e, strict in given]
    found = certify(left, right, "<=", hypotheses)
    assert found is not None
    return json.loads(json.dumps(written_out(found, left, right, "<=", hypotheses)))


def cover() -> Any:
    """The claim above in the four cases that it has."""
    above, below = (x, True), (-x, False)
    up, down = (a, False), (-a, True)
    return {
        "format": COVER,
        "claim": CLAIM,
        "given": [],
        "symbols": {"a": "real", "x": "real"},
        "cases": {
            "if": "x",
            "strict": True,
            "then": {
                "if": "a",
                "strict": False,
                "then": case(x + a, x + a, above, up),
                "else": case(x, x - a, above, down),
            },
            "else": {
                "if": "a",
                "strict": False,
                "then": case(0 * x + a, a - x, below, up),
                "else": case(0 * x, -x - a, below, down),
            },
        },
    }


def test_a_claim_is_proved_by_all_its_cases() -> None:
    assert check(cover()) == (
        "x*Indicator(x, 1) + Max(0, a) <= Abs(x) + Abs(a), for every real a, x"
    )


def _left_out(d: Any) -> None:
    del d["cases"]["else"]["else"]


def _without_else(d: Any) -> None:
    del d["cases"]["else"]


def _no_case(d: Any) -> None:
    del d["cases"]["then"]["then"]


def _twice(d: Any) -> None:
    d["cases"]["else"] = d["cases"]["then"]


def _zero(d: Any) -> None:
    """At x = 0 it would be nobody's case."""
    d["cases"]["else"]["then"]["given"][0]["strict"] = True


def _swapped(d: Any) -> None:
    d["cases"]["then"]["then"], d["cases"]["then"]["else"] = (
        d["cases"]["then"]["else"],
        d["cases"]["then"]["then"],
    )


def _stronger(d: Any) -> None:
    d["claim"] = {**CLAIM, "right": "Abs(x)"}


def _at_zero(d: Any) -> None:
    """The indicator of x >= 0 is one at zero."""
    d["claim"] = {**CLAIM, "left": "Indicator(x, 0) + Max(0, a)"}


def _sign(d: Any) -> None:
    d["cases"]["then"]["then"]["symbols"]["a"] = "positive"


def _on_the_line(d: Any) -> None:
    d["vectors"] = ["x"]


def _strict(d: Any) -> None:
    d["claim"] = {**CLAIM, "relation": "<"}


def _other_format(d: Any) -> None:
    d["cases"]["then"]["then"]["format"] = COVER


def _broken_proof(d: Any) -> None:
    d["cases"]["then"]["else"]["proof"]["products"] = []


FORGERIES: dict[str, tuple[Callable[[Any], None], str]] = {
    "the last case left out": (_left_out, r"the case -\(a\) > 0 is missing"),
    "half of the cases left out": (_without_else, r"the case -\(x\) >= 0 is missing"),
    "the first case left out": (_no_case, r"the case \(a\) >= 0 is missing"),
    "a case that stands for another": (_twice, "a case assumes x without leave"),
    "a case that is too narrow": (_zero, "a case assumes -x without leave"),
    "cases swapped": (_swapped, "a case assumes -a without leave"),
    "a stronger claim": (_stronger, "a case proves another claim"),
    "a stronger relation": (_strict, "a case proves another claim"),
    "an indicator at zero": (_at_zero, "a case proves another claim"),
    "a case of positive numbers": (_sign, "a case declares other symbols"),
    "the size of a vector": (_on_the_line, "is no sum that is homogeneous in the vectors"),
    "a case that is no proof": (_other_format, "a case has another format"),
    "a case that is not proved": (_broken_proof, "no product is strictly positive"),
}


@pytest.mark.parametrize("fault", FORGERIES)
def test_each_forgery_is_refused_for_its_own_reason(fault: str) -> None:
    forge, reason = FORGERIES[fault]
    forged = deepcopy(cover())
    forge(forged)
    with pytest.raises(Refused, match=reason):
        check(forged)


def test_a_condition_on_every_client_has_more_than_two_answers() -> None:
    """Each z_k >= 0, or each z_k < 0: a proof for both says nothing of clients that differ."""
    both = []
    for sign in (1, -1):
        hypotheses = [Hypothesis("case", sign * z, sign < 0)]
        found = certify(0, sign * total(z), "<=", hypotheses)
        assert found is not None
        both.append(written_out(found, 0, sign * total(z), "<=", hypotheses))
    made_up = {
        "format": COVER,
        "given": [],
        "symbols": {"z": "real"},
        "claim": {"left": "0", "right": "Abs(Sum(z[k], (k, 1, N)))", "relation": "<="},
        "cases": {"if": "z[k]", "strict": False, "then": both[0], "else": both[1]},
    }
    with pytest.raises(Refused, match=r"z\[k\] is about every client"):
        check(made_up)
    made_up["cases"]["if"] = "Sum(z[k], (k, 1, N))"  # type: ignore[index]
    with pytest.raises(Refused, match=r"a case assumes z\[k\] without leave"):
        check(made_up)


def undefined_at_zero(left: str) -> Any:
    """That x = 0 is impossible, from 1/x > 0 and from 1/x <= 0, which say that x is not zero."""
    facts = [
        fact("x**2", "claim is false", strict=True, times=[["x", 2]]),
        fact("-x**2", "hypothesis", 0),
    ]
    zero = {"name": "", "expr": "-x**2", "strict": False}
    answers = (
        {"name": "", "expr": "1/x", "strict": True},
        {"name": "", "expr": "-1/x", "strict": False},
    )
    one, other = (
        document(
            proof(facts, [["1", [0]], ["1", [1]]]), symbols={"x": "real"}, given=[zero, answer]
        )
        for answer in answers
    )
    assert check(one) == "1 <= 0 if -x**2 >= 0; 1/x > 0, for every real x"
    return {
        "format": COVER,
        "given": [zero],
        "symbols": {"x": "real"},
        "claim": {"left": left, "right": "0", "relation": "<="},
        "cases": {"if": "1/x", "strict": True, "then": one, "else": other},
    }


def test_a_condition_has_an_answer_wherever_the_claim_is_defined() -> None:
    with pytest.raises(Refused, match=r"divides by what may vanish: 1\*x"):
        check(undefined_at_zero("1"))
    assert check(undefined_at_zero("1 + 0/x")) == "1 + 0/x <= 0 if -x**2 >= 0, for every real x"
    root = undefined_at_zero("1")
    root["cases"]["if"] = "sqrt(x)"
    with pytest.raises(Refused, match="takes what may be undefined"):
        check(root)


def test_a_proof_on_the_line_is_no_case_of_a_claim_about_vectors() -> None:
    one = case(0 * x, x**2)
    whole = {
        "format": COVER,
        "symbols": one["symbols"],
        "cases": one,
        "given": [],
        "claim": {"left": "0", "right": "x**2", "relation": "<="},
    }
    assert check(whole) == "0 <= x**2, for every real x"
    with pytest.raises(Refused, match="a case has other vectors"):
        check({**whole, "vectors": ["x"]})
    for text in ("Max(0, x)", "Abs(x)*Abs(x)", "x"):
        claim = {"left": "0", "right": text, "relation": "<="}
        with pytest.raises(Refused, match="homogeneous in the vectors|not linear in inner"):
            check({**whole, "vectors": ["x"], "claim": claim})


def test_what_is_known_of_clients_says_nothing_of_other_sums() -> None:
    """z_k >= 0 for k = 1..N does not make a maximum over k = 0..N the value at 0 as well."""
    known = [Hypothesis("z", z)]
    said = "Sum(Max(0, z[k]), (k, {}, N))"
    found = certify(total(z), total(z), "<=", known)
    assert found is not None
    one = written_out(found, total(z), total(z), "<=", known)
    for start, accepted in ((1, True), (0, False)):
        whole = {
            "format": COVER,
            "symbols": {"z": "real"},
            "cases": one,
            "given": [{"name": "z", "expr": "z[k]", "strict": False}],
            "claim": {
                "left": said.format(start),
                "right": said.format(start).replace("Max(0, z[k])", "z[k]"),
                "relation": "<=",
            },
        }
        if accepted:
            check(whole)
        else:
            with pytest.raises(Refused, match="k is a client: a sum over anything else"):
                check(whole)


def test_a_maximum_of_several_is_the_one_that_is_at_least_each() -> None:
    hypotheses = [Hypothesis("case 1", x - a), Hypothesis("case 2", x - s)]
    found = certify(s, x, "<=", hypotheses)
    assert found is not None
    one = written_out(found, s, x, "<=", hypotheses)
    whole = {
        "format": COVER,
        "symbols": one["symbols"] | {"a": "real", "s": "positive"},
        "cases": one,
        "given": [{"name": h.name, "expr": str(h.expr), "strict": False} for h in hypotheses],
        "claim": {"left": "s", "right": "Max(a, s, x)", "relation": "<="},
    }
    check(whole)
    whole["claim"]["right"] = "Min(a, s, x)"
    with pytest.raises(Refused, match="a case proves another claim"):
        check(whole)


IN_CASES = ("those above a level", "a condition on each client, in cases")


@pytest.mark.parametrize("name", IN_CASES)
def test_a_statement_that_is_proved_in_cases_is_one_document(name: str) -> None:
    found = documents(made(name))
    assert any(one["format"] == COVER for one in found)
    for one in found:
        check(json.loads(json.dumps(one)))


def test_a_statement_that_is_not_is_its_proofs() -> None:
    assert all("proof" in one for one in documents(made(next(iter(TRUE)))))
