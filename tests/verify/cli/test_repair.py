"""``fedassay repair``: laws and what stands instead, or that nothing does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Run = Callable[..., tuple[int, str, str]]

OWN = """
from verify import Real, numbers, statement

BOX = {{"x": Real(1, 10), "y": Real(1, 10)}}

@statement("mine.mean", where="Lemma 1", latex="x", family=numbers(BOX))
def mean(w):
    return {{"product": {factor} * w.x * w.y}}, {{"square": (w.x + w.y) ** 2}}
"""


def test_a_false_claim_gets_a_law_and_what_stands(tmp_path: Path, fedassay: Run) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN.format(factor=5))
    code, out, _ = fedassay("repair", file)
    assert code == 0
    assert "mine.mean: violated" in out
    assert "left/right levels off at 5/4 as far as was seen" in out
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
