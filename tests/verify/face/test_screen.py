"""``show`` fits on a screen, in Unicode, and says what the ledger at hand says."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.each import each
from verify.catalogue.library import library
from verify.face.screen import HIGH, WIDE, Ledger, screen
from verify.report.tex.plain import unicode_text

Call = Callable[..., tuple[int, str, str]]


def columns(line: str) -> int:
    return sum(unicodedata.combining(c) == 0 for c in line)


def fits(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) <= HIGH and all(columns(line) <= WIDE for line in lines)


def judged(word: str) -> Ledger:
    """A ledger in which every leaf of the library has one word, and the longest of reasons."""
    lines = {}
    for entry in library():
        leaves = [
            {
                "id": leaf.key,
                "verdict": word,
                "reason": "why " * 99,
                "witness": f"w/{leaf.key}.json",
            }
            for leaf in entry.claims
        ]
        lines[entry.key] = {
            "verdict": word if leaves else None,
            "reason": "why " * 999,
            "leaves": leaves,
            "stands": {"in": 0, "of": 2},
            "kindest": None,
            "rests": [],
        }
    return Ledger("fedassay-ledger.json", lines, library().axes)


@each("word", ["", "violated", "holds"])
def test_every_entry_fits_on_a_screen_without_tex(word: str) -> None:
    ledger = judged(word) if word else Ledger()
    for entry in library():
        text = screen(entry, library(), ledger)
        assert fits(text), f"{entry.key}\n{text}"
        assert "\\" not in text, f"{entry.key}\n{text}"
        assert entry.key in text.splitlines()[0]


def test_a_long_text_does_not_fit() -> None:
    assert not fits("\n".join(["x"] * (HIGH + 1)))
    assert not fits("x" * (WIDE + 1))


def test_the_word_and_what_holds_instead_are_those_of_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Call
) -> None:
    monkeypatch.chdir(tmp_path)
    both = ("adaptive.lemma1", "adaptive.lemma1.repaired")
    assert fedassay("run", *both, "--jobs", 1)[0] == 0
    stored: dict[str, Any] = json.loads(Path("fedassay-ledger.json").read_text())
    word = {line["key"]: line["verdict"] for line in stored["entries"]}
    _, out, _ = fedassay("show", "adaptive.lemma1")
    assert f"{word['adaptive.lemma1']}: an instance breaks the claim" in out
    assert f"holds instead: adaptive.lemma1.repaired, {word['adaptive.lemma1.repaired']}" in out
    assert "other form: adaptive.lemma1.refined, not judged here yet" in out
    for line in stored["entries"]:
        line["verdict"] = "inconclusive"
    Path("other.json").write_text(json.dumps(stored))
    _, out, _ = fedassay("show", "adaptive.lemma1", "--ledger", "other.json")
    assert "? inconclusive: " in out
    assert "holds instead" not in out


@pytest.mark.slow
def test_without_a_ledger_kept_evidence_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Call
) -> None:
    monkeypatch.chdir(tmp_path)
    _, out, _ = fedassay("show", "allforall.lemma4b")
    assert "✗ violated: an instance breaks the claim" in out
    assert "holds instead: allforall.lemma4b.repaired, proved" in out
    assert "judged just now on kept evidence; fedassay run allforall.lemma4b writes it down" in out
    assert "replay" not in out  # no witness was written
    assert not [*tmp_path.iterdir()]


def test_a_file_of_ones_own_has_its_own_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Call
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fedassay("check", "5*x*y <= (x+y)**2 for x, y >= 0", "--jobs", 1)[0] == 0
    _, out, _ = fedassay("show", "claim.py")
    assert "  5xy ≤ (x + y)²" in out
    assert "✗ violated: an instance breaks the claim: left 5, right 4" in out
    Path("claim-ledger.json").unlink()
    assert "not judged here yet: fedassay check claim.py" in fedassay("show", "claim.py")[1]


UNICODE = {
    r"\frac{x+y}2\ge\sqrt{xy}": "(x + y)/2 ≥ √(xy)",
    r"\frac{\eta}{2A}": "η/(2A)",
    r"\frac1T\sum_{t=1}^T a_t": "1/T ∑ₜ₌₁ᵀ aₜ",
    r"\frac ab\frac cd": "a/b · c/d",
    r"\|x\|^2-\mu_i^{t+1}\le-1": "‖x‖² − μᵢᵗ⁺¹ ≤ −1",
    r"\max_k\log N": "maxₖ log N",
    r"\bar x_{*}\in\mathbb R^d": "x̄_* ∈ ℝᵈ",
    r"\sigma_{i,\psi}": "σ_{i,ψ}",
    r"\eta_1=C/\mu\le1/\beta": "η₁ = C/μ ≤ 1/β",
    r"\text{rival}\le x": "rival ≤ x",
    r"\nosuch{x}": r"\nosuch{x}",
}


@each("tex", UNICODE)
def test_unicode(tex: str) -> None:
    assert unicode_text(tex) == UNICODE[tex]
