"""Statements of a file that no name holds in the end are told; files of the examples hold all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.each import each
from tests.places import ROOT
from verify.catalogue.user_file import Origin, load_statements
from verify.cli import main

HEAD = """
from verify import Real, numbers, statement

FAMILY = numbers({"x": Real(0, 1)})


def claim(key, more):
    @statement(key, where="x", latex="0", family=FAMILY)
    def sides(w):
        return {"left": w.x}, {"right": w.x + more}
    return sides

"""
FILES = {
    "each its name": ("a = claim('mine.a', 1)\nb = claim('mine.b', 2)\n", ()),
    "a tuple": ("both = (claim('mine.a', 1), claim('mine.b', 2))\n", ()),
    "one name twice": ("a = claim('mine.a', 1)\na = claim('mine.b', 2)\n", ("mine.a",)),
    "a dict": ("a = claim('mine.a', 1)\nmore = {'b': claim('mine.b', 2)}\n", ("mine.b",)),
    "nothing": ("a = claim('mine.a', 1)\nclaim('mine.b', 2)\n", ("mine.b",)),
}


@each("name", FILES)
def test_what_no_name_holds_is_known(name: str, tmp_path: Path) -> None:
    text, passed = FILES[name]
    path = tmp_path / f"{name}.py"
    path.write_text(HEAD + text)
    found = load_statements(Origin.of(path))
    assert found.passed_over == passed
    held = {leaf.key for entry in found for leaf in entry.leaves}
    assert held == {"mine.a", "mine.b"} - set(passed)


def test_it_is_said_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one name twice", "each its name"):
        path = Path(name.replace(" ", "_") + ".py")
        path.write_text(HEAD + FILES[name][0])
        assert main(["check", str(path), "--no-reasons"]) == 0
    first, second = capsys.readouterr().out.split("Ledger: ")[:2]
    assert first.startswith("passed over: mine.a, which no name of the file holds")
    assert "passed over" not in second


@each("path", sorted((ROOT / "examples").glob("*.py")))
def test_examples_hold_all_that_they_make(path: Path) -> None:
    assert load_statements(Origin.of(path)).passed_over == ()
