"""Log-cosh losses: curvatures between two numbers, and a gap of gradients that is tight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic import drawn
from synthetic.registry import make


def made(residual: float, seed: int = 0, clients: int = 3, dim: int = 2) -> Any:
    rng = np.random.default_rng(seed)
    return make(
        "log_cosh",
        drawn.log_cosh(
            rng, clients, dim, 8, layout="path", bias=1.0, condition=100.0, residual=residual
        ),
    )


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), residual=st.sampled_from((0.0, 0.25, 4.0)))
def test_the_bracket_holds_the_largest_curvature(seed: int, residual: float) -> None:
    problem = made(residual, seed)
    low, high = problem.smoothness_bracket
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(200, 1, 2)) * 10 ** rng.uniform(-2, 1, size=(200, 1, 1))
    seen = np.linalg.eigvalsh(problem.expand(1).own_hessians(points + problem.optimum))[..., -1]
    assert (seen <= high * (1 + 1e-12)).all()
    assert (low <= high * (1 + 1e-12)).all()


def test_the_bracket_closes_without_residuals_and_opens_with_them() -> None:
    """Negative control: without the upper end the lower one would be passed."""
    low, high = made(0.0).smoothness_bracket
    np.testing.assert_allclose(low, high, rtol=1e-12)
    wide = made(4.0)
    low, high = wide.smoothness_bracket
    assert (low < 0.99 * high).all()
    grid = np.stack(np.meshgrid(*[np.linspace(-20, 20, 201)] * 2), -1).reshape(-1, 1, 2)
    steep = np.linalg.eigvalsh(wide.expand(1).own_hessians(grid + 0 * wide.optimum))
    assert (steep[..., -1].max(0) > low).any()


@pytest.mark.parametrize("share", [1.0, 0.9])
def test_the_gap_of_two_targets_is_attained(share: float) -> None:
    """One row and two targets: the bound is met halfway, a tenth less is not enough."""
    problem = make(
        "log_cosh",
        {
            "X": np.ones((2, 1, 1)),
            "y": np.array([[0.0], [1.5]]),
            "ridge": 1e-9,
            "centre": np.zeros((2, 1)),
        },
    )
    grid = np.linspace(-4, 5, 9001)[:, None]
    gap = np.abs(np.diff(problem.gradients(grid)[..., 0], axis=-1)).max()
    bound = share * np.sqrt(problem.heterogeneity()[0][0, 1])
    assert (gap <= bound * (1 + 1e-12)) == (share == 1.0)
    np.testing.assert_allclose(gap * share, bound, rtol=1e-6)


def test_small_distances_keep_their_digits() -> None:
    """The excess near a minimiser against the quadratic form of the Hessian there."""
    problem = made(0.25)
    step = 1e-7 * np.array([1.0, -2.0])
    form = problem.own_hessians(problem.optimum)
    quadratic = (step @ form @ step) / 2
    # the cubic term is smaller by the length of the step
    np.testing.assert_allclose(problem.own_excess(problem.optimum + step), quadratic, rtol=1e-6)
