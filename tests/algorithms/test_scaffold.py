"""SCAFFOLD on quadratics: fixed point, invariant, exact cases; five known mistakes are seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import algorithms.scaffold as scaffold
from algorithms.engine.run import run
from algorithms.registry import load_method
from tests.algorithms.baselines import BASE, D, N, quiet
from tests.algorithms.cases import CASES, dyadic_draws, largest_gap

SAMPLED = torch.tensor(
    [[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]], dtype=torch.float64
)


def trained(rounds: int, problem: Any = None, **hyper: Any) -> Any:
    """A silent run."""
    return run(load_method("scaffold"), problem or quiet(), {**BASE, **hyper}, None, rounds)


def minimiser(problem: Any) -> Any:
    """Optimum of the mean loss."""
    hessian = problem.hessian.mean(0)
    right = (problem.hessian @ problem.optimum[..., None]).mean(0)[..., 0]
    return torch.linalg.solve(hessian, right)


def rest() -> float:
    """How far a run moves that starts at the optimum with the gradients there as variates."""
    problem = quiet()
    best = minimiser(problem)
    found = trained(
        3,
        problem,
        start=best,
        controls=problem.gradients(best),
        local_steps=3,
        participation=SAMPLED,
    )
    return float((found.extras["server"] - best).abs().max())


def balance(rounds: int = 6) -> float:
    """How far the server's variate is from the mean of the clients'."""
    found = trained(rounds, participation=SAMPLED, local_steps=2)
    gap = found.extras["controls"].mean(-2) - found.extras["control"]
    return float(gap.abs().max())


def descent() -> float:
    """Distance from gradient descent on the mean loss, K = 1, everybody."""
    problem, found = quiet(), trained(4, local_steps=1)
    server = torch.as_tensor(BASE["start"])
    worst = 0.0
    for t in range(4):
        server = server - BASE["step_size"] * problem.gradients(server).mean(0)
        worst = max(worst, float((found.extras["server"][t + 1] - server).abs().max()))
    return worst


def freshness() -> float:
    """Distance of a new variate from the gradient at the server's model, K = 1, everybody."""
    problem, found = quiet(), trained(2, local_steps=1)
    expected = problem.gradients(found.extras["server"][1])
    return float((found.extras["controls"][2] - expected).abs().max())


def end() -> float:
    """Distance from the optimum of the mean loss after a long sampled run."""
    problem = quiet()
    found = trained(1200, problem, local_steps=3, participation=SAMPLED.repeat(200, 1))
    return float((found.extras["server"][-1] - minimiser(problem)).abs().max())


PROPERTIES = {"rest": rest, "balance": balance, "descent": descent, "freshness": freshness}


@pytest.mark.parametrize("name", PROPERTIES)
def test_property(name: str) -> None:
    assert PROPERTIES[name]() < 1e-12  # some hundred float operations on numbers near one


def test_it_ends_at_the_optimum_of_the_mean_although_clients_differ() -> None:
    assert end() < 1e-9


def test_fedavg_does_not() -> None:
    """Negative control: local steps alone drift."""
    problem = quiet()
    hyper = {**BASE, "local_steps": 3}
    found = run(load_method("fedavg"), problem, hyper, None, 1200)
    assert (found.extras["server"][-1] - minimiser(problem)).abs().max() > 1e-3


def _wrong_sign(gradients: Any, controls: Any, control: Any) -> Any:
    return gradients + controls - control[..., None, :]


def _no_step_size(c: Any, control: Any, server: Any, models: Any, steps: int, eta: Any) -> Any:
    return c - control[..., None, :] + (server[..., None, :] - models) / steps


def _fraction_dropped(control: Any, controls: Any, fresh: Any, inside: Any, _: Any) -> Any:
    moved = (inside[..., None] * (fresh - controls)).sum(-2)
    return control + moved / inside.sum(-1, keepdim=True).clamp(min=1)


def _only_sampled(control: Any, controls: Any, fresh: Any, inside: Any, _: Any) -> Any:
    return (inside[..., None] * fresh).sum(-2) / inside.sum(-1, keepdim=True).clamp(min=1)


def _stale() -> Callable[..., Any]:
    """The clients hear the server's variate of the round before."""
    heard: list[Any] = []

    def corrected(gradients: Any, controls: Any, control: Any) -> Any:
        if not heard or heard[-1] is not control:
            heard.append(control)
        late = heard[-2] if len(heard) > 1 else control
        return gradients - controls + late[..., None, :]

    return corrected


MISTAKES = {
    "not averaged over all clients": ("new_control", lambda: _only_sampled, "balance"),
    "wrong sign": ("corrected", lambda: _wrong_sign, "rest"),
    "stale server variate": ("corrected", _stale, "descent"),
    "step size missing": ("new_controls", lambda: _no_step_size, "freshness"),
    "participation fraction dropped": ("new_control", lambda: _fraction_dropped, "balance"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_breaks_a_property(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, make, broken = MISTAKES[mistake]
    monkeypatch.setattr(scaffold, name, make())
    assert PROPERTIES[broken]() > 1e-3


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_departs_from_the_twin(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, make, _ = MISTAKES[mistake]
    monkeypatch.setattr(scaffold, name, make())
    cases = [case for case in CASES if case.method == "scaffold"]
    assert max(largest_gap(case, dyadic_draws(case)) for case in cases) > 1e-6


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(1, 4), st.lists(st.floats(-2, 2), min_size=N * D, max_size=N * D))
def test_variates_keep_their_mean(steps: int, values: list[float]) -> None:
    controls = np.array(values).reshape(N, D)
    found = trained(4, controls=controls, participation=SAMPLED[:4], local_steps=steps)
    gap = found.extras["controls"].mean(-2) - found.extras["control"]
    assert gap.abs().max() < 1e-12


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(1, 4))
def test_equal_clients_make_it_fedavg(steps: int) -> None:
    problem = quiet((0, 0, 0))
    found = trained(3, problem, local_steps=steps)
    plain = run(load_method("fedavg"), problem, {**BASE, "local_steps": steps}, None, 3)
    torch.testing.assert_close(found.extras["server"], plain.extras["server"])
