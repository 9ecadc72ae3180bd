"""Identities between FedBC's relatives, and where they rest, on exact quadratics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.engine.run import run
from algorithms.personal.fine_tuning import fine_tuned
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Given
from synthetic.quadratic import Quadratic
from tests.algorithms.baselines import BASE, CLOSE, N, quiet

PULL = torch.tensor(2.0, dtype=torch.float64)


def servers(name: str, rounds: int = 4, problem: Any = None, **hyper: Any) -> Any:
    """Server's models of a silent run, (T + 1, d)."""
    made = run(load_method(name), problem or quiet(), {**BASE, **hyper}, None, rounds)
    return made.extras["server"]


def same(left: Any, right: Any) -> None:
    torch.testing.assert_close(left, right, **CLOSE)


def apart(left: Any, right: Any) -> bool:
    """Negative control of an identity."""
    return bool((left - right).abs().max() > 1e-4)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(st.integers(1, 4))
def test_q_fedavg_without_fairness_is_fedavg(steps: int) -> None:
    plain = servers("fedavg", local_steps=steps)
    same(servers("q_fedavg", local_steps=steps), plain)
    assert apart(servers("q_fedavg", local_steps=steps, fairness=1), plain)


def test_q_fedavg_prefers_the_client_of_larger_loss() -> None:
    problem = quiet()
    losses = [problem.losses(servers("q_fedavg", 300, fairness=q)[-1]) for q in (0, 1, 4)]
    worst = [float(x.max()) for x in losses]
    assert worst[0] > worst[1] > worst[2]


def test_per_fedavg_without_inner_step_is_fedavg() -> None:
    plain = servers("fedavg", local_steps=3)
    same(servers("per_fedavg", local_steps=3, inner_step=0.0), plain)
    assert apart(servers("per_fedavg", local_steps=3, inner_step=0.05), plain)


def test_pfedme_with_a_full_step_is_fedprox() -> None:
    """eta mu = 1 and one local step: w_i is the proximal point itself."""
    plain = servers("fedprox", mu=PULL)
    same(servers("pfedme", mu=PULL, step_size=0.5), plain)
    assert apart(servers("pfedme", mu=PULL, step_size=0.25), plain)


def test_pfedme_gradient_steps_reach_the_exact_personal_model() -> None:
    exact = servers("pfedme", mu=PULL, step_size=0.5)
    steps = servers(
        "pfedme", mu=PULL, step_size=0.5, local="gradient", inner_step=0.05, inner_steps=400
    )
    torch.testing.assert_close(steps, exact, rtol=1e-9, atol=1e-9)


def test_the_inner_steps_of_pfedme_share_one_mini_batch() -> None:
    """On H = I eight steps of size a on one draw are a (1 + r + .. + r^7), r = 1 - a (1 + mu).

    Draws of their own would add up to the root of the sum of r^2j: a seventh of the variance.
    """
    still = Quadratic(
        {"A": torch.ones(N, 1, 1, dtype=torch.float64), "half": True, "xi": torch.zeros(N, 1)}
        | {"noise_scale": torch.ones(N), "law": "gaussian"}
    ).map(lambda x: x.double())
    step, pull, inner = 1 / 32, 1.0, 8
    hyper = {"start": np.zeros(1), "mu": pull, "step_size": 1.0, "local": "gradient"}
    hyper |= {"inner_step": step, "inner_steps": inner}
    method = load_method("pfedme")
    assert method.slots(N, hyper) == N
    moved = run(method, still, hyper, Given(torch.ones(1, 1, N, 1).double()), 1).theta[0, 1]
    shrink = 1 - step * (1 + pull)
    gain = step * sum(shrink**j for j in range(inner))
    torch.testing.assert_close(moved, torch.full((N, 1), -gain, dtype=torch.float64), **CLOSE)
    fresh = step**2 * sum(shrink ** (2 * j) for j in range(inner))
    assert gain**2 / fresh > 7


def test_per_fedbc_without_inner_step_and_multipliers_is_fedavg() -> None:
    ones = torch.ones(N, dtype=torch.float64)
    plain = servers("fedavg", local_steps=2)
    same(servers("per_fedbc", local_steps=2, inner_step=0.0, multipliers=ones), plain)
    assert apart(servers("per_fedbc", local_steps=2, inner_step=0.05, multipliers=ones), plain)


def test_fedbc_without_dual_step_from_the_server_is_fedprox() -> None:
    multipliers = torch.full((N,), 0.5 * float(PULL), dtype=torch.float64)
    plain = servers("fedprox", mu=PULL, local="gradient", local_steps=3)
    found = servers(
        "fedbc", multipliers=multipliers, local="gradient", local_start="server", local_steps=3
    )
    same(found, plain)
    assert apart(servers("fedbc", multipliers=multipliers, local="gradient", local_steps=3), plain)


def test_gamma_heuristic_starts_like_consensus_and_then_lets_go() -> None:
    ones = torch.ones(N, dtype=torch.float64)
    base = {"multipliers": ones, "dual_step": 0.25}
    fixed = run(load_method("fedbc"), quiet(), {**BASE, **base}, None, 40)
    freed = run(load_method("fedbc"), quiet(), {**BASE, **base, "gamma_step": 0.25}, None, 40)
    first, second = fixed.extras["multipliers"], freed.extras["multipliers"]
    same(first[:2], second[:2])  # gamma^0 = 0 in the first dual step
    assert (second[-1] < first[-1]).all()
    ends = [r.extras["local_models"][-1] - r.extras["server"][-1] for r in (fixed, freed)]
    assert ends[1].square().sum() > ends[0].square().sum()


ONES = torch.ones(N, dtype=torch.float64)
RELATIVES: dict[str, dict[str, Any]] = {
    "q_fedavg": {},
    "per_fedavg": {"inner_step": 0.05},
    "pfedme": {"mu": PULL},
    "scaffold": {},
    "per_fedbc": {"inner_step": 0.05, "multipliers": ONES},
}


@pytest.mark.parametrize("name", RELATIVES)
def test_equal_clients_rest_at_their_optimum(name: str) -> None:
    problem = quiet((1, 1, 1))
    more = {"start": problem.optimum[0], "local_steps": 2, **RELATIVES[name]}
    found = servers(name, 3, problem, **more)
    same(found, problem.optimum[0].expand_as(found))


@pytest.mark.parametrize(
    ("name", "missing"),
    [("per_fedavg", "inner_step"), ("pfedme", "mu"), ("per_fedbc", "inner_step")],
)
def test_what_is_missing_is_named(name: str, missing: str) -> None:
    others = {k: v for k, v in RELATIVES[name].items() if k != missing}
    with pytest.raises(InvalidInput, match=f"{missing} must be given"):
        servers(name, **others)


def test_negative_fairness_is_refused() -> None:
    with pytest.raises(InvalidInput, match="fairness must be at least 0"):
        servers("q_fedavg", fairness=-1)


def test_fine_tuning_moves_every_model_towards_its_own_optimum() -> None:
    problem = quiet()
    ones = torch.ones(N, dtype=torch.float64)
    made = run(load_method("fedbc"), problem, {**BASE, "multipliers": ones}, None, 5)
    models = made.extras["local_models"][-1]
    before, after = (
        problem.own_losses(fine_tuned(problem, models, s, k)) for s, k in ((0.0, 1), (0.05, 2))
    )
    same(fine_tuned(problem, models, 0.0), models)
    assert (after < before).all()


def test_one_newton_like_step_is_exact_in_one_dimension() -> None:
    """A step of one over the curvature ends at the optimum of a quadratic on the line."""
    problem = Quadratic(
        {"A": torch.tensor([[[3.0]], [[3.0]]]), "xi": torch.tensor([[1.0], [2.0]]), "half": True}
    )
    start = torch.tensor([[0.5], [0.5]])
    torch.testing.assert_close(fine_tuned(problem, start, 1 / 3), problem.optimum)


def test_fine_tuning_refuses_negative_steps() -> None:
    with pytest.raises(InvalidInput, match="step_size"):
        fine_tuned(quiet(), torch.zeros(N, 2), -0.1)
