"""One record, four tellings: show, run, report and notebook say the same of an entry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from verify.catalogue.entry import describes
from verify.catalogue.library import library
from verify.cli.first_screen import clipped, counted, instead, result_lines
from verify.cli.run import report
from verify.face.page import block
from verify.face.result import Result
from verify.face.screen import Ledger, screen
from verify.ledger.explain import repair_lines
from verify.ledger.failures import fails_in_words, notes
from verify.report.evidence import facts

EXPECTED = Path(__file__).parents[2] / "expected" / "quick.json"
EVERY = 5
"""Of the whole ledger each so many entries are told in all four ways; all of them in two."""


@cache
def record() -> dict[str, Mapping[str, Any]]:
    """The expected ledger as lines: words and kinds, one leaf each that decides."""
    stored = json.loads(EXPECTED.read_text(encoding="utf-8"))
    lines = {}
    for entry in library():
        word = stored["entries"].get(entry.key)
        leaves = [
            {"id": leaf.key, **stored["leaves"][leaf.key], "reason": "said", "evidence": []}
            for leaf in entry.claims
            if leaf.key in stored["leaves"]
        ]
        lines[entry.key] = {
            "key": entry.key,
            "paper": entry.paper,
            "kind": entry.kind,
            "form": entry.form,
            "verdict": word,
            "reason": "said",
            "leaves": leaves,
            "fails": stored["fails"].get(entry.key),
            "stands": None,
            "kindest": None,
            "rests": [],
        }
    return lines


def told_by_show(key: str) -> str:
    entry = library().entry(key)
    return " ".join(screen(entry, library(), Ledger("x.json", record(), library().axes)).split())


def told_by_run(key: str) -> str:
    ledger = {"entries": list(record().values())}
    return "\n".join(result_lines(ledger, [record()[key]], 4000, library()))


def test_word_and_kind_are_the_same_in_all_tellings() -> None:
    keys = [key for key, line in record().items() if line["verdict"] is not None]
    fallen = [key for key in keys if record()[key]["fails"]]
    assert len(fallen) > 100
    for key in {*fallen, *keys[::EVERY]}:
        line = record()[key]
        fails = line["fails"]
        entry = library().entry(key)
        shown, run = told_by_show(key), told_by_run(key)
        table = notes(line, library().axes[entry.paper])
        if not describes(entry.leaves[0]) and line["leaves"]:
            assert f" {line['verdict']}: " in f" {shown}", key
        if not fails:
            assert line["verdict"] in run, key
            assert "falls" not in run, key
            continue
        assert f"falls: {fails['kind']}" in run, key
        assert f"{fails['kind']}: " in table, key
        assert fails_in_words(line) == f"{fails['kind']}: {fails['words']}"
        assert f" {fails['kind']}: " in shown, key


def test_another_kind_in_the_record_is_another_one_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Negative control: nobody looks the kind up elsewhere."""
    key = "fedbc.lemmaB1i"
    planted = {**record()[key], "fails": {"kind": "empty", "words": "planted words"}}
    monkeypatch.setitem(record(), key, planted)
    assert "empty: planted words" in told_by_show(key)
    assert "falls: empty" in told_by_run(key)


LAW = "along N, all else as at the witness, left/right grows like N/2, exactly (8 values)"
MEND = {"mend": "2 times the right side", "word": "holds", "reason": "said", "ratio": 1.0}


def planted_leaf(key: str) -> dict[str, Any]:
    """A leaf with one law and one mended claim."""
    law = {
        "along": "N",
        "kind": "power",
        "values": [[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]],
        "text": LAW,
    }
    return {
        "id": key,
        "verdict": "violated",
        "rung": "exact",
        "reason": "said",
        "scope": "",
        "tightness": None,
        "power": None,
        "follows": "unknown",
        "hint": "",
        "not_needed": [],
        "repairs": [MEND],
        "laws": [law],
        "searched": [],
        "witness": None,
        "evidence": [],
    }


def test_law_and_mend_are_the_same_in_all_tellings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "allforall.fano"
    deciding = library().entry(key).claims[0].key
    leaf = planted_leaf(deciding)
    (mend,) = repair_lines([MEND])
    line = {**record()[key], "leaves": [leaf], "timing": {"seconds": 1.0}, "witness": None}
    monkeypatch.setitem(record(), key, line)
    shown = told_by_show(key)
    ledger = {
        "entries": [line],
        "readings": {},
        "schema": "fedassay-ledger/1",
    }
    report(ledger, tmp_path / "x.json", reasons=True, trust=True)
    run = capsys.readouterr().out
    page = str(facts({**leaf, "verdict": "violated"}, {}))
    claim = {"title": "", "where": "", "latex": "x", "given": [], "key": deciding}
    notebook = str(block(Result(claim, leaf, None, {}, 1.0)))
    for told in (shown, " ".join(run.split()), page, notebook):
        assert LAW in told
        assert mend in told


def test_a_line_fits_the_terminal_and_says_what_holds_instead() -> None:
    ledger = {"entries": list(record().values())}
    main = [line for line in record().values() if line["form"] == "printed" and line["verdict"]]
    for columns in (60, 80, 120):
        told = [*result_lines(ledger, main, columns, library())]
        assert told
        assert all(len(text) <= columns for text in told)
    fano = record()["allforall.fano"]
    assert instead(ledger, fano) == "instead .repaired, proved"
    without = {"entries": [fano]}
    assert instead(without, fano) == ""  # control: no form, no mend
    assert clipped("x" * 90, 80).endswith("…")
    assert counted("p", [fano]).startswith("p: 1 main result: 1 ")
