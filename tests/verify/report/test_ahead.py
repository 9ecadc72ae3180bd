"""Witnesses that another process works out are those that are worked out here."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.verify.report.ledgers import library as small_library
from verify.report import witness
from verify.report.model import LeafLine
from verify.report.write import report


def page_of(ledger: Path, name: str) -> bytes:
    path = ledger.parent / name
    report(ledger, path)
    return path.read_bytes()


def test_the_page_is_the_same(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    told = witness.Witnesses.told

    def seen(self: witness.Witnesses, leaf: LeafLine) -> object:
        asked.append("ahead" if leaf.key in self._ahead else "here")
        return told(self, leaf)

    monkeypatch.setattr(witness.Witnesses, "told", seen)
    monkeypatch.setattr(witness, "cpu_count", lambda: 2)
    here = page_of(small, "here.html")
    assert {*asked} == {"here"}
    asked.clear()
    monkeypatch.setattr(witness, "FEWEST", 1)
    monkeypatch.setattr(witness, "library", small_library)
    assert page_of(small, "ahead.html") == here
    assert {*asked} == {"ahead"}


def test_one_that_is_killed_is_worked_out_here(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = page_of(small, "here.html")
    monkeypatch.setattr(witness, "cpu_count", lambda: 2)
    monkeypatch.setattr(witness, "FEWEST", 1)
    monkeypatch.setattr(witness, "_block", die)
    assert page_of(small, "ahead.html") == here


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
