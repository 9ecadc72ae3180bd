"""A run that was killed goes on where it was and gives the same numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verify.catalogue.rates import select
from verify.cli.main import main
from verify.rates.many import Size
from verify.run import curves
from verify.run.curves import rates_json
from verify.statements.adaptive.curves.federations import CLASSES

SIZE = Size(federations=6, rounds=10, replicates=8, largest=16)
RATES = select(["adaptive.theorem2.const.refined", "adaptive.theorem1.refined"])


class Killed(Exception):
    """What ends a run in the middle."""


def kill_after(batches: int) -> Any:
    def observe(done: int, total: int, key: str) -> None:
        if done >= batches:
            raise Killed

    return observe


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a run gives that nobody has killed, and its file."""
    path = tmp_path_factory.mktemp("whole") / "whole.json"
    return {**rates_json(RATES, SIZE, path), "file": json.loads(path.read_text())}


@pytest.mark.parametrize("batches", [1, 3])
def test_a_killed_run_goes_on(
    tmp_path: Path, batches: int, whole: dict[str, Any], monkeypatch: Any
) -> None:
    path = tmp_path / "rates.json"
    with pytest.raises(Killed):
        rates_json(RATES, SIZE, path, observe=kill_after(batches))
    part = path.with_name("rates.json.part")
    kept = part.read_text()
    part.write_text(kept + '{"rate": "cut sho')  # killed while it wrote
    done = []
    plain = curves.work
    monkeypatch.setattr(curves, "work", lambda b: done.append(b) or plain(b))
    again = rates_json(RATES, SIZE, path)
    assert len(done) == _batches() - batches
    assert again["rates"] == whole["rates"]
    assert json.loads(path.read_text())["rates"] == whole["file"]["rates"]
    assert not part.exists()


def test_a_journal_of_other_settings_is_not_taken_over(
    tmp_path: Path, whole: dict[str, Any]
) -> None:
    path = tmp_path / "rates.json"
    with pytest.raises(Killed):
        rates_json(RATES, Size(6, 10, 9, 16), path, observe=kill_after(1))
    assert rates_json(RATES, SIZE, path)["rates"] == whole["rates"]


def _batches() -> int:
    return sum(len(curves.batches(rate, SIZE)) for rate in RATES)


def test_the_command_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.json"
    asked = ["rates", "adaptive.theorem2.const.refined", "--json", str(path), "--jobs", "1"]
    assert main([*asked, "--federations", "3", "--rounds", "5", "--replicates", "4"]) == 0
    out = capsys.readouterr().out
    assert "adaptive.theorem2.const.refined [quadratics]" in out
    assert "under" in out
    made = json.loads(path.read_text())
    # quadratics and every class whose gradients dominate excess losses
    classes = 1 + sum(losses.dominated for losses in CLASSES)
    assert [len(item["federations"]) for item in made["rates"]] == [3] * classes


@pytest.mark.parametrize(
    "asked", [["nothing.here"], ["--profile", "huge"], ["--rounds", "0"], ["--replicates", "1"]]
)
def test_bad_input_is_refused(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rates", *asked]) == 2
    assert capsys.readouterr().err.startswith("fedassay: ")
