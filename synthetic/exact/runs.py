r"""Exact expectations of weighted gradient averaging and of all-for-all, without sampling.

Two worlds in which every expectation is a finite computation in any number type:

* quadratic agents with additive noise (mean estimation is one), where second moments close on
  themselves for any fixed matrix W and both oracles;
* absolute losses in one dimension with two-point gradients of size B, where the tree of outcomes
  is walked through (assumption N.1 of the paper with equality).

Shapes carry the free leading axes ``...``.

Source: allforall, Equations 6 and 7, Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bounds import generic as xp
from bounds.numbers.shapes import Array


def all_for_all_moments(
    weights: Array,
    curvature: Array,
    error: Array,
    noise: Array,
    step_size: Array,
    rounds: int,
    synchronous: bool = True,
) -> list[Array]:
    r"""E[(x_i^k - m_i)(x_j^k - m_j)] of Algorithm 1 for k = 0..K on f_i = a_i |x - m_i|^2 / 2.

    .. math:: u' = (I - \eta W A) u - \eta W n \quad\text{(synchronous)},\qquad
              u' = u - \eta W_{\cdot i}(a_i u_i + n_i)\ \text{with chance}\ 1/N
              \quad\text{(asynchronous)}

    Parameters
    ----------
    weights : array (..., N, N)
        W, fixed.
    curvature : array (..., N)
        a_i; unit loss / length^2.
    error : array (..., N)
        x_i^0 - m_i, one coordinate; for several coordinates add the results.
    noise : array (..., N)
        Variance of the additive gradient noise of each agent.
    step_size : array (...)
    rounds : int
        K, oracle calls.
    synchronous : bool

    Returns
    -------
    list of K + 1 arrays (..., N, N)
    """
    path = [error[..., :, None] * error[..., None, :]]
    after = _round(path[0], weights, curvature, noise, step_size, synchronous)
    for _ in range(rounds):
        path.append(after(path[-1]))
    return path


def all_for_all_round(
    second: Array,
    weights: Array,
    curvature: Array,
    noise: Array,
    step_size: Array,
    synchronous: bool = True,
) -> Array:
    """Second moments (..., N, N) after one more round; parameters as in `all_for_all_moments`.

    Weights and steps may change from round to round, as in the time-adaptive variant.
    """
    return _round(second, weights, curvature, noise, step_size, synchronous)(second)


def _round(
    like: Array,
    weights: Array,
    curvature: Array,
    noise: Array,
    step_size: Array,
    synchronous: bool,
) -> Callable[[Array], Array]:
    """One round as a map of second moments; what does not depend on them is computed once."""
    clients, eta = like.shape[-1], step_size[..., None, None]
    pull = weights * curvature[..., None, :]
    transposed = xp.transpose(weights)
    if synchronous:
        kept = xp.eye(clients, like) - eta * pull
        turned = xp.transpose(kept)
        noisy = eta**2 * xp.matmul(weights * noise[..., None, :], transposed)
        return lambda second: xp.matmul(xp.matmul(kept, second), turned) + noisy

    def after(second: Array) -> Array:
        drift = xp.matmul(pull, second)
        size = curvature**2 * _diagonal(second) + noise
        added = xp.matmul(weights * size[..., None, :], transposed)
        drift = drift + xp.transpose(drift)
        return second - eta * drift / clients + eta**2 * added / clients

    return after


def mean_excess(second: Array, curvature: Array) -> Array:
    """F = (1/N) sum_i a_i E|x_i - m_i|^2 / 2 from the second moments, shape (...)."""
    return xp.mean(curvature * _diagonal(second)) / 2


def averaging_moments(
    weights: Array,
    curvature: Array,
    centres: Array,
    start: Array,
    noise: Array,
    step_size: Array,
    rounds: int,
) -> tuple[Array, Array]:
    """Mean and variance of the synchronous weighted gradient average after K steps.

    Parameters
    ----------
    weights : array (..., N)
        lambda, one target agent's stochastic vector.
    curvature : array (..., d)
        Common Hessian, diagonal.
    centres : array (..., N, d)
        Minimisers.
    start : array (..., d)
    noise : array (..., N, d)
        Variance of each coordinate of each agent's gradient noise.
    step_size : array (...)

    Returns
    -------
    mean, variance : arrays (..., d)
    """
    eta = step_size[..., None]
    middle = xp.total(weights[..., None] * centres, -2)
    added = eta**2 * xp.total(weights[..., None] ** 2 * noise, -2)
    mean, variance = start, 0 * added
    for _ in range(rounds):
        mean = mean - eta * curvature * (mean - middle)
        variance = (1 - eta * curvature) ** 2 * variance + added
    return mean, variance


@dataclass(frozen=True, eq=False)
class Tree:
    """Iterates under every outcome: ``points[k]`` (..., R_k, M) and ``chances[k]`` (..., R_k)."""

    points: tuple[Array, ...]
    chances: tuple[Array, ...]

    def mean(self, k: int, values: Array) -> Array:
        """Expectation of values (..., R_k) after k rounds."""
        return xp.total(self.chances[k] * values)


def absolute_tree(
    weights: Array,
    slopes: Array,
    centres: Array,
    size: Array,
    start: Array,
    step_size: Array,
    rounds: int,
) -> Tree:
    r"""Asynchronous Algorithm 1 on f_i(x) = s_i |x - m_i| with gradients of size B.

    Agent i answers B or -B with mean s_i sign(x - m_i), so that E g^2 = B^2 everywhere.

    Parameters
    ----------
    weights : array (..., M, N)
        W of M = N models, or of one that all agents share, M = 1: with weights lambda it has
        W_1j = N lambda_j.
    slopes : array (..., N)
        s_i in [0, B].
    centres : array (..., N)
    size, start, step_size : arrays (...)
    rounds : int

    Returns
    -------
    Tree
    """
    clients, models = centres.shape[-1], weights.shape[-2]
    one = 0 * size + 1
    point = start[..., None, None] + 0 * centres[..., None, :models]  # (..., 1, M)
    chance = one[..., None]
    points, chances = [point], [chance]
    step = (step_size * size)[..., None, None]
    for _ in range(rounds):
        branches, masses = [], []
        for i in range(clients):
            gap = point[..., min(i, models - 1)] - centres[..., i, None]
            side = xp.indicator(gap > 0, gap) - xp.indicator(gap < 0, gap)
            mean = (slopes[..., i] / size)[..., None] * side
            for sign in (1, -1):
                branches.append(point - sign * step * weights[..., None, :, i])
                masses.append(chance * (1 + sign * mean) / (2 * clients))
        point, chance = _concatenate(branches, -2), _concatenate(masses, -1)
        points.append(point)
        chances.append(chance)
    return Tree(tuple(points), tuple(chances))


def absolute_gaps(tree: Tree, k: int, slopes: Array, centres: Array) -> Array:
    """E[s_i |x_i^k - m_i|] of every agent, shape (..., N)."""
    gap = xp.absolute(tree.points[k] - centres[..., None, :]) * slopes[..., None, :]
    return xp.total(tree.chances[k][..., None] * gap, -2)


def absolute_lattice(share: Array, start: Array, step: Array, awake: Array, rounds: int) -> Tree:
    """Weighted averaging of equal absolute losses, whose iterates stay on a lattice.

    Each round the point moves by ``step`` up or down with chance ``awake`` (a helper was drawn),
    towards 0 with chance (1 + share)/2 among these, and rests otherwise.

    Parameters
    ----------
    share, start, step, awake : arrays (...)
        Mean slope over gradient size, x^0 - m, length of a move, chance of one.
    rounds : int

    Returns
    -------
    Tree
        Its points are the same 2 K + 1 places in every round, one agent.
    """
    moves = np.arange(-rounds, rounds + 1)
    places = np.asarray(start[..., None] + moves * step[..., None])  # no array of our own kind
    side = xp.indicator(places > 0, places) - xp.indicator(places < 0, places)
    down = awake[..., None] * (1 + share[..., None] * side) / 2
    up = awake[..., None] * (1 - share[..., None] * side) / 2
    rest = 1 - awake[..., None]
    nowhere = 0 * places
    chance = nowhere.copy()
    chance[..., rounds] = chance[..., rounds] + 1
    chances = [chance]
    for k in range(rounds):
        first, last = rounds - k, rounds + k + 1  # among these the point is after k rounds
        chance, after = chance[..., first:last], nowhere.copy()
        after[..., first:last] = rest * chance
        after[..., first - 1 : last - 1] += down[..., first:last] * chance
        after[..., first + 1 : last + 1] += up[..., first:last] * chance
        chance = after
        chances.append(chance)
    return Tree((places[..., None],) * (rounds + 1), tuple(chances))


def _diagonal(square: Array) -> Array:
    return xp.stack([square[..., i, i] for i in range(square.shape[-1])], -1)


def _concatenate(parts: list[Array], axis: int) -> Array:
    return np.concatenate(np.broadcast_arrays(*parts), axis=axis)
