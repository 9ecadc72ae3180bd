"""The pure function from evidence to verdict: every word, their precedence, and empty labels."""

from __future__ import annotations

import inspect
import itertools
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import verify.verdict.verdict as module
from bounds.numbers import Ball
from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.trusted.verdict.evidence_cases import (
    ACCUSED,
    ADRIFT,
    BREAK,
    DOUBT,
    EMPTY,
    EXHIBIT,
    MET,
    MISSING,
    NONE_MET,
    PAID,
    POWER,
    PROOF,
    SEARCH,
    SHOWN,
    SIMULATED,
    STOPPED,
    SUPPORT,
    TIGHT,
    UNITS,
    WITNESS,
    changed,
    word,
)
from verify.verdict.evidence import Evidence, number_from_json, number_to_json
from verify.verdict.verdict import ACCUSE, ORDER, combine, verdict, worst

TABLE = {
    "witness": ([WITNESS], "violated"),
    "simulated witness": ([ACCUSED], "violated"),
    "undefined symbol": ([MISSING], "not-checkable"),
    "empty hypotheses": ([EMPTY], "vacuous"),
    "proof": ([PROOF, MET], "proved"),
    "instance of an existence claim": ([SHOWN], "proved"),
    "support": (SUPPORT, "holds"),
    "nothing": ([], "inconclusive"),
    "only units": ([UNITS], "inconclusive"),
    "no instance": ([NONE_MET], "inconclusive"),
    # who outranks whom
    "witness over emptiness": ([EMPTY, WITNESS], "violated"),
    "witness over proof": ([PROOF, MET, WITNESS], "violated"),
    "witness over support": ([*SUPPORT, WITNESS], "violated"),
    "witness over missing": ([MISSING, WITNESS], "violated"),
    "missing over emptiness": ([MISSING, EMPTY], "not-checkable"),
    "missing over proof": ([MISSING, PROOF, MET], "not-checkable"),
    "emptiness over proof": ([PROOF, MET, EMPTY], "vacuous"),
    "emptiness over support": ([*SUPPORT, EMPTY], "vacuous"),
    "proof over support": ([*SUPPORT, PROOF], "proved"),
    "proof over an unfinished search": ([PROOF, MET, STOPPED], "proved"),
    # what holds back
    "adrift link blocks a proof": ([PROOF, MET, ADRIFT], "inconclusive"),
    "adrift link blocks support": ([*SUPPORT, ADRIFT], "inconclusive"),
    "proof about nothing": ([PROOF, NONE_MET], "inconclusive"),
    "stopped search": ([*SUPPORT, STOPPED], "inconclusive"),
    "open doubt": ([*SUPPORT, DOUBT], "inconclusive"),
    "no search": ([MET, TIGHT, POWER], "inconclusive"),
    "no power": ([MET, SEARCH, TIGHT], "inconclusive"),
    "units do not decide": ([*SUPPORT, UNITS], "holds"),
    "a link without a proof": (
        [changed(EMPTY, link={**EMPTY.link, "verdict": "holds"}), *SUPPORT],
        "holds",
    ),
}


@each("name", TABLE)
def test_table_of_verdicts(name: str) -> None:
    evidence, expected = TABLE[name]
    assert word(*evidence) == expected


@each("name", TABLE)
def test_order_of_the_evidence_does_not_matter(name: str) -> None:
    evidence, expected = TABLE[name]
    assert {word(*order) for order in itertools.islice(itertools.permutations(evidence), 120)} == {
        expected
    }


def test_every_word_is_reached() -> None:
    assert {expected for _, expected in TABLE.values()} == set(ORDER)


def test_units_alone_change_no_verdict() -> None:
    for evidence, expected in TABLE.values():
        assert word(*evidence, UNITS) == expected


# -- labels do not decide, numbers do --------------------------------------------------------------

HARMLESS = {
    "sides in order": {"left": "1/1"},
    "a tie": {"left": "1/1", "right": "1/1"},
    "a missed hypothesis": {"margins": {"h": {"value": "-1/9", "strict": False}}},
    "the edge of a strict one": {"margins": {"h": {"value": "0/1", "strict": True}}},
    "a margin without a value": {"margins": {"h": {"strict": True}}},
    "overlapping balls": {
        "left": {"ball": ["0/1", "3/1"]},
        "right": {"ball": ["1/1", "2/1"]},
    },
    "an undecided margin": {"margins": {"h": {"value": {"ball": ["-1/1", "1/1"]}}}},
    "the other relation": {"relation": ">="},
    "another quantifier": {"quantifier": "some"},
    "simulated without an e-value": {"number": "simulated"},
    "a small e-value": {"number": "simulated", "e_value": ACCUSE / 2},
    "an e-value that is none": {"number": "simulated", "e_value": float("nan")},
}


@pytest.mark.parametrize("name", HARMLESS)
def test_a_witness_whose_numbers_break_nothing_is_no_violation(name: str) -> None:
    labelled = changed(
        WITNESS, witness={**BREAK, **HARMLESS[name]}, summary="violated! breaks the claim"
    )
    assert word(labelled) != "violated"
    assert word(labelled, *SUPPORT) != "violated"


@pytest.mark.parametrize(
    ("relation", "left", "right"),
    [
        ("<=", "2/1", "1/1"),
        (">=", "1/1", "2/1"),
        ("==", "1/1", "2/1"),
        ("==", "2/1", "1/1"),
        ("<=", {"ball": ["2/1", "3/1"]}, {"ball": ["0/1", "1/1"]}),
        ("<=", 0.3, "299/1000"),
    ],
)
def test_every_relation_can_be_broken(relation: str, left: Any, right: Any) -> None:
    numbers = {**BREAK, "relation": relation, "left": left, "right": right}
    assert word(changed(WITNESS, witness=numbers)) == "violated"


@pytest.mark.parametrize(
    "mangled",
    [
        {k: v for k, v in BREAK.items() if k != "left"},
        {k: v for k, v in BREAK.items() if k != "right"},
        {**BREAK, "left": None},
        {**BREAK, "relation": "<"},
    ],
)
def test_a_mangled_witness_is_refused_in_one_sentence(mangled: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="^(number|witness) must .*check the file$"):
        word(changed(WITNESS, witness=mangled))


@pytest.mark.parametrize(
    "change",
    [
        {"left": "3/1"},
        {"margins": {"h": {"value": "-1/1"}}},
        {"number": "simulated", "e_value": 1e300},
        {"left": {"ball": ["0/1", "3/1"]}, "right": {"ball": ["1/1", "2/1"]}},
    ],
)
def test_an_instance_that_does_not_satisfy_a_claim_shows_nothing(change: dict[str, Any]) -> None:
    assert word(changed(SHOWN, witness={**EXHIBIT, **change})) == "inconclusive"


UNSOUND = {
    "search counted nothing": (SEARCH, {"counted": 0}),
    "search gives no worst ratio": (SEARCH, {"worst": None}),
    "search exceeds the bound": (SEARCH, {"worst": 1.001}),
    "excess under a guard that is too wide": (SEARCH, {"worst": 1.001, "guard": 0.1}),
    "a ratio that is no number": (SEARCH, {"worst": float("nan")}),
    "search only reported": (SEARCH, {"status": "reported"}),
    "search not applicable": (SEARCH, {"status": "not-applicable"}),
    "exact value exceeds the bound": (TIGHT, {"worst": 1.5}),
    "no mutant killed": (POWER, {"power": {"counted": 4, "killed": 0}}),
    "empty table of mutants": (POWER, {"power": {}}),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_support_with_a_hole_is_inconclusive(name: str) -> None:
    item, change = UNSOUND[name]
    assert word(*(changed(e, **change) if e is item else e for e in SUPPORT)) == "inconclusive"


def test_rounding_within_the_guard_is_a_tie() -> None:
    tie = changed(SEARCH, worst=1 + 5e-10, guard=1e-9)
    assert word(tie, POWER, *PAID) == "holds"
    assert word(changed(tie, guard=0.0), POWER, *PAID) == "inconclusive"


@pytest.mark.parametrize("status", ["undecided", "reported", "not-applicable", "stopped"])
def test_a_certificate_must_have_decided(status: str) -> None:
    assert word(changed(PROOF, status=status), MET) == "inconclusive"
    assert word(changed(PROOF, proof=None), MET) == "inconclusive"


def test_only_a_proof_that_the_checker_accepts_counts() -> None:
    assert word(PROOF, MET) == "proved"
    stored = PROOF.proof["certificates"][0]
    forged = json.loads(json.dumps(stored["written"]))
    forged["proof"]["products"][0][0] = "2"
    for certificates in (
        [],
        [1],
        [{"shape": {}}],
        [{"written": forged}],
        [stored, {"written": forged}],
    ):
        assert word(changed(PROOF, proof={"certificates": certificates}), MET) == "inconclusive"


def test_the_rung_and_the_reason_are_those_of_the_deciding_evidence() -> None:
    made = verdict([*SUPPORT, WITNESS])
    assert (made.rung, made.reason) == (WITNESS.rung, WITNESS.summary)
    assert verdict(SUPPORT).rung == "exact", "the tightest"


def test_the_verdict_is_a_function_of_evidence_alone() -> None:
    assert list(inspect.signature(verdict).parameters) == ["evidence"]
    imported = inspect.getsource(module)
    assert "Statement" not in imported
    assert "library" not in imported


# -- adding up -------------------------------------------------------------------------------------


def test_a_part_takes_its_best_reading_and_an_entry_its_worst_part() -> None:
    words = ("proved", "holds", "inconclusive", "not-checkable", "vacuous", "violated")
    assert words == ORDER
    for a, b in itertools.combinations(words, 2):
        assert (combine([a, b]), combine([b, a])) == (a, a)
        assert (worst([a, b]), worst([b, a])) == (b, b)
    assert worst([combine(["violated", "holds"]), combine(["proved"])]) == "holds"


# -- evidence as JSON ------------------------------------------------------------------------------

EVIDENCE = st.builds(
    Evidence,
    rung=st.sampled_from(["units", "exact", "search", "power", "link"]),
    status=st.sampled_from(["decided", "undecided", "missing"]),
    summary=st.text(max_size=5),
    counted=st.integers(0, 9),
    tried=st.integers(0, 9),
    worst=st.one_of(st.none(), st.floats(0, 2)),
    guard=st.sampled_from([0.0, 1e-9]),
    witness=st.sampled_from([None, BREAK, EXHIBIT, SIMULATED]),
    proof=st.sampled_from([None, {"certificates": []}]),
    power=st.sampled_from([None, {"counted": 1, "killed": 0, "survivors": ["0.9 x"]}]),
    link=st.sampled_from([None, EMPTY.link]),
    scope=st.text(max_size=3),
    details=st.dictionaries(st.text(max_size=2), st.floats(allow_nan=False), max_size=2),
)


@settings(max_examples=60)
@given(EVIDENCE)
def test_evidence_comes_back_equal_from_json(evidence: Evidence) -> None:
    assert Evidence.from_json(json.loads(json.dumps(evidence.to_json()))) == evidence


def test_foreign_evidence_is_refused() -> None:
    with pytest.raises(InvalidInput, match="evidence must have the fields of a rung"):
        Evidence.from_json({"rung": "search", "status": "decided", "verdict": "proved"})
    with pytest.raises(InvalidInput, match="evidence must have"):
        Evidence.from_json({})


@given(st.fractions())
def test_exact_numbers_come_back_equal(value: Fraction) -> None:
    assert number_from_json(number_to_json(value)) == value


@settings(max_examples=50)
@given(st.fractions(-9, 9), st.fractions(0, 1))
def test_balls_come_back_no_smaller(middle: Fraction, radius: Fraction) -> None:
    ball = Ball(middle - radius, middle + radius)
    back = number_from_json(number_to_json(ball))
    lo, hi = (back.lo, back.hi) if isinstance(back, Ball) else (back, back)
    assert lo <= ball.lo
    assert hi >= ball.hi


@pytest.mark.parametrize("raw", [None, "x", "1/0", [], {}, {"lo": "1"}, True])
def test_what_is_no_number_is_refused(raw: Any) -> None:
    with pytest.raises(InvalidInput, match="number must be"):
        number_from_json(raw)


@pytest.mark.parametrize(("killed", "idle"), [(0, True), (3, False)])
def test_a_proof_that_no_mutant_touches_says_so(killed: int, idle: bool) -> None:
    power = Evidence("power", "reported", "", power={"counted": 5, "killed": killed})
    inhabited = Evidence("hypotheses", "decided", "an instance meets them", counted=1)
    made = verdict([inhabited, PROOF, power])
    assert made.word == "proved"
    assert ("no change of the right side was refuted" in made.reason) == idle


# -- orders ----------------------------------------------------------------------------------------

UNNAMED = Evidence("search", "undecided", "the constant is not named", tried=90)


def bounded_by(word: str) -> Evidence:
    link = {"kind": "explicit", "key": "p.a.explicit", "verdict": word}
    return Evidence("link", "reported", f"by its explicit form, which is {word}", link=link)


@pytest.mark.parametrize("said", ["proved", "holds"])
def test_an_order_has_the_word_of_the_form_that_names_its_constant(said: str) -> None:
    found = verdict([bounded_by(said), MET, UNNAMED])
    assert (found.word, found.rung) == (said, "link")
    assert found.reason == bounded_by(said).summary


@pytest.mark.parametrize("said", ["violated", "inconclusive", "vacuous", "not-checkable"])
def test_a_form_that_does_not_stand_carries_nothing(said: str) -> None:
    assert word(bounded_by(said), MET, UNNAMED) == "inconclusive"


def test_a_form_does_not_outweigh_a_witness_a_missing_symbol_or_a_stop() -> None:
    assert word(bounded_by("proved"), MET, UNNAMED, WITNESS) == "violated"
    assert word(bounded_by("proved"), MET, STOPPED) == "inconclusive"
    assert word(bounded_by("proved"), UNNAMED) == "inconclusive", "nothing meets the hypotheses"
    assert word(bounded_by("proved"), NONE_MET, UNNAMED) == "inconclusive"


def test_a_constant_that_hides_the_order_is_no_constant() -> None:
    hides = Evidence("constant", "undecided", "T, of the constant, depends on T, a size")
    assert word(*SUPPORT, hides) == "inconclusive"
    assert word(PROOF, MET, hides) == "inconclusive"
    assert word(*SUPPORT, changed(hides, status="reported")) == "holds"
