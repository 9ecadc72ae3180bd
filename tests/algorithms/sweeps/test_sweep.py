"""Sweeps and checkpoints: the same numbers anywhere, nothing computed twice, nothing stale."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import Run, run_chunked
from algorithms.registry import load_method
from algorithms.sweeps.checkpoint import ResultFolder, digest, run_kept
from algorithms.sweeps.pool import Workers, source_digest, spread
from algorithms.sweeps.sweep import grid, sweep
from bounds.numbers.validate import InvalidInput
from tests.algorithms.sweeps.sweep_work import DIM, problem, source, train
from tests.patience import HANGS

pytestmark = pytest.mark.two_processes

CELLS = grid(step=[0.1, 0.2], seed=[1], first=[0, 3], last=[5])
HYPER = {"step_size": 0.1, "start": np.zeros(DIM)}


def integers(found: list[dict[str, Any]]) -> list[list[int]]:
    return [cell["draws"].ravel().tolist() for cell in found]


@pytest.fixture(scope="module")
def serial() -> list[dict[str, Any]]:
    return sweep(train, CELLS)


def test_a_replicate_is_the_same_in_every_cell_that_holds_it(serial: list[dict[str, Any]]) -> None:
    whole, part = serial[0], serial[1]  # replicates 0 to 4, and 3 and 4
    assert np.array_equal(whole["draws"][3:], part["draws"])
    assert np.allclose(whole["theta"][3:], part["theta"], rtol=1e-12)
    assert not np.array_equal(whole["draws"][:2], part["draws"])


def test_two_processes_compute_what_one_computes(serial: list[dict[str, Any]]) -> None:
    seen: list[tuple[int, int, str]] = []
    found = sweep(train, CELLS, pool=Workers(2), observe=lambda *now: seen.append(now))
    assert integers(found) == integers(serial)
    for one, other in zip(found, serial, strict=True):
        assert np.array_equal(one["theta"], other["theta"])
    assert os.getpid() not in {int(cell["process"]) for cell in found}
    assert [(done, whole) for done, whole, _ in seen] == [(k, 4) for k in (1, 2, 3, 4)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_computes_what_one_process_computes(
    serial: list[dict[str, Any]], cluster: str
) -> None:
    found = sweep(train, CELLS, pool=Workers(scheduler=cluster))
    assert integers(found) == integers(serial)
    for one, other in zip(found, serial, strict=True):
        assert np.array_equal(one["theta"], other["theta"])
    assert os.getpid() not in {int(cell["process"]) for cell in found}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_with_other_code_is_refused(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("algorithms.sweeps.pool.source_digest", _other)
    with pytest.raises(InvalidInput, match="worker must be one with the same code"):
        list(spread(abs, [1], Workers(scheduler=cluster)))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_with_other_kernels_is_refused(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(spread(abs, [-1], Workers(scheduler=cluster))) == [1]
    monkeypatch.setenv("OPENBLAS_CORETYPE", "SkylakeX")
    with pytest.raises(InvalidInput, match="worker must be one with the kernels of .*SkylakeX"):
        list(spread(abs, [-1], Workers(scheduler=cluster)))


def _other(packages: tuple[str, ...]) -> str:
    """Another digest in every process."""
    return str(os.getpid())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1"])
def test_a_scheduler_that_is_not_there_is_named(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="needs fedassay[cluster]")
    monkeypatch.setattr("algorithms.sweeps.pool.PATIENCE", 0.5)
    with pytest.raises(InvalidInput, match="scheduler must be reachable"):
        list(spread(abs, [1], Workers(scheduler=address)))


def test_an_address_that_is_none_leaves_no_client_behind() -> None:
    """A client that never was would complain, seconds later, when it is collected."""
    pytest.importorskip("distributed", reason="needs fedassay[cluster]")
    code = (
        "from algorithms.sweeps.pool import Workers, spread\n"
        "try:\n    list(spread(abs, [1], Workers(scheduler='nonsense')))\n"
        "except ValueError:\n    pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS, check=True
    )
    assert done.stderr == ""


def test_what_was_done_is_not_done_again(serial: list[dict[str, Any]], tmp_path: Path) -> None:
    """A sweep that was stopped after two cells computes the other two."""

    class Killed(Exception):
        pass

    def kill(done: int, *_: object) -> None:
        if done == 2:
            raise Killed

    with pytest.raises(Killed):
        sweep(train, CELLS, folder=tmp_path, observe=kill)
    assert len(list(tmp_path.iterdir())) == 2
    seen: list[int] = []
    found = sweep(train, CELLS, folder=tmp_path, observe=lambda done, *_: seen.append(done))
    assert seen == [3, 4]
    assert integers(found) == integers(serial)
    assert sweep(train, CELLS, folder=tmp_path, observe=lambda *_: pytest.fail("again"))


def test_a_cell_that_is_cut_short_is_made_again(tmp_path: Path) -> None:
    sweep(train, CELLS[:1], folder=tmp_path)
    [path] = tmp_path.iterdir()
    whole = path.read_bytes()
    for cut in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert made_anew(tmp_path) == 1
    assert made_anew(tmp_path) == 0


def made_anew(folder: Path) -> int:
    """Cells that a sweep of one has to compute."""
    seen: list[int] = []
    sweep(train, CELLS[:1], folder=folder, observe=lambda done, *_: seen.append(done))
    return len(seen)


def test_other_settings_and_other_code_have_other_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = [
        1,
        1.0,
        "1",
        True,
        None,
        [1],
        [[1]],
        [1, 1],
        {"a": 1},
        {"b": 1},
        np.ones(1),
        np.ones(2),
        np.ones((1, 1)),
        np.ones(1, dtype=np.float32),
        torch.zeros(1),
        range(3),
    ]
    addresses = [digest(value) for value in values] + [digest(1, 1), digest()]
    assert len(set(addresses)) == len(addresses)
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    before = digest("x")
    monkeypatch.setattr("algorithms.sweeps.checkpoint.source_digest", lambda: "other")
    assert digest("x") != before
    with pytest.raises(InvalidInput, match="part of an address must be"):
        digest(object())


def test_work_without_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="work must be a function at the top of a module"):
        sweep(lambda **_: {}, CELLS, folder=tmp_path)


def kept_run(
    kept: ResultFolder, seed: int = 1, calls: list[range] | None = None, **more: Any
) -> Run:
    def noise(rows: range) -> Any:
        if calls is not None:
            calls.append(rows)
        return source(seed, rows)

    return run_kept(kept, load_method("fedavg"), problem(), {**HYPER, **more}, noise, 5, 4, chunk=2)


def test_a_long_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Chunks that were kept are found, lost ones are made again, all of it the same run."""
    whole = run_chunked(
        load_method("fedavg"), problem(), HYPER, lambda rows: source(1, rows), 5, 4, chunk=2
    )
    kept = ResultFolder(tmp_path)
    assert torch.equal(kept_run(kept).theta, whole.theta)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 3
    times = [path.stat().st_mtime_ns for path in files]
    files[1].unlink()
    again = kept_run(kept)
    assert torch.equal(again.theta, whole.theta)
    assert set(again.extras) == set(whole.extras)
    assert [p.stat().st_mtime_ns for p in (files[0], files[2])] == [times[0], times[2]]


def test_another_run_does_not_find_the_chunks_of_this_one(tmp_path: Path) -> None:
    """Another key, another step, another start: each is run and kept on its own."""
    kept = ResultFolder(tmp_path)
    first = kept_run(kept)
    for number, other in enumerate(({"seed": 2}, {"step_size": 0.2}, {"start": np.ones(DIM)}), 2):
        found = kept_run(kept, **other)  # type: ignore[arg-type]
        assert not torch.equal(found.theta, first.theta)
        assert len(list(tmp_path.iterdir())) == 3 * number


def test_a_reduction_must_be_named(tmp_path: Path) -> None:
    def last(run: Run) -> dict[str, Any]:
        return {"size": run.theta[..., -1, 0, :].norm(dim=-1)}

    arguments = (
        ResultFolder(tmp_path),
        load_method("fedavg"),
        problem(),
        HYPER,
        lambda rows: source(1, rows),
        5,
        4,
    )
    with pytest.raises(InvalidInput, match="what must be the name of what reduce does"):
        run_kept(*arguments, chunk=2, reduce=last)
    made = run_kept(*arguments, chunk=2, reduce=last, what="size")
    assert torch.equal(
        run_kept(*arguments, chunk=2, reduce=last, what="size").extras["size"], made.extras["size"]
    )


def test_the_digest_of_the_code_is_one_for_equal_packages() -> None:
    assert source_digest(("bounds",)) != source_digest(("synthetic",))
    assert source_digest() == source_digest(("bounds", "synthetic", "algorithms"))
