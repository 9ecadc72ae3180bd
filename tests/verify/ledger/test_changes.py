"""The list of changed verdicts says what the expected ledger says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.places import EXPECTED
from verify.catalogue.json_files import read_json
from verify.catalogue.library import library
from verify.ledger.readings import read

FOLDER = EXPECTED
CHANGES = (FOLDER / "changes.md").read_text(encoding="utf-8")
EXPECTED = read_json(FOLDER / "quick.json", "fedassay-expected/1")
HEAD = "| before | after | entries |"


def rows(text: str) -> Iterator[tuple[str, str, bool]]:
    """Word, key and whether the row speaks of some leaves of the entry alone, of all tables."""
    paper, inside = "", False
    for line in text.splitlines():
        if line.startswith("## "):
            paper = line[3:].strip()
        if line == HEAD or not line.startswith("|"):
            inside = line == HEAD
        elif inside and "---" not in line:
            _, word, entries = (cell.strip() for cell in line.strip("|").split("|"))
            part = False
            for name in re.split(r",\s+(?:and\s+)?", re.sub(r"\s\([^)]*\)", "", entries)):
                part = part or name.startswith("leaves of ")
                key = name.removeprefix("leaves of ")
                known = key.split(".")[0] in ("world", *library().papers)
                yield word, key if known else f"{paper}.{key}", part


def stale(text: str, expected: Mapping[str, Any]) -> list[str]:
    """Keys of rows that say another word than the expected ledger."""
    found = []
    for word, key, part in rows(text):
        entry = expected["entries"].get(key, "gone")
        leaves = {
            leaf["verdict"]
            for name, leaf in expected["leaves"].items()
            if re.match(rf"{re.escape(key)}(?:[/@]|$)", name)
        }
        if word not in (leaves if part else {entry}):
            found.append(f"{key}: {word}, but {sorted(leaves) if part else entry}")
    return found


def test_every_row_says_the_word_that_is_expected() -> None:
    assert len(list(rows(CHANGES))) > 150
    assert stale(CHANGES, EXPECTED) == []


@pytest.mark.parametrize(
    "row",
    [
        "| violated | holds | theorem3.step |",
        "| new | proved | no.such.entry |",
        "| holds | proved | leaves of theorem2.horizon |",
        "| | gone | theorem1 |",
    ],
)
def test_a_stale_row_is_named(row: str) -> None:
    planted = CHANGES.replace(f"## adaptive\n\n{HEAD}\n", f"## adaptive\n\n{HEAD}\n{row}\n")
    assert len(stale(planted, EXPECTED)) == 1


@pytest.mark.parametrize("paper", ["adaptive", "allforall"])
def test_main_results_are_counted_as_the_list_says(paper: str) -> None:
    section = CHANGES.partition(f"## {paper}\n")[2].partition("\n## ")[0]
    told = re.search(r"(\d+) of (\d+) main results stand[^\d\n]*(\d+)", section)
    assert told is not None
    lines = [
        {
            "kind": entry.kind,
            "form": entry.form,
            "leaves": [
                {
                    "id": leaf.key.removeprefix(entry.key),
                    "witness": None,
                    "reason": "",
                    "verdict": EXPECTED["leaves"][leaf.key]["verdict"],
                }
                for leaf in entry.claims
            ],
        }
        for entry in library()
        if entry.paper == paper
    ]
    stand = read(lines, library().axes[paper], ())["stand"]
    assert [int(n) for n in told.groups()] == [stand["literal"], stand["of"], stand["kindest"]]
