"""Row numbers that a data frame writes in front of its columns: no data, and told to be none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bounds.numbers.validate import InvalidInput

__all__ = ["without_row_numbers"]

UNNAMED = re.compile(r"(?:unnamed: \d+(?:[._]\d+)*)?", re.IGNORECASE)
"""Heading of a column without a name, as written, or as read and written once more."""


def without_row_numbers(
    columns: Mapping[str, Sequence[str]],
) -> tuple[dict[str, Sequence[str]], list[str]]:
    """Columns without those that have no name and count the rows, and a line for each left out.

    Raises
    ------
    InvalidInput
        Where a column without a name holds something else.
    """
    kept: dict[str, Sequence[str]] = {}
    lines = []
    for number, (name, cells) in enumerate(columns.items(), 1):
        if not UNNAMED.fullmatch(name):
            kept[name] = cells
            continue
        called = f"column {number}" + (f" ({name})" if name else "")
        if not all(_whole(cell) for cell in cells):
            other = next(cell for cell in cells if not _whole(cell))
            raise InvalidInput(
                f"{called} must have a name unless it holds row numbers, got {other!r} in it: "
                "write its name into the heading, or take the column out."
            )
        lines.append(
            f"left out: {called}, row numbers without a name, as a data frame writes them; "
            "give it a name if it is data"
        )
    return kept, lines


def _whole(cell: Any) -> bool:
    """Whether a cell is a whole number that is not negative."""
    return str(cell).strip().isdecimal()
