"""A grid of any hyper-parameter on a leading axis is its runs one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import METHODS, load_method
from synthetic.noise.sources import Given
from tests.algorithms.cases import (
    CASES,
    Case,
    D,
    N,
    T,
    dyadic_draws,
    engine_run,
    federation,
    floats,
)
from tests.each import each

MASKS = {"arrivals", "candidates", "pairs", "participation"}
ABSENT: dict[str, Any] = {
    "step_sizes": [1 / 32, 1 / 48, 1 / 64],
    "start": [1.5, -1.0],
    "starts": [[1.5, -1.0], [1.0, 1.0], [-2.0, 0.5]],
    "controls": [[0.5, -1.0], [1.0, 0.25], [-2.0, 0.5]],
    "client_weights": [3.0, 1.0, 2.0],
    "participation": [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
    "lambda_min": 15 / 32,
    "lambda_max": 17 / 8,
    "gamma_step": 1 / 32,
}
"""What no case of a method gives though the method takes it."""


def grids() -> list[Any]:
    """Every case with every array that it gives, or that no case of its method gives."""
    found = []
    for name in METHODS:
        cases = [case for case in CASES if case.method == name]
        given = {key for case in cases for key in case.hyper}
        for case in cases:
            axes = load_method(name).axes
            here = {key for key in axes if key in case.hyper}
            here |= {key for key in axes if key not in given and case is cases[0]}
            found += [pytest.param(case, key, id=f"{case}, {key}") for key in sorted(here)]
    return found


def two_values(case: Case, name: str) -> list[torch.Tensor]:
    """A value of a hyper-parameter and another one, with all the trailing axes."""
    axes = load_method(case.method).axes[name].split()
    given = floats(case.hyper).get(name)
    value = torch.as_tensor(ABSENT[name] if given is None else given, dtype=torch.float64)
    sizes = {"N": N, "d": D, "T": T}
    if value.ndim < len(axes):
        value = value.expand([sizes[axis] for axis in axes])
    return [value, value.flip(-len(axes)) if name in MASKS else 0.9 * value]


@each(("case", "name"), grids())
def test_a_grid_on_a_leading_axis_is_its_runs_one_by_one(case: Case, name: str) -> None:
    draws = dyadic_draws(case)
    values = two_values(case, name)
    whole = engine_run(case, draws, **{name: torch.stack(values)[:, None]})
    alone = [engine_run(case, draws, **{name: value}) for value in values]
    for j, one in enumerate(alone):
        for key, expected in {"theta": one.theta, **one.extras}.items():
            found = {"theta": whole.theta, **whole.extras}[key]
            found = found[j] if found.ndim > expected.ndim else found
            torch.testing.assert_close(found, expected.expand_as(found), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["step_size", "temperature", "start"])
def test_the_other_value_gives_another_run(name: str) -> None:
    """The comparison above would see values that are mixed up."""
    (case,) = (case for case in CASES if str(case) == "aggregation softmax")
    values, draws = two_values(case, name), dyadic_draws(case)
    whole = engine_run(case, draws, **{name: torch.stack(values)[:, None]})
    other = engine_run(case, draws, **{name: values[0]})
    assert (whole.theta[1] - other.theta).abs().max() > 1e-6


@pytest.mark.parametrize("begin", ["own", "server"])
def test_a_grid_that_reaches_the_models_round_by_round_is_run_by_graphs(
    begin: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Tolerances have its axis after one round, multipliers after two, models after three."""
    hyper = {
        "start": torch.ones(2),
        "step_size": 0.03,
        "local": "gradient",
        "local_start": begin,
        "dual_step": 0.06,
        "gamma": [1, 0.5, 2],
        "multipliers": [0.5, 1, 2],
        "gamma_step": torch.tensor([0.03, 0.06])[:, None],
    }
    draws = np.random.default_rng(0).normal(size=(4, 9, N, D))
    method, noise = load_method("fedbc"), Given(torch.as_tensor(draws))
    whole, traced = (
        run(method, federation(), hyper, noise, 9, compile=how, rounds_per_launch=2)
        for how in (False, "trace")
    )
    assert [line for line in caplog.records if line.name.startswith("algorithms")] == []
    torch.testing.assert_close(traced.theta, whole.theta, rtol=0, atol=1e-12)
    assert (whole.theta[0, :, -1] - whole.theta[1, :, -1]).abs().max() > 1e-6
