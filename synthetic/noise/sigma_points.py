"""Points of equal weight that have a given mean and covariance, d + 1 of them in d dimensions."""

from __future__ import annotations

import numpy as np

from bounds.numbers.shapes import Array

LIFT = 2 * np.finfo(float).eps
"""Added to a correlation matrix for each dimension, so that a singular one has a root: what its
own rounding may be."""


def simplex(dim: int) -> Array:
    """Corners of a simplex, of mean 0 and covariance I, ``(d + 1, d)``.

    The mean of f over ``mean + root @ corner`` is exact for every f of degree at most two.
    """
    n = np.arange(1, dim + 1)[:, None]
    rows = np.where(np.arange(dim + 1) < n, 1.0, 0.0)
    rows[n[:, 0] - 1, n[:, 0]] = -n[:, 0]
    rows /= np.sqrt(n * (n + 1))  # orthonormal, and each sums to 0
    return np.sqrt(dim + 1) * rows.T


def roots(covariance: Array) -> Array:
    """Matrices R with R R^T = C for positive semi-definite C, ``(..., d, d)``.

    Every diagonal entry of C is met with its own relative accuracy, however small it is beside the
    others: what is taken apart is the correlation matrix.
    """
    covariance = (covariance + np.swapaxes(covariance, -1, -2)) / 2
    scale = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
    per = np.where(scale > 0, scale, 1.0)
    correlation = covariance / (per[..., :, None] * per[..., None, :])
    dim = correlation.shape[-1]
    index = np.arange(dim)
    # a coordinate that does not vary takes no part
    correlation[..., index, index] = 1 + LIFT * dim
    try:
        root = np.linalg.cholesky(correlation)
    except np.linalg.LinAlgError:  # rounding made some of them indefinite
        values, vectors = np.linalg.eigh(correlation)
        root = vectors * np.sqrt(np.maximum(values, 0))[..., None, :]
    return scale[..., :, None] * root
