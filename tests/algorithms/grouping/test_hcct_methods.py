"""HCCT, its variants and the baselines: special cases, planted faults, groups found again."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import algorithms.grouping.bipartition as bipartition
import algorithms.grouping.clusters as clusters
import algorithms.grouping.groups as groups
import algorithms.grouping.hcct as hcct
import algorithms.loss_rules as loss_rules
from algorithms.engine.run import run
from algorithms.grouping.groups import greedy_groups
from algorithms.grouping.hcct_partition import Clients, greedy_partition
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.quadratic import Quadratic
from tests.algorithms.cases import (
    GROUPS,
    ROUNDING,
    Case,
    dyadic_draws,
    engine_run,
    federation,
    floats,
    largest_gap,
    rational,
    tensors,
)

CASES = {case.label: case for case in GROUPS}
GROUPED = CASES["hcct"].hyper

VARIANTS = [
    Case("layers", "hcct", {**GROUPED, "layers": [1, 1]}),
    Case("personal", "hcct", {**GROUPED, "shared": 1}),
    Case("personal box", "hcct", {**GROUPED, "shared": 1, "order": "box", "local_steps": 2}),
]


def same(groups: Any, n: int) -> Any:
    """Matrix of a partition."""
    out = np.zeros((n, n))
    for group in groups:
        out[np.ix_(group, group)] = 1
    return out


@pytest.mark.parametrize("case", VARIANTS, ids=str)
def test_variants_equal_their_twins(case: Case) -> None:
    assert largest_gap(case, dyadic_draws(case)) < ROUNDING


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    st.integers(0, 9999),
    st.integers(2, 7),
    st.integers(1, 3),
    st.floats(0.0, 20.0),
    st.sampled_from(["text", "box"]),
)
def test_tensor_partition_is_the_numpy_one(
    seed: int, n: int, d: int, alpha: float, order: str
) -> None:
    rng = np.random.default_rng(seed)
    gradients, sizes = rng.normal(size=(4, n, d + 1)), rng.integers(1, 20, n).astype(float)
    made = greedy_groups(torch.as_tensor(gradients), torch.as_tensor(sizes), alpha, order)
    for r in range(4):
        known = greedy_partition(Clients(gradients[r], sizes, alpha), order=order)
        np.testing.assert_array_equal(made[r].numpy(), same(known.groups, n))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_clients_that_stand_still_merge_as_those_that_agree(dtype: torch.dtype) -> None:
    """Zero gradients are no numbers out of range, in single precision neither."""
    gradients = torch.zeros(2, 3, 4, dtype=dtype)
    gradients[1] = 1
    made = greedy_groups(gradients, torch.ones(3, dtype=dtype), 10.0, "box")
    assert bool((made == 1).all())


def test_no_tradeoff_is_independent_training_and_a_large_one_global() -> None:
    draws = dyadic_draws(CASES["hcct"])
    hyper = {**GROUPED, "tradeoff": Q(0)}
    alone = engine_run(Case("alone", "hcct", hyper), draws).theta
    plain = {k: hyper[k] for k in ("step_size", "starts")}
    local = engine_run(Case("local", "local", plain), draws)
    torch.testing.assert_close(alone, local.theta)
    together = engine_run(Case("all", "hcct", {**GROUPED, "tradeoff": Q(10**6)}), draws)
    assert (together.extras["groups"][:, 1:] == 1).all()
    final = together.theta[:, -1]
    torch.testing.assert_close(final, final[:, :1].expand_as(final))


def test_global_groups_are_fedavg_from_the_average() -> None:
    """From equal models and all in one group an epoch is one of FedAvg."""
    start = {k: v for k, v in GROUPED.items() if k != "starts"} | {"start": rational([1, -1])}
    case = Case("all", "hcct", {**start, "tradeoff": Q(10**9), "step_size": Q(1, 64)})
    draws = 0 * dyadic_draws(case)
    one = engine_run(case, draws)
    middle = one.theta[:, 1]  # after the first epoch, alone
    sizes = torch.as_tensor([3.0, 1.0, 2.0], dtype=middle.dtype)
    mean = (sizes[:, None] * middle).sum(-2) / 6
    fed = run(
        load_method("fedavg"),
        federation(),
        {"step_size": 1 / 64, "start": mean[0], "client_weights": sizes},
        None,
        1,
    )
    torch.testing.assert_close(one.theta[0, 2, 0], fed.theta[-1, 0])


def test_personal_coordinates_never_mix() -> None:
    case = Case("personal", "hcct", {**GROUPED, "shared": 1, "tradeoff": Q(10**6)})
    result = engine_run(case, dyadic_draws(case)).theta
    assert (result[:, 2, :, 0] - result[:, 2, :1, 0]).abs().max() < 1e-12
    assert (result[:, 2, :, 1] - result[:, 2, :1, 1]).abs().max() > 1e-3


def test_a_late_client_waits_and_then_joins() -> None:
    hyper = {**GROUPED, "tradeoff": Q(10**6), "arrivals": rational([0, 1, 0])}
    case = Case("late", "hcct", hyper)
    result = engine_run(case, dyadic_draws(case))
    first = result.theta[:, :2, 1]
    torch.testing.assert_close(first[:, 0], first[:, 1])
    assert (result.extras["groups"][:, 1, 1, [0, 2]] == 0).all()
    assert (result.extras["groups"][:, 2] == 1).all()


def test_the_layer_is_the_one_that_spreads_most() -> None:
    updates = torch.tensor([[1.0, 5.0, -5.0], [1.1, -5.0, 5.5]], dtype=torch.float64)
    assert hcct._layer(updates, [1, 2]).tolist() == [0, 1, 1]


def test_clusters_of_clients_are_found_by_ifca_and_by_bipartition() -> None:
    """Four quadratics around two places."""
    optima = np.array([[2.0, 0.0], [2.1, 0.1], [-2.0, 0.0], [-2.1, -0.1]])
    data = {
        "A": np.stack([np.eye(2)] * 4),
        "xi": -optima,
        "noise_scale": np.zeros(4),
        "sigma": np.ones(4),
        "law": "none",
    }
    problem = Quadratic(tensors(data))
    starts = torch.tensor([[1.0, 0.0], [-1.0, 0.0]], dtype=torch.float64)
    one = run(load_method("ifca"), problem, {"step_size": 0.1, "starts": starts}, None, 40)
    assert one.extras["taken"][-1].tolist() == [[1, 0], [1, 0], [0, 1], [0, 1]]
    two = run(
        load_method("bipartition"),
        problem,
        {"step_size": 0.1, "start": starts[0], "stationary": 0.5, "restless": 1.0},
        None,
        40,
    )
    expected = same([[0, 1], [2, 3]], 4).tolist()
    assert two.extras["groups"][-1].tolist() == expected
    three = run(
        load_method("hcct"),
        problem,
        {"step_size": 0.02, "start": 0 * starts[0], "tradeoff": 0.3},
        None,
        6,
    )
    assert three.extras["groups"][3].tolist() == expected


FAULTS = [
    ("hcct", hcct, "group_weights", lambda same, sizes: same / same.sum(-1, keepdim=True)),
    ("hcct", hcct, "greedy_groups", lambda g, s, a, o, p: torch.ones_like(g @ g.mT)),
    ("hcct", groups, "_diagonal", lambda m: 0.5 * m.diagonal(dim1=-2, dim2=-1)),
    ("hcct arrivals", hcct, "_present", lambda hyper, t, sizes: torch.ones_like(sizes)),
    ("maxfl", loss_rules, "client_sizes", lambda p, h, like: like.new_ones(p.clients)),
    ("fedfa", loss_rules, "local_updates", lambda t, p, h, m, d: (p.own_gradients(m), m)),
    ("ifca", clusters, "_means", lambda chosen, servers: chosen @ servers.flip(-2)),
    ("bipartition", bipartition, "_connected", lambda u, s: s),
]


@pytest.mark.parametrize(("label", "module", "name", "fault"), FAULTS)
def test_planted_faults_break_the_agreement(
    label: str, module: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, fault)
    assert largest_gap(CASES[label], dyadic_draws(CASES[label])) > 1e-6


@pytest.mark.parametrize(
    ("label", "change", "message"),
    [
        ("hcct", {"tradeoff": None}, "tradeoff must be given"),
        ("hcct", {"tradeoff": -1.0}, "tradeoff must be non-negative"),
        ("hcct", {"order": "random"}, "order must be one of"),
        ("hcct", {"layers": [1, 2]}, "layers must be positive ints with the sum 2"),
        ("hcct", {"shared": 3}, "shared must be a whole number from 1 to 2"),
        ("hcct", {"client_weights": np.array([1.0, 0.0, 1.0])}, "client_weights must be positive"),
        ("flsc", {"count": 4}, "count must be at most the 3 models"),
        ("bipartition", {"restless": None}, "restless must be given"),
        ("maxfl", {"margin": -1.0}, "margin must be non-negative"),
    ],
)
def test_bad_parameters_get_one_sentence(label: str, change: dict[str, Any], message: str) -> None:
    case = CASES[label]
    hyper = {**floats(case.hyper), **change}
    with pytest.raises(InvalidInput, match=message):
        run(load_method(case.method), federation(), hyper, None, 2)
