"""Bad input gets one sentence; the registry names near methods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.collapse import Collapsed
from algorithms.engine.run import run, run_chunked
from algorithms.registry import METHODS, load_method
from algorithms.sweeps.checkpoint import ResultFolder, run_kept
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Addressed, Given
from synthetic.quadratic import Quadratic
from tests.algorithms.cases import D, N, federation
from tests.each import each

GOOD = {"step_size": 0.1, "start": np.ones(D)}
MORE: dict[str, dict[str, Any]] = {"fedbc": {"multipliers": 1.0}, "fedprox": {"mu": 1.0}}
"""What some methods need besides."""


@each("name", METHODS)
def test_methods_load_by_name(name: str) -> None:
    method = load_method(name)
    assert method.name == name
    assert set(method.units) <= set(method.axes)
    assert method.states["theta"] == "F d"


def test_unknown_method_suggests_a_near_one() -> None:
    with pytest.raises(InvalidInput, match="try fedavg"):
        load_method("fedavgg")


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("local", {"step_size": None}, "step_size must be given"),
        ("local", {"start": None}, "start must be given"),
        ("local", {"step_size": float("nan")}, "step_size must be finite"),
        ("local", {"start": np.ones(5)}, r"start must be of shape \(\.\.\., 2\)"),
        ("local", {"focus": [7]}, "focus must be a non-empty list"),
        ("local", {"focus": []}, "focus must be a non-empty list"),
        ("local", {"step_sizes": np.ones(1)}, "step_sizes must be longer than 1 rounds"),
        ("all_for_one", {"weights": "best"}, "weights must be one of"),
        ("all_for_one", {"weights": "fixed"}, "weight_matrix must be given"),
        ("all_for_one", {"phi": "odd"}, "phi must be one of"),
        ("all_for_one", {"phi": "binary"}, "threshold must be given"),
        ("all_for_one", {"phi": "binary", "threshold": 0.0}, "threshold must be positive"),
        ("all_for_one", {"weights": "estimated", "b_alpha": 0}, "b_alpha must be a whole number"),
        ("all_for_one", {"refresh": 1.5}, "refresh must be a whole number"),
        ("fedavg", {"local_steps": True}, "local_steps must be a whole number"),
        ("scaffold", {"local_steps": [1, 0, 2]}, "local_steps must be whole numbers of at least 1"),
        ("fedavg", {"local_steps": [1.0, 2.0, 2.0]}, "local_steps must be whole numbers"),
        ("q_fedavg", {"local_steps": [1, 2]}, "local_steps must be one per client"),
        ("fedavg", {"participation": np.full((1, N), 0.5)}, "participation must be made of"),
        ("fedavg", {"client_weights": -np.ones(N)}, "client_weights must be non-negative"),
        ("fedprox", {"mu": -1.0}, "mu must be non-negative"),
        ("fedprox", {"mu": None}, "mu must be given"),
        ("fedbc", {"multipliers": None}, "multipliers must be given"),
        ("fedbc", {"multipliers": -1.0}, "multipliers must be non-negative"),
        ("fedbc", {"local": "newton"}, "local must be one of"),
    ],
)
def test_bad_parameters_are_named(name: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        run(load_method(name), federation(), {**GOOD, **MORE.get(name, {}), **changes}, None, 2)


def test_bad_rounds_draws_problem_and_chunks_are_named() -> None:
    local = load_method("local")
    with pytest.raises(InvalidInput, match="rounds must be a whole number of at least 0"):
        run(local, federation(), GOOD, None, -1)
    with pytest.raises(InvalidInput, match="draws must be of shape"):
        run(local, federation(), GOOD, Given(torch.zeros(4, 2, 1, D).double()), 2)
    with pytest.raises(InvalidInput, match="problem must be one that holds torch tensors"):
        run(local, Quadratic({"A": np.eye(D)[None], "xi": np.ones((1, D))}), GOOD, None, 1)
    with pytest.raises(InvalidInput, match="chunk must be a whole number of at least 1"):
        run_chunked(local, federation(), GOOD, lambda rows: None, 3, 1, chunk=0)
    with pytest.raises(InvalidInput, match="draws must be for 3 replicates"):
        run_chunked(local, federation(), GOOD, lambda rows: Given(torch.zeros(1, N, D)), 3, 1)


def test_variance_bound_must_be_positive_for_similarity_weights() -> None:
    problem = Quadratic({"A": torch.eye(D).double()[None], "xi": torch.ones(1, D).double()})
    with pytest.raises(InvalidInput, match="sigma must be positive"):
        run(load_method("all_for_one"), problem, GOOD, None, 1)


def test_no_rounds_leave_the_start() -> None:
    found = run(load_method("local"), federation(), GOOD, None, 0)
    assert torch.equal(found.theta, torch.ones(1, N, D).double())
    assert found.extras == {}


@pytest.mark.parametrize("compile", [False, "trace"])
def test_a_grid_of_the_wrong_length_is_named(compile: Any) -> None:
    noise = Given(torch.zeros(3, 6, N, D).double())
    hyper = {**GOOD, "step_size": torch.linspace(0.1, 0.2, 5)}
    for name in ("local", "fedavg"):
        with pytest.raises(InvalidInput, match=r"leading axes of draws must be those of the run"):
            run(load_method(name), federation(), hyper, noise, 6, compile=compile)


def test_names_to_record_are_those_of_the_method() -> None:
    fedbc, hyper = load_method("fedbc"), {**GOOD, **MORE["fedbc"]}
    with pytest.raises(InvalidInput, match="got multiplier: did you mean multipliers"):
        run(fedbc, federation(), hyper, None, 1, record=["multiplier"])
    found = run(fedbc, federation(), hyper, None, 1, record=["multipliers", "theta"])
    assert set(found.extras) == {"multipliers"}


@pytest.mark.parametrize("compile", [False, "trace"])
def test_rounds_per_launch_are_whole_and_no_replicates_are_none(compile: Any) -> None:
    fedavg = load_method("fedavg")
    with pytest.raises(InvalidInput, match="rounds_per_launch must be a whole number .* got 2.5"):
        run(fedavg, federation(), GOOD, None, 6, compile=compile, rounds_per_launch=2.5)  # type: ignore[arg-type]
    none = Addressed("gaussian", (1, 2), range(0), N, D)
    found = run(fedavg, federation(), GOOD, none, 6, compile=compile)
    assert found.theta.shape == (0, 7, N, D)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"device": "cudaa"}, "device must be one that torch has here, got cudaa"),
        ({"width": 2.0}, "slots and width must be positive whole numbers"),
    ],
)
def test_a_source_names_what_it_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        Addressed("gaussian", (1, 2), range(3), **{"slots": 2, "width": 2, **changes})


def test_a_source_on_an_accelerator_that_is_not_there_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InvalidInput, match="device must be one that torch has here, got cuda"):
        Addressed("gaussian", (1, 2), range(3), 2, 2, device="cuda")


def test_a_collapsed_method_can_be_kept(tmp_path: Path) -> None:
    method, hyper = Collapsed(load_method("fedavg")), {"step_size": 0.1, "start": np.ones(D)}
    slots = method.slots(N, hyper)

    def noise(rows: range) -> Addressed:
        return Addressed("gaussian", (1, 2), rows, slots, D)

    first, second = (
        run_kept(ResultFolder(tmp_path), method, federation(), hyper, noise, 3, 2) for _ in range(2)
    )
    assert torch.equal(first.theta, second.theta)
    assert method.name == "collapsed fedavg"
