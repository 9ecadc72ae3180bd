r"""Exact mean and covariance of an iterate under affine updates with noise.

.. math:: \theta' = M \theta + m + \zeta, \qquad E[\zeta \mid \theta] = 0,
          \qquad \mathrm{Cov}[\zeta \mid \theta] \text{ of degree at most two in } \theta.

Then mean and covariance of theta close on themselves, for any law of the noise, so that
expected losses of quadratics are known at every round without sampling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require, whole

MANY = 50
"""Rounds from which it pays to build the matrix that moves a covariance."""

AT_ONCE = 1 << 16
"""Numbers in the matrices at which the noise is evaluated in one call, for each client."""

NoiseCovariance = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class AffineMap:
    """One round of a method whose conditional mean is affine in its state.

    Attributes
    ----------
    matrix : ``(..., d, d)``
        M.
    offset : ``(..., d)``
        m.
    covariance : ``(..., d, d)``, or a function
        Covariance of the noise that the round adds. Where the noise depends on the point, a
        function of the mean and covariance of the state that returns its expectation.
    """

    matrix: Array
    offset: Array
    covariance: Array | NoiseCovariance


@dataclass(frozen=True)
class Moments:
    """Mean ``(..., T+1, d)`` and covariance ``(..., T+1, d, d)`` of the state, round by round."""

    mean: Array
    covariance: Array


def moments(
    affine_map: AffineMap | Callable[[int], AffineMap],
    start: Array,
    rounds: int,
    start_covariance: Array | None = None,
) -> Moments:
    """Follow mean and covariance for `rounds` rounds.

    Parameters
    ----------
    affine_map : AffineMap, or a function of the round t = 0, 1, ...
        The update; leading axes broadcast against those of `start`.
    start : ``(..., d)``
        Starting point, or its mean.
    start_covariance : ``(..., d, d)``, optional
        Default zero.

    Returns
    -------
    Moments
    """
    rounds = whole("rounds", rounds, 0)
    at: Callable[[int], AffineMap]
    at = (lambda _: affine_map) if isinstance(affine_map, AffineMap) else affine_map
    mean = start
    covariance = start_covariance
    if covariance is None:
        covariance = generic.zeros_like(start[..., :, None] * start[..., None, :])
    # the matrix takes d (d + 3) / 2 evaluations of the noise, a round by itself one
    enough = rounds >= max(MANY, start.shape[-1] * (start.shape[-1] + 3))
    if isinstance(affine_map, AffineMap) and enough and _plain(affine_map, start):
        return _by_one_matrix(affine_map, start, covariance, rounds)
    means, covariances = [mean], [covariance]
    for t in range(rounds):
        mean, covariance = step(at(t), mean, covariance)
        means.append(mean)
        covariances.append(covariance)
    means = [x + generic.zeros_like(means[-1]) for x in means]
    covariances = [x + generic.zeros_like(covariances[-1]) for x in covariances]
    return Moments(generic.stack(means, -2), generic.stack(covariances, -3))


def _plain(affine_map: AffineMap, start: Array) -> bool:
    """Floats without leading axes."""
    arrays = (affine_map.matrix, affine_map.offset, start)
    ranks = (2, 1, 1)
    return all(
        isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.ndim == rank
        for x, rank in zip(arrays, ranks, strict=True)
    )


def _by_one_matrix(affine_map: AffineMap, start: Array, covariance: Array, rounds: int) -> Moments:
    """The same recursion with a round's covariance as one product of matrix and vector.

    The noise has a covariance of degree at most two in the state: its expectation at mean
    m + e and covariance C is noise(m, 0) + B e + Q(e e^T + C), for any fixed m. With B and Q read
    off once, C' = M C M^T + Q(C) + (what the mean alone adds), and the means come first. Seen from
    the last mean, nothing cancels where the noise dies out on the way.
    """
    m, noise = affine_map.matrix, affine_map.covariance
    d = len(start)
    means = np.empty((rounds + 1, d))
    means[0] = start
    for t in range(rounds):
        means[t + 1] = m @ means[t] + affine_map.offset
    rows, columns = np.triu_indices(d)
    basis = np.zeros((len(rows), d, d))  # of symmetric matrices
    basis[range(len(rows)), rows, columns] = basis[range(len(rows)), columns, rows] = 1
    moved = m @ basis @ m.T
    fresh = np.zeros((rounds, len(rows)))
    if callable(noise):
        away = means[:-1] - means[-1]
        unit = np.eye(d) * max(abs(away).max(), 1e-300)
        points = np.concatenate([np.zeros((1 + len(basis), d)), unit]) + means[-1]
        spreads = np.concatenate([np.zeros((1, d, d)), basis, np.zeros((d, d, d))])
        parts = -(-len(points) * d * d // AT_ONCE)  # in pieces: one matrix per client and point
        pieces = zip(np.array_split(points, parts), np.array_split(spreads, parts), strict=True)
        found: Array = np.concatenate(
            [noise(point, spread) + np.zeros((len(point), 1, 1)) for point, spread in pieces]
        )
        still, found = found[0], (found - found[0])[:, rows, columns]
        quadratic, along = found[1 : 1 + len(basis)], found[1 + len(basis) :]
        squares = unit[:, rows] * unit[:, columns]
        linear = (along - squares @ quadratic) / unit.max()
        moved = moved + _symmetric(quadratic, rows, columns, d)
        fresh += still[rows, columns] + away @ linear
        fresh += (away[:, rows] * away[:, columns]) @ quadratic
    else:
        fresh += noise[rows, columns]
    matrix = moved[:, rows, columns].T
    path = np.empty((rounds + 1, len(rows)))
    path[0] = covariance[rows, columns]
    for t in range(rounds):
        path[t + 1] = matrix @ path[t] + fresh[t]
    return Moments(means, _symmetric(path, rows, columns, d))


def _symmetric(entries: Array, rows: Array, columns: Array, d: int) -> Array:
    """Symmetric matrices (n, d, d) from their upper triangles, (n, d(d+1)/2)."""
    full = np.empty((len(entries), d, d))
    full[:, rows, columns] = full[:, columns, rows] = entries
    return full


def step(affine_map: AffineMap, mean: Array, covariance: Array) -> tuple[Array, Array]:
    """Return mean and covariance after one round."""
    m = affine_map.matrix
    noise = affine_map.covariance
    added = noise(mean, covariance) if callable(noise) else noise
    carried = generic.matmul(generic.matmul(m, covariance), m.swapaxes(-1, -2))
    return generic.matvec(m, mean) + affine_map.offset, carried + added


def expected_excess(problem: Any, path: Moments) -> Array:
    """E R_k(theta_t) - R_k(opt_k) of a quadratic problem along a path.

    Parameters
    ----------
    problem : a quadratic family (`synthetic.quadratic.QuadraticLoss`)
    path : Moments

    Returns
    -------
    array ``(..., T+1, N)``
    """
    return problem.expand(1).expected_excess(path.mean, path.covariance)


def check_quadratic(problem: Any) -> None:
    """A round is affine, and its noise known, where losses are quadratic alone."""
    known = hasattr(problem, "hessian") and hasattr(problem, "gradient_covariance")
    require(known, "problem", "quadratic for an affine round", problem.name, "simulate it instead")


def averaged_gradient_map(problem: Any, weights: Array, step_size: Any) -> AffineMap:
    r"""Affine map of theta' = theta - eta sum_k w_k g_k(theta) with independent noises.

    Parameters
    ----------
    problem : a quadratic family
    weights : ``(..., N)``
        Fixed weights w_k; they need not sum to 1.
    step_size : number or ``(...)``
        eta; unit length^2 / loss.

    Notes
    -----
    The map of Local (one weight), of All-for-one with fixed weights and of one-step FedAvg.
    """
    check_quadratic(problem)
    eta = step_size if not hasattr(step_size, "shape") else step_size[..., None]
    rates = eta * weights  # (..., N)
    pulls = rates[..., None, None] * problem.hessian
    total_pull = generic.total(pulls, -3)
    identity = generic.eye(problem.dim, problem.optimum)
    offset = generic.total(generic.matvec(pulls, problem.optimum), -2)

    def covariance(mean: Array, spread: Array) -> Array:
        each = problem.gradient_covariance(mean, spread)  # (..., N, d, d)
        return generic.total((rates**2)[..., None, None] * each, -3)

    return AffineMap(identity - total_pull, offset, covariance)
