r"""Constants of a federation of tables: heterogeneity, curvature, noise, at the zero start.

Least squares: everything is a closed form. The slopes c_ik run through multiples of the smallest
one that A3 allows, each with the smallest b_ik^2 for it; sigma_k^2 bounds the second moment of a
row's gradient on every client's :math:`\{R_i \le R_i(0)\}` from above.

Logistic loss: sigma_k^2 and smoothness are closed forms. What is a supremum over models (b_ik^2,
the PL constant, curvature, growth) is the largest value over points of
:math:`\{R_i \le R_i(0)\}`: a lower estimate of b_ik^2 and an upper one of the constants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algorithms.collaboration.tables import Array, ClientTables
from bounds.heterogeneity import mismatch, squared_bias_exact

__all__ = ["Constants", "GroupConstants", "federation_constants", "group_constants"]

EXCESS_SLOPES = np.geomspace(1e-3, 1e3, 49)
"""(c - ||M||^2)/||M||^2 of the slopes tried for least squares."""
SLOPES = np.concatenate([[0.0], np.geomspace(1e-3, 10.0, 40)])
"""Slopes tried for the logistic loss."""
DIRECTIONS, STATIONS, HALVINGS = 100, (0.02, 0.1, 0.25, 0.5, 0.75, 1.0), 24
"""Rays from a minimiser, places on each in parts of the way to the level of the start, and halvings
of an interval that find this way to seven digits."""


@dataclass(frozen=True)
class Constants:
    """What the rates ask of a federation whose runs start at zero.

    Attributes
    ----------
    mu, convexity, smoothness : arrays, (N,)
        PL constant, smallest and largest curvature of every client; unit loss / length^2.
    start_excess : array, (N,)
        R_i(0) - min R_i; unit loss.
    sigma2 : array, (N,)
        Variance of a mini-batch gradient on the models of any client; loss^2 / length^2.
    slope, squared_bias : arrays, (C, N, N)
        Points (c_ik, b_ik^2) of the trade-off curve of every pair, [who asks, who helps].
    value_bias : array, (N, N)
        R_i(theta_k) - R_i(theta_i) at the minimisers; unit loss.
    exact : bool
        Whether nothing is taken over sampled models.
    """

    mu: Array
    convexity: Array
    smoothness: Array
    start_excess: Array
    sigma2: Array
    slope: Array
    squared_bias: Array
    value_bias: Array
    exact: bool


@dataclass(frozen=True)
class GroupConstants:
    """A group that trains one model on the mean of its members' losses.

    Attributes
    ----------
    mu, smoothness, start_excess : float
        Of the mean loss F.
    shares : array, (N,)
        Weights of the members, by numbers of rows; zero outside.
    floor : array, (N,)
        Excess loss of every client at the group's minimiser; unit loss.
    transfer : array, (N,)
        kappa with sqrt(E_i) <= sqrt(floor_i) + sqrt(kappa_i (F - F*)); no unit.
    """

    mu: float
    smoothness: float
    start_excess: float
    shares: Array
    floor: Array
    transfer: Array


def federation_constants(tables: ClientTables, batch: int = 1, seed: int = 0) -> Constants:
    """Constants of the clients' mean losses.

    Parameters
    ----------
    tables : ClientTables
    batch : int
        Rows per stochastic gradient, drawn with replacement.
    seed : int
        Of the models sampled for the logistic loss.

    Returns
    -------
    Constants
    """
    problem: Any = tables.problem(batch)
    zero = np.zeros(tables.dim)
    start = np.asarray(problem.excess(zero))
    values = np.stack([problem.excess(o) for o in problem.optimum], axis=1)
    if tables.model != "logistic":
        slope, bias = _exact_curve(problem)
        mu = np.asarray(problem.client_strong_convexity)
        return Constants(
            mu,
            mu,
            np.asarray(problem.client_smoothness),
            start,
            _second_moments(tables, problem, start) / batch,
            slope,
            bias,
            values,
            True,
        )
    clouds = _clouds(tables, problem, seed)
    mu = np.array([_pl(one, cloud) for one, cloud in clouds])
    bias = np.stack(
        [_sampled_curve(problem, i, cloud) for i, (_, cloud) in enumerate(clouds)], axis=1
    )
    slope = np.broadcast_to(SLOPES[:, None, None], bias.shape)
    flat = [_flattest(tables, i, cloud) for i, (_, cloud) in enumerate(clouds)]
    return Constants(
        mu,
        np.array(flat),
        np.asarray(problem.client_smoothness),
        start,
        np.asarray(problem.noise_variance),
        slope,
        bias,
        values,
        False,
    )


def group_constants(
    tables: ClientTables, members: tuple[int, ...], seed: int = 0
) -> GroupConstants:
    r"""Constants of the mean loss F of a group.

    For a convex beta-smooth R the square root of the excess is :math:`\sqrt{\beta/2}`-Lipschitz, so
    that :math:`\kappa_i = \beta_i/\mu_F` by quadratic growth of F; for least squares the largest
    eigenvalue of :math:`A_F^{-1} A_i` is at most that, and taken.

    Parameters
    ----------
    tables : ClientTables
    members : tuple of int
    seed : int

    Returns
    -------
    GroupConstants
    """
    whole: Any = tables.problem()
    merged = tables.merged(members)
    group: Any = merged.problem()
    centre = group.optimum[0]
    shares = np.zeros(tables.clients)
    chosen = list(members)
    shares[chosen] = tables.counts[chosen] / tables.counts[chosen].sum()
    floor = np.asarray(whole.excess(centre))
    start = float(group.excess(np.zeros(tables.dim))[0])
    smoothness = float(group.client_smoothness[0])
    if tables.model != "logistic":
        own = np.linalg.solve(group.form[0], whole.form)
        transfer = np.linalg.eigvals(own).real.max(-1)
        mu = float(group.client_strong_convexity[0])
    else:
        one, cloud = _clouds(merged, group, seed)[0]
        mu = _pl(one, cloud)
        excess = one.excess(cloud)[..., 0]
        growth = 2 * excess / ((cloud - centre) ** 2).sum(-1)
        transfer = np.asarray(whole.client_smoothness) / growth.min()
    return GroupConstants(mu, smoothness, start, shares, floor, transfer)


# -- private helpers ---------------------------------------------------------------------


def _exact_curve(problem: Any) -> tuple[Array, Array]:
    """Slopes and the smallest b^2 of each, (C, N, N)."""
    A, xi = problem.form, -problem.optimum
    spread = mismatch(A, xi, half=True).spread
    slope = spread * (1 + EXCESS_SLOPES[:, None, None])
    return slope, np.asarray(squared_bias_exact(A, xi, slope, half=True))


def _second_moments(tables: ClientTables, problem: Any, start: Array) -> Array:
    r"""Largest mean squared gradient of a row on {R_i <= R_i(0)} of any i, bounded above, (N,).

    With theta = theta_i + A_i^{-1/2} u and |u|^2 <= 2 E_i the mean of |x|^2 r^2 is a quadratic
    function q + 2 <p, u> + <u, Q u> of u, at most q + 2 rho |p| + rho^2 lambda_max(Q).
    """
    out = np.zeros(tables.clients)
    for i in range(tables.clients):
        sizes, axes = np.linalg.eigh(problem.form[i])
        root = axes / np.sqrt(sizes) @ axes.T
        rho = np.sqrt(2 * start[i])
        for k, (X, y) in enumerate(zip(tables.X, tables.y, strict=True)):
            length = (X**2).sum(1)
            residual = X @ problem.optimum[i] - y
            rows = X @ root
            push = (length * residual) @ rows / len(y)
            form = (length[:, None] * rows).T @ rows / len(y)
            level = float((length * residual**2).mean())
            most = level + 2 * rho * np.linalg.norm(push) + rho**2 * np.linalg.eigvalsh(form)[-1]
            out[k] = max(out[k], most)
    return out


def _clouds(tables: ClientTables, problem: Any, seed: int) -> list[tuple[Any, Array]]:
    """Every client by itself, with models (P, d) of its {R_i <= R_i(0)}: rays, and the way to zero.

    The client is a problem that takes many points at once.
    """
    rng = np.random.default_rng(seed)
    out = []
    for i in range(tables.clients):
        one = problem.select([i])
        centre = one.optimum[0]  # asked for before the problem is widened, which keeps it
        level = float(one.excess(np.zeros(tables.dim))[0])
        rays = rng.normal(size=(DIRECTIONS, tables.dim))
        rays /= np.linalg.norm(rays, axis=1, keepdims=True)
        rays = np.concatenate([rays, -centre[None] / max(float(np.linalg.norm(centre)), 1e-300)])
        wide = one.expand(1)
        low, high = np.zeros(len(rays)), np.ones(len(rays))
        while (inside := wide.excess(centre + high[:, None] * rays)[..., 0] < level).any():
            high = np.where(inside, 2 * high, high)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            inside = wide.excess(centre + middle[:, None] * rays)[..., 0] < level
            low, high = np.where(inside, middle, low), np.where(inside, high, middle)
        cloud = np.concatenate([centre + (s * low)[:, None] * rays for s in STATIONS])
        out.append((wide, cloud))
    return out


def _pl(one: Any, cloud: Array) -> float:
    """Smallest |grad R|^2/(2 E) over the cloud."""
    square = (one.gradients(cloud)[..., 0, :] ** 2).sum(-1)
    return float((square / (2 * one.excess(cloud)[..., 0])).min())


def _flattest(tables: ClientTables, i: int, cloud: Array) -> float:
    """Smallest eigenvalue of the Hessian of client i's logistic loss over the cloud."""
    X = tables.X[i]
    cosh = np.cosh(np.clip(cloud @ X.T / 2, -300, 300))  # p (1 - p) = 1/(4 cosh(margin/2)^2)
    form = np.einsum("pn,nd,ne->pde", 1 / (4 * cosh**2), X, X, optimize=True) / len(X)
    return float(np.linalg.eigvalsh(form).min()) + tables.ridge


def _sampled_curve(problem: Any, i: int, cloud: Array) -> Array:
    """Largest |g_i - g_k|^2 - c |g_i|^2 over the cloud, (C, N)."""
    gradients = problem.expand(1).gradients(cloud)  # (P, N, d)
    own = gradients[:, i]
    gap = ((gradients - own[:, None]) ** 2).sum(-1)  # (P, N)
    square = (own**2).sum(-1)
    lines = gap[None] - SLOPES[:, None, None] * square[:, None]
    return np.asarray(np.maximum(lines.max(1), 0.0))
