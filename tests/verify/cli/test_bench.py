"""``fedassay bench``: a table, its JSON, ratios to an older one, and jobs that can disagree."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import torch._inductor.config

from algorithms.bench import dense, serial
from algorithms.bench.exact import agrees, moments_agree, paths_agree, sample_agrees
from algorithms.bench.jobs import ENGINE_JOBS, JOBS, all_for_one, quadratics, ratio_weights
from algorithms.bench.leaves import SIMULATED, TIMED
from algorithms.bench.measure import BenchLine, with_peak
from algorithms.bench.partition import groups_of, planted
from algorithms.bench.runs import Bench, EngineJob, checked_run, engine_run, meets
from algorithms.engine import compiler, graph
from algorithms.engine.run import run
from algorithms.grouping.hcct_partition import Clients, greedy_partition
from algorithms.registry import load_method
from synthetic.exact.moments import AffineMap, moments
from synthetic.noise.sources import Given
from synthetic.tables.streaming import two_clusters
from verify.catalogue.library import library
from verify.cli.bench import FIELDS, read_results
from verify.ledger.ledger import Finding
from verify.run.bench_jobs import (
    LADDER_JOBS,
    decided_before,
    excess_after,
    mean_agrees,
    redone,
    speaks,
)
from verify.run.tasks import Settings, examine
from verify.verdict.evidence import RUNGS
from verify.world.noise_plan import Samples
from verify.world.score import score

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


def test_a_job_that_disagrees_is_an_error(fedassay: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = BenchLine("wrong", "numbers", 1.0, agrees_with_exact=False)
    monkeypatch.setitem(JOBS, "machine", lambda bench: [wrong])
    code, out, _ = fedassay("bench", "machine")
    assert code == 1
    assert "DIFFERS" in out


@pytest.mark.slow
@pytest.mark.parametrize("sound", [False, True])
def test_without_a_working_compiler_the_jobs_run_eagerly_and_say_so_once(
    sound: bool,
    fedassay: Call,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One that does not answer, and one that answers and compiles nothing."""
    for place, name, value in (
        (compiler, "_BROKEN", {}),
        (graph, "_programs", {}),
        (graph, "_noticed", set()),
    ):
        monkeypatch.setattr(place, name, value)
    broken = tmp_path / "compiler"
    answer = 'if [ "$1" = --version ]; then echo 1; exit 0; fi\n' if sound else ""
    broken.write_text(f"#!/bin/sh\n{answer}exit 1\n")
    broken.chmod(0o755)
    table = tmp_path / "table.json"
    without = {"cpp.cxx": (None, str(broken)), "force_disable_caches": True}
    with torch._inductor.config.patch(without):
        code, _, _ = fedassay("bench", "user_loss", "--seconds", 0.001, "-o", table)
    assert code == 0
    lines = json.loads(table.read_text())
    assert [line["variant"] for line in lines] == ["eager, float32"] * 2
    (line,) = [r.getMessage() for r in caplog.records if r.name == "algorithms.engine.graph"]
    assert "runs eagerly" in line
    assert str(broken) in line or "the compiler failed" in line


@pytest.mark.parametrize(
    "name",
    ["all_for_one", *(pytest.param(n, marks=pytest.mark.slow) for n in ("collapsed", "skipped"))],
)
def test_engine_jobs_meet_the_exact_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("algorithms.bench.measure.BLOCKS", 1)  # what a job takes is not asked
    lines = JOBS[name](Bench(seconds=0.01, compiled=False))
    checked = [line for line in lines if line.agrees_with_exact is not None]
    assert checked
    assert all(line.agrees_with_exact for line in checked)


@pytest.mark.slow
def test_the_command_runs_to_its_end_and_every_row_agrees(
    fedassay: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All jobs by one call, at sizes that take seconds: what they measure is not asked."""
    for name, value in {
        "measure.BLOCKS": 1,
        "jobs.REPLICATES": 100,
        "jobs.LARGE": (10, 5, 200),
        "jobs.SEVERAL": 400,
        "runs.SEVERAL": 400,
        "runs.MANY": 2_000,
        "leaves.TIMED": {rung: TIMED[rung] for rung in ("certificate", "terms")},
    }.items():
        monkeypatch.setattr(f"algorithms.bench.{name}", value)
    file = tmp_path / "table.json"
    code, out, err = fedassay("bench", "--eager", "--seconds", 0.001, "-o", file)
    assert (code, err) == (0, ""), out
    lines = json.loads(file.read_text())
    checked = [line for line in lines if line["agrees_with_exact"] is not None]
    assert all(line["agrees_with_exact"] for line in checked)
    assert len(checked) >= len({**JOBS, **LADDER_JOBS})
    assert any(line["variant"].startswith("terms: ") for line in checked)


def test_the_partition_finds_the_groups_that_were_planted() -> None:
    clients, groups = planted(200, 20, kinds=10)
    assert groups_of(greedy_partition(clients)) == groups
    rng = np.random.default_rng(0)
    shaken = Clients(rng.normal(size=clients.gradients.shape), clients.sizes, clients.tradeoff)
    assert groups_of(greedy_partition(shaken)) != groups  # negative control: other gradients


def test_a_leaf_with_instances_to_simulate_is_simulated() -> None:
    (line,) = LADDER_JOBS["simulation"](Bench(seconds=0.01))
    assert line.variant.endswith(("decided", "reported"))
    assert line.steps_per_cpu_second > 0
    assert line.agrees_with_exact is True
    statement = library().leaf(SIMULATED)
    for make in statement.simulate:  # negative control: another step size, another mean
        instance = make()
        sides = score(replace(statement, over="path"), instance.batched(), noise=Samples(3, 2000))
        exact = excess_after(instance, float(np.ravel(sides.world.step_size)[0]))
        for factor in (0.99, 1.0, 1.01):
            found = mean_agrees(statement, instance, 2000, 3, factor * exact)
            assert found is (factor == 1.0)


@pytest.mark.slow
def test_every_rung_that_decides_or_costs_has_a_leaf_on_which_it_speaks() -> None:
    assert {"exact", "search", "certificate", "power", "link"} <= TIMED.keys()
    assert TIMED.keys() <= set(RUNGS)
    lines = LADDER_JOBS["leaves"](Bench(seconds=0.01))
    assert [line.variant.partition(":")[0] for line in lines] == list(TIMED)
    assert all(line.agrees_with_exact and line.steps_per_cpu_second > 0 for line in lines)


@pytest.fixture(scope="module")
def examined() -> dict[str, Finding]:
    """What the ladder finds of a leaf that falls, and of one that is proved."""
    leaves = {rung: library().leaf(TIMED[rung][0]) for rung in ("exact", "certificate")}
    return {rung: examine(leaf, Settings("quick")) for rung, leaf in leaves.items()}


def test_a_leaf_that_is_changed_does_not_agree(examined: dict[str, Finding]) -> None:
    """Negative controls: a witness and a proof with other numbers."""
    broken, proved = (library().leaf(TIMED[rung][0]) for rung in ("exact", "certificate"))
    found = examined["exact"]
    assert redone(broken, found)
    assert found.witness is not None
    assert not redone(broken, replace(found, witness={**found.witness, "left": "1/7"}))
    found = examined["certificate"]
    assert redone(proved, found)
    assert not redone(library().leaf(TIMED["power"][0]), replace(found, witness=None))


def test_a_rung_that_is_silent_is_told_from_one_that_need_not_be_asked(
    examined: dict[str, Finding],
) -> None:
    """Which leaf is proved, and by what, changes with the prover: the bench reads it off."""
    for rung, found in examined.items():
        assert speaks(found, rung)
        assert not decided_before(found, rung)
        assert not speaks(found, "terms")
        assert decided_before(found, "terms")
        open_one = replace(found, leaf={**found.leaf, "verdict": "holds", "evidence": []})
        assert not speaks(open_one, "terms")
        assert not decided_before(open_one, "terms")


@pytest.mark.parametrize(
    ("verdict", "evidence", "told"),
    [
        ("holds", [{"rung": "terms", "status": "reported"}], "agrees"),
        ("proved", [], ""),
        ("holds", [], "DIFFERS"),  # negative control: it should have spoken
    ],
)
def test_a_row_follows_from_what_was_found(
    verdict: str,
    evidence: list[dict[str, str]],
    told: str,
    examined: dict[str, Finding],
    fedassay: Call,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leaf = {**examined["certificate"].leaf, "verdict": verdict, "evidence": evidence}
    leaf["rung"] = {"proved": "certificate"}.get(verdict, "search")
    made = replace(examined["certificate"], leaf=leaf, witness=None)
    monkeypatch.setattr("verify.run.tasks.examine", lambda *given, **more: made)
    monkeypatch.setattr("algorithms.bench.leaves.TIMED", {"terms": TIMED["terms"]})
    code, out, _ = fedassay("bench", "leaves", "--seconds", 0.01)
    row = out.splitlines()[-1]
    assert code == (told == "DIFFERS")
    assert ("agrees" in row, "DIFFERS" in row) == (told == "agrees", told == "DIFFERS")
    assert ("terms not asked" in row) is (told != "agrees")
    assert TIMED["terms"][0 if told else -1] in row


EAGER = Bench(seconds=0.01, compiled=False)
KNOWN = [
    pytest.param(
        *(make, number, place),
        id=f"{job.name}-{place}",
        marks=[] if make is all_for_one and not place else [pytest.mark.slow],
    )
    for make in ENGINE_JOBS
    for number, job in enumerate(make(EAGER))
    for place in range(len(job.known))
]


def times(one: AffineMap, factor: float) -> AffineMap:
    """The same map with another covariance of its noise."""
    noise = one.covariance
    if not callable(noise):
        return replace(one, covariance=factor * noise)
    return replace(one, covariance=lambda mean, spread: factor * noise(mean, spread))


@pytest.mark.parametrize(("make", "number", "place"), KNOWN)
def test_every_check_finds_a_wrong_covariance_and_a_shifted_mean(
    make: Callable[[Bench], list[EngineJob]], number: int, place: int
) -> None:
    """Right numbers are accepted on several seeds; 5 % and a tenth of a deviation are found."""
    job = make(EAGER)[number]
    known = job.known[place]
    for seed in (2, 3):
        assert meets(EAGER, job, known, "eager", seed=seed)
    models = checked_run(EAGER, job, known, "eager")
    assert agrees(models, known.exact, known.start, known.rounds)
    for factor in (0.9, 0.95, 1.05, 1.1):
        assert not agrees(models, times(known.exact, factor), known.start, known.rounds)
    path = moments(known.exact, known.start, known.rounds)
    mean, covariance = path.mean[..., -1, :], path.covariance[..., -1, :, :]
    shift = 0.1 * np.sqrt(np.diagonal(covariance, 0, -2, -1))
    for sign in (-1, 1):
        assert not moments_agree(models, mean + sign * shift, covariance)


def test_a_covariance_between_coordinates_is_seen() -> None:
    """Of the right variances, and without the products of different coordinates."""
    rng = np.random.default_rng(0)
    covariance = np.array([[1.0, 0.2], [0.2, 1.0]])
    models = rng.multivariate_normal(np.zeros(2), covariance, size=20_000)[:, None]
    assert moments_agree(models, np.zeros(2), covariance)
    assert not moments_agree(models, np.zeros(2), np.eye(2))


def test_right_numbers_are_accepted_on_many_seeds() -> None:
    """Skewed squares of few replicates too: at these sizes no seed is far from the limit."""
    for seed in range(300):
        models = np.random.default_rng(seed).normal(size=(4000, 1, 10))
        assert moments_agree(models, np.zeros(10), np.eye(10))


def test_ratios_that_move_are_weights_of_the_method() -> None:
    """And the weights of the start are not those of a later point."""
    (job,) = all_for_one(EAGER)
    problem, step_size = job.problem, 0.01
    for known in job.known[:2]:
        tensors = problem.map(torch.as_tensor)
        starts = np.broadcast_to(known.start, problem.optimum.shape)
        hyper = {"step_size": step_size, "starts": torch.as_tensor(starts.copy())}
        quiet = Given(torch.zeros(1, 1, problem.clients**2, problem.dim, dtype=torch.float64))
        made = run(job.method, tensors, hyper, quiet, 1, record=("weights",))
        found = made.extras["weights"][0, 0].numpy()
        np.testing.assert_allclose(found, ratio_weights(problem, known.start), rtol=1e-10)
    moved = abs(ratio_weights(problem, job.known[0].start) - found).max()
    assert moved > 0.01
    other = replace(job.known[1], exact=job.known[0].exact)
    assert not meets(EAGER, job, other, "eager")


def test_paths_on_the_same_draws_are_compared_as_paths() -> None:
    (job,) = all_for_one(EAGER)
    models = engine_run(EAGER, job, "eager")()
    assert paths_agree(models, models * (1 + 1e-6))
    assert not paths_agree(models, engine_run(EAGER, job, "eager", seed=2)())


@pytest.mark.parametrize("factor", [1.0, 0.9, 1.1, 1 + 1e-5])
def test_the_recursion_is_that_of_a_dense_matrix(factor: float) -> None:
    """Written out by hand; another noise or another step size is found."""
    problem, method = two_clusters(4, 6, seed=0, batch=1), load_method("fedavg")
    one = method.affine_map(problem, {"step_size": 0.05, "start": np.zeros(4)})
    path = moments(times(one, factor), np.zeros(4), 60)
    targets = problem.data["targets"]
    assert dense.agrees(path, targets, 0.05) is (factor == 1.0)
    assert not dense.agrees(path, targets, 0.0501)


def test_wrong_means_do_not_agree() -> None:
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
