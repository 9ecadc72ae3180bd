"""A proof is checked once; another one is another text."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.trusted.certify.test_checker import proof_of
from verify.certify import checker
from verify.certify.prover import accepted


def test_the_same_text_is_checked_once_and_a_changed_one_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []
    check = checker.accepts

    def counting(document: Any) -> bool:
        seen.append(document)
        return check(document)

    monkeypatch.setattr(checker, "accepts", counting)
    accepted._accepted.cache_clear()
    document = proof_of("Young")
    forged = copy.deepcopy(document)
    forged["claim"]["relation"] = "<" if forged["claim"]["relation"] != "<" else "<="
    assert accepted.accepts(document)
    assert not accepted.accepts(forged)
    assert accepted.accepts(copy.deepcopy(document))
    assert not accepted.accepts(forged)
    assert len(seen) == 2


def test_only_so_many_answers_are_kept() -> None:
    for number in range(accepted.KEPT + 8):
        assert not accepted.accepts({"format": number})
    assert accepted._accepted.cache_info().currsize == accepted.KEPT


def test_what_is_no_text_is_asked_of_the_checker() -> None:
    assert not accepted.accepts({"format": object()})
