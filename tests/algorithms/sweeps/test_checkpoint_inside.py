"""A run that is killed inside a chunk goes on there, to the very numbers of a whole one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.midway import Midway, Watch, from_arrays, to_arrays
from algorithms.engine.run import Run, run, run_chunked
from algorithms.registry import load_method
from algorithms.sweeps.checkpoint import ResultFolder, run_kept
from synthetic.noise.sources import Given, address_of, source_of
from tests.algorithms.cases import CASES, Case, dyadic_draws, federation, floats
from tests.algorithms.sweeps.kept_work import LONG, long_run, long_whole, stopped
from tests.each import each
from tests.patience import HANGS
from tests.places import ROOT

CPU = torch.device("cpu")


class Stopped(Exception):
    """A run that ends in the middle."""


@dataclass
class Shelf:
    """A store in memory."""

    arrays: dict[str, Any] | None = None
    puts: int = 0

    def watch(self, seconds: float = -1.0) -> Watch:
        return Watch(lambda: self.arrays, self.save, self.clear, seconds, CPU)

    def save(self, arrays: Any) -> None:
        self.arrays, self.puts = dict(arrays), self.puts + 1

    def clear(self) -> None:
        self.arrays = None


@dataclass
class Breaks:
    """A source that ends the run at a round."""

    source: Any
    at: int
    asked: list[int] = field(default_factory=list)

    @property
    def address(self) -> Any:
        return address_of(self.source)

    def draw(self, t: int) -> torch.Tensor:
        self.asked.append(t)
        if t == self.at:
            raise Stopped
        drawn: torch.Tensor = self.source.draw(t)
        return drawn


def equal(left: Run, right: Run) -> bool:
    """Bit for bit."""
    both = left.extras.keys() | right.extras.keys()
    return torch.equal(left.theta, right.theta) and all(
        torch.equal(left.extras[name], right.extras[name]) for name in both
    )


@each("last_only", [False, True])
@each("case", CASES)
def test_every_method_goes_on_from_every_round(case: Case, last_only: bool) -> None:
    method, hyper = load_method(case.method), floats(case.hyper)
    noise = Given(torch.as_tensor(dyadic_draws(case)))
    rounds = noise.array.shape[1]
    whole = run(method, federation(), hyper, noise, rounds, last_only=last_only)
    if method.slots(3, hyper) == 0:
        return  # a method without draws has nothing here that could stop it
    for at in range(1, rounds):
        shelf, broken = Shelf(), Breaks(noise, at)
        with pytest.raises(Stopped):
            run(
                method,
                federation(),
                hyper,
                broken,
                rounds,
                last_only=last_only,
                inside=shelf.watch(),
            )
        going = Breaks(noise, -1)
        found = run(
            method, federation(), hyper, going, rounds, last_only=last_only, inside=shelf.watch()
        )
        assert equal(found, whole)
        begins = at if shelf.puts >= at else 0  # what changes beyond tensors begins anew
        assert going.asked == list(range(begins, rounds))


def test_a_graph_goes_on_from_a_launch() -> None:
    problem, method = federation(), load_method("fedavg")
    hyper, rounds = {"step_size": 0.05, "start": torch.ones(2)}, 17
    noise = source_of(problem, 4, range(6), 3)
    more: dict[str, Any] = {"compile": "trace", "rounds_per_launch": 4}
    whole, shelf = run(method, problem, hyper, noise, rounds, **more), Shelf()
    stops = Shelf()

    def saved(arrays: Any) -> None:
        stops.save(arrays)
        if stops.puts == 2:
            raise Stopped

    with pytest.raises(Stopped):
        run(
            method,
            problem,
            hyper,
            noise,
            rounds,
            **more,
            inside=Watch(lambda: None, saved, shelf.clear, -1.0, CPU),
        )
    shelf.arrays = stops.arrays
    assert shelf.arrays is not None
    assert from_arrays(shelf.arrays, CPU).t == 6
    assert equal(run(method, problem, hyper, noise, rounds, **more, inside=shelf.watch()), whole)


def in_memory(x: torch.Tensor) -> list[int]:
    """Axes from the slowest to the fastest, and then those that are repeated."""
    moving = [axis for axis, size in enumerate(x.shape) if size > 1]
    return sorted(moving, key=lambda axis: -x.stride(axis))


def test_tensors_come_back_as_they_lie_in_memory() -> None:
    shelf, rng = Shelf(), np.random.default_rng(0)
    base = torch.as_tensor(rng.normal(size=(4, 3, 5)))
    state = {
        "plain": base,
        "turned": base.movedim(0, -1),
        "repeated": base[:, :1].expand(4, 7, 5),
        "whole": torch.arange(3),
        "mask": base > 0,
        "number": torch.tensor(2.0),
        "single": base.float()[1:2],
    }
    paths = {"theta": [base[0, :1], *base.unbind(0), base[0, :1]]}
    shelf.save(to_arrays(Midway(5, state, paths)))
    assert shelf.arrays is not None
    found = from_arrays(shelf.arrays, CPU)
    assert found.t == 5
    for name, value in state.items():
        back = found.state[name]
        assert torch.equal(back, value)
        assert back.dtype == value.dtype
        assert in_memory(back) == in_memory(value)
    assert in_memory(found.state["turned"]) != in_memory(found.state["plain"])
    for one, other in zip(found.paths["theta"], paths["theta"], strict=True):
        assert torch.equal(one, other)


def test_a_state_is_written_after_so_much_work_and_not_before() -> None:
    shelf = Shelf()
    watch = shelf.watch(seconds=0.05)
    assert not watch.due()
    begin = time.process_time()
    while time.process_time() - begin < 0.06:
        pass
    assert watch.due()


@pytest.fixture
def child(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A long run in a process of its own, killed in the middle of its second chunk."""
    command = [sys.executable, "-m", "tests.algorithms.sweeps.kept_work", str(tmp_path / "kept")]
    made = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        yield made
    finally:
        made.kill()
        made.wait()


@pytest.mark.two_processes
@pytest.mark.slow
def test_a_process_that_is_killed_in_the_middle_of_a_chunk_goes_on_there(
    child: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    folder, begin = tmp_path / "kept", time.monotonic()
    while not stopped(folder):
        assert child.poll() is None, "the run ended before it was killed"
        assert time.monotonic() - begin < HANGS
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    asked: list[int] = []
    found = long_run(ResultFolder(folder), asked)
    rounds = sorted(set(asked))
    assert 0 < rounds[0] < LONG - 1  # it went on inside a chunk
    assert rounds == list(range(rounds[0], LONG))
    assert equal(found, long_whole())
    assert len(list(folder.glob("*.npz"))) == 2  # the chunks; the states are gone


def test_a_state_that_is_spoilt_or_of_another_run_is_not_taken(tmp_path: Path) -> None:
    kept, method, problem = ResultFolder(tmp_path), load_method("fedavg"), federation()
    rounds, whole = 6, {}

    def job(step: float, at: int = -1) -> tuple[Run, list[int]]:
        asked: list[int] = []

        def noise(rows: range) -> Breaks:
            return Breaks(source_of(problem, 9, rows, 3), at, asked)

        hyper = {"step_size": step, "start": torch.ones(2)}
        return run_kept(kept, method, problem, hyper, noise, 4, rounds, seconds=-1.0), asked

    for step in (0.05, 0.06):
        whole[step] = run_chunked(
            method,
            problem,
            {"step_size": step, "start": torch.ones(2)},
            lambda rows: source_of(problem, 9, rows, 3),
            4,
            rounds,
        )
    with pytest.raises(Stopped):
        job(0.05, at=4)
    [state] = tmp_path.glob("*.npz")
    content = state.read_bytes()
    other, asked = job(0.06)
    assert equal(other, whole[0.06])
    assert set(asked) == set(range(rounds))  # negative control: not that of another step
    state.write_bytes(content[: len(content) // 2])
    with pytest.raises(Stopped):
        job(0.05, at=4)
    assert state.read_bytes() != content[: len(content) // 2]
    found, asked = job(0.05)
    assert equal(found, whole[0.05])
    assert set(asked) == {4, 5}
    assert not state.exists()
