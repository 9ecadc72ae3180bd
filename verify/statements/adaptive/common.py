"""What the statements of the adaptive paper share: source, families, quantities along a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.similarity import (
    collaboration_weights,
    effective_variance,
    phi_by_name,
    similarity_ratio,
    step_ratio,
)
from bounds.sufficient import sufficient_ratio, sufficient_ratio_printed
from verify.claim.families import quadratics
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Source
from verify.world.world import World

Array = Any

PAPER = "adaptive"


def source(where: str) -> Source:
    """Place in the adaptive paper."""
    return Source(PAPER, where)


MENDED = r",\quad b_{ik}^2\text{ for }b_{ik},\ \varepsilon_i^t\text{ realised}"
"""What the repaired statements read differently in Definition 2, for their formulas."""

STEP = {"step_share": Real(0, 1)}
"""Step size as a share of its upper limit."""
PHI = {"threshold": Real(1 / 8, 1)}
"""Threshold (lambda) of the binary rule; without effect on the continuous one."""
PRECISION = {"precision": Real(1 / 64, 16, unit=(1, 0), log=True)}


def phi_shapes(*sizes: tuple[int, int, int], weights: str = "true") -> tuple[Shape, ...]:
    """Shapes (N, d, rounds), each with both rules of Definition 3."""
    return tuple(
        {"N": n, "d": d, "rounds": t, "phi": phi, "weights": weights}
        for n, d, t in sizes
        for phi in ("continuous", "binary")
    )


def run_family(*sizes: tuple[int, int, int], extra: dict[str, Real] | None = None) -> Family:
    """All-for-one with true ratios on small quadratic federations."""
    return quadratics(phi_shapes(*sizes), {**PHI, **STEP, **(extra or {})})


@dataclass(frozen=True)
class Along:
    """Quantities of client 0 at the points of an array (..., d)."""

    squared_gradient: Array  # (...)      G^2
    squared_gap: Array  # (..., N)   Delta_k^2
    ratio: Array  # (..., N)
    phi: Array  # (..., N)
    alpha: Array  # (..., N)
    effective: Array  # (...)      sigma_eff^2 = sigma_psi^2
    limit: Array  # (...)      (sigma_phi / sigma_psi)^2


def along(w: World, theta: Array) -> Along:
    """Evaluate ratios, weights and variances of Definition 1 at points (B, R, d) or (B, R, T, d)."""
    extra = theta.ndim - 3
    problem = w.problem.expand(extra) if extra else w.problem
    gradients = problem.gradients(theta)  # (..., N, d)
    own = gradients[..., :1, :]
    sigma2 = per_client(w.sigma2, extra)
    ratio = similarity_ratio(gradients)
    phi = phi_of(w, ratio)
    return Along(
        xp.squared_norm(own)[..., 0],
        xp.squared_norm(gradients - own),
        ratio,
        phi,
        collaboration_weights(ratio, phi, sigma2),
        effective_variance(ratio, phi, sigma2),
        step_ratio(ratio, phi, sigma2),
    )


def phi_of(w: World, ratio: Array) -> Array:
    """phi of the rule that the instance names."""
    return phi_by_name(w.phi, ratio, w.threshold)


def per_client(value: Array, extra: int) -> Array:
    """Insert axes before the client axis of (B, 1, N)."""
    return value[(..., *(None,) * extra, slice(None))] if extra else value


def sufficient(w: World, precision: Array, printed: bool = True) -> tuple[Array, Array]:
    """Argument (1 - b/(2 mu eps) - c)_+ of Definition 2 and sigma_suf^2, (B, R, N) and (B, R)."""
    if printed:
        ratio = sufficient_ratio_printed(xp.sqrt(w.squared_bias), w.slope, w.mu, precision)
    else:
        ratio = sufficient_ratio(w.squared_bias, w.slope, w.mu, precision)
    return ratio, effective_variance(ratio, phi_of(w, ratio), w.sigma2)


def excess(w: World, t: int) -> Array:
    """Realised excess loss of client 0 after t rounds, (B, R)."""
    return w.problem.excess(w.run().theta[..., t, :])[..., 0]


def twenty_clients(law: str, rounds: int = 1) -> Instance:
    """Twenty clients in ten dimensions, two clusters, noise without finite support.

    Deterministic: curvatures and minimisers lie on grids, so nothing is drawn.
    """
    clients, dim = 20, 10
    k, j = np.arange(clients)[:, None], np.arange(dim)[None]
    curvature = 1 / 2 + ((3 * k + j) % 7) / 6
    optimum = np.where(k % 2 == 0, 1.0, -1.0) / 4 + ((k + 2 * j) % 5) / 100
    data = {
        "A": curvature[..., None] * np.eye(dim),
        "xi": -optimum,
        "noise_scale": 1 / 2 + (np.arange(clients) % 3) / 2,
        "law": law,
        "half": True,
    }
    params = {
        "start": np.full(dim, 2.0),
        "step_share": 0.5,
        "threshold": 0.5,
        "tradeoff": 1.5,
        "rounds": rounds,
        "phi": "continuous",
        "weights": "true",
    }
    return Instance("quadratic", data, "all_for_one", params)
