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
from verify.verdict.evidence import Evidence, number_from_json, number_to_json
from verify.verdict.verdict import ACCUSE, ORDER, Verdict, breaks, combine, exhibits, verdict, worst

BREAK = {
    "number": "rational", "relation": "<=", "quantifier": "all", "left": "2/1", "right": "1/1",
    "margins": {"h": {"value": "0/1", "strict": False}},
}  # fmt: skip
EXHIBIT = {**BREAK, "quantifier": "some", "left": "1/1", "right": "2/1"}
SIMULATED = {
    "number": "simulated", "relation": "<=", "quantifier": "all", "left": 2.0, "right": 1.0,
    "e_value": ACCUSE, "margins": {},
}  # fmt: skip

WITNESS = Evidence("search", "decided", "an instance breaks it", witness=BREAK, tried=9)
SHOWN = Evidence("search", "decided", "an instance shows it", witness=EXHIBIT, tried=9)
ACCUSED = Evidence("simulation", "undecided", "mean above", witness=SIMULATED, tried=1)
MISSING = Evidence("hypotheses", "missing", "what small means")
EMPTY = Evidence(
    "link", "decided", "the hypotheses contradict each other",
    link={"kind": "empty", "key": "p.a.empty", "verdict": "proved"},
)  # fmt: skip
ADRIFT = Evidence("link", "undecided", "the lift does not follow")
PROOF = Evidence("certificate", "decided", "proved", proof={"certificates": [1]})
MET = Evidence("hypotheses", "reported", "50 of 90 meet every hypothesis", counted=50, tried=90)
NONE_MET = Evidence("hypotheses", "undecided", "none of 90 meets every hypothesis", tried=90)
SEARCH = Evidence("search", "decided", "50 instances", counted=50, tried=90, worst=0.9)
TIGHT = Evidence("exact", "decided", "the tightest one agrees", counted=1, tried=1, worst=1.0)
POWER = Evidence("power", "reported", "3 of 4", power={"counted": 4, "killed": 3})
UNITS = Evidence("units", "reported", "units differ")
STOPPED = Evidence("search", "stopped", "time limit")
DOUBT = Evidence("search", "undecided", "a float hit could not be decided", counted=3, worst=2.0)
SUPPORT = [MET, SEARCH, TIGHT, POWER]


def word(*evidence: Evidence) -> str:
    return verdict(evidence).word


def changed(evidence: Evidence, **fields: Any) -> Evidence:
    return Evidence(**{**evidence.__dict__, **fields})


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
        [changed(EMPTY, link={**EMPTY.link, "verdict": "holds"}), *SUPPORT], "holds",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_table_of_verdicts(name: str) -> None:
    evidence, expected = TABLE[name]
    assert word(*evidence) == expected


@pytest.mark.parametrize("name", TABLE)
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
        "left": {"ball": ["0/1", "3/1"]}, "right": {"ball": ["1/1", "2/1"]},
    },
    "an undecided margin": {"margins": {"h": {"value": {"ball": ["-1/1", "1/1"]}}}},
    "the other relation": {"relation": ">="},
    "another quantifier": {"quantifier": "some"},
    "simulated without an e-value": {"number": "simulated"},
    "a small e-value": {"number": "simulated", "e_value": ACCUSE / 2},
    "an e-value that is none": {"number": "simulated", "e_value": float("nan")},
}  # fmt: skip


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
        ("<=", "2/1", "1/1"), (">=", "1/1", "2/1"), ("==", "1/1", "2/1"), ("==", "2/1", "1/1"),
        ("<=", {"ball": ["2/1", "3/1"]}, {"ball": ["0/1", "1/1"]}), ("<=", 0.3, "299/1000"),
    ],
)  # fmt: skip
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
    assert word(MET, tie, POWER) == "holds"
    assert word(MET, changed(tie, guard=0.0), POWER) == "inconclusive"


@pytest.mark.parametrize("status", ["undecided", "reported", "not-applicable", "stopped"])
def test_a_certificate_must_have_decided(status: str) -> None:
    assert word(changed(PROOF, status=status), MET) == "inconclusive"
    assert word(changed(PROOF, proof=None), MET) == "inconclusive"


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


# -- who decided, and why --------------------------------------------------------------------------

NO_INSTANCE = (
    "no instance that meets every hypothesis was decided; a proof that none exists, or a family "
    "that contains one, would decide"
)
UNCONFIRMED = "an instance exceeds the bound but could not be confirmed exactly"
NO_POWER = "no counted mutant was killed, so the instances cannot tell the claim from a false one"
LINKED = Evidence("link", "reported", "every hypothesis follows")
LOOSE = Evidence("exact", "decided", "the exact one", counted=1, tried=1, worst=0.5)

REASONS = {
    "a witness": ([MET, WITNESS], Verdict("violated", "search", "an instance breaks it")),
    "a simulated witness": ([ACCUSED], Verdict("violated", "simulation", "mean above")),
    "what is missing": ([MISSING], Verdict("not-checkable", "hypotheses", "what small means")),
    "emptiness": ([EMPTY], Verdict("vacuous", "link", "the hypotheses contradict each other")),
    "an adrift link": ([PROOF, ADRIFT], Verdict("inconclusive", "link", ADRIFT.summary)),
    "only an adrift link holds a proof back": (
        [PROOF, MET, changed(ADRIFT, rung="search")], Verdict("proved", "certificate", "proved"),
    ),
    "a proof": ([PROOF, MET], Verdict("proved", "certificate", "proved")),
    "a proof under a checked link": ([PROOF, LINKED], Verdict("proved", "certificate", "proved")),
    "a shown instance": ([SHOWN], Verdict("proved", "search", "an instance shows it")),
    "a doubt": ([*SUPPORT, DOUBT], Verdict("inconclusive", "search", DOUBT.summary)),
    "a stop": ([*SUPPORT, STOPPED], Verdict("inconclusive", "search", "time limit")),
    "the first of two doubts": (
        [NONE_MET, STOPPED], Verdict("inconclusive", "hypotheses", NONE_MET.summary),
    ),
    "nothing": ([], Verdict("inconclusive", "hypotheses", NO_INSTANCE)),
    "an excess": (
        [MET, changed(TIGHT, worst=1.5), SEARCH, POWER],
        Verdict("inconclusive", "exact", UNCONFIRMED),
    ),
    "an unfinished search": (
        [MET, TIGHT, POWER], Verdict("inconclusive", "exact", "the search did not run to its end"),
    ),
    "an unfinished search after other rungs": (
        [TIGHT, changed(LOOSE, rung="simulation")],
        Verdict("inconclusive", "simulation", "the search did not run to its end"),
    ),
    "no power": ([MET, SEARCH], Verdict("inconclusive", "power", NO_POWER)),
    "the tightest instance": (SUPPORT, Verdict("holds", "exact", "the tightest one agrees")),
    "the tightest instance, first": (
        [TIGHT, SEARCH, POWER], Verdict("holds", "exact", "the tightest one agrees"),
    ),
    "the search where it is tightest": (
        [MET, LOOSE, SEARCH, POWER], Verdict("holds", "search", "50 instances"),
    ),
    "of two as tight the later name": (
        [MET, SEARCH, changed(LOOSE, worst=0.9), POWER], Verdict("holds", "search", "50 instances"),
    ),
    "an instance that uses nothing of the bound is not the tightest": (
        [SEARCH, changed(TIGHT, rung="simulation", worst=0.0), POWER],
        Verdict("holds", "search", "50 instances"),
    ),
    "of two without any use of the bound": (
        [changed(SEARCH, worst=0.0), changed(LOOSE, worst=0.0), POWER],
        Verdict("holds", "search", "50 instances"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REASONS)
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
    [changed(MET, counted=0), changed(MET, rung="units"), changed(LINKED, rung="search"),
     changed(LINKED, status="decided"), changed(LINKED, status="not-applicable")],
)  # fmt: skip
def test_a_proof_needs_an_instance_or_a_checked_link(inhabitant: Evidence) -> None:
    assert word(PROOF, inhabitant) == "inconclusive"
    assert word(PROOF, changed(MET, counted=1)) == "proved"


def test_one_sound_count_is_enough_and_one_unsound_is_too_much() -> None:
    assert word(changed(SEARCH, counted=1), POWER) == "holds"
    assert word(SEARCH, changed(TIGHT, worst=2.0), POWER) == "inconclusive"
    assert word(SEARCH, changed(TIGHT, worst=2.0, counted=0), POWER) == "holds", "it counts nothing"


@pytest.mark.parametrize(
    ("worst_ratio", "guard", "expected"),
    [(1 + 1e-9, 1e-9, "holds"), (1 + 2e-9, 1.0, "inconclusive"), (1 + 1e-11, 0.0, "inconclusive"),
     (1.0, 0.0, "holds"), (1 + 1e-12, 1e-11, "holds"), (1 + 1e-10, 1e-11, "inconclusive")],
)  # fmt: skip
def test_a_guard_is_never_wider_than_rounding(
    worst_ratio: float, guard: float, expected: str
) -> None:
    assert word(changed(SEARCH, worst=worst_ratio, guard=guard), POWER) == expected


# -- numbers of a witness --------------------------------------------------------------------------


def test_what_a_witness_does_not_say_is_read_in_the_usual_way() -> None:
    bare = {"left": "2/1", "right": "1/1"}
    # about all instances, at most, without hypotheses
    assert breaks(bare)
    assert not breaks({"left": "1/1", "right": "2/1"})
    assert not exhibits({"left": "1/1", "right": "2/1"})
    assert exhibits({"left": "1/1", "right": "2/1", "quantifier": "some"})
    assert not exhibits({"left": "2/1", "right": "1/1", "quantifier": "some"})


@pytest.mark.parametrize(
    ("margins", "met"),
    [
        ({}, True), ({"h": {"value": "0/1"}}, True),
        ({"h": {"value": "1/9", "strict": True}}, True),
        ({"h": {"value": "0/1", "strict": True}}, False), ({"h": {"value": "-1/9"}}, False),
        ({"a": {"value": "1/1"}, "b": {"value": "-1/1"}}, False),
        ({"a": {"value": "-1/1"}, "b": {"value": "1/1"}}, False),
        ({"h": {"value": {"ball": ["1/9", "2/9"]}, "strict": True}}, True),
        ({"h": {"value": {"ball": ["-1/9", "2/9"]}}}, False), ({"h": None}, False),
        ({"h": {"strict": False}}, False),
    ],
)  # fmt: skip
def test_every_stored_margin_must_hold(margins: dict[str, Any], met: bool) -> None:
    numbers = {"left": "2/1", "right": "1/1", "margins": margins}
    assert breaks(numbers) is met
    shown = {"left": "1/1", "right": "2/1", "margins": margins, "quantifier": "some"}
    assert exhibits(shown) is met


@pytest.mark.parametrize(
    ("e_value", "accused"), [(ACCUSE, True), (ACCUSE * 0.999, False), ("1e7", True), (0.0, False)]
)
def test_a_simulation_accuses_by_its_e_value_alone(e_value: Any, accused: bool) -> None:
    assert breaks({**SIMULATED, "e_value": e_value}) is accused
    assert breaks({**SIMULATED, "e_value": e_value, "left": 0.5}) is accused
    assert not breaks({**SIMULATED, "margins": {"h": {"value": -1.0}}, "e_value": e_value})
    assert not exhibits({**EXHIBIT, "number": "simulated"})


def test_balls_that_overlap_neither_accuse_nor_show() -> None:
    wide = {"left": {"ball": ["0/1", "3/1"]}, "right": {"ball": ["1/1", "2/1"]}}
    assert not breaks(wide)
    assert not breaks({**wide, "quantifier": "all"})
    assert not exhibits({**wide, "quantifier": "some"})


@pytest.mark.parametrize(
    ("mangled", "missing"),
    [({"right": "1/1"}, "'left'"), ({"left": "1/1"}, "'right'"),
     ({"left": "1/1", "right": "1/1", "relation": "!="}, "'!='")],
)  # fmt: skip
def test_a_mangled_witness_names_what_it_lacks(mangled: dict[str, Any], missing: str) -> None:
    said = f"left, right and one of <=, >=, ==, got no {missing}: check the file"
    with pytest.raises(InvalidInput, match=f"^witness must have {said}$"):
        breaks(mangled)


# -- growth along a ray ----------------------------------------------------------------------------

# left/right goes from 3/5 to four times that, which is 2^(16/8)
RAY = {
    "relation": "<~", "quantifier": "all", "left": "84/5", "right": "7/1", "doublings": 16,
    "near": {"left": "3/1", "right": "5/1"}, "margins": {"h": {"value": "0/1"}},
}  # fmt: skip
RAYS: dict[str, tuple[dict[str, Any], bool]] = {
    "fourfold over sixteen doublings": ({}, True),
    "a little less": ({"left": "1679/100"}, False),
    "a little less, below the line": ({"right": "701/100"}, False),
    "from a little more": ({"near": {"left": "301/100", "right": "5/1"}}, False),
    "from a little more, below the line": ({"near": {"left": "3/1", "right": "499/100"}}, False),
    "small numbers": (
        {"left": "84/5000", "right": "7/1000", "near": {"left": "3/1000", "right": "5/1000"}}, True,
    ),
    "much more": ({"left": "840/1"}, True),
    "a longer ray": ({"doublings": 17}, False),
    "a longer ray that grows with it": ({"doublings": 24, "left": "168/5"}, True),
    "a shorter ray": ({"doublings": 15, "left": "840/1"}, False),
    "equal at both ends": ({"left": "3/1", "right": "5/1"}, False),
    "balls that can tell": ({"left": {"ball": ["17/1", "18/1"]}}, True),
    "balls that cannot": ({"left": {"ball": ["16/1", "18/1"]}}, False),
    "a ball around zero": ({"right": {"ball": ["-1/1", "1/1"]}}, False),
    "nothing to the left": ({"left": "0/1"}, False),
    "nothing to the right": ({"right": "0/1"}, False),
    "nothing near to the left": ({"near": {"left": "0/1", "right": "5/1"}}, False),
    "nothing near to the right": ({"near": {"left": "3/1", "right": "0/1"}}, False),
    "negative twice": ({"left": "-84/5", "right": "-7/1"}, False),
    "no near point": ({"near": None}, False),
    "a near point without a side": ({"near": {"left": "3/1"}}, False),
    "no length": ({"doublings": "long"}, False),
    "a side that is no number": ({"left": "x"}, False),
    "a missed hypothesis": ({"margins": {"h": {"value": "-1/1"}}}, False),
    "about some instance": ({"quantifier": "some"}, False),
}  # fmt: skip


@pytest.mark.parametrize("name", RAYS)
def test_only_growth_like_a_power_breaks_a_claim_up_to_a_constant(name: str) -> None:
    change, expected = RAYS[name]
    assert breaks({**RAY, **change}) is expected


@pytest.mark.parametrize("field", ["near", "left", "right", "doublings"])
def test_a_ray_without_a_field_accuses_nobody(field: str) -> None:
    assert not breaks({k: v for k, v in RAY.items() if k != field})
