"""A witness beyond a listed range is told with the cure; a range that is a domain needs none."""

from __future__ import annotations

from pathlib import Path

import pytest

from verify import Real, Result, Sides, World, check, numbers, statement
from verify.cli import main

FILE = """
from verify import Real, numbers, statement


@statement("mine.power", where="x", latex="x^2\\\\ge x", family=numbers({"x": Real(1, 4%s)}))
def power(w):
    return {"x": w.x}, {"square": w.x**2}
"""


def told(folder: Path, domain: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What `check` prints of x <= x^2 for x from 1 to 4."""
    Path("own.py").write_text(FILE % domain)
    assert main(["check", "own.py", "--fresh"]) == 0
    return capsys.readouterr().out


def test_a_number_beyond_its_range_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    wide = told(tmp_path, "", capsys)
    assert "mine.power: violated" in wide
    (line,) = (line for line in wide.splitlines() if "lies outside its range 1 to 4" in line)
    assert line.endswith("if it is assumed, write Real(1, 4, domain=(1, 4))")
    domain = told(tmp_path, ", domain=(1, 4)", capsys)
    assert "mine.power: proved" in domain or "mine.power: holds" in domain
    assert "lies outside" not in domain
    half = told(tmp_path, ", domain=(0, 4)", capsys)
    assert "lies outside its range 1 to 4" in half


def test_a_witness_inside_its_range_needs_no_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(FILE.replace("Real(1, 4%s)", "Real(0, 4)"))
    assert main(["check", "own.py"]) == 0
    found = capsys.readouterr().out
    assert "mine.power: violated" in found
    assert "lies outside" not in found


def test_python_is_told_the_same() -> None:
    def power(**how: tuple[float, float]) -> Result:
        family = numbers({"x": Real(1, 4, **how)})

        @statement("mine.power", where="x", latex=r"x\le x^2", family=family)
        def claim(w: World) -> Sides:
            return {"x": w.x}, {"square": w.x**2}

        return check(claim)

    found = power()
    assert found.verdict == "violated"
    (note,) = (text for name, text in found.lines() if name == "note")
    assert note.endswith("if it is assumed, write Real(1, 4, domain=(1, 4))")
    assert note in str(found)
    assert Result.from_json(found.to_json()) == found
    assert [name for name, _ in power(domain=(1, 4)).lines() if name == "note"] == []
