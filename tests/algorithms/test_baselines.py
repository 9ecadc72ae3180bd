"""Ditto, APFL, WGA-BC and CoBo on quadratics, where every answer has a closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from synthetic.quadratic import Quadratic
from tests.algorithms.baselines import BASE, CLOSE, LONG, STEP, D, N, final, quiet
from tests.algorithms.cases import Case, dyadic_draws, engine_run, federation


def parts(problem: Quadratic) -> tuple[Any, Any]:
    """Hessians (N, d, d) and minimisers (N, d)."""
    return problem.hessian.numpy(), problem.optimum.numpy()


def consensus(problem: Quadratic) -> Any:
    """Minimiser of the average loss."""
    h, x = parts(problem)
    return np.linalg.solve(h.sum(0), np.einsum("kij,kj->i", h, x))


# -- special cases ----------------------------------------------------------------------------


def models(name: str, slots: int, **hyper: Any) -> torch.Tensor:
    """A noisy run on draws that begin with the same N slots for every method."""
    case = Case("", name, {**BASE, **hyper})
    draws = dyadic_draws(Case("", "cobo", {}))[:, :, :slots]
    return engine_run(case, draws).theta


@pytest.mark.parametrize(("mixing", "twin"), [(1.0, "local"), (0.0, "fedavg")])
def test_apfl_is_local_at_one_end_and_fedavg_at_the_other(mixing: float, twin: str) -> None:
    torch.testing.assert_close(
        models("apfl", N, mixing=mixing), models(twin, N), rtol=1e-13, atol=1e-13
    )
    half = models("apfl", N, mixing=0.5)  # negative control
    assert (half - models(twin, N)).abs().max() > 1e-3


def test_apfl_without_own_share_is_fedavg_with_local_steps() -> None:
    left = models("apfl", 2 * N, mixing=0.0, local_steps=2)
    torch.testing.assert_close(left, models("fedavg", 2 * N, local_steps=2), **CLOSE)


def test_cobo_without_coupling_is_local() -> None:
    slots = N + N * N
    left = models("cobo", slots, coupling=0.0, weight_step=1.0)
    torch.testing.assert_close(left, models("local", N), **CLOSE)
    apart = models("cobo", slots, coupling=1.0, weight_step=1.0) - left
    assert apart.abs().max() > 1e-3


def test_ditto_without_pull_is_local_on_its_own_draws() -> None:
    draws = dyadic_draws(Case("", "ditto", {}))
    left = engine_run(Case("", "ditto", {**BASE, "pull": 0.0}), draws).theta
    right = engine_run(Case("", "local", BASE), draws[:, :, N:]).theta
    torch.testing.assert_close(left, right, **CLOSE)


def test_wga_without_the_others_is_local_on_its_own_draws() -> None:
    hyper = {**BASE, "mixing": 0.0, "correction_rate": 0.5}
    draws = dyadic_draws(Case("", "wga_bc", hyper))
    left = engine_run(Case("", "wga_bc", hyper), draws).theta
    own = draws[:, :, [f * N + f for f in range(N)]]
    torch.testing.assert_close(left, engine_run(Case("", "local", BASE), own).theta, **CLOSE)


def test_wga_is_all_for_one_with_fixed_weights() -> None:
    share = 0.25
    matrix = (1 - share) * np.eye(N) + share * (1 - np.eye(N)) / (N - 1)
    draws = dyadic_draws(Case("", "all_for_one", {"weights": "fixed", "weight_matrix": matrix}))
    fixed = {**BASE, "weights": "fixed", "weight_matrix": matrix}
    plain = {**BASE, "mixing": share, "correction": "none"}
    left = engine_run(Case("", "wga_bc", plain), draws).theta
    torch.testing.assert_close(left, engine_run(Case("", "all_for_one", fixed), draws).theta)


def test_server_models_of_ditto_and_apfl_are_those_of_fedavg() -> None:
    draws = dyadic_draws(Case("", "ditto", {}))
    served = [
        engine_run(Case("", name, {**BASE, **hyper}), draws[:, :, :slots]).extras["server"]
        for name, hyper, slots in (
            ("ditto", {"pull": 2.0}, 2 * N),
            ("apfl", {"mixing": 0.3}, N),
            ("fedavg", {}, N),
        )
    ]
    torch.testing.assert_close(served[0], served[2], **CLOSE)
    torch.testing.assert_close(served[1], served[2], **CLOSE)


# -- fixed points -----------------------------------------------------------------------------


def pulled(problem: Quadratic, pull: float) -> Any:
    """(H_k + lambda I)^{-1} (H_k opt_k + lambda w), w the consensus."""
    h, x = parts(problem)
    right = np.einsum("kij,kj->ki", h, x) + pull * consensus(problem)
    return np.linalg.solve(h + pull * np.eye(D), right[..., None])[..., 0]


@pytest.mark.parametrize("pull", [0.0, 0.5, 4.0])
def test_ditto_ends_between_its_optimum_and_the_global_model(pull: float) -> None:
    problem = quiet()
    found = final("ditto", problem, pull=pull)
    np.testing.assert_allclose(found, pulled(problem, pull), **CLOSE)
    biased = np.abs(found - problem.optimum.numpy()).max() > 1e-3
    assert biased == (pull > 0)


def test_ditto_comes_closer_to_the_global_model_under_more_pull() -> None:
    problem = quiet()
    apart = [
        np.linalg.norm(final("ditto", problem, pull=p) - consensus(problem), axis=-1)
        for p in (0.0, 0.5, 4.0, 16.0)
    ]
    assert (np.diff(apart, axis=0) < 0).all()


@pytest.mark.parametrize("mixing", [0.5, 0.7, 1.0])
def test_apfl_mixtures_end_at_their_own_optima(mixing: float) -> None:
    """alpha g_i(vbar_i) = 0 wherever w_i rests: the mixture is not biased for alpha > 0."""
    problem = quiet()
    found = final("apfl", problem, mixing=mixing)
    np.testing.assert_allclose(found, problem.optimum.numpy(), rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(
        final("apfl", problem, mixing=0.0), np.tile(consensus(problem), (N, 1)), **CLOSE
    )


def test_adaptive_mixing_stays_in_its_interval_and_moves() -> None:
    method, hyper = load_method("apfl"), {**BASE, "mixing": 0.5, "mixing_step": 0.05}
    found = run(method, quiet(), hyper, None, 50).extras["mixing"]
    assert found.shape == (51, N)
    assert bool(((found >= 0) & (found <= 1)).all())
    assert (found[-1] - 0.5).abs().min() > 1e-3


def mixed_optimum(problem: Quadratic, share: float) -> Any:
    """Minimisers of (1 - alpha) R_i + alpha mean of the others."""
    h, x = parts(problem)
    weights = (1 - share) * np.eye(N) + share * (1 - np.eye(N)) / (N - 1)
    matrix = np.einsum("ik,kab->iab", weights, h)
    right = np.einsum("ik,kab,kb->ia", weights, h, x)
    return np.linalg.solve(matrix, right[..., None])[..., 0]


@pytest.mark.parametrize("share", [0.25, 0.75])
def test_bias_correction_removes_the_bias_of_weighted_averaging(share: float) -> None:
    problem = quiet()
    plain = final("wga_bc", problem, mixing=share, correction="none")
    np.testing.assert_allclose(plain, mixed_optimum(problem, share), **CLOSE)
    assert np.abs(plain - problem.optimum.numpy()).max() > 0.1
    corrected = final("wga_bc", problem, mixing=share, correction_rate=0.25)
    np.testing.assert_allclose(corrected, problem.optimum.numpy(), **CLOSE)


def test_the_running_correction_is_the_bias_at_the_end() -> None:
    problem, method = quiet(), load_method("wga_bc")
    hyper = {**BASE, "mixing": 0.5, "correction_rate": 0.25}
    found = run(method, problem, hyper, None, LONG, last_only=True).extras["correction"][-1]
    at = problem.expand(1).gradients(problem.optimum).numpy()  # [i, k] at optimum i
    means = (at.sum(1) - at[range(N), range(N)]) / (N - 1)
    np.testing.assert_allclose(found.numpy(), means, **CLOSE)


@pytest.mark.parametrize("coupling", [0.25, 2.0])
def test_cobo_with_frozen_weights_solves_the_coupled_quadratic(coupling: float) -> None:
    problem = quiet()
    h, x = parts(problem)
    laplacian = N * np.eye(N) - np.ones((N, N))
    matrix = np.kron(coupling * laplacian, np.eye(D))
    for k in range(N):
        block = slice(k * D, (k + 1) * D)
        matrix[block, block] += h[k]
    expected = np.linalg.solve(matrix, np.einsum("kij,kj->ki", h, x).ravel()).reshape(N, D)
    found = final("cobo", problem, coupling=coupling, weight_step=0.0)
    np.testing.assert_allclose(found, expected, **CLOSE)


def test_cobo_finds_the_clusters() -> None:
    targets = np.array([[3.0, 0.0], [-3.0, 0.0], [3.0, 0.0], [-3.0, 0.0]])
    problem = Quadratic(
        {"A": torch.eye(D).double().expand(4, D, D).clone(), "xi": -torch.as_tensor(targets)}
    )
    hyper = {"start": np.array([0.5, 1.0]), "step_size": 0.05, "coupling": 0.1, "weight_step": 0.1}
    last = run(load_method("cobo"), problem, hyper, None, 400, last_only=True)
    same = torch.as_tensor(np.equal.outer(targets[:, 0], targets[:, 0]) & ~np.eye(4, dtype=bool))
    assert torch.equal(last.extras["weights"][-1], same.double())
    np.testing.assert_allclose(last.theta[-1].numpy(), targets, rtol=1e-9, atol=1e-9)


# -- rates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hyper", "factor"),
    [
        ("local", {}, 1 - STEP * 2.0),
        # personal models: I - eta (H + lambda); the global model moves at 1 - eta h too
        ("apfl", {"mixing": 0.5}, 1 - STEP * 0.25 * 2.0),
        ("wga_bc", {"mixing": 0.5, "correction_rate": 1.0}, 1 - STEP * 2.0),
        ("wga_bc", {"mixing": 0.5, "correction_rate": 0.01}, 0.99),
        ("ditto", {"pull": 1.0}, 1 - STEP * 2.0),
    ],
)
def test_linear_rates_without_noise(name: str, hyper: dict[str, Any], factor: float) -> None:
    """Largest eigenvalue of the round: own curvature 2, alpha^2 of it for APFL, or the memory."""
    problem = Quadratic(
        {"A": torch.eye(D).double().expand(N, D, D).clone(), "xi": federation().data["xi"]}
    )
    given = {**BASE, **hyper}
    path = run(load_method(name), problem, given, None, 400).theta
    end = run(load_method(name), problem, given, None, 2000, last_only=True).theta
    error = (path - end).norm(dim=(-1, -2))
    found = float((error[-1] / error[-101]) ** 0.01)
    assert abs(found - factor) < 2e-4  # the second eigenvalue has faded by then


def test_ditto_personal_models_contract_faster_than_local_to_a_frozen_server() -> None:
    """With everybody's global model at rest the rate is 1 - eta (2 + lambda)."""
    problem = Quadratic(
        {"A": torch.eye(D).double().expand(N, D, D).clone(), "xi": federation().data["xi"]}
    )
    rest = -problem.data["xi"].mean(0).numpy()
    hyper = {**BASE, "start": rest, "starts": np.zeros((N, D)), "pull": 3.0}
    path = run(load_method("ditto"), problem, hyper, None, 20).theta.numpy()
    error = path - pulled(problem, 3.0)
    np.testing.assert_allclose(error[1:], (1 - STEP * 5.0) * error[:-1], rtol=1e-9, atol=1e-12)
