"""Runs on arrays are runs on tensors: same rules, same numbers, same refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from algorithms import fedbc
from algorithms.engine.run import run
from algorithms.engine.small import SmallPaths, run_small
from algorithms.registry import METHODS, load_method
from bounds.generic import to_float
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Given
from synthetic.quadratic import Quadratic
from tests.algorithms.cases import CASES, DATA, ROUNDING, Case, T, dyadic_draws, gap
from tests.each import each

PLAIN = [case for case in CASES if load_method(case.method).plain]
OTHERS = [name for name in METHODS if not load_method(name).plain]


def federation() -> Quadratic:
    return Quadratic({k: v if isinstance(v, str) else to_float(v) for k, v in DATA.items()})


def both(case: Case) -> tuple[dict[str, Any], SmallPaths]:
    """What a case leaves behind on tensors and on arrays, from the same draws."""
    import torch

    method, problem, draws = load_method(case.method), federation(), dyadic_draws(case)
    on_tensors = run(
        method, problem.map(torch.as_tensor), case.hyper, Given(torch.as_tensor(draws)), T
    )
    on_arrays = run_small(method, problem, case.hyper, np.asarray(draws), T)
    return {"theta": on_tensors.theta, **on_tensors.extras}, on_arrays


def test_the_methods_of_most_statements_are_plain() -> None:
    assert {case.method for case in PLAIN} == {
        "aggregation",
        "all_for_one",
        "fedavg",
        "fedbc",
        "local",
        "per_fedbc",
    }


@each("case", PLAIN)
def test_arrays_give_what_tensors_give(case: Case) -> None:
    on_tensors, on_arrays = both(case)
    assert set(on_arrays) == set(on_tensors)
    assert len(on_arrays) == len(on_tensors)
    for name, path in on_tensors.items():
        assert on_arrays[name].shape == tuple(path.shape), name
        # sums may run in another order
        assert gap(to_float(path), on_arrays[name]) < ROUNDING, name


def test_a_planted_fault_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(c for c in PLAIN if c.label == "fedbc exact")
    true = both(case)[0]
    monkeypatch.setattr(fedbc, "average", lambda models, *_: models.mean(-2))
    assert gap(to_float(true["theta"]), both(case)[1]["theta"]) > 1e-3


def test_paths_are_put_together_when_they_are_read() -> None:
    theta, server = np.ones((4, 1, 1, 2)), np.zeros((4, 3, 2))
    paths = SmallPaths({"theta": [theta, 2 * theta], "server": [server]}, {"theta": 2, "server": 1})
    assert paths["theta"].shape == (4, 3, 2, 1, 2)
    assert paths["server"].shape == (4, 3, 1, 2)
    assert paths["theta"] is paths["theta"]
    assert (paths["theta"][:, :, 1] == 2).all()
    theta[:] = 7  # what was read stays
    assert (paths["theta"][:, :, 0] == 1).all()


def test_arrays_that_are_given_stay_as_they_are() -> None:
    for case in PLAIN:
        problem, draws = federation(), np.asarray(dyadic_draws(case))
        hyper = {k: to_float(v) if isinstance(v, np.ndarray) else v for k, v in case.hyper.items()}
        given = [x for x in [*problem.data.values(), *hyper.values()] if isinstance(x, np.ndarray)]
        before = [x.copy() for x in [*given, draws]]
        for x in [*given, draws]:
            x.flags.writeable = False
        run_small(load_method(case.method), problem, hyper, draws, T)
        assert all((x == y).all() for x, y in zip([*given, draws], before, strict=True))


@each("name", OTHERS)
def test_a_method_for_tensors_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="method must be one that runs on arrays"):
        run_small(load_method(name), federation(), {}, np.zeros((1, 1, 3, 2)), 1)


def test_bad_input_is_refused() -> None:
    import torch

    local, hyper = load_method("local"), {"step_size": 0.1, "start": np.zeros(2)}
    with pytest.raises(InvalidInput, match="problem must be one that holds float64 arrays"):
        run_small(local, federation().map(torch.as_tensor), hyper, np.zeros((1, 3, 2)), 1)
    with pytest.raises(InvalidInput, match=r"draws must be of shape \(\.\.\., 1, 3, 2\)"):
        run_small(local, federation(), hyper, np.zeros((1, 2, 2)), 1)
    with pytest.raises(InvalidInput, match="start must be finite"):
        run_small(local, federation(), {**hyper, "start": [0, np.nan]}, np.zeros((1, 3, 2)), 1)
    with pytest.raises(InvalidInput, match=r"start must be of shape \(\.\.\., 2\), got \(3,\)"):
        run_small(local, federation(), {**hyper, "start": np.zeros(3)}, np.zeros((1, 3, 2)), 1)
