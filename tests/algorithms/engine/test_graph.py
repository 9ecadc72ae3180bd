"""A run is the same in one graph, compiled or not, in any chunks, and for a replicate alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch._inductor.config

from algorithms.engine import compiler, launches
from algorithms.engine import graph as engine_graph
from algorithms.engine.compiler import compiler_at_hand
from algorithms.engine.graph import compilations
from algorithms.engine.run import Run, run, run_chunked
from algorithms.engine.trees import Unfit, built_in
from algorithms.local import Local
from algorithms.method import Method
from algorithms.registry import METHODS, load_method
from synthetic.additive import LAWS
from synthetic.noise.philox import round_keys
from synthetic.noise.sources import Addressed, Given, source_of
from synthetic.tables.streaming import two_clusters
from tests.algorithms.bounded import agree, bounded_run
from tests.algorithms.cases import CASES, ROUNDING, Case, dyadic_draws, federation, floats
from tests.each import each
from tests.rounding import assert_same_but_for_rounding, of_draws

ROUNDS = 9


def difference(left: Run, right: Run) -> float:
    """Largest difference of two runs, relative to the largest entry of each record."""
    assert set(left.extras) == set(right.extras)
    worst = 0.0
    pairs = [(left.theta, right.theta), *((v, right.extras[k]) for k, v in left.extras.items())]
    for a, b in pairs:
        assert a.shape == b.shape
        worst = max(worst, float((a - b).abs().max() / (b.abs().max() + 1e-30)))
    return worst


def notices(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.name == "algorithms.engine.graph"]


def yardstick(dtype: torch.dtype = torch.float32) -> Any:
    return two_clusters(4, 6, seed=3, batch=1).map(lambda x: torch.as_tensor(x, dtype=dtype))


def fedavg(
    rows: range, rounds: int = ROUNDS, dtype: torch.dtype = torch.float32, **more: Any
) -> Run:
    """FedAvg on streaming least squares with addressed noise."""
    return run(*_fedavg(rows, rounds, dtype), **more)


def bounded_fedavg(rows: range, dtype: torch.dtype = torch.float32, **more: Any) -> tuple[Run, Run]:
    """The same, run eagerly, and how far rounding may carry each of its numbers."""
    return bounded_run(*_fedavg(rows, ROUNDS, dtype), **more)


def _fedavg(rows: range, rounds: int, dtype: torch.dtype) -> tuple[Any, ...]:
    noise = Addressed("gaussian", (5, 6), rows, 6, 4, dtype=dtype)
    hyper = {"step_size": 0.05, "start": torch.zeros(4)}
    return load_method("fedavg"), yardstick(dtype), hyper, noise, rounds


@each("case", CASES)
def test_every_method_is_the_same_as_a_graph(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    caplog.clear()
    method, hyper = load_method(case.method), floats(case.hyper)
    noise = Given(torch.as_tensor(dyadic_draws(case)))
    rounds = noise.array.shape[1]
    whole, traced = (
        run(method, federation(), hyper, noise, rounds, compile=how, rounds_per_launch=1)
        for how in (False, "trace")
    )
    assert difference(traced, whole) < ROUNDING
    unlike = not isinstance(hyper.get("local_steps", 1), int)  # clients that stop at their own step
    if method.phase(0, hyper) is not None and not unlike:
        assert notices(caplog) == []  # a method that says so is one graph


def test_schedules_and_phases_move_on_inside_a_launch() -> None:
    torch.manual_seed(0)
    hyper = {
        "start": torch.ones(2),
        "step_sizes": torch.linspace(0.1, 0.02, 12),
        "refresh": 3,
    }
    method, problem = load_method("all_for_one"), federation()
    noise = source_of(problem, 7, range(5), 9)
    whole, traced = (
        run(method, problem, hyper, noise, 12, compile=how, rounds_per_launch=4)
        for how in (False, "trace")
    )
    assert difference(traced, whole) < ROUNDING
    late = run(method, problem, {**hyper, "step_sizes": hyper["step_sizes"].flip(0)}, noise, 12)
    assert difference(late, whole) > 1e-3  # negative control: the schedule matters


@pytest.mark.parametrize("count", [1, 2])
def test_weights_that_get_the_axis_of_replicates_late_go_on_in_launches(count: int) -> None:
    """The first weights are of one common start; refreshed ones are of each replicate's models."""
    hyper = {"start": torch.ones(2), "step_size": 0.05, "refresh": 3}
    method, noise = load_method("all_for_one"), source_of(federation(), 7, range(5), 9)
    whole, traced = (
        run(method, federation(), hyper, noise, 14, compile=how, rounds_per_launch=count)
        for how in (False, "trace")
    )
    assert difference(traced, whole) < ROUNDING


@pytest.mark.parametrize("law", [law for law in LAWS if law != "none"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_draws_of_a_graph_are_those_of_an_eager_run(law: str, dtype: torch.dtype) -> None:
    more: dict[str, Any] = {}
    if law == "finite":
        more = {"values": torch.tensor([1.0, -1.0]), "probabilities": torch.tensor([0.5, 0.5])}
    for width in (1, 2, 3, 5, 10):
        source = Addressed(law, (3, 4), range(7, 40), 3, width, dtype=dtype, skew=1.5, **more)
        span = torch.arange(7, 40)
        one, each = (round_keys((3, 4), "cpu", rows) for rows in (1, source.rows_of(3)))
        several = source.draw_at(torch.arange(2, 5), each, span)
        assert torch.equal(source.draw_at(torch.arange(2, 5), one, span), several)
        for j, round in enumerate(range(2, 5)):
            eager = source.draw(round)
            bound = torch.zeros(eager.shape, dtype=torch.float64) + of_draws(source, round)
            assert_same_but_for_rounding(several[j], eager, bound)


@pytest.mark.parametrize("compile", [False, "trace"])
def test_a_replicate_alone_is_that_replicate_of_ten_thousand(compile: bool | str) -> None:
    whole = fedavg(range(10_000), last_only=True, record=(), compile=compile)
    alone = fedavg(range(5, 6), last_only=True, record=(), compile=compile)
    _, bounds = bounded_fedavg(range(5, 6), last_only=True, record=())
    agree(Run(alone.theta), Run(whole.theta[5:6]), bounds)
    assert difference(Run(alone.theta), Run(whole.theta[6:7])) > 1e-2  # negative control


@pytest.mark.parametrize("chunk", [1, 7, 40])
@pytest.mark.parametrize("compile", [False, "trace"])
def test_any_chunks_give_the_same_run(chunk: int, compile: bool | str) -> None:
    hyper = {"step_size": 0.05, "start": torch.zeros(4)}

    def noise(rows: range) -> Addressed:
        return Addressed("gaussian", (5, 6), rows, 6, 4, dtype=torch.float32)

    found = run_chunked(
        load_method("fedavg"), yardstick(), hyper, noise, 40, ROUNDS, chunk=chunk, compile=compile
    )
    agree(found, *bounded_fedavg(range(40)))


def test_replicates_have_their_own_hyper_parameters() -> None:
    """A grid of step sizes in one run, on common draws or on draws of their own."""
    sizes = torch.tensor([0.01, 0.02, 0.05, 0.1])
    problem, method = yardstick(), load_method("fedavg")
    noise = Addressed("gaussian", (5, 6), range(4), 6, 4, dtype=torch.float32)
    start = torch.zeros(4)
    own = run(method, problem, {"step_size": sizes, "start": start}, noise, ROUNDS)
    grid = run(method, problem, {"step_size": sizes[:, None], "start": start}, noise, ROUNDS)
    for j, size in enumerate(sizes):
        hyper = {"step_size": float(size), "start": start}
        alone, bounds = bounded_run(method, problem, hyper, noise, ROUNDS)
        agree(Run(own.theta[j]), Run(alone.theta[j]), Run(bounds.theta[j]))
        agree(Run(grid.theta[j]), Run(alone.theta), bounds)


class _Decaying(Local):
    """Steps of a length that the method itself holds, nested as a wrapper nests its method."""

    def __init__(self, factor: Any, inner: Method | None = None) -> None:
        self.factor, self.inner = factor, inner

    def step(self, t: int, state: Any, problem: Any, hyper: Any, draws: Any) -> Any:
        """A local step, shorter by what this method or the one inside holds."""
        factor = (self.inner or self).factor  # type: ignore[attr-defined]
        after = super().step(t, state, problem, hyper, draws)
        factor = float(factor[0]) if isinstance(factor, list | dict | np.ndarray) else factor
        return {**after, "theta": after["theta"] * factor}


@pytest.mark.parametrize(
    "make",
    [
        _Decaying,
        lambda x: _Decaying(0, _Decaying(x)),
        lambda x: _Decaying([x]),
        lambda x: _Decaying({0: x}),
        lambda x: _Decaying(np.array([x])),
        lambda x: _Decaying(torch.tensor(x)),
    ],
    ids=["number", "inner method", "list", "dict", "array", "tensor"],
)
def test_methods_of_one_type_that_hold_other_values_have_graphs_of_their_own(make: Any) -> None:
    hyper, noise = {"step_size": 0.05, "start": np.ones(2)}, Given(torch.ones(6, 3, 2).double())
    ends = []
    for factor in (0.5, 0.9):
        whole, traced = (
            run(make(factor), federation(), hyper, noise, 6, compile=how, rounds_per_launch=2)
            for how in (False, "trace")
        )
        assert difference(traced, whole) < ROUNDING
        ends.append(whole.theta[-1])
    assert (ends[0] - ends[1]).abs().max() > 0.1  # negative control: the value matters


def test_methods_that_hold_the_same_share_a_graph() -> None:
    one, same, other = (built_in(_Decaying(0, _Decaying([x]))) for x in (0.5, 0.5, 0.9))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    held = torch.ones(2)
    before = built_in(_Decaying(held))
    assert before == built_in(_Decaying(held))
    held.mul_(2)
    assert before != built_in(_Decaying(held))


def test_large_rounds_are_launched_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, bounds = bounded_fedavg(range(40))
    counts: list[int] = []
    rounds_of = engine_graph.Rounds.__init__

    def spy(self: Any, *given: Any) -> None:
        counts.append(given[6])
        rounds_of(self, *given)

    monkeypatch.setattr(engine_graph.Rounds, "__init__", spy)
    for most, expected in ((40 * 6 * 4, 1), (3 * 40 * 6 * 4, 3)):
        monkeypatch.setattr(launches, "LAUNCHED", most)
        agree(fedavg(range(40), compile="trace"), whole, bounds)
        assert counts.pop() == expected


@pytest.mark.slow
@pytest.mark.skipif(not compiler_at_hand(torch.device("cpu")), reason="no C++ compiler")
@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_the_same_compiled(name: str) -> None:
    case = next(case for case in CASES if case.method == name)
    method, hyper = load_method(name), floats(case.hyper)
    slots = method.slots(3, hyper)
    noise = source_of(federation(), 1, range(20), slots) if slots else None
    rounds = 3 if {"participation", "step_sizes", "pairs"} & set(hyper) else 6
    whole, compiled = (
        run(method, federation(), hyper, noise, rounds, compile=how, rounds_per_launch=1)
        for how in (False, True)
    )
    assert difference(compiled, whole) < ROUNDING


@pytest.mark.slow
@pytest.mark.skipif(not compiler_at_hand(torch.device("cpu")), reason="no C++ compiler")
def test_a_compiled_run_is_the_eager_one_and_compiles_once() -> None:
    before = compilations()
    for rows in (range(16), range(100, 116)):  # another chunk, another address
        found = fedavg(rows, compile=True, rounds_per_launch=1)
        agree(found, *bounded_fedavg(rows))
    assert compilations() == before + 1
    double = fedavg(range(16), dtype=torch.float64, compile=True, rounds_per_launch=1)
    agree(double, *bounded_fedavg(range(16), dtype=torch.float64))
    assert compilations() == before + 2


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known of failures, and nothing is remembered afterwards."""
    monkeypatch.setattr(compiler, "_BROKEN", {})
    monkeypatch.setattr(engine_graph, "_programs", {})
    monkeypatch.setattr(engine_graph, "_noticed", set())


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("name", ["/nowhere/compiler", "/bin/false", "g++ -O2"])
def test_without_a_compiler_the_run_is_eager_and_says_so(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    before = compilations()
    with torch._inductor.config.patch({"cpp.cxx": (None, name)}):
        assert not compiler_at_hand(torch.device("cpu"))
        found = fedavg(range(3), compile=True)
        fedavg(range(3), compile=True)
    (line,) = notices(caplog)
    assert "no C++ compiler was found" in line
    assert name in line
    assert difference(found, fedavg(range(3))) == 0
    assert compilations() == before


@pytest.mark.slow
def test_the_compiler_is_the_one_that_torch_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one on the path is of no use; CXX names it, and then it is."""
    other = tmp_path / "c++"
    other.write_text("#!/bin/sh\nexit 0\n")
    other.chmod(0o755)
    program = (
        "import torch; from algorithms.engine.compiler import compiler_at_hand as at_hand;"
        "print(at_hand(torch.device('cpu')))"
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, expected in ((None, "False"), (str(other), "True")):
        monkeypatch.delenv("CXX", raising=False)
        if name is not None:
            monkeypatch.setenv("CXX", name)
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert out.stdout.strip() == expected, out.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("forgetful")
def test_a_compiler_that_fails_is_tried_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It tells its version and compiles nothing: other shapes and other runs are eager at once."""
    broken = tmp_path / "compiler"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo 1.0 && exit 0\nexit 1\n')
    broken.chmod(0o755)
    before = compilations()
    monkey = {"cpp.cxx": (None, str(broken)), "force_disable_caches": True}
    with torch._inductor.config.patch(monkey):
        for rows in (range(3), range(3), range(5)):
            found = fedavg(rows, compile=True)
            assert difference(found, fedavg(rows)) == 0
        assert not compiler_at_hand(torch.device("cpu"))
    assert compilations() == before + 1
    (line,) = notices(caplog)
    assert "the compiler failed" in line


@pytest.mark.usefixtures("forgetful")
def test_a_graph_that_cannot_be_made_is_tried_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[object] = []

    def fails(*given: object) -> None:
        tried.append(given)
        raise Unfit("the compiler failed (a test)")

    monkeypatch.setattr(engine_graph, "_compile", fails)
    for _ in range(3):
        found = fedavg(range(3), compile="trace")
    assert len(tried) == 1
    assert len(notices(caplog)) == 1
    assert difference(found, fedavg(range(3))) == 0
    fedavg(range(4), compile="trace")
    assert len(tried) == 2  # another shape is another graph
