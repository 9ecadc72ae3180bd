r"""Dissimilarities with a slope: the smallest b^2 that goes with a c.

On quadratics with invertible Hessians :math:`\nabla R_i-\nabla R_k=Mg+v`, where g is the gradient
of R_i and takes every value, and the supremum of :math:`\|Mg+v\|^2-c\|g\|^2` is a closed form; see
:mod:`bounds.heterogeneity`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from verify.assumptions import ratios
from verify.assumptions.records import Constant
from verify.assumptions.search import over_region
from verify.assumptions.source import BoxedLosses

__all__ = ["beyond", "bias", "least_slope", "pairs_of"]

Array = np.ndarray[Any, Any]


def bias(
    source: BoxedLosses, pair: tuple[int, int] | None, slope: float, seed: int
) -> tuple[float, Array | None, bool]:
    """b^2 (or G^2) for a slope, where it is taken, and whether it is a closed form."""
    if pair is not None and _invertible(source):
        M, v, back = _difference(source, *pair)
        inner = slope * np.eye(len(v)) - M.T @ M
        if not M.any():
            return float(v @ v), back(0 * v), True
        if np.linalg.eigvalsh(inner)[0] <= 0:
            return np.inf, None, True
        gradient = np.linalg.solve(inner, M.T @ v)
        value = v @ v + (M.T @ v) @ gradient
        return float(value), back(gradient), True
    rule = (
        ratios.dissimilarity(source, slope)
        if pair is None
        else ratios.affine_bias(source, *pair, slope)
    )
    value, place = over_region(source, rule, seed, False)
    return max(value, 0.0), place, False


def beyond(source: BoxedLosses, stated: float, slope: float) -> Constant:
    """A point of R^d that breaks b^2 = stated, where no b serves for this slope."""
    found = Constant("affine dissimilarity", f"b^2, c={slope:g}", None, reason="no far point tells")
    for i, k in pairs_of(source):
        M, v, back = _difference(source, i, k)
        inner = M.T @ M - slope * np.eye(len(v))
        value, vectors = np.linalg.eigh(inner)
        if value[-1] < 0:
            continue
        sign = 1.0 if vectors[:, -1] @ (M.T @ v) >= 0 else -1.0
        for doublings in range(80):
            point = back(sign * 2.0**doublings * vectors[:, -1])
            reached = float(ratios.affine_bias(source, i, k, slope)(point[None])[0])
            if reached > 2 * stated + 1:
                return replace(
                    found,
                    value=reached,
                    exact=True,
                    reason="",
                    witness={"point": point.tolist(), "clients": [i, k]},
                )
    return found


def _invertible(source: BoxedLosses) -> bool:
    quadratic = source.quadratic
    return quadratic is not None and bool((quadratic.client_strong_convexity > 0).all())


def _difference(
    source: BoxedLosses, i: int, k: int
) -> tuple[Array, Array, Callable[[Array], Array]]:
    """Difference grad R_i - grad R_k = M g + v with g = grad R_i; and the point of a given g."""
    assert source.quadratic is not None
    assert source.optima is not None
    hessian, optima = np.asarray(source.quadratic.hessian, float), source.optima
    own, other = hessian[i], hessian[k]
    M = np.eye(len(own)) - np.linalg.solve(own, other).T  # both are symmetric
    v = other @ (optima[k] - optima[i])
    return M, v, lambda gradient: optima[i] + np.linalg.solve(own, gradient)


def least_slope(source: BoxedLosses, pair: tuple[int, int] | None) -> float:
    """Slope above which some b serves on all of R^d; 0 on a bounded region."""
    if pair is None or not _invertible(source):
        return 0.0
    return float(np.linalg.norm(_difference(source, *pair)[0], 2) ** 2)


def pairs_of(source: BoxedLosses) -> list[tuple[int, int]]:
    """All ordered pairs (i, k) of different clients."""
    return [(i, k) for i in range(source.clients) for k in range(source.clients) if i != k]
