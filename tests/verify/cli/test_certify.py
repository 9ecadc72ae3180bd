"""``fedassay certify``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from verify.certify.checker import check
from verify.certify.gram import solve as gram_solve
from verify.cli import main

STEP = ["certify", "--beta", "1", "--mu", "0.1", "--step", "1", "--weights", ".25,.25,.25,.25"]
ERRORS = ["--b", ".1,.2,.3", "--c", "0,0,0"]


def test_values_gap_and_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "certificate.json"
    assert main([*STEP, *ERRORS, "--json", str(file)]) == 0
    lines = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines()[:3])
    high = float(lines["certified upper value"])
    low = float(lines["attained lower value"].split()[0])
    assert 0.8714988 < low < high < 0.8714989377
    assert float(lines["gap"].split()[0]) < 1e-6
    document = json.loads(file.read_text())
    (proof,) = document["proofs"]
    assert "is at most" in check(proof)
    assert low <= Fraction(document["attained"]["value"]) <= Fraction(proof["bound"]) <= high


def test_noise_is_added(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*STEP, *ERRORS, "--sigma2", "1,1,1,1"]) == 0
    out = capsys.readouterr().out
    assert "certified upper value  0.996498852" in out  # 0.8714988 + 4/16/2
    assert "of this, noise         0.125" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--b", ".1,.2", "--c", "0,0,0"], "b must be 3 numbers"),
        (["--b", ".1,x,.2", "--c", "0,0,0"], "b must be a number, got 'x'"),
        (["--b", "1/0,0,0", "--c", "0,0,0"], "b must be a number"),
        (["--b", "nan,0,0", "--c", "0,0,0"], "b must be"),
        (["--b", "1e999999999,0,0", "--c", "0,0,0"], "b must be"),
        ([*ERRORS, "--sigma2", "1"], "sigma2 must be 4 numbers"),
        ([*ERRORS, "--mu", "1"], "mu must be in"),
    ],
)
def test_bad_input_is_one_line(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*STEP, *options]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_solver_that_fails_is_inconclusive(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise gram_solve.NoSolution("the solver says MaxIterations")

    monkeypatch.setattr(gram_solve, "answer_of", fails)
    assert main([*STEP, *ERRORS]) == 1
    assert capsys.readouterr().out == "inconclusive: the solver says MaxIterations\n"


def test_the_frontier_is_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "certificate.json"
    assert main([*STEP, *ERRORS, "--frontier", "refined", "--json", str(file)]) == 0
    (line,) = [x for x in capsys.readouterr().out.splitlines() if x.startswith("refined bound")]
    assert "stated for steps up to 1," in line
    edge = json.loads(file.read_text())["frontier"]
    assert 1 < Fraction(edge["proved"]) < Fraction(edge["violated"]) < 2
