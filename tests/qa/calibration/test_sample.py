"""A fixed sample of the calibration set at the quick profile: no mistake in either direction.

The whole set at ``default`` takes minutes: ``python -m tests.qa.calibration``.
"""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from tests.qa.calibration.__main__ import main
from tests.qa.calibration.cases import CASES, MISTAKES, Case
from tests.qa.calibration.claims.active import ACTIVE_PAIRS
from tests.qa.calibration.judge import Judgement, judge, table, too_vague
from tests.qa.calibration.record import Pair
from verify.ladder import PROFILES, assay

SIZE, FEW = 40, 20
EVERY = 12
"""Which of the pairs at ``default`` are judged here; ``pytest -m slow`` judges the others."""

OPEN: dict[str, str] = {}
"""Mistakes that the ladder makes today; one that it no longer makes must leave this table."""


def sample() -> list[Case]:
    """The cases with the smallest checksums of their keys: fixed, and chosen by nobody."""
    return sorted(CASES, key=lambda case: zlib.crc32(case.statement.key.encode()))[:SIZE]


def marked(place: int, case: Case) -> Any:
    """The case, with what is known to go wrong; those after the first `FEW` are slow."""
    reason = OPEN.get(case.statement.key)
    marks = [] if reason is None else [pytest.mark.xfail(reason=reason, strict=True)]
    marks += [pytest.mark.slow] if place >= FEW else []
    return pytest.param(case, id=case.statement.key, marks=marks)


def judged(role: str, word: str) -> Judgement:
    case = next(c for c in CASES if c.role == role)
    return Judgement(case.kind, role, "", word, "", "", case.mistaken(word), None, 0.0)


@pytest.mark.parametrize("case", [marked(k, case) for k, case in enumerate(sample())])
def test_no_mistake(case: Case) -> None:
    found = judge(case, "quick")
    assert not found.mistaken, f"{found.verdict}: {found.reason}"


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(
            pair, id=pair.truth.statement.key, marks=[pytest.mark.slow] if k % EVERY else []
        )
        for k, pair in enumerate(ACTIVE_PAIRS)
    ],
)
def test_a_corner_of_several_hypotheses_is_reached_and_no_truth_accused(pair: Pair) -> None:
    default = PROFILES["default"].word_alone()
    assert assay(pair.falsehood.statement, profile=default).verdict == "violated"
    found = assay(pair.truth.statement, profile=default)
    assert found.verdict in ("holds", "proved")
    assert found.tightness is not None
    assert found.tightness["ratio"] > 1 - 1e-3


@pytest.mark.parametrize(
    ("role", "word", "mistaken"),
    [
        ("falsehood", "holds", True),
        ("falsehood", "violated", False),
        ("falsehood", "inconclusive", False),
        ("truth", "violated", True),
        ("truth", "inconclusive", False),
        ("truth", "refused", True),
        ("words", "holds", True),
        ("words", "vacuous", False),
        ("mixing", "proved", True),
        ("mixing", "refused", False),
        ("missing", "proved", True),
    ],
)
def test_what_counts_as_a_mistake(role: str, word: str, mistaken: bool) -> None:
    assert judged(role, word).mistaken is mistaken


def test_every_role_has_its_mistakes() -> None:
    assert {case.role for case in CASES} == set(MISTAKES)


def test_a_tenth_of_the_truths_may_stay_open() -> None:
    sure, vague = judged("truth", "holds"), judged("truth", "inconclusive")
    assert not too_vague([sure] * 9 + [vague])
    assert too_vague([sure] * 8 + [vague] * 2)


def test_summary_marks_mistakes() -> None:
    assert "MISTAKES 1" in table([judged("truth", "violated"), judged("truth", "holds")])


def test_unknown_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "nothing"])
    assert "invalid choice" in capsys.readouterr().err
