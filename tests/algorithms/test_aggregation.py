"""Generalised FedAvg: special cases, where aggregation happens, what the weights see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import algorithms.aggregation as aggregation
from algorithms.aggregation import candidate_mask
from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Given
from tests.algorithms import cases as algorithm_cases
from tests.algorithms.cases import (
    CASES,
    N,
    T,
    dyadic_draws,
    engine_run,
    federation,
    largest_gap,
    tensors,
)

EXACT = {"rtol": 1e-12, "atol": 1e-12}  # a few hundred float operations
START = np.array([1.5, -1.0])
SHARES = np.array([3.0, 1.0, 2.0]) / 6


def long_run(iterations: int = 6, **hyper: Any) -> Any:
    draws = np.random.default_rng(5).integers(-12, 13, (2, iterations, N, 2)) / 8
    base = {"step_size": 1 / 32, "start": START, "client_weights": SHARES}
    noise = Given(torch.as_tensor(draws))
    return draws, run(
        load_method("aggregation"), federation(), {**base, **hyper}, noise, iterations
    )


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_share_weights_are_fedavg(steps: int) -> None:
    draws, left = long_run(local_steps=steps)
    joined = torch.as_tensor(draws.reshape(2, 6 // steps, steps * N, 2))
    hyper = {"step_size": 1 / 32, "start": START, "client_weights": SHARES, "local_steps": steps}
    right = run(load_method("fedavg"), federation(), hyper, Given(joined), 6 // steps)
    torch.testing.assert_close(left.theta[:, ::steps], right.theta, **EXACT)


def aggregated(models: torch.Tensor) -> list[int]:
    """Iterations at which all clients hold one model."""
    apart = (models - models[..., :1, :]).abs().amax((0, 2, 3))
    return [t for t, gap in enumerate(apart) if gap < 1e-14]


def test_when_the_average_is_taken() -> None:
    for timing, expected in (("algorithm", [0, 3, 6]), ("equation", [0, 1, 4])):
        _, made = long_run(local_steps=3, rule="fedmax", timing=timing)
        assert aggregated(made.extras["models"]) == expected


def test_one_local_step_leaves_nothing_open() -> None:
    runs = [long_run(rule="fedmax", timing=timing)[1].theta for timing in aggregation.TIMINGS]
    torch.testing.assert_close(*runs, **EXACT)


def test_virtual_average_is_the_weighted_mean_of_the_models() -> None:
    _, made = long_run(local_steps=3, rule="fedsoftmax", temperature=4.0)
    mean = (made.extras["alpha"][..., None] * made.extras["models"][:, 1:]).sum(-2)
    torch.testing.assert_close(made.theta[:, 1:, 0], mean, **EXACT)


@pytest.mark.parametrize("rule", ["fedmax", "fedmaxk", "fedsoftmax", "power_of_choice"])
def test_weights_are_constant_in_a_round_and_sum_to_one(rule: str) -> None:
    _, made = long_run(local_steps=3, rule=rule, count=2, temperature=2.0)
    alpha = made.extras["alpha"]
    assert (alpha >= 0).all()
    torch.testing.assert_close(alpha.sum(-1), torch.ones(2, 6, dtype=alpha.dtype), **EXACT)
    torch.testing.assert_close(alpha[:, ::3].repeat_interleave(3, 1), alpha, rtol=0, atol=0)


def test_fedmax_follows_the_worst_client_alone() -> None:
    _, made = long_run(local_steps=2, rule="fedmax")
    excess = federation().excess(made.theta[:, 0, 0])
    worst = excess.argmax(-1)
    assert (made.extras["alpha"][:, 0].argmax(-1) == worst).all()
    assert (made.extras["alpha"][:, 0].amax(-1) == 1).all()


def test_cold_softmax_is_fedmax_and_hot_softmax_is_fedavg() -> None:
    cold = long_run(rule="fedsoftmax", temperature=1e-3)[1].theta
    torch.testing.assert_close(cold, long_run(rule="fedmax")[1].theta, **EXACT)
    hot = long_run(rule="fedsoftmax", temperature=1e12)[1].theta
    # weights differ from p by x/T, about 1e-11
    torch.testing.assert_close(hot, long_run()[1].theta, rtol=1e-8, atol=1e-8)


def test_seen_losses_change_the_weights() -> None:
    runs = [
        long_run(local_steps=3, rule="fedsoftmax", temperature=1.0, seen=seen)[1].theta
        for seen in aggregation.SEEN
    ]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert (runs[one] - runs[other]).abs().max() > 1e-6


def test_power_of_choice_that_asks_everybody_is_fedmaxk_where_minima_agree() -> None:
    left = long_run(rule="power_of_choice", count=2)[1].theta
    torch.testing.assert_close(left, long_run(rule="fedmaxk", count=2)[1].theta, **EXACT)


def test_candidates_are_drawn_by_share_without_replacement() -> None:
    mask = candidate_mask(SHARES, 2, 4000, np.random.default_rng(0))
    assert set(mask.sum(-1)) == {2.0}
    # odds of client 1 (p = 1/6): first 1/6, second after 0 or 2: 1/2*1/3 + 1/3*1/4
    assert abs(mask[:, 1].mean() - (1 / 6 + 1 / 6 + 1 / 12)) < 0.04  # 5 standard deviations
    with pytest.raises(InvalidInput, match="size must be in 1..3"):
        candidate_mask(SHARES, 4, 1, np.random.default_rng(0))


FAULTS = [
    ("aggregation fedavg", "_average", lambda models, weights: models.mean(-2)),
    ("aggregation fedmaxk", "count", lambda hyper, name, default=1: 1),
    ("aggregation schedule", "scheduled", lambda hyper, name, t: hyper[name + "s"][..., 0]),
    ("aggregation average", "_shares", lambda p, hyper, like: like.new_full((N,), 1 / N)),
    ("power of choice", "ranks", lambda values: values.argsort(-1)),
    ("aggregation fixed", "_row", lambda rows, r: rows[..., 0, :]),
]


@pytest.mark.parametrize(("label", "name", "fault"), FAULTS, ids=[f"{f[0]}:{f[1]}" for f in FAULTS])
def test_planted_fault_is_caught(
    label: str, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = next(c for c in CASES if c.label == label)
    draws = dyadic_draws(case)
    assert largest_gap(case, draws) < algorithm_cases.ROUNDING
    monkeypatch.setattr(aggregation, name, fault)
    assert largest_gap(case, draws) > 1e-6


def test_cases_use_every_rule_timing_and_place() -> None:
    hypers = [c.hyper for c in CASES if c.method == "aggregation"]
    for name, options in (
        ("rule", aggregation.RULES),
        ("timing", aggregation.TIMINGS),
        ("seen", aggregation.SEEN),
    ):
        assert {h.get(name, options[0]) for h in hypers} == set(options)


def test_wrong_names_are_refused() -> None:
    case = next(c for c in CASES if c.label == "aggregation fedmax")
    for name in ("rule", "timing", "seen"):
        with pytest.raises(InvalidInput, match=f"{name} must be"):
            engine_run(case, dyadic_draws(case), **{name: "other"})
    short = {"rule": "fixed", "coefficients": np.full((1, 2, N), 1 / N), "local_steps": 1}
    with pytest.raises(InvalidInput, match="rows must be longer than 2 rounds"):
        engine_run(case, dyadic_draws(case), **short)
    assert T == 3
    assert tensors({"x": SHARES})["x"].dtype == torch.float64
