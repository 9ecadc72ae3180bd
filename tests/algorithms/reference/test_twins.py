"""Engine and serial twin agree on the same draws, and planted faults break the agreement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import algorithms.all_for_one as all_for_one
import algorithms.engine.counted as counted
import algorithms.fedbc as fedbc
import algorithms.fedprox as fedprox
import algorithms.local as local
from algorithms.reference.run import reference_run
from algorithms.registry import METHODS
from bounds.numbers.validate import InvalidInput
from tests.algorithms.cases import CASES, ROUNDING, Case, dyadic_draws, gap, largest_gap, twin_run
from tests.each import each


@each("case", CASES)
def test_engine_equals_twin(case: Case) -> None:
    assert largest_gap(case, dyadic_draws(case)) < ROUNDING


@each("case", CASES)
def test_fraction_twin_equals_float_twin(case: Case) -> None:
    draws = dyadic_draws(case, replicates=1)[0]
    exact, rounded = twin_run(case, draws, exact=True), twin_run(case, draws, exact=False)
    for name, value in exact.items():
        if np.size(value):
            assert gap(value, rounded[name]) < ROUNDING


def test_every_method_has_a_case() -> None:
    assert {case.method for case in CASES} == set(METHODS)


def _sum_to_one(ratio: Any, phi: Any, variance: Any) -> Any:
    shares = phi / variance
    return shares / shares.sum(-1, keepdim=True)


def _unsquared(gradients: Any, own: Any) -> Any:
    apart = (gradients - own[..., None, :]).norm(dim=-1) / own.norm(dim=-1)[..., None]
    return (1 - apart).clamp(min=0)


def _plain_mean(models: Any, *_: Any) -> Any:
    return models.mean(-2)


FAULTS = [
    ("continuous", all_for_one, "collaboration_weights", _sum_to_one),
    ("continuous", all_for_one, "similarity_ratio", _unsquared),
    # phi = 1{r >= lambda} would be no fault: a factor on phi cancels in the weights
    ("binary", all_for_one, "phi_binary", lambda r, t: (r >= 0).to(r)),
    ("cubic", all_for_one, "phi_power", lambda r, e: r),
    ("schedule", all_for_one, "scheduled", lambda hyper, name, t: hyper[name + "s"][..., 0]),
    ("schedule", all_for_one, "count", lambda hyper, name, default=1: 1),
    ("oracle", all_for_one, "_fixed_weights", lambda hyper, f: hyper["weight_matrix"].mT),
    ("estimated", all_for_one, "similarity_ratio", _unsquared),
    (
        "refreshed",
        all_for_one,
        "count",
        lambda hyper, name, default=1: 2 if name == "b_alpha" else 1,
    ),
    ("local", local, "scheduled", lambda hyper, name, t: 2 * hyper[name]),
    ("fedavg sampled", counted, "average_of_all", _plain_mean),
    (
        "fedprox exact",
        fedprox,
        "proximal_points",
        lambda p, pull, z: fedbc.proximal_points(p, 2 * pull, z),
    ),
    ("fedprox steps", counted, "average_of_all", _plain_mean),
    ("fedbc exact", fedbc, "average", _plain_mean),
    ("fedbc exact", fedbc, "_dual_step", lambda hyper, old, models, server, gamma: old),
    ("fedbc steps", fedbc, "participation", lambda hyper, t, like: torch.ones_like(like)),
]


@pytest.mark.parametrize(
    ("label", "module", "name", "fault"), FAULTS, ids=[f"{x[0]}: {x[2]}" for x in FAULTS]
)
def test_planted_fault_is_caught(
    label: str, module: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = next(c for c in CASES if c.label == label)
    monkeypatch.setattr(module, name, fault)
    # a real fault is far above rounding: between 1e-4 and 1 here
    assert largest_gap(case, dyadic_draws(case)) > 1e-6


def test_twin_rejects_unknown_methods_and_short_draws() -> None:
    with pytest.raises(InvalidInput, match="method must be one of"):
        reference_run("fedsgd", None, {}, [], 0)
    with pytest.raises(InvalidInput, match="draws must be for 2 rounds"):
        reference_run("local", None, {}, [], 2)
