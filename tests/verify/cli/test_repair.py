"""``fedassay repair``: laws and what stands instead, or that nothing does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from verify.corpus import files

Run = Callable[..., tuple[int, str, str]]

OWN = """
from verify import Real, numbers, statement

BOX = {{"x": Real(1, 10), "y": Real(1, 10)}}

@statement("mine.mean", where="Lemma 1", latex="x", family=numbers(BOX))
def mean(w):
    return {{"product": {factor} * w.x * w.y}}, {{"square": (w.x + w.y) ** 2}}
"""


@pytest.mark.slow
def test_a_false_claim_gets_its_best_constant_and_what_stands(
    tmp_path: Path, fedassay: Run
) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN.format(factor=5))
    code, out, _ = fedassay("repair", file)
    assert code == 0
    assert "mine.mean: violated" in out
    assert "best constant 5/4, attained at x = y = 1, proved" in out
    assert "1. with a further term 1 times x y: proved" in out


def test_a_true_one_gets_neither(tmp_path: Path, fedassay: Run) -> None:
    """Control."""
    file = tmp_path / "own.py"
    file.write_text(OWN.format(factor=4))
    code, out, _ = fedassay("repair", file)
    assert (code, len(out.splitlines())) == (0, 1)
    assert "mine.mean: proved" in out


def test_an_unknown_key_is_refused(fedassay: Run) -> None:
    code, _, err = fedassay("repair", "no.such.key")
    assert code == 2
    assert "KEY must be an entry of the library or of the file" in err


def test_the_best_repair_is_kept_for_quick_runs(
    tmp_path: Path, fedassay: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(files.path_of("allforall"), tmp_path)
    monkeypatch.setattr(files, "DATA", tmp_path)
    key, ledger = "allforall.eq.rho_quad", tmp_path / "ledger.json"

    def repairs(*flags: str) -> list[str]:
        fedassay("run", key, "-o", ledger, "--fresh", *flags)
        (entry,) = json.loads(ledger.read_text())["entries"]
        return [one["mend"] for leaf in entry["leaves"] for one in leaf["repairs"]]

    lines = files.stored(files.path_of("allforall")).only([key])
    code, out, _ = fedassay("repair", key, "--keep")
    assert code == 0
    assert "  1. with 1/2 times the right side: proved" in out
    assert "  the first is kept\n" in out
    assert repairs() == ["1/2 times the right side"]
    assert repairs("--cold", "--keep") == []
    assert repairs() == ["1/2 times the right side"]  # what a quick search cannot find stays
    assert len(files.stored(files.path_of("allforall"))) > len(lines)


def test_of_ones_own_file_check_keeps_them(tmp_path: Path, fedassay: Run) -> None:
    (tmp_path / "own.py").write_text(OWN.format(factor=5))
    code, _, err = fedassay("repair", tmp_path / "own.py", "--keep")
    assert code == 2
    assert "--keep must be with a key of the library" in err
