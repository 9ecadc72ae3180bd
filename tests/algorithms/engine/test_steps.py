"""Steps below zero are refused, and a run that diverged says so."""

from __future__ import annotations

import numpy as np
import pytest

from algorithms.engine.run import run, run_chunked
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from tests.algorithms.cases import D, federation

ASCENT = [{"step_size": -0.1}, {"step_sizes": np.array([0.1, -0.1])}, {"step_size": -1e-300}]


@pytest.mark.parametrize("steps", ASCENT)
def test_a_negative_step_is_refused_in_one_sentence(steps: dict[str, object]) -> None:
    method, hyper = load_method("fedavg"), {"start": np.ones(D), **steps}
    (name,) = steps
    with pytest.raises(InvalidInput, match=rf"{name} must be at least 0, got -.*: drop the sign"):
        run(method, federation(), hyper, None, 2)
    with pytest.raises(InvalidInput, match="drop the sign"):
        run_chunked(method, federation(), hyper, lambda rows: None, 3, 2)
    run(method, federation(), hyper, None, 2, signed=True)  # a search decides by hypotheses


def test_no_step_at_all_is_taken() -> None:
    made = run(
        load_method("fedavg"), federation(), {"start": np.ones(D), "step_size": 0.0}, None, 3
    )
    assert not made.diverged


def test_a_run_that_left_all_floats_says_so() -> None:
    hyper = {"start": np.ones(D), "step_size": 1e6}
    assert run(load_method("fedavg"), federation(), hyper, None, 400).diverged
    assert not run(
        load_method("fedavg"), federation(), {**hyper, "step_size": 0.01}, None, 9
    ).diverged
