"""A proof is checked once; another one is another text."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.trusted.test_checker import proof_of
from verify.certify import accepted, checker


def test_the_same_text_is_checked_once_and_a_changed_one_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []
    check = checker.accepts

    def counting(document: Any) -> bool:
        seen.append(document)
        return check(document)

    monkeypatch.setattr(checker, "accepts", counting)
    monkeypatch.setattr(accepted, "_ANSWERS", type(accepted._ANSWERS)())
    document = proof_of("Young")
    forged = copy.deepcopy(document)
    forged["claim"]["relation"] = "<" if forged["claim"]["relation"] != "<" else "<="
    assert accepted.accepts(document)
    assert not accepted.accepts(forged)
    assert accepted.accepts(copy.deepcopy(document))
    assert not accepted.accepts(forged)
    assert len(seen) == 2


def test_only_so_many_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accepted, "_ANSWERS", type(accepted._ANSWERS)())
    monkeypatch.setattr(accepted, "KEPT", 3)
    for number in range(8):
        assert not accepted.accepts({"format": number})
    assert len(accepted._ANSWERS) == 3


def test_what_is_no_text_is_asked_of_the_checker() -> None:
    assert not accepted.accepts({"format": object()})
