"""Points have the mean and covariance that they stand for, each direction with its own digits."""

from __future__ import annotations

import numpy as np
import pytest

from synthetic.noise.sigma_points import roots, simplex

ROUNDING = 1e-13
"""Some hundred operations of 1e-16."""


@pytest.mark.parametrize("dim", [1, 2, 5, 10, 64])
def test_corners_have_mean_zero_and_covariance_one(dim: int) -> None:
    corners = simplex(dim)
    assert corners.shape == (dim + 1, dim)
    np.testing.assert_allclose(corners.mean(axis=0), 0, atol=ROUNDING)
    np.testing.assert_allclose(corners.T @ corners / (dim + 1), np.eye(dim), atol=ROUNDING)


def covariances(rank: int, dim: int) -> np.ndarray:
    """Variances from 1e-8 to 1e8 in one matrix."""
    rng = np.random.default_rng(rank)
    half = rng.normal(size=(4, dim, rank)) * np.geomspace(1e-4, 1e4, dim)[:, None]
    return half @ half.swapaxes(-1, -2)


@pytest.mark.parametrize(("rank", "dim"), [(6, 6), (1, 6), (2, 6), (1, 1), (3, 10)])
def test_a_root_is_one(rank: int, dim: int) -> None:
    covariance = covariances(rank, dim)
    root = roots(covariance)
    scale = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
    gap = np.abs(root @ root.swapaxes(-1, -2) - covariance)
    assert (gap <= ROUNDING * scale[..., :, None] * scale[..., None, :]).all()


def test_what_does_not_vary_stays_where_it_is() -> None:
    covariance = np.zeros((2, 3, 3))
    covariance[1, 1, 1] = 4.0
    root = roots(covariance)
    assert not root[0].any()
    assert not root[1, [0, 2]].any()
    np.testing.assert_allclose((root[1, 1] ** 2).sum(), 4.0, rtol=ROUNDING)


def test_rounding_that_makes_a_matrix_indefinite_is_borne() -> None:
    covariance = covariances(1, 6)
    covariance[:, 0, 1] = covariance[:, 1, 0] = covariance[:, 0, 1] * (1 + 1e-9)
    values = np.linalg.eigvalsh(covariance[:, :2, :2])
    assert (values[:, 0] < 0).any()
    root = roots(covariance)
    scale = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
    gap = np.abs(root @ root.swapaxes(-1, -2) - covariance)
    assert (gap <= 1e-8 * scale[..., :, None] * scale[..., None, :]).all()
