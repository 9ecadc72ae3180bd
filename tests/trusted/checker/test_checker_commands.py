"""What the commands say of a file: the claims that were checked, and no word of the file beside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.trusted.checker.rows.worst import GENUINE
from tests.trusted.checker.table import FILES
from verify.certify import checker
from verify.cli import main

YOUNG = "2*a*b <= a**2*s + b**2/s, for every positive s; real a, b"


def said(capsys: pytest.CaptureFixture[str], folder: Path, content: Any) -> tuple[int, str]:
    file = folder / "proof.json"
    file.write_text(json.dumps(content))
    code = main(["verify-certificate", str(file)])
    return code, capsys.readouterr().out


def test_a_claim_is_printed_as_it_was_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = said(capsys, tmp_path, GENUINE["prover: Young"])
    assert (code, out) == (0, f"accepted: certificate of: {YOUNG}\n")


def test_the_name_of_a_statement_is_no_part_of_a_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A proof of one thing under the name of another."""
    content = {"statement": ["fedbc.theorem1"], "proofs": [GENUINE["prover: Young"]]}
    code, out = said(capsys, tmp_path, content)
    assert code == 0
    assert f"certificate of: {YOUNG}" in out
    assert "fedbc" not in out
    assert "follows" not in out
    assert "the name of a statement included, is not checked" in out.replace("\n", " ")


def test_a_name_inside_a_proof_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = {**GENUINE["prover: Young"], "statement": "fedbc.theorem1"}
    code, out = said(capsys, tmp_path, content)
    assert code == 1
    assert out == "refused: a proof has an entry statement that is not checked\n"


def test_words_of_a_worst_case_that_the_data_do_not_say_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    genuine = GENUINE["worst case: bias"]
    assert said(capsys, tmp_path, genuine) == (
        0,
        f"accepted: certificate of: {genuine['claim']}\n",
    )
    for new in (genuine["claim"].replace("1/10", "1/70"), "f(x+) <= 0", ""):
        code, out = said(capsys, tmp_path, {**genuine, "claim": new})
        assert code == 1
        assert out == "refused: the words of the claim are not what the data say\n"


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_any_shape_has_an_answer(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out = said(capsys, tmp_path, FILES[name])
    assert code == (name not in ("one proof", "a list of proofs"))
    assert all(line.startswith(("accepted: ", "refused: ")) for line in out.splitlines())
    file = tmp_path / "proof.json"
    assert checker.main([str(file)]) == code
    assert capsys.readouterr().out.startswith(("accepted: ", "refused: "))


def test_the_meter_of_a_check_ends_with_it() -> None:
    """Readers of documents outside of a check are not charged for one."""
    assert checker.accepts(GENUINE["prover: Young"])
    assert checker._METER.get() is None
