"""Counts that are none, schedules that end early and numbers that are text get one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run, run_chunked
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput, unchecked
from synthetic.noise.sources import source_of
from synthetic.tables.user_loss import UserLoss
from tests.algorithms.cases import CASES, D, N, federation, floats
from tests.each import each

STEP = {"step_size": 0.05, "start": np.ones(D)}
NOT_WHOLE = [2.5, 3.0, True, "3", None, [3], float("nan"), float("inf"), -1]


def noise(rows: range) -> Any:
    return source_of(federation(), 3, rows, N)


@each("value", NOT_WHOLE)
@each("name", ["rounds", "replicates", "chunk", "memory", "rounds_per_launch"])
def test_what_is_no_count_is_refused(name: str, value: Any) -> None:
    if value is None and name in ("chunk", "memory"):
        return  # that is how they are left open
    more = {"replicates": 4, "rounds": 3, name: value}
    with pytest.raises(InvalidInput, match=f"{name} must be a whole number of at least"):
        run_chunked(load_method("fedavg"), federation(), STEP, noise, **more)
    if name in ("rounds", "rounds_per_launch"):
        more.pop("replicates")
        with pytest.raises(InvalidInput, match=f"{name} must be a whole number of at least"):
            run(load_method("fedavg"), federation(), STEP, noise(range(4)), **more)


@pytest.mark.parametrize("kind", [int, np.int64, torch.tensor])
def test_counts_of_every_kind_are_taken(kind: Any) -> None:
    method, counts = load_method("fedavg"), {"replicates": kind(4), "rounds": kind(3)}
    found = run_chunked(method, federation(), STEP, noise, **counts, chunk=kind(2))
    assert found.theta.shape == (4, 4, N, D)


@each("value", [[1.7], True, [True, False, True], "1", 1.0, [[0]], {}, ["a"], [np.nan]])
@each("name", ["fedavg", "local"])
def test_clients_to_follow_are_whole_numbers(name: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match="focus must be a non-empty list of clients"):
        run(load_method(name), federation(), {**STEP, "focus": value}, None, 1)


@pytest.mark.parametrize("value", [1, np.int64(1), [1], (1,), np.array([1]), torch.tensor([1])])
def test_clients_to_follow_are_taken_in_every_kind(value: Any) -> None:
    found = run(load_method("local"), federation(), {**STEP, "focus": value}, None, 2)
    expected = run(load_method("local"), federation(), STEP, None, 2)
    assert torch.equal(found.theta, expected.theta[..., 1:2, :])


@pytest.mark.parametrize("compile", [False, "trace"])
@pytest.mark.parametrize("length", [2, 5, 11])
@pytest.mark.parametrize("name", ["step_sizes", "participation"])
def test_schedules_that_end_early_are_named(name: str, length: int, compile: Any) -> None:
    short = np.ones((length, N)) if name == "participation" else np.full(length, 0.05)
    message = rf"{name} must be longer than {length} rounds, got {length}"
    with pytest.raises(InvalidInput, match=message):
        run(
            load_method("fedavg"),
            federation(),
            {**STEP, name: short},
            noise(range(4)),
            12,
            compile=compile,
            rounds_per_launch=2,
        )


@pytest.mark.parametrize("value", ["x", [0.1, "a"], 1 + 2j, {}, [[1], [1, 2]]], ids=repr)
def test_numbers_that_are_none_are_named(value: Any) -> None:
    for name in ("step_size", "start"):
        with pytest.raises(InvalidInput, match=f"{name} must be a real number or a full array"):
            run(load_method("fedavg"), federation(), {**STEP, name: value}, None, 1)


REFUSED = [
    ("aggregation fedmaxk", {"count": 0}, "count must be a whole number"),
    ("aggregation fedmaxk", {"count": 2.5}, "count must be a whole number"),
    ("aggregation fedmaxk", {"count": N + 1}, rf"count must be in 1\.\.{N}"),
    ("aggregation fedavg", {"client_weights": 0.0}, "sum of client_weights must be positive"),
    ("aggregation fixed", {"coefficients": None}, "coefficients must be given"),
    ("power of choice", {"candidates": 0.0}, "candidates must be made of zeros and ones, some"),
    ("power of choice", {"candidates": -1.0}, "candidates must be made of zeros and ones, some"),
    ("binary", {"threshold": 1.5}, r"threshold must be in \(0, 1\]"),
    ("cubic", {"exponent": 2.5}, "exponent must be a whole number"),
    ("cubic", {"exponent": -1}, "exponent must be a whole number"),
    ("continuous", {"phi": np.ones(2)}, "phi must be one of"),
    ("q-fedavg", {"fairness": float("inf")}, "fairness must be at least 0, got inf"),
    ("q-fedavg", {"fairness": "x"}, "fairness must be at least 0, got x"),
    ("q-fedavg", {"step_size": 0.0}, "step_size must be not zero"),
    ("scaffold", {"step_size": 0.0}, "step_size must be not zero"),
    ("scaffold", {"step_sizes": [0.1, 0.0, 0.1]}, "step_sizes must be not zero"),
    ("pfedme steps", {"inner_step": None}, "inner_step must be given"),
    ("all-for-all adaptive", {"lengths": 2}, "lengths must be of length 1"),
    ("all-for-all adaptive", {"lengths": [1.5]}, "lengths must be a whole number"),
]


@each(("label", "changes", "message"), REFUSED)
def test_what_would_give_no_number_is_refused(
    label: str, changes: dict[str, Any], message: str
) -> None:
    (case,) = (case for case in CASES if str(case) == label)
    method, hyper = load_method(case.method), floats(case.hyper)
    assert run(method, federation(), hyper, None, 2).theta.isfinite().all()
    with pytest.raises(InvalidInput, match=message):
        run(method, federation(), {**hyper, **changes}, None, 2)


@pytest.mark.parametrize(
    ("label", "name"), [("scaffold", "server_step"), ("pfedme exact", "mixing")]
)
def test_what_is_none_is_absent(label: str, name: str) -> None:
    (case,) = (case for case in CASES if str(case) == label)
    method, hyper = load_method(case.method), floats(case.hyper)
    left, right = (
        run(method, federation(), {**hyper, **more}, None, 3).theta for more in ({}, {name: None})
    )
    assert torch.equal(left, right)


def test_what_is_no_source_is_named() -> None:
    method = load_method("fedavg")
    with pytest.raises(InvalidInput, match="noise must be a source of draws, or None, got Tensor"):
        run(method, federation(), STEP, torch.zeros(2, 3, N, D), 2)  # type: ignore[arg-type]
    source: Any = noise(range(4))
    with pytest.raises(InvalidInput, match="noise_of must be a function of the replicates"):
        run_chunked(method, federation(), STEP, source, 4, 2)


def test_what_a_loss_of_ones_own_does_not_know_is_named() -> None:
    problem = UserLoss({"samples": torch.ones(N, 4, 3).double(), "loss": _square, "dim": D})
    hyper = {**STEP, "rule": "fedmax"}
    with pytest.raises(InvalidInput, match="problem must be one that knows its optimal_value"):
        run(load_method("aggregation"), problem, hyper, None, 2)


def test_counts_are_counts_where_checks_are_off() -> None:
    with unchecked(), pytest.raises(InvalidInput, match="rounds must be a whole number"):
        run(load_method("fedavg"), federation(), STEP, None, 2.5)  # type: ignore[arg-type]


def _square(theta: Any, sample: Any) -> Any:
    return ((theta * sample[:-1]).sum() - sample[-1]) ** 2
