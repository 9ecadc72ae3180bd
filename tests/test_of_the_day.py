"""Slow tests take turns: the same ones all day, others on the next, and a failing one is told."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.of_the_day import FILES, ROOT, SHARE, files_of, main, share_of

DAY = "2026-11-28"
SLOW = """
import time

import pytest


@pytest.fixture
def closed():
    yield
    {after}


@pytest.mark.slow
def test_slow(closed):
    {body}


def test_quick():
    raise AssertionError("not asked for")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of one slow test and another, as pytest finds it."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\nmarkers = ['slow: s']\n")
    return tmp_path


def run(project: Path, body: str, after: str = "pass", seconds: float = 600) -> int:
    (project / "tests" / "test_it.py").write_text(SLOW.format(body=body, after=after))
    return main(DAY, project, seconds, "-n0")


def test_a_day_always_draws_the_same_and_another_day_others() -> None:
    files = files_of(DAY, ROOT)
    assert files == files_of(DAY, ROOT)
    assert len(files) == FILES
    assert files != files_of("2026-11-29", ROOT)
    names = [f"{file}::test[{k}]" for file in files for k in range(20)]
    assert share_of(DAY, names) == share_of(DAY, names[::-1])
    assert len(share_of(DAY, names)) == FILES * -(-20 // SHARE)
    assert share_of("2026-11-29", names) != share_of(DAY, names)


def test_within_half_a_year_each_test_of_a_large_file_is_drawn() -> None:
    days = [(date(2026, 1, 1) + timedelta(k)).isoformat() for k in range(180)]
    drawn = {file for day in days for file in files_of(day, ROOT)}
    assert len(drawn) > 3 * FILES
    names = [f"tests/test_it.py::test[{k}]" for k in range(100)]
    assert {name for day in days for name in share_of(day, names)} == {*names}


def test_one_that_passes_is_run_and_nothing_else(project: Path) -> None:
    assert run(project, f"open({str(project / 'ran')!r}, 'x').close()") == 0
    assert (project / "ran").exists()


def test_one_that_fails_is_told(project: Path) -> None:
    assert run(project, "raise AssertionError('false')") == pytest.ExitCode.TESTS_FAILED


def test_one_that_does_not_end_is_left(project: Path) -> None:
    assert run(project, "time.sleep(600)", seconds=3) == 0


@pytest.mark.slow
def test_one_that_fails_is_told_though_nothing_ends(project: Path) -> None:
    assert run(project, "raise AssertionError('false')", "time.sleep(600)", seconds=10) == 1
