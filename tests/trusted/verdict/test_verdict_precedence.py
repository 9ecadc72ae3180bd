"""Programs that answer differently twice, proofs that are about something else, and negations."""

from __future__ import annotations

from typing import Any

from tests.each import each
from tests.trusted.verdict.evidence_cases import (
    MET,
    MISSING,
    MIXED,
    NONE_MET,
    PROOF,
    SHOWN,
    SUPPORT,
    WITNESS,
    changed,
    word,
)
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import INCONCLUSIVE, VIOLATED, Verdict, verdict

RESTLESS = changed(MIXED, summary="it counts its calls", details={"restless": True})
CERTIFIED: Any = PROOF.proof
NEGATED = changed(PROOF, summary="no instance does", proof={**CERTIFIED, "of": "negation"})


def broken() -> Evidence:
    """A negation with a certificate that the checker refuses."""
    (part,) = CERTIFIED["certificates"]
    written = {**part["written"], "claim": {"left": "1", "right": "0", "relation": "<="}}
    return changed(
        NEGATED,
        proof={**CERTIFIED, "of": "negation", "certificates": [{**part, "written": written}]},
    )


@each("before", ([WITNESS], [SHOWN], [PROOF, MET], [MISSING], SUPPORT, []))
def test_a_program_that_answers_differently_has_no_other_word(before: list[Evidence]) -> None:
    for evidence in ([*before, RESTLESS], [RESTLESS, *before]):
        found = verdict(evidence)
        assert found == Verdict(INCONCLUSIVE, "hypotheses", "it counts its calls")


@each(
    ("item", "found"),
    [
        # what is no program that was stopped is no such program, whatever its details say
        (changed(RESTLESS, status="reported"), VIOLATED),
        (changed(RESTLESS, rung="search"), VIOLATED),
        (changed(RESTLESS, details={}), VIOLATED),
        (RESTLESS, INCONCLUSIVE),
    ],
)
def test_only_a_program_that_was_stopped_for_it_is_one(item: Evidence, found: str) -> None:
    assert word(WITNESS, item) == found


def test_a_proof_that_nothing_exists_refutes_that_something_does() -> None:
    assert verdict([NEGATED]) == Verdict(VIOLATED, "certificate", "no instance does")
    assert word(NEGATED, MET) == word(NEGATED, NONE_MET) == VIOLATED


@each(
    "item",
    [
        broken(),
        changed(NEGATED, proof={"of": "negation", "certificates": []}),
        changed(NEGATED, status="undecided"),
        changed(NEGATED, status="reported"),
    ],
)
def test_a_negation_counts_only_with_a_proof_that_is_accepted(item: Evidence) -> None:
    assert word(item, MET) == word(item) == INCONCLUSIVE


@each("of", ["hypotheses", "trivial", "p.a"])
def test_a_proof_of_something_else_proves_nothing_here(of: Any) -> None:
    assert word(PROOF, MET) == "proved"
    item = changed(PROOF, proof={**CERTIFIED, "of": of})
    assert word(item, MET) == INCONCLUSIVE
    assert word(item) == INCONCLUSIVE
