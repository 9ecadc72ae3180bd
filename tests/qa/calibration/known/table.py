"""The measured words as a table, with totals, and what they miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.qa.calibration.known.judged import is_open, is_wrong

MOST_OPEN = 1 / 20
"""Largest share of claims that may be left undecided."""

Row = Mapping[str, Any]
SETS = {"first": "First set", "second": "Second set"}


def of_set(rows: Mapping[str, Row], name: str) -> dict[str, Row]:
    """Rows of one set, by key."""
    return {key: row for key, row in rows.items() if row["set"] == name}


def faults(rows: Mapping[str, Row]) -> list[str]:
    """What must not be: wrong words, and too many claims left undecided."""
    return [text for name in SETS for text in _faults(of_set(rows, name))]


def _faults(rows: Mapping[str, Row]) -> Iterator[str]:
    for key, row in rows.items():
        if is_wrong(row):
            yield f"{key} is {row['truth']}, and the word is {row['word']}: {row['line']}"
    undecided = [key for key, row in rows.items() if is_open(row)]
    if len(undecided) > MOST_OPEN * len(rows):
        yield f"{len(undecided)} of {len(rows)} are undecided: {', '.join(undecided)}"


def tables(rows: Mapping[str, Row]) -> str:
    """All of it as a page."""
    parts = ["# Measured words and kinds of failure", ""]
    for name, title in SETS.items():
        own = of_set(rows, name)
        if own:
            parts += [f"## {title}", "", *_totals(own), "", *_words(own), ""]
    return "\n".join(parts)


def _totals(rows: Mapping[str, Row]) -> Sequence[str]:
    values = list(rows.values())
    wrong, left = sum(map(is_wrong, values)), sum(map(is_open, values))
    seconds = sum(row["seconds"] for row in values)
    dates = sorted({row["date"] for row in values})
    by = Counter((row["truth"], row["word"]) for row in values)
    return [
        f"{len(values)} statements, {wrong} wrong words, {left} undecided "
        f"({100 * left / len(values):.1f} %), {seconds:.0f} seconds, {' to '.join(dates)}",
        "",
        *(f"- {truth}: {word} {count}" for (truth, word), count in sorted(by.items())),
    ]


def _words(rows: Mapping[str, Row]) -> Sequence[str]:
    lines = ["| statement | truth | word | seconds |", "| --- | --- | --- | --- |"]
    for key, row in rows.items():
        said = row["said"].replace("|", "\\|")
        mark = " (wrong)" if is_wrong(row) else ""
        lines.append(
            f"| `{key}`: {said} | {row['truth']} | {row['word']}{mark} | {row['seconds']} |"
        )
    return lines
