"""An output file that holds something else is left alone, unless one says otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.each import each
from verify.catalogue.whole_files import require_ours
from verify.cli.main import main

TABLE = "client,x\n1,0.5\n"
LEDGER = json.dumps({"schema": "fedassay-ledger/1", "entries": []})
GRADIENTS = "client,size,g1,g2\na,10,1,0\nb,10,1,0.1\nc,10,-1,0\n"

COMMANDS = {
    "partition": ["partition", "gradients.csv", "--alpha", "10"],
    "export": ["export", "fedbc.eq33", "--to", "json"],
    "report": ["report", "ledger.json"],
    "rates": ["rates", "*", "--profile", "quick"],
    "compare": ["compare", "fedbc.eq33", "fedbc.eq34"],
    "bench": ["bench", "--seconds", "0.01"],
}


@each("name", COMMANDS)
def test_a_foreign_file_is_refused_before_any_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gradients.csv").write_text(GRADIENTS)
    for content in (TABLE, LEDGER, "%PDF-1.4 \x00"):
        Path("mine.txt").write_text(content)
        code = main([*COMMANDS[name], "-o", "mine.txt"])
        said = capsys.readouterr().err
        assert code == 2, said
        assert "which holds something else: name another file, or pass --force" in said
        assert Path("mine.txt").read_text() == content


def test_what_a_command_wrote_it_writes_again_and_force_replaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gradients.csv").write_text(GRADIENTS)
    made = ["partition", "gradients.csv", "--alpha", "10", "-o", "groups.json"]
    assert main(made) == 0
    first = Path("groups.json").read_text()
    assert main(made) == 0
    assert Path("groups.json").read_text() == first
    Path("groups.json").write_text(TABLE)
    assert main(made) == 2
    assert Path("groups.json").read_text() == TABLE
    assert main([*made, "--force"]) == 0
    assert Path("groups.json").read_text() == first


def test_an_empty_file_and_none_are_free(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    require_ours(path, ["mark"])
    path.touch()
    require_ours(path, ["mark"])
