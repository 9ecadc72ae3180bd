"""``fedassay bench``: a table, its JSON, ratios to an older one, and jobs that can disagree."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from algorithms.bench import serial
from algorithms.bench.exact import agrees, sample_agrees
from algorithms.bench.jobs import JOBS, quadratics
from algorithms.bench.leaves import TIMED
from algorithms.bench.measure import Result, with_peak
from algorithms.bench.partition import groups_of, planted
from algorithms.bench.runs import Bench
from algorithms.engine import run
from algorithms.grouping.hcct_partition import Clients, greedy_partition
from algorithms.registry import load_method
from synthetic.noise import Given
from synthetic.streaming import two_clusters
from verify.catalogue.library import library
from verify.cli.bench import FIELDS, read_results
from verify.run.bench_jobs import LADDER_JOBS, redone
from verify.run.tasks import Settings, examine
from verify.verdict.evidence import RUNGS

Call = Callable[..., tuple[int, str, str]]


def test_a_table_its_json_and_a_comparison(fedassay: Call, tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    code, out, _ = fedassay("bench", "recursion", "certificate", "--seconds", 0.01, "-o", file)
    assert code == 0
    assert "agrees" in out
    lines = json.loads(file.read_text())
    assert [tuple(line) for line in lines] == [FIELDS] * len(lines)
    assert {line["job"] for line in lines} == {"exact recursion", "certificate"}
    assert all(line["steps_per_cpu_second"] > 0 for line in lines)
    first = lines[0]
    first["steps_per_cpu_second"] *= 1e-6  # an older version that was a million times slower
    file.write_text(json.dumps([first]))
    code, out, _ = fedassay("bench", "recursion", "--seconds", 0.01, "--compare", file)
    assert code == 0
    assert float(out.split()[-1]) > 1e5
    assert read_results(file)[first["job"], first["variant"]] == first["steps_per_cpu_second"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "JOB must be one of machine"),
        (["recursion", "--seconds", 0], "--seconds must be positive"),
        (["recursion", "--seconds", -1], "--seconds must be positive"),
        (["recursion", "--seconds", "nan"], "--seconds must be positive"),
        (["recursion", "--seconds", "inf"], "--seconds must be finite"),
        (["recursion", "--device", "cdua"], "--device must be one of cpu"),
        (["recursion", "--device", "cuda:99"], "--device must be one of cpu"),
        (["recursion", "--compare", "none.json"], "none.json"),
    ],
)
def test_bad_input_is_one_line(fedassay: Call, arguments: list[object], message: str) -> None:
    code, _, err = fedassay("bench", *arguments)
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_a_table_that_is_none_is_refused(fedassay: Call, tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    file.write_text('{"job": 1}')
    code, _, err = fedassay("bench", "recursion", "--compare", file)
    assert code == 2
    assert "must be a table of bench" in err


def test_jobs_are_listed(fedassay: Call) -> None:
    code, out, _ = fedassay("bench", "--list")
    assert code == 0
    names = {line.split()[0] for line in out.splitlines()}
    assert names >= {*JOBS, "partition", "certificate", "leaves", "simulation"}


def test_a_job_that_disagrees_is_an_error(
    fedassay: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Result("wrong", "numbers", 1.0, agrees_with_exact=False)
    monkeypatch.setitem(JOBS, "machine", lambda bench: [wrong])
    code, out, _ = fedassay("bench", "machine")
    assert code == 1
    assert "DIFFERS" in out


@pytest.mark.parametrize("name", ["collapsed", "all_for_one", "skipped"])
def test_engine_jobs_meet_the_exact_numbers(name: str) -> None:
    lines = JOBS[name](Bench(seconds=0.01, compiled=False))
    checked = [line for line in lines if line.agrees_with_exact is not None]
    assert checked
    assert all(line.agrees_with_exact for line in checked)


def test_the_partition_finds_the_groups_that_were_planted() -> None:
    clients, groups = planted(200, 20, kinds=10)
    assert groups_of(greedy_partition(clients)) == groups
    rng = np.random.default_rng(0)
    shaken = Clients(rng.normal(size=clients.gradients.shape), clients.sizes, clients.tradeoff)
    assert groups_of(greedy_partition(shaken)) != groups  # negative control: other gradients


def test_the_leaf_that_ends_in_simulation_is_simulated() -> None:
    (line,) = LADDER_JOBS["simulation"](Bench(seconds=0.01))
    assert line.variant.endswith(("decided", "reported"))
    assert line.steps_per_cpu_second > 0


def test_every_rung_that_decides_or_costs_has_a_leaf_that_stands() -> None:
    assert {"exact", "search", "simulation", "certificate", "power", "link"} <= TIMED.keys()
    assert TIMED.keys() <= set(RUNGS)
    lines = LADDER_JOBS["leaves"](Bench(seconds=0.01))
    assert [line.variant.partition(":")[0] for line in lines] == list(TIMED)
    assert all(line.agrees_with_exact and line.steps_per_cpu_second > 0 for line in lines)


def test_a_leaf_that_is_changed_does_not_agree() -> None:
    """Negative controls: a rung that was silent, a witness and a proof with other numbers."""
    broken, proved = (library().leaf(TIMED[rung]) for rung in ("exact", "certificate"))
    found = examine(broken, Settings("quick"))
    assert redone(broken, found, "exact")
    assert not redone(broken, found, "simulation")
    assert found.witness is not None
    other = replace(found, witness={**found.witness, "left": "1/7"})
    assert not redone(broken, other, "exact")
    found = examine(proved, Settings("quick"))
    assert redone(proved, found, "certificate")
    stolen = replace(found, witness=None)
    assert not redone(library().leaf(TIMED["power"]), stolen, "certificate")


def test_wrong_numbers_do_not_agree() -> None:
    """Negative control: another step size gives other moments than those of the map."""
    problem, method = two_clusters(3, 4, seed=0, batch=1), load_method("fedavg")
    loop = serial.fedavg(problem.data["targets"], 0.05, 4000, 3)[:, None]
    for step_size, fine in ((0.05, True), (0.06, False)):
        exact = method.affine_map(problem, {"step_size": step_size, "start": np.zeros(3)})
        assert agrees(loop, exact, np.zeros(3), 3) is fine
    sample = np.random.default_rng(0).normal(size=(1000, 2))
    assert sample_agrees(sample, np.zeros(2))
    assert not sample_agrees(sample, np.full(2, 0.3))


def test_the_serial_loop_of_all_for_one_is_the_method() -> None:
    """Without noise, where both are the same numbers."""
    problem = quadratics()
    found = serial.all_for_one(problem.form, problem.optimum, 0.0, 0.01, rounds=3)
    tensors = problem.map(torch.as_tensor)
    hyper = {"step_size": 0.01, "start": np.ones(problem.dim), "samples": "shared"}
    quiet = Given(torch.zeros(1, 3, problem.clients, problem.dim, dtype=torch.float64))
    made = run(load_method("all_for_one"), tensors, hyper, quiet, 3, last_only=True)
    np.testing.assert_allclose(made.theta[0, 0].numpy(), found, rtol=1e-12)


def test_the_peak_sees_what_a_job_takes() -> None:
    cpu = torch.device("cpu")
    size = 1 << 27
    _, small = with_peak(lambda: None, cpu)
    _, large = with_peak(lambda: np.ones(size, np.uint8), cpu)
    if small is None or large is None:
        pytest.skip("no peak of memory on this system")
    assert large - small > size / 2
