"""What is kept is found by its own run alone: same noise, same method, same problem."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run_chunked
from algorithms.local import Local
from algorithms.registry import load_method
from algorithms.sweeps.checkpoint import ResultFolder, rule_of, run_kept
from bounds.numbers.validate import InvalidInput
from synthetic.builders import clustered_quadratics
from synthetic.noise.sources import Addressed, Given, Noise, address_of, source_of

ROUNDS, CLIENTS = 12, 2
HYPER = {"step_size": 0.1, "start": np.zeros(1)}


def federation() -> Any:
    return clustered_quadratics(CLIENTS, 1, seed=1, noise_scale=0.5).map(torch.as_tensor)


def kept_and_made(folder: Path, noise_of: Any, method: Any = None) -> tuple[Any, Any]:
    setting = (method or load_method("fedavg"), federation(), HYPER, noise_of, 1, ROUNDS)
    return run_kept(ResultFolder(folder), *setting).theta, run_chunked(*setting).theta


def test_runs_of_other_seeds_that_begin_with_the_same_draws_are_kept_apart(tmp_path: Path) -> None:
    problem = federation()
    assert problem.law == "two_point"  # two clients draw one of four outcomes in the first round
    found = []
    for seed in range(16):
        kept, made = kept_and_made(tmp_path, lambda rows, s=seed: source_of(problem, s, rows, 2))
        assert torch.equal(kept, made)
        found.append(made)
    sources = [source_of(problem, seed, range(1), CLIENTS) for seed in range(16)]
    first = {tuple(source.draw(0).flatten().tolist()) for source in sources}
    assert len(first) <= 4 < len({tuple(made.flatten().tolist()) for made in found})


def test_given_draws_that_begin_alike_are_kept_apart(tmp_path: Path) -> None:
    draws = torch.zeros(1, ROUNDS, CLIENTS, 1, dtype=torch.float64)
    later = draws.clone()
    later[:, -1] = 1.0
    one, _ = kept_and_made(tmp_path, lambda rows: Given(draws))
    two, made = kept_and_made(tmp_path, lambda rows: Given(later))
    assert torch.equal(two, made)
    assert not torch.equal(one, two)


class Scaled(Local):
    """A method with a number of its own."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def step(self, t: int, state: Any, problem: Any, hyper: Any, draws: Any) -> Any:
        moved = super().step(t, state, problem, hyper, draws)
        return {**moved, "theta": self.factor * moved["theta"]}


def test_methods_that_hold_other_numbers_are_kept_apart(tmp_path: Path) -> None:
    problem = federation()
    for factor in (0.5, 0.9):
        kept, made = kept_and_made(
            tmp_path, lambda rows: source_of(problem, 1, rows, 2), Scaled(factor)
        )
        assert torch.equal(kept, made)
    assert rule_of(Scaled(0.5)) == rule_of(Scaled(0.5)) != rule_of(Scaled(0.9))


CODE = """
from algorithms.local import Local
from synthetic.quadratic import Quadratic as Library

class Halved(Local):
    def step(self, t, state, problem, hyper, draws):
        moved = super().step(t, state, problem, hyper, draws)
        return {**moved, "theta": FACTOR * moved["theta"]}

class Quadratic(Library):
    def own_gradients(self, thetas):
        return FACTOR * super().own_gradients(thetas)
"""


@pytest.mark.parametrize("changed", ["method", "problem"])
def test_code_of_ones_own_that_changes_is_kept_apart(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    problem, ends = federation(), []
    for factor in (1.0, 0.5, 0.25):
        name = "code_of_ones_own"
        # of another length each time: the compiled file is told apart by length and time
        text = CODE.replace("FACTOR", str(factor))
        (tmp_path / f"{name}.py").write_text(text + "#" * int(64 * factor))
        sys.modules.pop(name, None)
        importlib.invalidate_caches()
        own = importlib.import_module(name)
        method = own.Halved() if changed == "method" else Local()
        given = own.Quadratic(problem.data) if changed == "problem" else problem
        setting = (method, given, HYPER, lambda rows: source_of(problem, 1, rows, 2), 1, ROUNDS)
        kept, made = run_kept(ResultFolder(tmp_path / "kept"), *setting), run_chunked(*setting)
        assert torch.equal(kept.theta, made.theta)
        ends.append(float(made.theta[0, -1, 0, 0]))
    sys.modules.pop(name)
    assert len(set(ends)) == 3


def test_a_class_of_ones_own_is_not_the_library_s_of_that_name(tmp_path: Path) -> None:
    problem = federation()

    class Quadratic(type(problem)):  # type: ignore[misc]
        def own_gradients(self, thetas: Any) -> Any:
            return 2 * super().own_gradients(thetas)

    for given in (problem, Quadratic(problem.data)):
        setting = (Local(), given, HYPER, lambda rows: source_of(problem, 1, rows, 2), 1, ROUNDS)
        assert torch.equal(
            run_kept(ResultFolder(tmp_path), *setting).theta, run_chunked(*setting).theta
        )


def test_a_class_without_a_file_is_refused() -> None:
    made = type("Made", (Local,), {"__module__": "nowhere"})
    with pytest.raises(InvalidInput, match="class must be one whose code can be read, got Made"):
        rule_of(made())


@dataclass
class Own:
    """A source that somebody else has written."""

    level: float

    def draw(self, t: int) -> torch.Tensor:
        return torch.full((1, CLIENTS, 1), self.level, dtype=torch.float64)


class Told(Own):
    """The same, with an address."""

    @property
    def address(self) -> list[Any]:
        return ["own", self.level]


def test_a_source_of_ones_own_says_what_it_draws(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="noise must be a source that says what it draws"):
        kept_and_made(tmp_path, lambda rows: Own(1.0))
    for level in (1.0, 2.0):
        kept, made = kept_and_made(tmp_path, lambda rows, x=level: Told(x))
        assert torch.equal(kept, made)


@pytest.mark.parametrize(
    "change",
    [
        {"law": "sphere"},
        {"key": (1, 3)},
        {"replicates": range(1, 4)},
        {"slots": 5},
        {"width": 2},
        {"dtype": torch.float32},
        {"numbers": (0, 1, 2, 4)},
    ],
    ids=str,
)
def test_the_address_of_a_source_tells_all_that_it_is_made_of(change: dict[str, Any]) -> None:
    made: dict[str, Any] = {
        "law": "gaussian",
        "key": (1, 2),
        "replicates": range(3),
        "slots": 4,
        "width": 1,
    }
    source: Noise = Addressed(**made)
    assert (
        address_of(source)
        == address_of(Addressed(**made))
        != address_of(Addressed(**{**made, **change}))
    )
