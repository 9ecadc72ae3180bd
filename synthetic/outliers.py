r"""Federations with one badly served client, and federations with one common minimiser.

Closed forms hold for any number of clients, since memory and time grow like N alone.

Source: aggregation, Section 2.2 (Gamma = 0, FedMax) and Remark 6.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bounds.numbers.validate import in_interval, positive, require
from synthetic.quadratic import Quadratic


def outlier_quadratics(
    clients: int, *, distance: float = 1.0, curvature: float = 1.0, noise_scale: float = 0.0
) -> Quadratic:
    r"""N - 1 clients with minimiser 0 and one, the last, with minimiser r, all of curvature a.

    With equal shares the minimiser of F is r/N, :math:`\Gamma = \tfrac a2 r^2\frac{N-1}{N^2}`, and
    FedMax has rho = N at 0, the largest value of any weights anywhere.

    Parameters
    ----------
    clients : int
        N >= 2.
    distance : float
        r > 0, length.
    curvature : float
        a > 0, loss / length^2.
    noise_scale : float
        Standard deviation of the clients' additive noise, loss / length.

    Returns
    -------
    Quadratic
        In one dimension, losses with the factor 1/2.

    Examples
    --------
    >>> outlier_quadratics(4).excess(np.zeros(1)).tolist()
    [0.0, 0.0, 0.0, 0.5]
    """
    require(clients >= 2, "clients", "at least 2", clients, "add a client")
    positive("distance", distance)
    positive("curvature", curvature)
    xi = np.zeros((clients, 1))
    xi[-1] = -distance
    return Quadratic(
        {
            "A": np.full((clients, 1, 1), float(curvature)), "xi": xi, "half": True,
            **_noise(clients, noise_scale),
        }
    )  # fmt: skip


def common_minimum_quadratics(
    curvatures: Sequence[Sequence[float]], *, noise_scale: float = 0.0
) -> Quadratic:
    """Aligned quadratics with minimiser 0 and these curvatures (one row per client): Gamma = 0.

    Returns
    -------
    Quadratic
        Losses with the factor 1/2, unit of the curvatures loss / length^2.

    Examples
    --------
    >>> common_minimum_quadratics([[1.0, 4.0], [2.0, 2.0]]).optimum.tolist()
    [[-0.0, -0.0], [-0.0, -0.0]]
    """
    table = np.asarray(curvatures, dtype=float)
    require(table.ndim == 2, "curvatures", "a table (N, d)", table.shape, "pass one row per client")
    positive("curvatures", table)
    form = table[..., None] * np.eye(table.shape[1])
    return Quadratic(
        {"A": form, "xi": np.zeros_like(table), "half": True, **_noise(len(table), noise_scale)}
    )


def tilted_quadratics(clients: int, heterogeneity: float, *, seed: int, dim: int = 5) -> Quadratic:
    """Unit curvature, minimisers spread with this standard deviation per coordinate.

    At heterogeneity 0 all losses agree.

    Parameters
    ----------
    heterogeneity : float
        Standard deviation of a coordinate of a minimiser, length, in [0, 1e6].
    """
    in_interval("heterogeneity", heterogeneity, 0.0, 1e6)
    rng = np.random.default_rng(seed)
    optimum = heterogeneity * rng.normal(size=(clients, dim))
    form = np.broadcast_to(np.eye(dim), (clients, dim, dim)).copy()
    return Quadratic({"A": form, "xi": -optimum, "half": True, "law": "none"})


def _noise(clients: int, scale: float) -> dict[str, object]:
    if scale == 0:
        return {"law": "none"}
    return {"noise_scale": np.full(clients, float(scale)), "law": "two_point"}
