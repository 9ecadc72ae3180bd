"""A short run of the fuzz, and that it would see what it looks for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.trusted.checker.fuzz import fuzz
from tests.trusted.checker.points import Reader, holds_at
from tests.trusted.checker.rows.worst import GENUINE
from verify.certify import checker


def test_nothing_false_is_accepted_and_everything_has_an_answer() -> None:
    report = fuzz(4.0, seed=1, points=100)
    assert report.faults == []
    assert report.asked > 100
    assert report.accepted


def test_a_checker_that_believes_too_much_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does not look at what the proof proves."""
    check = checker.check

    def believing(document: Any) -> str:
        try:
            return check(document)
        except checker.Refused as reason:
            if "that is proved is not the claimed" not in str(reason):
                raise
            return str(document["claim"])

    monkeypatch.setattr(checker, "check", believing)
    (fault,) = fuzz(4.0, seed=1, points=50, most=1).faults
    assert fault.startswith("false at")


def test_a_checker_that_breaks_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(document: Any) -> str:
        raise RecursionError("too deep")

    monkeypatch.setattr(checker, "check", check)
    assert fuzz(0.2, seed=1).faults[0].startswith("RecursionError")


def test_genuine_proofs_are_true_at_their_points() -> None:
    seen = 0
    for name, document in GENUINE.items():
        if document["format"] == checker.WORST_CASE:
            continue
        for number in range(40):
            reader = Reader(document["symbols"], set(document.get("vectors", [])), 2, number)
            holds = holds_at(document, reader)
            assert holds is not False, name
            seen += bool(holds)
    assert seen > 500
