"""Every verdict with the rung that decided and the reason that a reader is given."""

from __future__ import annotations

from typing import Any

import pytest

from tests.each import each
from tests.trusted.verdict.evidence_cases import (
    ACCUSED,
    ADRIFT,
    DOUBT,
    EMPTY,
    MET,
    MISSING,
    NONE_MET,
    PAID,
    POWER,
    PROOF,
    SEARCH,
    SHOWN,
    STOPPED,
    SUPPORT,
    TIGHT,
    UNITS,
    WITNESS,
    changed,
    word,
)
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import Verdict, accepted, verdict

NO_INSTANCE = (
    "no instance that meets every hypothesis was decided; a proof that none exists, or a family "
    "that contains one, would decide"
)
UNCONFIRMED = "an instance exceeds the bound but could not be confirmed exactly"
NO_POWER = "no counted mutant was killed, so the instances cannot tell the claim from a false one"
SILENT = Evidence("exact", "not-applicable")
LINKED = Evidence("link", "reported", "every hypothesis follows")
LOOSE = Evidence("exact", "decided", "the exact one", counted=1, tried=1, worst=0.5)

REASONS = {
    "a witness": ([MET, WITNESS], Verdict("violated", "search", "an instance breaks it")),
    "a simulated witness": ([ACCUSED], Verdict("violated", "simulation", "mean above")),
    "what is missing": ([MISSING], Verdict("not-checkable", "hypotheses", "what small means")),
    "emptiness": ([EMPTY], Verdict("vacuous", "link", "the hypotheses contradict each other")),
    "an adrift link": ([PROOF, ADRIFT], Verdict("inconclusive", "link", ADRIFT.summary)),
    "only an adrift link holds a proof back": (
        [PROOF, MET, changed(ADRIFT, rung="search")],
        Verdict("proved", "certificate", "proved"),
    ),
    "a proof": ([PROOF, MET], Verdict("proved", "certificate", "proved")),
    "a proof under a checked link": ([PROOF, LINKED], Verdict("proved", "certificate", "proved")),
    "a shown instance": ([SHOWN], Verdict("proved", "search", "an instance shows it")),
    "a doubt": ([*SUPPORT, DOUBT], Verdict("inconclusive", "search", DOUBT.summary)),
    "a stop": ([*SUPPORT, STOPPED], Verdict("inconclusive", "search", "time limit")),
    "the first of two doubts": (
        [NONE_MET, STOPPED],
        Verdict("inconclusive", "hypotheses", NONE_MET.summary),
    ),
    "nothing": ([], Verdict("inconclusive", "hypotheses", NO_INSTANCE)),
    "nothing, and why a rung does not apply": (
        [UNITS, SILENT, changed(SILENT, summary="no law"), changed(SILENT, summary="a later one")],
        Verdict("inconclusive", "hypotheses", NO_INSTANCE.replace(";", " (no law);")),
    ),
    "nothing, and nobody says why": (
        [UNITS, SILENT],
        Verdict("inconclusive", "hypotheses", NO_INSTANCE),
    ),
    "an excess": (
        [MET, changed(TIGHT, worst=1.5), SEARCH, POWER],
        Verdict("inconclusive", "exact", UNCONFIRMED),
    ),
    "an unfinished search": (
        [MET, TIGHT, POWER],
        Verdict("inconclusive", "exact", "the search did not run to its end"),
    ),
    "an unfinished search after other rungs": (
        [TIGHT, changed(LOOSE, rung="simulation")],
        Verdict("inconclusive", "simulation", "the search did not run to its end"),
    ),
    "no power": ([MET, SEARCH], Verdict("inconclusive", "power", NO_POWER)),
    "the tightest instance": (SUPPORT, Verdict("holds", "exact", "the tightest one agrees")),
    "the tightest instance, first": (
        [TIGHT, SEARCH, POWER, *PAID],
        Verdict("holds", "exact", "the tightest one agrees"),
    ),
    "the search where it is tightest": (
        [LOOSE, SEARCH, POWER, *PAID],
        Verdict("holds", "search", "50 instances"),
    ),
    "of two as tight the later name": (
        [SEARCH, changed(LOOSE, worst=0.9), POWER, *PAID],
        Verdict("holds", "search", "50 instances"),
    ),
    "an instance that uses nothing of the bound is not the tightest": (
        [SEARCH, changed(TIGHT, rung="simulation", worst=0.0), POWER, *PAID],
        Verdict("holds", "search", "50 instances"),
    ),
    "of two without any use of the bound": (
        [changed(SEARCH, worst=0.0), changed(LOOSE, worst=0.0), POWER, *PAID],
        Verdict("holds", "search", "50 instances"),
    ),
}


@each("name", REASONS)
def test_the_word_the_rung_and_the_reason(name: str) -> None:
    evidence, expected = REASONS[name]
    assert verdict(evidence) == expected


def test_a_proof_that_leaves_room_everywhere_says_how() -> None:
    idle = changed(POWER, power={"counted": 5, "killed": 0})
    said = "proved; no change of the right side was refuted, so it leaves room everywhere"
    assert verdict([MET, PROOF, idle]).reason == said
    none = changed(POWER, power={"counted": 0, "killed": 0})
    assert verdict([MET, PROOF, none]).reason == "proved", "nothing was changed at all"


@pytest.mark.parametrize(
    "inhabitant",
    [
        changed(MET, counted=0),
        changed(MET, rung="units"),
        changed(LINKED, rung="search"),
        changed(LINKED, status="decided"),
        changed(LINKED, status="not-applicable"),
    ],
)
def test_a_proof_needs_an_instance_or_a_checked_link(inhabitant: Evidence) -> None:
    assert word(PROOF, inhabitant) == "inconclusive"
    assert word(PROOF, changed(MET, counted=1)) == "proved"


def test_one_sound_count_is_enough_and_one_unsound_is_too_much() -> None:
    assert word(changed(SEARCH, counted=1), POWER, *PAID) == "holds"
    assert word(SEARCH, changed(TIGHT, worst=2.0), POWER, *PAID) == "inconclusive"
    nothing = changed(TIGHT, worst=2.0, counted=0)
    assert word(SEARCH, nothing, POWER, *PAID) == "holds", "it counts nothing"


@pytest.mark.parametrize(
    ("worst_ratio", "guard", "expected"),
    [
        (1 + 1e-9, 1e-9, "holds"),
        (1 + 2e-9, 1.0, "inconclusive"),
        (1 + 1e-11, 0.0, "inconclusive"),
        (1.0, 0.0, "holds"),
        (1 + 1e-12, 1e-11, "holds"),
        (1 + 1e-10, 1e-11, "inconclusive"),
    ],
)
def test_a_guard_is_never_wider_than_rounding(
    worst_ratio: float, guard: float, expected: str
) -> None:
    search = changed(SEARCH, worst=worst_ratio, guard=guard)
    assert word(search, POWER, *PAID) == expected


@pytest.mark.parametrize(
    "proof",
    [
        None,
        {},
        {"certificates": []},
        {"certificates": [{}]},
        {"certificates": [None]},
        {"certificates": 3},
        {"certificates": [{"written": {}}]},
        {"certificates": [*PROOF.proof["certificates"], {"written": {}}]},
    ],
)
def test_no_proof_and_half_a_proof_are_not_accepted(proof: Any) -> None:
    assert accepted(proof) is False
    assert accepted(PROOF.proof) is True


FORGED = {"certificates": [{"written": {}}]}


def test_emptiness_with_a_proof_of_its_own_needs_that_proof() -> None:
    assert word(EMPTY) == "vacuous", "the linked entry has been audited by itself"
    assert word(changed(EMPTY, proof=PROOF.proof)) == "vacuous"
    assert word(changed(EMPTY, proof=FORGED)) == "inconclusive"
    assert word(changed(EMPTY, proof={}), *SUPPORT) == "holds"
    other = changed(EMPTY, link={**EMPTY.link, "verdict": "holds"})
    assert word(changed(other, proof=PROOF.proof), *SUPPORT) == "holds"


CUT = Evidence("search", "stopped", "time limit: stopped after 3 s", details={"cut": True})
CUT_SAID = "; nothing after that was looked at (time limit: stopped after 3 s)"


@each("found", [[WITNESS], [MET, PROOF], [SHOWN]])
def test_a_word_earned_before_the_end_is_kept_and_says_what_ended_the_rest(found: Any) -> None:
    plain, cut = verdict(found), verdict([*found, CUT])
    assert (cut.word, cut.rung) == (plain.word, plain.rung)
    assert cut.reason == plain.reason + CUT_SAID
    assert verdict([*found, STOPPED]) == plain  # a rung that gave up is not the end


def test_support_that_was_cut_earns_no_word() -> None:
    assert verdict([*SUPPORT, *PAID]).word == "holds"
    assert verdict([*SUPPORT, *PAID, CUT]).reason == CUT.summary
    assert verdict([*SUPPORT, *PAID, CUT]).word == "inconclusive"
