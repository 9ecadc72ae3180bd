"""The measured words and kinds: what they must show, and a sample of them measured again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.qa.calibration.kinds.planted import PLANTED
from tests.qa.calibration.kinds.record import Planted, told
from tests.qa.calibration.known.cases import FIRST
from tests.qa.calibration.known.judged import is_open, is_wrong, word_of
from tests.qa.calibration.known.record import Known
from tests.qa.calibration.known.second import SECOND
from tests.qa.calibration.known.table import faults, tables
from tests.qa.calibration.measure import DATA, TABLE, jobs
from verify.ladder import PROFILES, assay
from verify.line import one_line

ROWS: dict[str, dict[str, Any]] = json.loads(DATA.read_text())
EVERY = (*FIRST, *SECOND)
STRIDE, KIND_STRIDE = 50, 25
"""One case in so many is measured again by default, the others where slow tests are asked for."""


HELD = (
    "known.overflow.large_powers_more",
    "known.overflow.only_where_floats_end",
    "known.matrix.trace_three",
    "known.far.small",
)
"""Falsehoods that were said to hold when they were first measured."""


def strided(cases: Any, stride: int) -> list[Any]:
    """All cases; those off the stride are slow."""
    chosen = {case.key for case in cases[stride // 2 :: stride]} | set(HELD)
    return [
        pytest.param(case, id=case.key, marks=[] if case.key in chosen else pytest.mark.slow)
        for case in cases
    ]


def test_the_table_is_that_of_the_data() -> None:
    assert TABLE.read_text() == tables(ROWS)


def test_every_case_is_measured_as_it_stands_and_nothing_else() -> None:
    assert list(ROWS) == list(jobs())
    for known in EVERY:
        row = ROWS[known.key]
        assert (row["said"], row["truth"]) == (known.said, known.truth)
    for planted in PLANTED:
        assert (ROWS[planted.key]["said"], ROWS[planted.key]["planted"]) == (
            planted.said,
            planted.kind,
        )


def test_no_word_is_wrong_and_enough_are_decided_and_named() -> None:
    assert faults(ROWS) == []


@pytest.mark.parametrize("known", strided(EVERY, STRIDE))
def test_no_word_is_wrong_today(known: Known) -> None:
    row = word_of(known)
    assert not is_wrong(row), row
    assert known.key not in HELD or row["word"] == "violated"


@pytest.mark.parametrize("planted", strided(PLANTED, KIND_STRIDE))
def test_a_kind_is_named_as_it_was_measured(planted: Planted) -> None:
    row = told(planted)
    assert row["kind"] == ROWS[planted.key]["kind"], row


def test_the_first_line_of_holds_names_where_the_search_ends() -> None:
    quick = PROFILES["quick"]
    many = assay(one_line("max_i(x[i]) <= 1000*mean_i(x[i]) for x >= 0"), profile=quick)
    assert many.verdict == "holds"
    assert "looked at up to N = " in many.reason
    assert "x = " in many.reason
    whole = assay(one_line("exp(x) <= 1 + 2*x for x in [0, 1]"), profile=quick)
    assert whole.verdict == "holds"
    assert "looked at" not in whole.reason


# -- controls: each fault is seen ------------------------------------------------------------------


def known_row(truth: str, word: str, line: str = "", **more: Any) -> dict[str, Any]:
    row = {"said": "", "truth": truth, "word": word, "line": line}
    return {**row, "set": "first", "seconds": 1.0, "date": "2026-11-24", **more}


@pytest.mark.parametrize(
    ("truth", "word", "line", "wrong"),
    [
        ("true", "violated", "", True),
        ("true", "vacuous", "", True),
        ("true", "holds", "", False),
        ("true", "inconclusive", "", False),
        ("false", "holds", "N up to 12", True),
        ("false", "proved", "", True),
        ("false", "violated", "", False),
        ("beyond", "holds", "100 instances", True),
        ("beyond", "holds", "100 instances, N up to 12", False),
        ("beyond", "proved", "N up to 12", True),
        ("empty", "holds", "", True),
        ("empty", "vacuous", "", False),
        ("says nothing", "holds", "", True),
        ("says nothing", "inconclusive", "", False),
    ],
)
def test_what_counts_as_wrong(truth: str, word: str, line: str, wrong: bool) -> None:
    assert is_wrong(known_row(truth, word, line)) is wrong


def test_one_wrong_word_is_a_fault() -> None:
    rows = {f"a{k}": known_row("true", "holds") for k in range(9)}
    assert faults(rows) == []
    assert faults({**rows, "b": known_row("false", "holds")})


def test_a_twentieth_may_be_undecided() -> None:
    rows = {f"a{k}": known_row("true", "holds") for k in range(19)}
    one = {**rows, "b": known_row("true", "inconclusive")}
    assert is_open(one["b"])
    assert is_open(known_row("true", "refused"))
    assert faults(one) == []
    assert faults({**one, "c": known_row("true", "refused")})


def test_a_tenth_of_the_kinds_may_be_misnamed() -> None:
    def row(kind: str) -> dict[str, Any]:
        made = {"said": "", "planted": "slip", "kind": kind, "line": ""}
        return {**made, "set": "kinds", "seconds": 1.0, "date": "2026-11-24"}

    rows = {f"a{k}": row("slip") for k in range(9)} | {"b": row("open")}
    assert faults(rows) == []
    assert faults({**rows, "c": row("order")})
