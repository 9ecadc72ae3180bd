r"""Weights of All-for-one that know the clusters before the run.

Source: adaptive, Baselines, optimal All-for-one; Even, Massoulié and Scaman 2022.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bounds.generic import to_float
from bounds.numbers.validate import positive, require


def cluster_weights(labels: Sequence[int] | Any, variance: Any | None = None) -> Any:
    r"""Weights inside the asking client's cluster, zero outside, for ``weight_matrix``.

    .. math:: \alpha_{ik} = \frac{1\{\ell_k = \ell_i\}}{|\{j : \ell_j = \ell_i\}|}

    Parameters
    ----------
    labels : sequence, (N,)
        Cluster of each client.
    variance : array, (..., N), optional
        sigma_k^2, loss^2 / length^2, above zero: weights proportional to its inverse, which
        minimise the variance of the direction among weights of sum one. Uniform without it,
        as in the paper.

    Returns
    -------
    numpy array, (..., N, N)
        Rows sum to one.

    Source
    ------
    adaptive, Baselines, optimal All-for-one.

    Examples
    --------
    >>> cluster_weights([0, 1, 0]).tolist()
    [[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]
    """
    names = np.asarray(labels)
    require(names.ndim == 1, "labels", "one label per client", names.shape, "pass a flat list")
    share = (names[:, None] == names[None, :]).astype(float)
    if variance is not None:
        positive("variance", variance)
        share = share / to_float(variance)[..., None, :]
    return share / share.sum(-1, keepdims=True)
