"""What a word says beside itself: controls that it stands for, where the search ended, what cut it.

Each is taken from its own rung alone; the same details under another rung say nothing.
"""

from __future__ import annotations

from typing import Any

from tests.each import each
from tests.trusted.verdict.evidence_cases import MET, METHOD, PAID, POWER, PROOF, SEARCH, changed
from verify.verdict.earned import silent, tautology
from verify.verdict.evidence import Evidence
from verify.verdict.verdict import verdict

STAND = {"stand": ["one that never moves", "one that jumps"]}
TOLD = "says nothing of what moves the models: it stands for one that never moves, one that jumps "
TOLD += "too"


@each(
    ("details", "text"),
    [
        (STAND, TOLD),
        ({**STAND, "fall": []}, TOLD),
        ({**STAND, "fall": ["trains alone"]}, ""),
        ({"fall": ["trains alone"]}, ""),
        ({"stand": []}, ""),
        ({}, ""),
    ],
)
def test_a_claim_that_a_control_breaks_is_about_its_method(details: Any, text: str) -> None:
    assert silent(details) == text


@each(
    ("details", "others", "reason"),
    [
        (STAND, {}, f"{TOLD}; 50 instances"),
        ({}, STAND, "50 instances"),
        (STAND, {"stand": ["another"]}, f"{TOLD}; 50 instances"),
    ],
)
def test_only_the_controls_of_the_method_are_told(details: Any, others: Any, reason: str) -> None:
    kept = [e for e in (*PAID, POWER) if e is not METHOD]
    search = changed(SEARCH, details=others)
    method = changed(METHOD, details=details)
    for order in ([search, method, *kept], [method, *kept, search]):
        assert (verdict(order).word, verdict(order).reason) == ("holds", reason)
    if others:
        kept[0] = changed(kept[0], details={**kept[0].details, **others})
        assert verdict([*kept, search, method]).reason == reason


def test_a_proof_tells_of_the_controls_too() -> None:
    found = verdict([PROOF, MET, changed(METHOD, details=STAND)])
    assert (found.word, found.reason) == ("proved", f"{TOLD}; proved")


def limited(text: str) -> Evidence:
    return changed(SEARCH, details={"limits": text})


@each(
    ("search", "others", "reason"),
    [
        (SEARCH, {}, "50 instances"),
        (limited(""), {}, "50 instances"),
        (limited("looked at up to N = 8"), {}, "50 instances; looked at up to N = 8"),
        # another rung has no limits of the search
        (SEARCH, {"limits": "of another rung"}, "50 instances"),
        (limited("up to N = 8"), {"limits": "of another rung"}, "50 instances; up to N = 8"),
    ],
)
def test_the_first_limit_of_the_search_is_told(search: Any, others: Any, reason: str) -> None:
    paid = [changed(e, details={**e.details, **others}) if e is METHOD else e for e in PAID]
    for order in ([search, POWER, *paid], [*paid, search, POWER]):
        assert (verdict(order).word, verdict(order).reason) == ("holds", reason)


def test_a_search_without_a_limit_hides_no_other() -> None:
    for order in ([limited(""), limited("up to N = 8")], [limited("up to N = 8"), limited("")]):
        found = verdict([*order, POWER, *PAID])
        assert found.reason == "50 instances; up to N = 8"


@each(
    ("status", "cut", "said"),
    [
        ("stopped", True, "; nothing after that was looked at (time)"),
        ("stopped", False, ""),
        ("reported", True, ""),
    ],
)
def test_what_was_not_stopped_has_cut_nothing(status: str, cut: bool, said: str) -> None:
    item = Evidence("power", status, "time", details={"cut": cut})
    assert verdict([PROOF, MET, item]).reason == f"proved{said}"


FLAT = {"free": True, "values": [[1.0, 1.0], [2.0, 2.0]]}
CONSTANTS = "says nothing of the instance: both sides are constants"


@each(
    ("details", "text"),
    [
        ({"premise": "h"}, "says nothing: it is its hypothesis “h” again"),
        (
            {"extreme": True},
            "says nothing: one side is the largest or smallest of numbers of which the other is "
            "one",
        ),
        (
            {"alike": True},
            "says nothing as an inequality: both sides are one number on every instance",
        ),
        ({"identity": True}, "an identity: both sides are one quantity, computed in two ways"),
        (FLAT, CONSTANTS),
        ({**FLAT, "free": False}, ""),
        ({**FLAT, "values": []}, ""),
        ({**FLAT, "values": [[1.0, 1.0], [2.0, 3.0]]}, ""),
        ({**FLAT, "values": [[0.0, 1.0], [2.0, 3.0]]}, ""),
        ({}, ""),
    ],
)
def test_what_is_true_whatever_it_is_about_is_told(details: Any, text: str) -> None:
    assert tautology(details) == text


BEGAN = "began with kept evidence: 5 instances scored again, beside 70 evaluated afresh; "
KEPT = {"kept": {"instances": 5, "afresh": 70}}


def test_a_word_that_began_with_kept_evidence_says_so_before_its_instances() -> None:
    rest = (*PAID, POWER)
    assert verdict([changed(SEARCH, details=KEPT), *rest]).reason == f"{BEGAN}50 instances"
    assert verdict([SEARCH, *rest]).reason == "50 instances"
    silenced = [changed(METHOD, details=STAND), *(e for e in rest if e is not METHOD)]
    told = verdict([changed(SEARCH, details=KEPT), *silenced]).reason
    assert told == f"{TOLD}; {BEGAN}50 instances"
    elsewhere = [changed(e, details={**e.details, **KEPT}) for e in rest]
    assert verdict([SEARCH, *elsewhere]).reason == "50 instances"


def test_the_instances_of_all_families_are_told_together() -> None:
    other = changed(SEARCH, details={"kept": {"instances": 2, "afresh": 30}})
    found = verdict([changed(SEARCH, details=KEPT), other, *PAID, POWER])
    assert found.reason.startswith(
        "began with kept evidence: 7 instances scored again, beside 100 "
    )


def test_so_does_one_that_a_named_constant_has_earned() -> None:
    link = {"kind": "explicit", "key": "p.a.explicit", "verdict": "holds"}
    bound = Evidence("link", "reported", "with the constant 2", link=link)
    search = Evidence("search", "undecided", "no constant", details=KEPT)
    assert verdict([MET, bound, search]).reason == f"{BEGAN}with the constant 2"
    assert verdict([MET, bound]).reason == "with the constant 2"
    assert verdict([PROOF, MET, search]).reason == "proved"
