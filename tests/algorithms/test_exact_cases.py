"""What the methods must do where the answer is known: no noise, one client, equal clients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import algorithms.engine.counted as counted
from algorithms.engine.run import run
from algorithms.registry import load_method
from synthetic.noise.sources import Given
from synthetic.quadratic import Quadratic
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

START = np.array([1.5, -1.0])
STEP = 1 / 32
# a handful of operations on numbers of order one
CLOSE = {"rtol": 1e-13, "atol": 1e-13}


def quiet(clients: Any = range(N), sigma: float = 1.0) -> Quadratic:
    """The federation of these clients without noise, with a claimed variance bound."""
    problem = federation().select(list(clients))
    data = {k: v for k, v in problem.data.items() if k in ("A", "xi")}
    return Quadratic({**data, "sigma": torch.full((len(list(clients)),), sigma).double()})


def descent(gradient: Any, step_size: float, rounds: int = T) -> torch.Tensor:
    """Plain gradient descent from START, (T + 1, d)."""
    path = [torch.as_tensor(START)]
    for _ in range(rounds):
        path.append(path[-1] - step_size * gradient(path[-1]))
    return torch.stack(path)


def path(name: str, problem: Quadratic, **hyper: Any) -> torch.Tensor:
    """Models of a silent run, (T + 1, F, d)."""
    given = {"step_size": STEP, "start": START, **hyper}
    return run(load_method(name), problem, given, None, T).theta


@pytest.mark.parametrize("name", ["all_for_one", "local", "fedavg"])
def test_one_client_without_noise_is_gradient_descent(name: str) -> None:
    problem = quiet([0])
    expected = descent(lambda x: problem.gradients(x)[0], STEP)
    torch.testing.assert_close(path(name, problem)[:, 0], expected, **CLOSE)


@pytest.mark.parametrize("phi", ["continuous", "binary", "power"])
@pytest.mark.parametrize("weights", ["true", "estimated"])
def test_equal_clients_without_noise_take_gradient_steps(phi: str, weights: str) -> None:
    """With all ratios 1 the weights of Definition 1 sum to 1, whatever phi."""
    problem = quiet([0, 0, 0])
    expected = descent(lambda x: problem.gradients(x)[0], STEP)
    found = path("all_for_one", problem, phi=phi, threshold=0.5, exponent=2, weights=weights)
    for f in range(N):
        torch.testing.assert_close(found[:, f], expected, **CLOSE)


def test_equal_clients_scale_the_step_by_the_weight_sum() -> None:
    problem = quiet([1, 1, 1])
    matrix = np.array([[0.5, 0.25, 0.5], [0.0, 0.25, 0.25], [1.0, 0.0, 0.0]])
    found = path("all_for_one", problem, weights="fixed", weight_matrix=matrix)
    for f, total in enumerate([1.25, 0.5, 1.0]):
        expected = descent(lambda x: problem.gradients(x)[0], total * STEP)
        torch.testing.assert_close(found[:, f], expected, **CLOSE)
    wrong = descent(lambda x: problem.gradients(x)[0], STEP)  # negative control: sum ignored
    assert (found[:, 0] - wrong).abs().max() > 1e-3


def test_fedavg_with_one_step_is_descent_on_the_average(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = quiet()
    expected = descent(lambda x: problem.gradients(x).mean(-2), STEP)
    torch.testing.assert_close(path("fedavg", problem)[:, 0], expected, **CLOSE)
    uniform = np.full((N, N), 1 / N)
    averaged = path("all_for_one", problem, weights="fixed", weight_matrix=uniform)
    torch.testing.assert_close(averaged[:, 2], expected, **CLOSE)
    monkeypatch.setattr(counted, "average_of_all", lambda models, *_: models.sum(-2))
    assert (path("fedavg", problem)[:, 0] - expected).abs().max() > 1e-3


def test_fedavg_weights_its_clients() -> None:
    problem, sizes = quiet(), torch.tensor([3.0, 1.0, 2.0]).double()
    shares = (sizes / sizes.sum())[:, None]
    expected = descent(lambda x: (shares * problem.gradients(x)).sum(-2), STEP)
    found = path("fedavg", problem, client_weights=sizes)[:, 0]
    torch.testing.assert_close(found, expected, **CLOSE)
    # one client in two halves: the same federation
    halves, split = quiet([0, 0, 1, 2]), np.array([1.5, 1.5, 1.0, 2.0])
    found = path("fedavg", halves, client_weights=split)[:, 0]
    torch.testing.assert_close(found, expected, **CLOSE)


def test_fedprox_without_pull_is_fedavg() -> None:
    draws = dyadic_draws(Case("", "fedavg", {"local_steps": 3}))
    hyper = {"start": START, "step_size": STEP, "local_steps": 3}
    left = engine_run(Case("", "fedavg", hyper), draws).extras["server"]
    prox = {**hyper, "mu": 0.0, "local": "gradient"}
    right = engine_run(Case("", "fedprox", prox), draws).extras["server"]
    torch.testing.assert_close(left, right, **CLOSE)


@pytest.mark.parametrize(("multiplier", "same"), [(0.25, True), (0.5, False)])
def test_fedbc_with_constant_multipliers_is_fedprox_of_twice_the_weight(
    multiplier: float, same: bool
) -> None:
    """The penalty lambda ||x - z||^2 is the proximal term (mu/2) ||x - z||^2 at mu = 2 lambda."""
    problem, hyper = quiet(), {"start": START}
    left = run(load_method("fedbc"), problem, {**hyper, "multipliers": multiplier}, None, T)
    right = run(load_method("fedprox"), problem, {**hyper, "mu": 0.5}, None, T)
    apart = (left.extras["server"] - right.extras["server"]).abs().max()
    assert apart < 1e-13 if same else apart > 1e-3


def test_many_proximal_steps_reach_the_exact_proximal_point() -> None:
    problem, hyper = quiet(), {"start": START, "mu": 0.5, "step_size": 0.1}
    steps = {"local": "gradient", "local_steps": 200}  # contraction at most 0.75 per step
    left = run(load_method("fedprox"), problem, {**hyper, **steps}, None, T)
    right = run(load_method("fedprox"), problem, hyper, None, T)
    torch.testing.assert_close(left.extras["server"], right.extras["server"], **CLOSE)


@each("case", CASES)
def test_a_shared_optimum_is_a_fixed_point(case: Case) -> None:
    optimum = np.array([0.5, -2.0])
    hyper = {k: v for k, v in floats(case.hyper).items() if k not in ("starts", "gamma")}
    problem = Quadratic({**quiet().data, "xi": torch.as_tensor(-optimum).expand(N, D).clone()})
    result = run(load_method(case.method), problem, {**hyper, "start": optimum}, None, T)
    assert (result.theta - torch.as_tensor(optimum)).abs().max() < 1e-15
    moved = run(load_method(case.method), problem, {**hyper, "start": optimum + 1}, None, T)
    assert (moved.theta[-1] - moved.theta[0]).abs().max() > 1e-3


def test_a_client_at_its_own_optimum_stays() -> None:
    """With a vanishing own gradient nobody else's counts."""
    problem = quiet()
    result = run(
        load_method("all_for_one"),
        problem,
        {"step_size": STEP, "starts": problem.optimum.numpy()},
        None,
        T,
    )
    assert torch.equal(result.theta[-1], problem.optimum)
    assert torch.equal(result.extras["ratio"][0], torch.eye(N).double())


def test_weights_are_those_of_definition_1() -> None:
    """sum_k alpha_ik r_ik = 1 along the path, and the weights rest between refreshes."""
    hyper = {"start": START, "step_size": STEP, "weights": "estimated", "refresh": 2}
    extras = engine_run(
        Case("", "all_for_one", hyper), dyadic_draws(Case("", "all_for_one", hyper))
    ).extras
    drift = (extras["weights"] * extras["ratio"]).sum(-1)
    torch.testing.assert_close(drift, torch.ones_like(drift), **CLOSE)
    assert torch.equal(extras["weights"][:, 0], extras["weights"][:, 1])
    assert not torch.equal(extras["weights"][:, 1], extras["weights"][:, 2])


def test_estimated_ratios_without_noise_are_the_true_ones() -> None:
    exact = path("all_for_one", quiet(), weights="true")
    estimated = path("all_for_one", quiet(), weights="estimated", b_alpha=3)
    torch.testing.assert_close(estimated, exact, **CLOSE)


def test_a_focused_run_is_that_row_of_the_full_run() -> None:
    full = Case("", "all_for_one", {"start": START, "step_size": STEP})
    draws = dyadic_draws(full)
    focused = Case("", "all_for_one", {**full.hyper, "focus": [1]})
    left = engine_run(full, draws).theta[..., 1:2, :]
    right = engine_run(focused, draws[:, :, N : 2 * N]).theta
    torch.testing.assert_close(left, right, **CLOSE)


def test_fedbc_multipliers_stay_in_their_interval() -> None:
    hyper = {
        "start": START,
        "multipliers": 1.0,
        "dual_step": 50.0,
        "gamma": 0.1,
        "lambda_min": 0.5,
        "lambda_max": 2.0,
    }
    found = run(load_method("fedbc"), quiet(), hyper, None, 20).extras["multipliers"]
    assert found.min() >= 0.5
    assert found.max() <= 2.0
    assert found.std() > 0.1


def test_absent_clients_keep_model_and_multiplier_unless_virtual() -> None:
    hyper = {
        "start": START,
        "multipliers": 1.0,
        "dual_step": 0.5,
        "gamma": 0.1,
        "participation": np.array([[1.0, 0.0, 1.0]]),
    }
    literal = run(load_method("fedbc"), quiet(), hyper, None, T)
    virtual = run(load_method("fedbc"), quiet(), {**hyper, "virtual": True}, None, T)
    assert torch.equal(literal.theta[-1, 1], torch.as_tensor(START))
    assert torch.equal(literal.extras["multipliers"][-1, 1], torch.tensor(1.0).double())
    assert not torch.equal(virtual.theta[-1, 1], torch.as_tensor(START))
    torch.testing.assert_close(literal.extras["server"], virtual.extras["server"], **CLOSE)


def test_noise_enters_additively_into_one_fedavg_step() -> None:
    problem, u = federation(), torch.ones(1, 1, N, D).double()
    noisy = run(load_method("fedavg"), problem, {"step_size": STEP, "start": START}, Given(u), 1)
    calm = run(load_method("fedavg"), problem, {"step_size": STEP, "start": START}, None, 1)
    shift = noisy.theta[0, 1, 0] - calm.theta[1, 0]
    expected = -STEP * problem.noise_scale.mean().expand(D)
    torch.testing.assert_close(shift, expected, **CLOSE)
