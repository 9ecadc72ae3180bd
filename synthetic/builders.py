"""Quadratic federations with chosen spectra, shifts and clusters, and the Figure 1 family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bounds.numbers.validate import in_interval, nonnegative, require
from synthetic.quadratic import Quadratic


def clustered_quadratics(
    clients: int,
    dim: int,
    *,
    seed: int,
    clusters: int = 2,
    separation: float = 1.0,
    spread: float = 0.0,
    strong_convexity: float = 1.0,
    smoothness: float = 1.0,
    rotate: bool = True,
    same_hessian: bool = True,
    noise_scale: float | Sequence[float] = 0.0,
    half: bool = False,
    **noise: Any,
) -> Quadratic:
    """Quadratics whose minimisers form clusters; client k belongs to cluster k mod `clusters`.

    Parameters
    ----------
    separation : float
        Every two cluster centres are at least this far apart, and neighbours in a chain
        exactly this far: the centres lie on a line of random direction.
    spread : float
        Standard deviation of each coordinate of a minimiser about its centre.
    strong_convexity, smoothness : float
        Smallest and largest eigenvalue of every Hessian (of the loss, whatever `half`); the
        others are log-uniform between. With `dim` 1 the two must be equal.
    rotate : bool
        Whether eigenvectors are random or the coordinate axes.
    same_hessian : bool
        One Hessian for all clients, or one each.
    noise_scale : float or one per client
        Standard deviation of the gradient noise.
    **noise
        Further fields of `Quadratic`: sigma, law, skew, ...

    Returns
    -------
    Quadratic
    """
    in_interval("strong_convexity", strong_convexity, 0.0, smoothness)
    nonnegative("separation", separation)
    nonnegative("spread", spread)
    require(clients >= 1 and dim >= 1, "clients and dim", "positive", (clients, dim), "use 1")
    require(clusters >= 1, "clusters", "positive", clusters, "use 1 or more")
    flat = dim > 1 or strong_convexity == smoothness
    remedy = "give strong_convexity and smoothness one value"
    require(flat, "smoothness", "equal to strong_convexity in one dimension", smoothness, remedy)
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=dim)
    axis /= np.linalg.norm(axis)
    cluster = np.arange(clients) % clusters
    optima = separation * cluster[:, None] * axis + spread * rng.normal(size=(clients, dim))
    count = 1 if same_hessian else clients
    hessians = [_hessian(rng, dim, strong_convexity, smoothness, rotate) for _ in range(count)]
    form = np.broadcast_to(np.stack(hessians), (clients, dim, dim)) / (1 if half else 2)
    scale = np.broadcast_to(np.asarray(noise_scale, dtype=float), (clients,)).copy()
    data = {"A": form, "xi": -optima, "half": half, **noise}
    return Quadratic({**data, "noise_scale": scale} if scale.any() else data)


def figure1_family(
    v: float, N: int = 20, d: int = 2, seed: int = 127, *, variance: bool = False
) -> Quadratic:
    """The quadratics of Figure 1: A_i = I and minimisers spread around a common point.

    Parameters
    ----------
    v : float
        Spread of the models.
    N, d : int
        Clients and dimension.
    variance : bool
        The two readings of v: covariance v^2 I (Appendix A, the default) or v I (caption).

    Notes
    -----
    All families of one seed use the same directions, so that only v differs between curves.

    Source: adaptive, Figure 1. A_i and d are not given there; A_i = I makes mu = 2.
    """
    nonnegative("v", v)
    shifts = np.random.default_rng(seed).normal(size=(N, d))
    scale = np.sqrt(v) if variance else v
    form = np.broadcast_to(np.eye(d), (N, d, d)).copy()
    return Quadratic({"A": form, "xi": -scale * shifts})


def _hessian(rng: Any, dim: int, low: float, high: float, rotate: bool) -> Any:
    """A random symmetric matrix whose extreme eigenvalues are low and high."""
    inner = np.exp(rng.uniform(np.log(max(low, 1e-300)), np.log(high), size=max(dim - 2, 0)))
    spectrum = np.concatenate([[low, high][: min(dim, 2)], inner])
    if not rotate:
        return np.diag(spectrum)
    basis, _ = np.linalg.qr(rng.normal(size=(dim, dim)))
    matrix = (basis * spectrum) @ basis.T
    return (matrix + matrix.T) / 2
