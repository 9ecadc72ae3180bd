"""A loss written by the user is the family of the library that it spells out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import Run, run
from algorithms.registry import load_method
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import source_of
from synthetic.tables.least_squares import LeastSquares
from synthetic.tables.user_loss import UserLoss

CLIENTS, ROWS, DIM = 4, 6, 3
CLOSE = {"rtol": 1e-12, "atol": 1e-12}  # a few dozen float64 operations of well-scaled numbers


def squared(theta: Any, sample: Any) -> Any:
    return ((theta * sample[:-1]).sum() - sample[-1]) ** 2


def wrong(theta: Any, sample: Any) -> Any:
    return 1.01 * squared(theta, sample)


def both(loss: Any = squared, batch: int = 2, **more: Any) -> tuple[UserLoss, LeastSquares]:
    rng = np.random.default_rng(0)
    table = torch.as_tensor(rng.normal(size=(CLIENTS, ROWS, DIM + 1)))
    user = UserLoss({"samples": table, "loss": loss, "dim": DIM, "batch": batch, **more})
    family = LeastSquares({"X": table[..., :-1], "y": table[..., -1], "batch": batch, **more})
    return user, family


@pytest.mark.parametrize("more", [{}, {"counts": torch.tensor([6.0, 3.0, 4.0, 5.0])}])
def test_losses_gradients_and_variance_are_those_of_the_family(more: dict[str, Any]) -> None:
    user, family = both(**more)
    thetas = torch.as_tensor(np.random.default_rng(1).normal(size=(5, CLIENTS, DIM)))
    for name in ("own_losses", "own_gradients", "own_gradient_variance"):
        left, right = (getattr(problem, name)(thetas) for problem in (user, family))
        torch.testing.assert_close(left, right, **CLOSE)
    theta = thetas[:, 0]
    torch.testing.assert_close(user.gradients(theta), family.gradients(theta), **CLOSE)
    other, _ = both(wrong, **more)
    gap = (other.own_gradients(thetas) - family.own_gradients(thetas)).abs().max()
    assert gap > 1e-3  # negative control


def path(problem: Any, batch: int = 2, **how: Any) -> Run:
    noise = source_of(problem, 5, range(8), 2 * CLIENTS)
    hyper = {"step_size": 0.05, "start": np.zeros(DIM), "local_steps": 2}
    return run(load_method("fedavg"), problem, hyper, noise, 7, **how)


@pytest.mark.parametrize("batch", [1, 2])
def test_runs_on_the_same_draws_are_the_same(batch: int) -> None:
    user, family = both(batch=batch)
    torch.testing.assert_close(path(user).theta, path(family).theta, **CLOSE)
    assert (path(both(wrong, batch)[0]).theta - path(family).theta).abs().max() > 1e-4


def test_a_loss_of_ones_own_is_a_graph_too() -> None:
    user, _ = both()
    traced = path(user, compile="trace", rounds_per_launch=2)
    torch.testing.assert_close(traced.theta, path(user).theta, **CLOSE)


def test_all_for_one_takes_it_with_a_claimed_variance() -> None:
    user, family = both(sigma=torch.ones(CLIENTS, dtype=torch.float64))
    hyper = {"step_size": 0.01, "start": np.ones(DIM)}
    noise = source_of(user, 3, range(4), CLIENTS**2)
    method = load_method("all_for_one")
    left, right = (run(method, problem, hyper, noise, 3).theta for problem in (user, family))
    torch.testing.assert_close(left, right, **CLOSE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"loss": None}, "loss must be a function of model and sample"),
        ({"loss": lambda theta, s: theta}, "loss must be one number per sample"),
        ({"dim": 0}, "dim must be a positive integer"),
        ({"batch": 1.5}, "batch must be a positive integer"),
    ],
)
def test_bad_losses_are_named(change: dict[str, Any], message: str) -> None:
    data: dict[str, Any] = {"samples": torch.ones(2, 3, 4), "loss": squared, "dim": 3}
    with pytest.raises(InvalidInput, match=message):
        UserLoss({**data, **change})


def test_what_is_not_known_is_not_made_up() -> None:
    user, _ = both()
    with pytest.raises(InvalidInput, match="sigma must be given"):
        user.noise_variance  # noqa: B018
    with pytest.raises(InvalidInput, match="one that knows its heterogeneity"):
        user.heterogeneity()
    arrays = UserLoss({"samples": np.ones((2, 3, 4)), "loss": squared, "dim": 3})
    with pytest.raises(InvalidInput, match="samples must be a tensor"):
        arrays.own_losses(torch.zeros(2, 3))
