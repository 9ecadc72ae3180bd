"""Long runs inside ``keeping`` are found again, and a figure that is killed goes on in its runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import Run
from algorithms.registry import load_method
from algorithms.sweeps.checkpoint import ResultFolder
from algorithms.sweeps.long_runs import keeping, long_run
from bounds.numbers.validate import InvalidInput
from figures import places, runner
from figures.studies.adaptive import synth as adaptive_synth
from synthetic.noise.sources import address_of, source_of
from synthetic.tables.streaming import two_clusters

CLIENTS, DIM, ROUNDS = 4, 2, 12


def last(problem: Any, made: Run) -> dict[str, torch.Tensor]:
    """Excess of the last models."""
    return {"excess": problem.own_excess(made.theta[..., -1, :, :]), "theta": made.theta}


class Stopped(Exception):
    """A run that ends in the middle."""


@dataclass
class Breaks:
    """A source that ends the run at a round."""

    source: Any
    at: int
    asked: list[int]

    @property
    def address(self) -> Any:
        return address_of(self.source)

    def draw(self, t: int) -> torch.Tensor:
        if t == self.at:
            raise Stopped
        self.asked.append(t)
        drawn: torch.Tensor = self.source.draw(t)
        return drawn


def job(asked: list[int], at: int = -1, **changed: Any) -> dict[str, torch.Tensor]:
    problem = two_clusters(DIM, CLIENTS, seed=1).map(torch.as_tensor)
    hyper = {"step_size": 0.05, "start": np.ones(DIM), **changed}
    noise = Breaks(source_of(problem, 2, range(3), CLIENTS), at, asked)
    return long_run(
        load_method("fedavg"), problem, hyper, noise, ROUNDS, last, seconds=-1.0, record=()
    )


def test_a_run_that_is_kept_is_the_run_and_is_made_once(tmp_path: Path) -> None:
    plain, asked = job([]), []
    assert list(tmp_path.iterdir()) == []
    with keeping(ResultFolder(tmp_path)):
        with pytest.raises(Stopped):
            job(asked, at=7)
        del asked[:]
        first = job(asked)
        assert sorted(set(asked)) == [7, 8, 9, 10, 11]
        del asked[:]
        second = job(asked)
        assert asked == []
        other = job(asked, step_size=0.06)  # negative control
    assert len(list(tmp_path.iterdir())) == 2
    for name, value in plain.items():
        assert torch.equal(first[name], value)
        assert torch.equal(second[name], value)
        assert not torch.equal(other[name], value)
    del asked[:]
    job(asked)
    assert len(asked) == ROUNDS  # outside of the block nothing is kept


def test_what_has_no_text_is_refused(tmp_path: Path) -> None:
    problem = two_clusters(DIM, CLIENTS, seed=1).map(torch.as_tensor)
    with (
        keeping(ResultFolder(tmp_path)),
        pytest.raises(InvalidInput, match="reduce must be a function at"),
    ):
        long_run(load_method("fedavg"), problem, {}, None, 1, lambda problem, made: {})


def test_a_study_that_is_killed_goes_on_with_the_runs_it_had(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adaptive_synth.time, "process_time", lambda: 0.0)  # the table shows it
    wanted = ["--dim", "2", "--seeds", "2", "--rounds", "30", "--label-variance", "0"]
    adaptive_synth.main(wanted)
    whole = capsys.readouterr().out
    made, given = [], adaptive_synth.source_of

    def counted(*arguments: Any) -> Any:
        made.append(arguments)
        if len(made) == 8:
            raise Stopped
        return given(*arguments)

    keep = [*wanted, "--keep", str(tmp_path / "kept")]
    with monkeypatch.context() as patch:
        patch.setattr(adaptive_synth, "source_of", counted)
        with pytest.raises(Stopped):
            adaptive_synth.main(keep)
    done = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    assert len(done) == 7
    capsys.readouterr()
    adaptive_synth.main(keep)
    assert capsys.readouterr().out == whole
    assert {path: path.stat().st_mtime_ns for path in done} == done
    assert len(list((tmp_path / "kept").iterdir())) == len(adaptive_synth.ALGORITHMS)


def test_the_runs_of_a_figure_are_kept_where_its_numbers_will_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Figure:
        @staticmethod
        def compute(profile: str) -> dict[str, Any]:
            made = job(asked)
            if not done:
                raise Stopped
            return {"excess": made["excess"].numpy()}

    done: list[bool] = []
    place = places.PLACES[0]
    monkeypatch.setattr(runner, "load", lambda place: Figure)
    with pytest.raises(Stopped):
        runner.numbers(place, "quick", ResultFolder(tmp_path))
    assert len(set(asked)) == ROUNDS
    done.append(True)
    del asked[:]
    data, _ = runner.numbers(place, "quick", ResultFolder(tmp_path))
    assert asked == []
    assert np.array_equal(data["excess"], job([])["excess"].numpy())
