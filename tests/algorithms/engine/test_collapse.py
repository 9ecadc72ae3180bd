"""A collapsed run is equal in law: the same moments exactly, and in a sample of either."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.collapse import Collapsed
from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.builders import clustered_quadratics
from synthetic.exact.moments import moments
from synthetic.noise.sources import Addressed, source_of
from synthetic.quadratic import Quadratic

CLIENTS, DIM, ROUNDS, REPLICATES = 4, 3, 6, 20_000
WEIGHTS = np.array([[0.5, 0.25, 0.25, 0], [0, 1, 0, 0], [0.25, 0.25, 0.25, 0.25], [0, 0, 0.5, 0.5]])
HYPER: dict[str, dict[str, Any]] = {
    "fedavg": {"local_steps": 2},
    "local": {},
    "all_for_one": {"weights": "fixed", "weight_matrix": WEIGHTS},
}


def federation() -> Quadratic:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(CLIENTS, DIM, DIM))
    data = {
        "A": root @ root.swapaxes(-1, -2) / DIM + np.eye(DIM),
        "xi": rng.normal(size=(CLIENTS, DIM)),
        "noise_scale": np.array([1.0, 0.5, 2.0, 0.0]),
        "sigma": np.array([1.0, 0.5, 2.0, 1.0]),
    }
    return Quadratic({**data, "law": "gaussian"})


def hyper_of(name: str) -> dict[str, Any]:
    return {"step_size": 0.05, "start": np.ones(DIM), **HYPER[name]}


def exact(name: str) -> tuple[Any, Any]:
    """Mean (F, d) and covariance (F, d, d) of the last iterate of every model."""
    hyper = hyper_of(name)
    one = load_method(name).affine_map(federation(), hyper)
    path = moments(one, np.ones(DIM), ROUNDS)
    mean, covariance = path.mean[..., -1, :], path.covariance[..., -1, :, :]
    shape = (CLIENTS, DIM) if mean.ndim == 2 else (1, DIM)
    return mean.reshape(shape), covariance.reshape(*shape, DIM)


@pytest.mark.parametrize("name", HYPER)
@pytest.mark.parametrize("collapse", [False, True])
def test_either_run_has_the_exact_moments(name: str, collapse: bool) -> None:
    """Within 6 standard errors at literal seeds, about 2e-9 a side for each entry."""
    problem, method = federation().map(torch.as_tensor), load_method(name)
    if collapse:
        method = Collapsed(method)
    slots = method.slots(CLIENTS, hyper_of(name))
    noise = Addressed("gaussian", (11, 12), range(REPLICATES), slots, DIM)
    found = run(method, problem, hyper_of(name), noise, ROUNDS, record=(), last_only=True)
    mean, covariance = exact(name)
    models = found.theta[:, 0, : len(mean)].numpy()  # (R, F, d); those of FedAvg are one
    variance = np.diagonal(covariance, 0, -2, -1)
    error = np.sqrt(variance / REPLICATES)
    assert (np.abs(models.mean(0) - mean) <= 6 * error + 1e-12).all()
    gap = models - mean
    spread = np.einsum("rfi,rfj->fij", gap, gap) / REPLICATES
    scale = np.sqrt(variance[:, :, None] * variance[:, None, :])
    band = 6 * math.sqrt(2 / REPLICATES) * scale + 1e-12
    assert (np.abs(spread - covariance) <= band).all()
    # negative control: a covariance off by a fifth is seen
    assert (np.abs(spread - 1.2 * covariance) > band)[variance.max(-1) > 0].any()


@pytest.mark.parametrize("name", HYPER)
def test_the_round_drawn_as_one_has_the_covariance_of_the_sum(name: str) -> None:
    problem, hyper = federation().map(torch.as_tensor), hyper_of(name)
    method = load_method(name)
    tensors = {k: torch.as_tensor(v) if np.ndim(v) else v for k, v in hyper.items()}
    state = Collapsed(method).start(problem, tensors)
    root = state["root"].expand(*state["root"].shape[:-2], DIM, DIM)
    if state["root"].shape[-1] == 1:
        root = root * torch.eye(DIM)
    made = root @ root.mT / DIM  # words have variance 1/d
    noise = method.affine_map(federation(), hyper).covariance
    wanted = noise(np.zeros(DIM), np.zeros((DIM, DIM))) if callable(noise) else noise
    made = made.numpy().reshape(np.shape(wanted))
    np.testing.assert_allclose(made, wanted, rtol=1e-12, atol=1e-15)


def test_clients_that_share_a_sample_are_not_collapsed() -> None:
    problem, method = federation().map(torch.as_tensor), Collapsed(load_method("all_for_one"))
    hyper = {**hyper_of("all_for_one"), "samples": "shared"}
    with pytest.raises(InvalidInput, match="samples must be each asker's own"):
        run(method, problem, hyper, None, 1)
    run(method, problem, {**hyper, "focus": [1]}, None, 1)


def test_other_laws_and_methods_are_not_collapsed() -> None:
    signs = clustered_quadratics(3, 2, seed=1, noise_scale=0.5).map(torch.as_tensor)
    hyper: dict[str, Any] = {"step_size": 0.1, "start": np.ones(2)}
    with pytest.raises(InvalidInput, match="law must be additive and gaussian, got two_point"):
        run(Collapsed(load_method("local")), signs, hyper, None, 1)
    with pytest.raises(InvalidInput, match="method must be one whose models are all"):
        Collapsed(load_method("fedprox"))
    true = {"step_size": 0.1, "start": np.ones(DIM)}
    with pytest.raises(InvalidInput, match="weights must be fixed"):
        run(Collapsed(load_method("all_for_one")), federation().map(torch.as_tensor), true, None, 1)


def test_a_collapsed_run_draws_one_slot_per_model() -> None:
    hyper = hyper_of("all_for_one")
    method = load_method("all_for_one")
    assert (method.slots(CLIENTS, hyper), Collapsed(method).slots(CLIENTS, hyper)) == (16, 4)
    problem = federation().map(torch.as_tensor)
    assert source_of(problem, 1, range(2), 4).draw(0).shape == (2, 4, DIM)
