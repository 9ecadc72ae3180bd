"""The table of controls: which claims about runs that stand are about how the run runs.

``python -m tests.qa.controls.record LEDGER`` writes it anew from the evidence of a ledger.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verify.catalogue.worlds import is_check
from verify.verdict.earned import silent
from verify.verdict.verdict import HOLDS, PROVED

TABLE = Path(__file__).parent / "table.md"

HEAD = """# Controls by exchange

Claims about runs that stand, each with the run exchanged for one that never moves, one that jumps
at random, one of each client alone, one of plain averaging and one of groups drawn at random, on
the instances that its search has kept (`verify/ladder/price/controls.py`). Hypotheses about the run
are those of the control's run. A claim that no control breaks says nothing of what moves the
models: it is about weights at a point, about the run's own residuals, or about the instances.

| leaf | word | broken by | stands for |
| --- | --- | --- | --- |
"""

Row = tuple[str, str, Mapping[str, Any]]
"""Leaf, word, and what the controls came to."""


def rows(ledger: Mapping[str, Any]) -> Iterator[Row]:
    """The leaves of claims that stand and whose runs were exchanged, in a ledger."""
    for entry in (line for line in ledger["entries"] if not is_check(line)):
        for leaf in entry["leaves"]:
            if leaf["verdict"] not in (HOLDS, PROVED):
                continue
            for item in leaf["evidence"]:
                if item["rung"] == "method" and item.get("details"):
                    yield leaf["id"], leaf["verdict"], item["details"]


def table(found: Iterator[Row]) -> str:
    """The table, claims that no control breaks first."""
    every = sorted(found, key=lambda row: not silent(row[2]))
    return HEAD + "".join(
        f"| {key} | {word} | {_said(told['fall'])} | {_said(told['stand'])} |\n"
        for key, word, told in every
    )


def listed() -> dict[str, list[str]]:
    """Leaf -> word, controls that break it, controls that satisfy it, as the table has them."""
    lines = TABLE.read_text().partition("| --- |")[2].splitlines()[1:]
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return {key: told for key, *told in cells}


def _said(names: list[str]) -> str:
    every = ("standing still", "jumping at random", "each client alone", "plain averaging")
    return "all" if {*every} < {*names} else ", ".join(names) or "none"


if __name__ == "__main__":
    TABLE.write_text(table(rows(json.loads(Path(sys.argv[1]).read_text()))))
