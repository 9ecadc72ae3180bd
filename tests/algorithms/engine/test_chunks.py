"""Chunks of replicates: what they need not draw, and what a `reduce` may make of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.chunks import leading
from algorithms.engine.run import Run, run, run_chunked
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Addressed, Given, Silent, source_of
from tests.algorithms.bounded import bounded_run, watched
from tests.algorithms.cases import N, federation
from tests.each import each
from tests.rounding import assert_same_but_for_rounding

R, ROUNDS = 5, 3
STEP = {"step_size": 0.05, "start": torch.ones(2)}
GRID = {**STEP, "start": torch.tensor([[[0.5, 1.0]], [[2.0, -1.0]]])}


def noise(rows: range) -> Addressed:
    return Addressed("gaussian", (5, 6), rows, N, 2)


def everything(found: Run) -> dict[str, torch.Tensor]:
    return {"theta": found.theta, **found.extras}


@each("hyper", [STEP, GRID], ids=["one", "grid"])
@each("compile", [False, "trace"])
@each(
    ("name", "more", "source", "rounds"),
    [
        ("fedavg", {}, noise, 0),
        ("fedavg", {}, lambda rows: None, ROUNDS),
        ("local", {}, lambda rows: None, 0),
        ("fedprox", {"mu": 0.5}, lambda rows: None, ROUNDS),
        ("fedprox", {"mu": 0.5}, noise, ROUNDS),
        ("fedavg", {}, lambda rows: Silent(N, 2), ROUNDS),
    ],
    ids=["no rounds", "no noise", "neither", "nothing drawn", "draws not used", "silent"],
)
def test_where_nothing_is_drawn_all_replicates_are_that_of_one_run(
    name: str, more: dict[str, Any], source: Any, rounds: int, hyper: Any, compile: Any
) -> None:
    method = load_method(name)
    with watched() as roundings:
        one = everything(run(method, federation(), {**hyper, **more}, None, rounds))
    for chunk in (1, 2, R):
        found = everything(
            run_chunked(
                method,
                federation(),
                {**hyper, **more},
                source,
                R,
                rounds,
                chunk=chunk,
                compile=compile,
            )
        )
        assert set(found) == set(one)
        for key, value in found.items():
            expected, bound = one[key], roundings.of(one[key])
            if hyper is not GRID:
                expected, bound = expected[None], bound[None]
            assert value.shape[hyper is GRID] == R
            assert_same_but_for_rounding(value, expected.expand_as(value), bound.expand_as(value))


@pytest.mark.parametrize("compile", [False, "trace"])
def test_a_federation_without_noise_takes_the_source_of_its_own_law(compile: Any) -> None:
    quiet, method = federation(law="none"), load_method("fedavg")
    one, bounds = bounded_run(method, quiet, STEP, None, ROUNDS)
    found = run_chunked(
        method,
        quiet,
        STEP,
        lambda rows: source_of(quiet, 3, rows, N),
        R,
        ROUNDS,
        chunk=2,
        compile=compile,
    )
    expected, bound = (x.expand(R, -1, -1, -1) for x in (one.theta, bounds.theta))
    assert_same_but_for_rounding(found.theta, expected, bound)


def test_steps_that_differ_by_replicate_are_run_at_once_or_refused() -> None:
    """Who takes the most says how many draws a round has, and where later ones begin."""
    own = np.array([[1, 2, 3], [3, 2, 1], [1, 1, 1], [2, 3, 1], [1, 2, 2]])
    hyper = {**STEP, "local_steps": own}

    def draws(rows: range) -> Addressed:
        return Addressed("gaussian", (5, 6), rows, 3 * N, 2)

    method = load_method("fedavg")
    whole = run_chunked(method, federation(), hyper, draws, R, ROUNDS, chunk=R)
    for row, steps in enumerate(own):
        alone = {**STEP, "local_steps": steps}
        noise = draws(range(row, row + 1)).only(range(int(steps.max()) * N))
        found = run(method, federation(), alone, noise, ROUNDS)
        torch.testing.assert_close(found.theta[0], whole.theta[row], rtol=1e-13, atol=1e-13)
    for chunk in (1, 2):
        with pytest.raises(InvalidInput, match="local_steps must be the same for all replicates"):
            run_chunked(method, federation(), hyper, draws, R, ROUNDS, chunk=chunk)


def test_a_grid_of_local_steps_counts_for_the_cap() -> None:
    method = load_method("fedavg")
    grid = torch.tensor([[1, 2, 3], [3, 2, 1], [1, 1, 1]])[:, None]
    assert leading(method, federation(), {"start": STEP["start"], "local_steps": grid}) == (3, 1)


def test_a_reduce_sees_its_replicates_where_nothing_is_drawn() -> None:
    found = run_chunked(
        load_method("fedavg"),
        federation(),
        GRID,
        lambda rows: None,
        R,
        ROUNDS,
        chunk=2,
        reduce=lambda made: {"end": made.theta[..., -1, 0, 0]},
    )
    assert found.extras["end"].shape == (2, R)


@pytest.mark.parametrize("width", [1, R + 1])
def test_draws_for_other_replicates_are_refused_as_before(width: int) -> None:
    draws = Given(torch.zeros(width, ROUNDS, N, 2).double())
    with pytest.raises(ValueError, match=f"draws must be for {R} replicates, got {width}"):
        run_chunked(load_method("fedavg"), federation(), STEP, lambda rows: draws, R, ROUNDS)


@pytest.mark.parametrize("compile", [False, "trace"])
@pytest.mark.parametrize(
    "reduce", [lambda made: {"end": made.theta[..., -1, 0, :]}, lambda made: {"end": 1.0}]
)
def test_a_reduce_whose_last_axis_is_not_the_replicates_is_named(reduce: Any, compile: Any) -> None:
    with pytest.raises(InvalidInput, match=r"end of reduce must be a tensor of shape .*, 3\)"):
        run_chunked(
            load_method("fedavg"),
            federation(),
            STEP,
            noise,
            R,
            ROUNDS,
            chunk=3,
            reduce=reduce,
            compile=compile,
        )


def test_a_reduce_keeps_no_path_alive() -> None:
    found = run_chunked(
        load_method("fedavg"),
        federation(),
        STEP,
        noise,
        R,
        ROUNDS,
        reduce=lambda made: {"end": made.theta[..., -1, 0, 0]},
    )
    assert found.extras["end"].untyped_storage().nbytes() == R * 8


def test_a_grid_that_meets_no_other_axis_is_named() -> None:
    hyper = {**STEP, "step_size": torch.rand(4), "start": torch.rand(3, 2)}
    with pytest.raises(InvalidInput, match=r"leading axes of start must be those of the run"):
        run_chunked(load_method("fedavg"), federation(), hyper, noise, R, ROUNDS, memory=2**30)
