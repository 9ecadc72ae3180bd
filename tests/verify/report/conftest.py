"""The small ledger, its model, and its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.report import ledgers
from verify.report import report


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ledger with every verdict; the library is the one that it was made from."""
    monkeypatch.setattr("verify.report.write.library", ledgers.library)
    return ledgers.ledger(tmp_path)


@pytest.fixture
def page(small: Path) -> str:
    """Text of its page."""
    report(small, small.parent / "page.html")
    return (small.parent / "page.html").read_text(encoding="utf-8")
