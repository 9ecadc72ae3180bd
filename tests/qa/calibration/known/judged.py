"""The word of one statement of known truth, and whether it is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

from bounds.numbers.validate import InvalidInput
from tests.qa.calibration.known.record import BEYOND, UNDECIDED, WRONG
from verify.claim.statement import Statement
from verify.run.tasks import Settings, examine

REFUSED = "refused"
LIMIT = re.compile(r"\bup to\b|\bbeyond\b|\bwithin\b")
"""How a first line names the limit of what was searched."""


class Claimed(Protocol):
    """A claim with its truth."""

    @property
    def statement(self) -> Statement: ...
    @property
    def truth(self) -> str: ...
    @property
    def said(self) -> str: ...


def word_of(known: Claimed, profile: str = "default", seed: int = 0) -> dict[str, Any]:
    """Truth, word and first line of one claim, as data."""
    row = {"said": known.said, "truth": known.truth}
    try:
        leaf = examine(known.statement, Settings(profile, seed), word=True).leaf
    except InvalidInput as error:
        return {**row, "word": REFUSED, "line": str(error)}
    return {**row, "word": leaf["verdict"], "line": leaf["reason"]}


def is_wrong(row: Mapping[str, Any]) -> bool:
    """Whether a word says what is not so."""
    if row["word"] in WRONG[row["truth"]]:
        return True
    return row["truth"] == BEYOND and row["word"] == "holds" and not LIMIT.search(row["line"])


def is_open(row: Mapping[str, Any]) -> bool:
    """Whether a claim is left undecided."""
    return row["word"] in (UNDECIDED, REFUSED)
