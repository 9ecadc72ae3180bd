"""``explain`` and ``unproved`` on ledgers of one's own files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verify.cli.main import main

FILE = """
from bounds import generic as xp
from verify import Real, numbers, statement

PLANE = numbers({"x": Real(0, 4), "y": Real(0, 4)})

@statement("mine.square", family=PLANE)
def square(w):
    return {"l": 4 * w.x * w.y}, {"r": (w.x + w.y) ** 2}

@statement("mine.other", family=PLANE)
def other(w):
    return {"l": 2 * w.x * w.y}, {"r": w.x**2 + w.y**2}

@statement("mine.sine", family=numbers({"x": Real(0, 3, domain=(0, 3))}))
def sine(w):
    return {"l": xp.sin(w.x)}, {"r": w.x + 0.001 * w.x**2}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("own")
    (made / "mine.py").write_text(FILE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        assert main(["check", "mine.py", "--limit", "60"]) == 0
    return made


def said(capsys: pytest.CaptureFixture[str], folder: Path, *command: str, code: int = 0) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(command) == code
    found = capsys.readouterr()
    return found.out + found.err


def test_every_proof_of_a_ledger_is_explained_and_what_it_is_of_is_left_open(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, folder, "explain", "mine-ledger.json")
    assert "Claim: 4*x*y <= (x + y)^2." in text
    assert "Claim: 2*x*y <= x^2 + y^2." in text
    assert "is not derived: pass --trust FILE" in text


def test_with_the_file_a_proof_is_derived_from_its_statement(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trusted = ("--trust", "mine.py")
    text = said(capsys, folder, "explain", "mine-ledger.json", "mine.square", *trusted)
    assert "Claim: 4*x*y <= (x + y)^2." in text
    assert "2*x*y <= x^2" not in text
    assert "not derived" not in text
    by_key = said(
        capsys, folder, "explain", "mine.square", "--ledger", "mine-ledger.json", *trusted
    )
    assert by_key == text


def test_a_proof_of_another_statement_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The planted fault: the proof of one under the key of the other."""
    raw = json.loads((folder / "mine-ledger.json").read_text())
    leaves = {leaf["id"]: leaf for entry in raw["entries"] for leaf in entry["leaves"]}
    proofs = {
        key: item
        for key, leaf in leaves.items()
        for item in leaf["evidence"]
        if item.get("proof") and item["status"] == "decided"
    }
    proofs["mine.square"]["proof"] = proofs["mine.other"]["proof"]
    (folder / "forged.json").write_text(json.dumps(raw))
    command = ("explain", "forged.json", "mine.square")
    assert "is not derived" in said(capsys, folder, *command)
    text = said(capsys, folder, *command, "--trust", "mine.py", code=2)
    assert "got one of something else" in text


def test_a_key_without_a_proof_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, folder, "explain", "mine-ledger.json", "mine.none", code=2)
    assert "got none in mine-ledger.json" in text


def test_unproved_names_leaves_of_ones_own_and_with_the_file_says_why(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leaves = json.loads((folder / "mine-ledger.json").read_text())["entries"]
    words = {entry["key"]: entry["verdict"] for entry in leaves}
    assert words["mine.square"] == "proved"
    text = said(capsys, folder, "unproved", "mine-ledger.json")
    stand = [key for key, word in words.items() if word in ("proved", "holds")]
    holds = [key for key, word in words.items() if word == "holds"]
    assert f"{len(stand) - len(holds)} of {len(stand)} standing leaves are proved" in text
    assert holds == ["mine.sine"]
    assert "Without a reason, 1 leaf" in text
    assert "mine.sine" in text
    told = said(capsys, folder, "unproved", "mine-ledger.json", "--trust", "mine.py")
    assert "Without a reason" not in told
    line = next(line for line in told.splitlines() if line.startswith("mine.sine"))
    assert len(line.split()) > 2
