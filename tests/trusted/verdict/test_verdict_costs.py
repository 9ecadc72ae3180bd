"""What `holds` costs: every rule of the verdict with the evidence that breaks it alone."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from tests.trusted.verdict.evidence_cases import (
    BOTH,
    DISGUISED,
    IDLE,
    MET,
    METHOD,
    MIXED,
    NEEDED,
    ONE,
    PAID,
    POWER,
    PROOF,
    SEARCH,
    SIDES,
    SPARED,
    STANDING,
    SUPPORT,
    TERMS,
    WITNESS,
    changed,
    word,
)
from verify.verdict.earned import sides_fault, too_few
from verify.verdict.evidence import Evidence
from verify.verdict.relation import LEAST_MET, LEAST_MET_SHAPE
from verify.verdict.verdict import spared, stands, supported, verdict


def instead(item: Evidence, *others: Evidence) -> list[Evidence]:
    """The support of a claim with other evidence in the place of one piece."""
    return [*(e for e in SUPPORT if e is not item), *others]


def met(counts: dict[str, int], *fixed: str) -> Evidence:
    details: dict[str, Any] = {"met": counts, **({"fixed": list(fixed)} if fixed else {})}
    return changed(MET, details=details)


def sides(**fields: Any) -> Evidence:
    return changed(SIDES, details={**BOTH, **fields})


ENOUGH = {
    "just enough": met({"N=1": LEAST_MET_SHAPE, "N=2": LEAST_MET - LEAST_MET_SHAPE}),
    "one shape": met({"": LEAST_MET}),
    "no parameters": met({"a": 1, "b": 1}, "a", "b"),
    "one shape without parameters": met({"a": 1, "b": LEAST_MET}, "a"),
}
TOO_FEW = {
    "not told": (changed(MET, details={}), "is not known"),
    "told as no table": (changed(MET, details={"met": 500}), "is not known"),
    "none at all": (met({}), "is not known"),
    "too few together": (met({"": LEAST_MET - 1}), "only 199 different instances met"),
    "too few in a shape": (
        met({"N=1": LEAST_MET_SHAPE - 1, "N=2": 250}),
        "only 31 different instances in the shape N=1 met",
    ),
    "none in a shape": (met({"N=1": 250, "N=3": 0}), "only 0 .* shape N=3"),
    "an empty shape without parameters": (met({"a": 0, "b": 250}, "a"), "fewer than 1:"),
    "few beside one without parameters": (met({"a": 1, "b": 100}, "a"), "only 101"),
}


@pytest.mark.parametrize("name", ENOUGH)
def test_enough_instances(name: str) -> None:
    assert too_few(ENOUGH[name].details) == ""
    assert word(*instead(MET, ENOUGH[name])) == "holds"


@pytest.mark.parametrize("name", TOO_FEW)
def test_too_few_instances_leave_a_claim_open(name: str) -> None:
    item, _ = TOO_FEW[name]
    found = verdict(instead(MET, item))
    assert (found.word, found.rung) == ("inconclusive", "hypotheses")
    assert found.reason == too_few(item.details)


@pytest.mark.parametrize("name", TOO_FEW)
def test_the_reason_says_how_many_and_where(name: str) -> None:
    item, said = TOO_FEW[name]
    assert re.search(said, too_few(item.details))
    assert word(PROOF, item) == "proved", "a proof needs one instance"


def test_reasons_word_for_word() -> None:
    assert too_few({}) == "how many instances of each shape met every hypothesis is not known"
    assert too_few(met({"N=1": 3, "N=2": 250}).details) == (
        "only 3 different instances in the shape N=1 met every hypothesis, fewer than 32: a family "
        "that builds the hypotheses in, or leaves the shape out, would decide"
    )
    assert too_few(met({"": 150}).details) == (
        "only 150 different instances met every hypothesis, fewer than 200: a family that builds "
        "the hypotheses in would decide"
    )
    assert too_few(met({"": 3}).details).startswith("only 3 different instances met every")
    assert sides_fault({**BOTH, "expression": "one"}) == (
        "the two sides are one expression, which no instance can tell apart: the claim needs a "
        "side that is computed in another way"
    )
    assert sides_fault({**BOTH, "idle": True}) == (
        "the side that is bounded is 0 on every instance and its bound is never negative: write "
        "the claim as left <= right, or take a family on which that side moves"
    )
    assert sides_fault({**BOTH, "values": [[1.0, 1.0], [2.0, 2.0]], "computed": False}) == (
        "both sides are constants, whatever the instance: the claim needs a side that depends on it"
    )


def test_the_count_must_be_that_of_the_hypotheses() -> None:
    assert word(*instead(MET, changed(MET, rung="units"))) == "inconclusive"
    assert word(*instead(MET, changed(MET, status="undecided"))) == "inconclusive"


EMPTY_WORDS = {
    "one expression": (sides(expression="one"), "one expression"),
    "constants": (sides(values=[[1.0, 1.0], [2.0, 2.0]], computed=False), "are constants"),
    "nothing to bound": (sides(idle=True), "is 0 on every instance"),
}
WORDS = {
    "both move": sides(),
    "a computed constant": sides(values=[[1.0, 1.0], [1.0, 1.0]]),
    "one constant side": sides(values=[[1.0, 1.0], [1.0, 2.0]], computed=False),
    "the other constant side": sides(values=[[0.0, 1.0], [1.0, 1.0]], computed=False),
    "constants without parameters": sides(
        values=[[1.0, 1.0], [2.0, 2.0]], computed=False, free=False
    ),
    "nothing to bound without parameters": sides(idle=True, free=False),
    "values that are not told": sides(values=[], computed=False),
}


@pytest.mark.parametrize("name", EMPTY_WORDS)
def test_sides_that_say_nothing_leave_a_claim_open_whatever_their_label(name: str) -> None:
    item, said = EMPTY_WORDS[name]
    assert item.status == "reported"
    found = verdict(instead(SIDES, item))
    assert (found.word, found.rung) == ("inconclusive", "sides")
    assert said in found.reason
    assert found.reason == sides_fault(item.details)


@pytest.mark.parametrize("name", WORDS)
def test_sides_that_say_something(name: str) -> None:
    assert sides_fault(WORDS[name].details) == ""
    assert word(*instead(SIDES, WORDS[name])) == "holds"


def test_parameters_are_taken_for_granted_where_nothing_is_said() -> None:
    details = {k: v for k, v in BOTH.items() if k != "free"}
    assert sides_fault(details) == ""
    assert sides_fault({**details, "idle": True}) != ""


def test_one_expression_is_no_claim_even_without_parameters() -> None:
    assert "one expression" in sides_fault({**BOTH, "expression": "one", "free": False})


# -- what no proof can mend ------------------------------------------------------------------------


@pytest.mark.parametrize("item", [ONE, DISGUISED, MIXED], ids=["one", "disguised", "mixed"])
def test_no_proof_and_no_instance_helps_what_is_no_claim(item: Evidence) -> None:
    for evidence in ([PROOF, MET], SUPPORT, [*SUPPORT, PROOF]):
        for order in ([*evidence, item], [item, *evidence]):
            found = verdict(order)
            assert (found.word, found.reason) == ("inconclusive", item.summary)
    assert word(item, WITNESS) == "violated"


@pytest.mark.parametrize(
    "item",
    [IDLE, sides(idle=True), changed(EMPTY_WORDS["constants"][0], status="undecided")],
    ids=["standing", "idle", "constants"],
)
def test_a_proof_stands_where_only_instances_are_worth_nothing(item: Evidence) -> None:
    assert word(PROOF, MET, item) == "proved"
    assert word(*SUPPORT, item) == "inconclusive"


def test_only_the_rung_of_the_sides_speaks_of_sides() -> None:
    assert word(PROOF, MET, changed(ONE, rung="units")) == "proved"
    assert word(PROOF, MET, changed(ONE, status="reported")) == "proved"
    assert word(PROOF, MET, changed(DISGUISED, status="reported")) == "proved"
    assert word(PROOF, MET, changed(MIXED, rung="search")) == "proved"


# -- rungs that must have been climbed -------------------------------------------------------------


@pytest.mark.parametrize("item", [SIDES, TERMS, STANDING, METHOD], ids=lambda e: e.rung)
def test_a_cost_that_was_not_paid_leaves_a_claim_open(item: Evidence) -> None:
    expected = ("inconclusive", item.rung, f"the rung {item.rung} has not been climbed")
    for evidence in (instead(item), instead(item, changed(item, status="not-applicable"))):
        found = verdict(evidence)
        assert (found.word, found.rung, found.reason) == expected


def test_hypotheses_need_no_mark() -> None:
    assert word(*instead(NEEDED)) == "holds", "a claim without hypotheses has none"


def test_a_do_nothing_bound_that_is_never_beaten_leaves_a_claim_open() -> None:
    found = verdict(instead(STANDING, IDLE))
    assert (found.word, found.rung, found.reason) == ("inconclusive", "standing", IDLE.summary)


def test_terms_that_nothing_needs_stand_in_the_reason() -> None:
    found = verdict(instead(TERMS, SPARED))
    assert found.word == "holds"
    assert found.reason == f"{verdict(SUPPORT).reason}; not needed: b, c"
    assert spared([MET, SPARED]) == ("b", "c")
    assert spared(SUPPORT) == ()
    assert "not needed" not in verdict(SUPPORT).reason
    assert spared([changed(SPARED, rung="power")]) == ()


def test_order_of_the_costs_does_not_matter() -> None:
    for order in itertools.permutations(PAID):
        assert word(SEARCH, POWER, *order) == "holds"


# -- a smaller claim -------------------------------------------------------------------------------


def test_a_smaller_claim_stands_without_paying() -> None:
    assert stands([MET, SEARCH, POWER]) is True
    assert stands([MET, PROOF]) is True
    assert stands([*SUPPORT, WITNESS]) is False
    assert stands([MET, SEARCH]) is None, "no mutant was killed"
    assert stands([SEARCH, POWER, MIXED]) is None
    assert supported([SEARCH, POWER]).word == "holds"


def test_counts_are_read_from_the_report_on_hypotheses_alone() -> None:
    silent = changed(MET, status="decided", counted=0, details={})
    assert word(silent, *SUPPORT) == "holds"
    assert word(silent, *(e for e in SUPPORT if e is not MET)) == "inconclusive"


def test_what_is_wrong_with_the_sides_is_read_from_their_rung_alone() -> None:
    one = {**TERMS.details, "expression": "one"}
    assert word(*instead(TERMS, changed(TERMS, details=one))) == "holds"
