"""Baselines and oracle: split clients, affine rounds, masks, bad input and planted faults."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
import torch

import algorithms.cobo as cobo
import algorithms.engine.counted as counted
import algorithms.personal.apfl as apfl
import algorithms.personal.ditto as ditto
import algorithms.wga_bc as wga_bc
from algorithms.cobo import sampled_pairs
from algorithms.engine.run import run
from algorithms.grouping.oracle import cluster_weights
from algorithms.reference.run import reference_run
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.exact.moments import moments
from synthetic.quadratic import Quadratic
from tests.algorithms.baselines import BASE, CLOSE, STEP, D, N, final, quiet
from tests.algorithms.cases import CASES, ROUNDING, dyadic_draws, largest_gap, rational


def halves(name: str, **hyper: Any) -> tuple[Any, Any]:
    """Client 1 whole against client 1 in two halves, models of clients 0 and 2."""
    whole = final(name, quiet([0, 1, 2]), 20, client_weights=np.array([1.0, 2.0, 3.0]), **hyper)
    split = final(
        name, quiet([0, 1, 1, 2]), 20, client_weights=np.array([1.0, 1.0, 1.0, 3.0]), **hyper
    )
    return whole[[0, 2]], split[[0, 3]]


@pytest.mark.parametrize(
    ("name", "hyper"),
    [
        ("fedavg", {"local_steps": 2}),
        ("ditto", {"pull": 1.0}),
        ("apfl", {"mixing": 0.5, "mixing_step": 0.01}),
        ("wga_bc", {"mixing": 0.5, "correction_rate": 0.5}),
    ],
)
def test_splitting_a_helper_in_two_halves_changes_nothing(name: str, hyper: Any) -> None:
    left, right = halves(name, **hyper)
    np.testing.assert_allclose(left, right, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("weights", ["true", "estimated"])
def test_splitting_a_client_of_all_for_one_halves_its_samples(weights: str) -> None:
    """Half a client has twice the variance, and the weights of Definition 1 add up."""
    sigma = torch.tensor([1.0, 0.5, 2.0]).double()
    wide = torch.tensor([1.0, 0.5**0.5, 0.5**0.5, 2.0], dtype=torch.float64)
    left = final("all_for_one", quiet([0, 1, 2], sigma=sigma), 20, weights=weights)
    right = final("all_for_one", quiet([0, 1, 1, 2], sigma=wide), 20, weights=weights)
    np.testing.assert_allclose(left, right[[0, 1, 3]], rtol=1e-12, atol=1e-12)
    wrong = quiet([0, 1, 1, 2], sigma=torch.tensor([1.0, 0.5, 0.5, 2.0]).double())
    assert np.abs(left - final("all_for_one", wrong, 20)[[0, 1, 3]]).max() > 1e-4


def test_cobo_counts_heads_so_that_a_split_client_pulls_twice() -> None:
    hyper = {"coupling": 0.5, "weight_step": 0.0}
    left, right = final("cobo", quiet(), **hyper), final("cobo", quiet([0, 1, 1, 2]), **hyper)
    assert np.abs(left[[0, 2]] - right[[0, 3]]).max() > 1e-2


# -- affine rounds, oracle, masks -------------------------------------------------------------


def test_plain_weighted_averaging_has_the_affine_map_of_its_twin() -> None:
    data = {
        "A": rational([[[2, 1], [1, 3]], [[3, "1/2"], ["1/2", 2]], [["5/2", 0], [0, 4]]]),
        "xi": rational([["1/4", -1], [0, "-1/2"], ["1/2", -2]]),
        "law": "none",
    }
    hyper = {
        "step_size": Q(1, 16),
        "start": rational([1, 2]),
        "mixing": Q(1, 3),
        "correction": "none",
        "client_weights": rational([3, 1, 2]),
    }
    problem = Quadratic(data)
    path = moments(load_method("wga_bc").affine_map(problem, hyper), hyper["start"], 3)
    draws = rational(np.zeros((3, N * N, 1)))
    twin = np.array(reference_run("wga_bc", problem, hyper, draws, 3)["theta"], dtype=object)
    assert (twin.swapaxes(0, 1) == path.mean).all()
    with pytest.raises(InvalidInput, match="correction must be 'none'"):
        load_method("wga_bc").affine_map(problem, {**hyper, "correction": "running"})


def test_oracle_weights_divide_the_variance_by_the_size_of_the_cluster() -> None:
    labels, problem = [0, 1, 0], quiet([0, 1, 0], noise_scale=torch.ones(3).double())
    matrix = torch.as_tensor(cluster_weights(labels))
    hyper = {"step_size": torch.tensor(STEP).double(), "weights": "fixed", "weight_matrix": matrix}
    method = load_method("all_for_one")
    start = torch.zeros(N, D).double()
    oracle = moments(method.affine_map(problem, hyper), start, 50).covariance[..., -1, :, :]
    alone = load_method("local").affine_map(problem, hyper)
    single = moments(alone, start, 50).covariance[..., -1, :, :]
    torch.testing.assert_close(oracle[0], single[0] / 2, **CLOSE)
    torch.testing.assert_close(oracle[1], single[1], **CLOSE)


def test_oracle_weights_by_variance_beat_uniform_ones() -> None:
    variance = np.array([1.0, 4.0, 0.25])
    uniform, weighted = cluster_weights([0, 0, 0]), cluster_weights([0, 0, 0], variance)
    for weights in (uniform, weighted):
        assert weights.sum(-1) == pytest.approx(1.0)
    loss = [(w**2 * variance).sum(-1)[0] for w in (uniform, weighted)]
    assert loss[1] == pytest.approx(1 / (1 / variance).sum())
    assert loss[1] < loss[0]


def test_sampled_pairs_are_symmetric_and_of_the_right_density() -> None:
    masks = sampled_pairs(20, 200, 0.1, seed=3)
    assert masks.shape == (200, 20, 20)
    assert (masks == masks.swapaxes(-1, -2)).all()
    assert masks.diagonal(0, -2, -1).sum() == 0
    # 38,000 fair draws: five standard deviations
    assert abs(masks.sum() / 2 / (200 * 190) - 0.1) < 5 * (0.09 / 38_000) ** 0.5


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("ditto", {}, "pull must be given"),
        ("ditto", {"pull": -1.0}, "pull must be non-negative"),
        ("apfl", {}, "mixing must be given"),
        ("apfl", {"mixing": 1.5}, r"mixing must be in \[0, 1\]"),
        ("wga_bc", {"mixing": 0.5}, "correction_rate must be given"),
        ("wga_bc", {"mixing": 0.5, "correction": "half"}, "correction must be one of"),
        ("cobo", {"coupling": 1.0}, "weight_step must be given"),
        (
            "cobo",
            {"coupling": 1.0, "weight_step": 1.0, "pairs": np.triu(np.ones((1, N, N)))},
            "pairs must be symmetric",
        ),
    ],
)
def test_bad_parameters_are_named(name: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        run(load_method(name), quiet(), {**BASE, **changes}, None, 2)


# -- planted faults ---------------------------------------------------------------------------


def _everybody(hyper: Any, chosen: Any, like: Any, clients: int) -> Any:
    return torch.ones(len(chosen), clients, dtype=like.dtype)


def _mixed_the_other_way(state: Any, server: Any, models: Any, mixing: Any) -> Any:
    return _REAL_MIXTURE(state, server, models, mixing) | {
        "theta": ((1 - mixing[..., None]) * models + mixing[..., None] * server[..., None, :])[
            ..., state["chosen"], :
        ]
    }


def _weak_pull(t: Any, p: Any, h: Any, x: Any, pull: Any, z: Any, u: Any) -> Any:
    return _REAL_DESCEND(t, p, h, x, pull if isinstance(pull, int) else pull / 2, z, u)


_REAL_MIXTURE, _REAL_DESCEND = apfl._with_mixture, ditto.descend
FAULTS = [
    ("ditto", ditto, "descend", _weak_pull),
    ("ditto sampled", counted, "average_of_all", lambda models, *_: models.mean(-2)),
    ("ditto sampled", ditto, "participation", lambda hyper, t, like: torch.ones_like(like)),
    ("apfl", apfl, "_with_mixture", _mixed_the_other_way),
    ("apfl adaptive", apfl, "_adapted", lambda hyper, mixing, apart, gradient: mixing),
    ("wga", wga_bc, "_others", _everybody),
    ("wga_bc", wga_bc, "scheduled", lambda hyper, name, t: hyper.get(name, 1) ** (1 + (t > 0))),
    ("cobo sampled", cobo, "_pairs", lambda hyper, t: 1),
    ("cobo", cobo, "_apart", lambda models: 0.5),
]


@pytest.mark.parametrize(
    ("label", "module", "name", "fault"), FAULTS, ids=[f"{x[0]}: {x[2]}" for x in FAULTS]
)
def test_planted_fault_is_caught(
    label: str, module: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = next(c for c in CASES if c.label == label)
    assert largest_gap(case, dyadic_draws(case)) < ROUNDING
    monkeypatch.setattr(module, name, fault)
    assert largest_gap(case, dyadic_draws(case)) > 1e-6
