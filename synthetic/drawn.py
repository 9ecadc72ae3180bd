r"""Raw data of federations drawn by a random generator, of any size, with prescribed constants.

Quadratic clients :math:`R_k = \tfrac12(\theta-m_k)^\top A_k(\theta-m_k)` with
:math:`A_k = \rho_k A` and :math:`m_k = m_0 + (\rho_k A)^{-1} b_k u_k`, u_k a unit vector, so that
for client 0 (:math:`\rho_0 = 1`, :math:`b_0 = 0`) the two differences of A3 are exact:
:math:`\lVert v_{0k}\rVert = b_k` and :math:`M_{0k} = (1-\rho_k) I`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.numbers.validate import require

Data = dict[str, Any]

LAYOUTS = ("same", "clusters", "outlier", "star", "path")
"""Who differs from client 0: nobody, every second client, the last one, all alike, and all, more
and more."""

LAWS = ("gaussian", "sphere", "skewed", "heavy")
"""Noise of mean 0 and variance 1: two with a density or on a sphere, one with two points and any
skewness, and one that is 0 but for rare large values."""

HEAVY = 8.0
"""Size of a rare value, in standard deviations; it has the chance 1/64."""


def log_uniform(rng: np.random.Generator, low: float, high: float, size: Any = None) -> Any:
    """Numbers between low and high, uniform on a logarithmic scale."""
    return low * (high / low) ** rng.uniform(size=size)


def spectrum(rng: np.random.Generator, dim: int, low: float, condition: float) -> Any:
    """Eigenvalues from low to low * condition, both attained where there are two, ``(d,)``."""
    inner = log_uniform(rng, low, low * condition, max(dim - 2, 0))
    return np.concatenate([[low, low * condition][: min(dim, 2)], inner])


def matrix(rng: np.random.Generator, eigenvalues: Any) -> Any:
    """Symmetric matrix of these eigenvalues with random axes, ``(d, d)``."""
    basis, _ = np.linalg.qr(rng.normal(size=(len(eigenvalues),) * 2))
    made = (basis * eigenvalues) @ basis.T
    return (made + made.T) / 2


def weights_of(layout: str, clients: int) -> Any:
    """How far each client is from client 0, from 0 to 1, ``(N,)``."""
    require(layout in LAYOUTS, "layout", f"one of {', '.join(LAYOUTS)}", layout, "choose one")
    k = np.arange(clients)
    if layout == "same":
        return 0.0 * k
    if layout == "clusters":
        return 1.0 * (k % 2)
    if layout == "outlier":
        return 1.0 * ((k == clients - 1) & (k > 0))
    return 1.0 * (k > 0) if layout == "star" else k / max(clients - 1, 1)


def noise(
    rng: np.random.Generator, clients: int, dim: int, law: str, low: float, high: float
) -> Data:
    """Additive noise of standard deviations between low and high, each client its own.

    Returns
    -------
    dict
        Fields of `synthetic.additive.AdditiveNoise`.
    """
    require(law in (*LAWS, "none"), "law", f"one of {', '.join(LAWS)}, none", law, "choose one")
    if law == "none":
        return {"law": "none"}
    scale = log_uniform(rng, low, high, clients)
    if law in ("gaussian", "sphere"):
        return {"law": law, "noise_scale": scale}
    direction = _directions(rng, clients, dim)
    return {"noise_scale": scale, "direction": direction, **words(rng, clients, law)}


def words(rng: np.random.Generator, clients: int, law: str) -> Data:
    """Law of one word of mean 0 and variance 1, each client its own: law, skew, values, ..."""
    if law in ("gaussian", "sphere"):
        return {"law": law}
    if law == "skewed":
        return {"law": "two_point", "skew": log_uniform(rng, 1 / 8, 8, clients)}
    rare = 1 / (2 * HEAVY**2)
    return {
        "law": "finite",
        "values": np.tile([-HEAVY, 0.0, HEAVY], (clients, 1)),
        "probabilities": np.tile([rare, 1 - 2 * rare, rare], (clients, 1)),
    }


def quadratics(
    rng: np.random.Generator,
    clients: int,
    dim: int,
    law: str,
    *,
    layout: str,
    condition: float,
    bias: float,
    slope: float,
    sigma: tuple[float, float] = (1 / 4, 4),
    low: float = 1.0,
) -> Data:
    r"""Quadratics with a prescribed spectrum and prescribed distance from client 0.

    Parameters
    ----------
    rng : Generator
    clients, dim : int
    law : str
        One of `LAWS`, or none.
    layout : str
        One of `LAYOUTS`.
    condition : float
        Largest over smallest eigenvalue of client 0; 1 in one dimension.
    bias : float
        Largest :math:`\lVert v_{0k}\rVert`; unit loss / length.
    slope : float
        Largest :math:`\lVert M_{0k}\rVert`, below 1.
    sigma : pair of float
        Range of the standard deviations of the noise; unit loss / length.
    low : float
        Smallest eigenvalue of client 0; unit loss / length^2.

    Returns
    -------
    dict
        Data of the family ``quadratic``, with the factor 1/2.
    """
    forms, optimum = _curved(
        rng, clients, dim, layout=layout, condition=condition, bias=bias, slope=slope, low=low
    )
    return {
        "A": forms,
        "xi": -optimum,
        "half": True,
        **noise(rng, clients, dim, law, *sigma),
    }


def growing(
    rng: np.random.Generator,
    clients: int,
    dim: int,
    law: str,
    *,
    layout: str,
    condition: float,
    bias: float,
    slope: float,
    reach: float,
    labels: float,
    low: float = 1.0,
) -> Data:
    """Streamed least squares of family ``growing``, the losses those of :func:`quadratics`.

    Parameters
    ----------
    reach : float
        Distance from a minimiser up to which the noise grows; unit length.
    labels : float
        Standard deviation of the labels' noise, the same for all clients; unit loss^(1/2).

    Other parameters as in :func:`quadratics`.
    """
    forms, optimum = _curved(
        rng, clients, dim, layout=layout, condition=condition, bias=bias, slope=slope, low=low
    )
    return {
        "root": np.linalg.cholesky(forms),
        "targets": optimum,
        "radius": np.asarray(reach),
        "label_scale": np.full(clients, labels),
        **words(rng, clients, law),
    }


def _curved(
    rng: np.random.Generator,
    clients: int,
    dim: int,
    *,
    layout: str,
    condition: float,
    bias: float,
    slope: float,
    low: float,
) -> tuple[Any, Any]:
    """Hessians (N, d, d) and minimisers (N, d) of quadratic clients; see :func:`quadratics`."""
    require(0 <= slope < 1, "slope", "in [0, 1)", slope, "stay below 1")
    away = weights_of(layout, clients)
    eigenvalues = spectrum(rng, dim, low, condition if dim > 1 else 1.0)
    form = matrix(rng, eigenvalues) if dim > 1 else eigenvalues[:, None]
    scale = 1 + slope * away * rng.choice([-1, 1], size=clients)
    forms = scale[:, None, None] * form
    turned = _directions(rng, clients, dim)
    if layout in ("clusters", "path"):  # one direction for all
        turned = np.broadcast_to(turned[:1], turned.shape)
    push = (bias * away)[:, None] * turned
    return forms, np.linalg.solve(forms, push[..., None])[..., 0]


def separable(
    rng: np.random.Generator,
    clients: int,
    dim: int,
    law: str,
    *,
    layout: str,
    bias: float,
    slope: float,
    sigma: tuple[float, float] = (1 / 4, 4),
) -> Data:
    """Separable losses (family ``pl`` or ``nonconvex``): shifted by ``bias``, scaled by ``slope``.

    Parameters
    ----------
    bias : float
        Largest distance of a client's minimiser from client 0's; unit length.
    slope : float
        Largest relative difference of heights, below 1.

    Other parameters as in :func:`quadratics`.
    """
    require(0 <= slope < 1, "slope", "in [0, 1)", slope, "stay below 1")
    away = weights_of(layout, clients)
    turned = _directions(rng, clients, dim)
    return {
        "height": 1 + slope * away * rng.choice([-1, 1], size=clients),
        "centre": (bias * away)[:, None] * turned,
        "width": np.asarray(log_uniform(rng, 1 / 2, 2)),
        **noise(rng, clients, dim, law, *sigma),
    }


def logistic(
    rng: np.random.Generator,
    clients: int,
    dim: int,
    rows: int,
    *,
    layout: str,
    bias: float,
    ridge: float,
) -> Data:
    """Tables of the family ``logistic``: gradients of one row, labels that a random model gives.

    Parameters
    ----------
    rows : int
        Rows of each client.
    bias : float
        Largest distance of a client's minimiser from client 0's; unit length.
    ridge : float
        Strong convexity of every client; unit loss / length^2.

    Other parameters as in :func:`quadratics`.
    """
    away = weights_of(layout, clients)
    turned = _directions(rng, clients, dim)
    table = rng.normal(size=(clients, rows, dim)) / np.sqrt(dim)
    margin = table @ rng.normal(size=dim) + rng.logistic(size=(clients, rows)) / 4
    return {
        "X": table,
        "y": np.where(margin >= 0, 1.0, -1.0),
        "ridge": np.asarray(ridge),
        "optimum": (bias * away)[:, None] * turned,
    }


def log_cosh(
    rng: np.random.Generator,
    clients: int,
    dim: int,
    rows: int,
    *,
    layout: str,
    bias: float,
    condition: float,
    residual: float,
) -> Data:
    """Targets of the family ``log_cosh`` on one table of rows for all clients.

    Parameters
    ----------
    rows : int
        Rows of the table.
    condition : float
        Largest curvature that the rows can have, over the ridge.
    residual : float
        Size of the residuals at the minimisers, which have the heavy tails of Cauchy's law; with 0
        the upper bound of the smoothness is attained there.

    Other parameters as in :func:`logistic`.
    """
    optimum = (bias * weights_of(layout, clients))[:, None] * _directions(rng, clients, dim)
    table = rng.normal(size=(rows, dim)) / np.sqrt(dim)
    steep = np.linalg.eigvalsh(table.T @ table / rows)[-1]
    return {
        "X": np.broadcast_to(table, (clients, rows, dim)).copy(),
        "y": optimum @ table.T + residual * rng.standard_cauchy(size=rows),
        "ridge": np.asarray(steep / condition),
        "optimum": optimum,
    }


def _directions(rng: np.random.Generator, clients: int, dim: int) -> Any:
    """Random unit vectors, (N, d)."""
    turned = rng.normal(size=(clients, dim))
    return turned / np.linalg.norm(turned, axis=-1, keepdims=True)
