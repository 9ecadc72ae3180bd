"""The fixtures and the marker for statements in a user's tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import bounds
from bounds.numbers.validate import InvalidInput
from tests.verify.conftest import USER_FILE
from verify.catalogue.user_file import Origin, load_statements
from verify.face import check
from verify.face.result import Result
from verify.face.settled import settled

TESTS = """
import pytest

@pytest.mark.statement("mine.mean", file="mine.py")
def test_true(result, statement):
    assert result.verdict == "proved"
    assert statement.key == "mine.mean"

@pytest.mark.statement("mine.wrong", file="mine.py")
def test_false():
    raise AssertionError("the body of a test whose claim falls is not run")

@pytest.mark.statement("mine.wrong", file="mine.py", verdict="violated")
def test_known_to_be_false(result):
    assert result.witness["left"] == "5/1"

@pytest.mark.statement("mine.mean", file="mine.py", verdict="violated")
def test_wrongly_thought_false():
    pass

@pytest.mark.statement("mine.maen", file="mine.py")
def test_typo():
    pass

@pytest.mark.statement("hcct.lemma1", "more")
def test_two_keys():
    pass

def test_without_marker(assert_holds):
    assert callable(assert_holds)
"""


def test_the_marker_decides_a_test(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(USER_FILE)
    (tmp_path / "test_mine.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["verify.pytest_plugin"]\n')
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--strict-markers",
            "-rA",
            "--rootdir",
            str(tmp_path),
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(bounds.__file__).parents[1]), "PATH": ""},
    )
    ends = re.findall(r"^(PASSED|ERROR|FAILED) \S+::(test_\w+)", done.stdout, re.M)
    words = {name: word for word, name in ends}
    assert words == {
        "test_true": "PASSED",
        "test_false": "ERROR",
        "test_known_to_be_false": "PASSED",
        "test_wrongly_thought_false": "ERROR",
        "test_typo": "ERROR",
        "test_two_keys": "ERROR",
        "test_without_marker": "PASSED",
    }, done.stdout + done.stderr
    assert "mine.wrong is violated, not proved or holds" in done.stdout
    assert "left = 5 > 4 = right" in done.stdout  # the witness by hand
    assert "mine.mean is proved, not violated" in done.stdout
    assert "did you mean mine.mean" in done.stdout
    assert "marker must name one key" in done.stdout


def test_a_truth_passes_and_a_falsehood_fails(
    assert_holds: Callable[..., Any], user_file: Path
) -> None:
    known = load_statements(Origin.of(user_file))
    assert assert_holds(known.leaf("mine.mean")).verdict == "proved"
    with pytest.raises(pytest.fail.Exception, match="mine.wrong is violated"):
        assert_holds(known.leaf("mine.wrong"), alpha=1e-12)
    with pytest.raises(InvalidInput, match="alpha must be in"):
        assert_holds(known.leaf("mine.mean"), alpha=0.05)


class Scripted:
    """A check whose accusations by samples have the e-values of a script."""

    def __init__(self, found: Result, first: float, fresh: list[float]) -> None:
        self.found, self.first, self.fresh, self.seeds = found, first, fresh, list[int]()

    def check(self, statement: Any, profile: str, seed: int) -> Result:
        self.seeds.append(seed)
        assert self.found.witness is not None
        sampled = {"number": "simulated", "e_value": self.first, "noise_key": 5}
        return replace(self.found, witness={**self.found.witness, **sampled})

    def evaluate(self, *args: Any) -> dict[str, float]:
        return {"e_value": self.fresh.pop(0) if self.fresh else 1.0, "assumed": 1.0}


@pytest.mark.parametrize(
    ("first", "fresh", "seeds"),
    [
        (1e10, [], [0]),  # beyond the level at once
        (1e6, [1e2, 1e2], [0]),  # with more noise
        (1e6, [1e-7, 1e-7, 1e-7], [0, 1, 2]),  # it was chance: withdrawn, tried on other seeds
        (1e6, [], [0, 1, 2]),  # noise that says nothing does not accuse
    ],
)
def test_an_accusation_by_samples_must_come_true_on_fresh_noise(
    first: float,
    fresh: list[float],
    seeds: list[int],
    user_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    statement = load_statements(Origin.of(user_file)).leaf("mine.wrong")
    script = Scripted(check(statement), first, fresh)
    monkeypatch.setattr("verify.face.settled.check", script.check)
    monkeypatch.setattr("verify.world.sampled.evaluate", script.evaluate)
    settled(statement)
    assert script.seeds == seeds
