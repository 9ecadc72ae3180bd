"""Where files lie that tests read."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
EXPECTED = TESTS / "expected"
