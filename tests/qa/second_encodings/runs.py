"""Small exact simulations for the second encodings, in plain float64.

Written from the algorithms as the paper prints them, apart from the ones of the package.  Leading
axes (B, 1) are instances; outcomes and agents come behind them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def horizons(w: Any) -> list[int]:
    """Whole numbers of rounds that are tried: the last within the printed number; with `some` all.

    The family names that last one, and by which ``fraction`` of a round the printed one exceeds it.
    """
    return list(range(1, w.rounds + 1)) if w.has("some") else [w.rounds]


def least(values: list[Array]) -> Array:
    """The smallest of what the horizons reach."""
    return np.min(np.stack(np.broadcast_arrays(*values), -1), -1)


def stochastic(rows: Array) -> Array:
    """Rows divided by their sums."""
    return rows / rows.sum(-1, keepdims=True)


def walk_of_signs(
    gain: Array, slopes: Array, centres: Array, size: Array, start: Array, step: Array, rounds: int
) -> list[tuple[Array, Array]]:
    """All-for-all, one agent drawn a round, on f_i = s_i |x - m_i| with gradients +-B.

    ``gain[..., i, j]`` is what a gradient of agent j does to agent i's model (W, or N lambda_j).

    Returns
    -------
    list of (points (..., outcomes, N), chances (..., outcomes)), before each round and after all
    """
    agents = centres.shape[-1]
    points = start[..., None, None] + 0 * centres[..., None, :]
    chances = 1 + 0 * start[..., None]
    seen = [(points, chances)]
    for _ in range(rounds):
        new_points, new_chances = [], []
        for j in range(agents):
            mean = slopes[..., None, j] * np.sign(points[..., j] - centres[..., None, j])
            for sign in (1.0, -1.0):
                answer = sign * size
                chance = (1 + sign * mean / size[..., None]) / 2 / agents
                moved = (step * answer)[..., None] * gain[..., :, j]
                new_points.append(points - moved[..., None, :])
                new_chances.append(chances * chance)
        points = np.concatenate(new_points, axis=-2)
        chances = np.concatenate(new_chances, axis=-1)
        seen.append((points, chances))
    return seen


def lattice_walk(
    start: Array, move: Array, drawn: Array, drift: Array, rounds: int
) -> tuple[Array, list[Array]]:
    """A walk whose moves have one length.

    Each round it rests unless one of the counted agents is drawn (chance ``drawn``); if it moves,
    it goes towards 0 with chance (1 + drift)/2.

    Returns
    -------
    places (..., 2 rounds + 1), and the chances of them before each round and after all
    """
    places = start[..., None] + move[..., None] * np.arange(-rounds, rounds + 1)
    side = np.sign(places)
    down = drawn[..., None] * (1 + drift[..., None] * side) / 2
    up = drawn[..., None] * (1 - drift[..., None] * side) / 2
    now = np.zeros(np.broadcast_shapes(places.shape, down.shape))
    now[..., rounds] = 1
    seen = [now]
    for _ in range(rounds):
        after = now * (1 - drawn[..., None])
        after[..., :-1] += (now * down)[..., 1:]
        after[..., 1:] += (now * up)[..., :-1]
        now = after
        seen.append(now)
    return places, seen


def synchronous_moments(
    gain: Array, curvature: Array, error: Array, variance: Array, step: Array, rounds: int
) -> list[Array]:
    """Second moments of x_i - m_i before each round of Algorithm 1 and after all of them.

    On quadratics, with additive noise; ``gain`` (..., N, N), ``curvature`` and ``error`` (..., N),
    ``variance`` (...) of each agent.
    """
    seen = [error[..., :, None] * error[..., None, :]]
    eye = np.eye(error.shape[-1])
    pull = eye - step[..., None, None] * gain * curvature[..., None, :]
    noise = (step**2 * variance)[..., None, None] * (gain @ np.swapaxes(gain, -1, -2))
    for _ in range(rounds):
        seen.append(pull @ seen[-1] @ np.swapaxes(pull, -1, -2) + noise)
    return seen


def quadratic_bias(curvature, centres):
    """b_ij = f_i(x_j*) - f_i(x_i*) = a_i (m_j - m_i)^2/2."""
    return curvature[..., :, None] * (centres[..., None, :] - centres[..., :, None]) ** 2 / 2


def diagonal(matrix: Array) -> Array:
    """Diagonals of the last two axes."""
    return np.diagonal(matrix, axis1=-2, axis2=-1)


def quadratic_averages(
    curvature: Array, start: Array, variance: Array, step: Array, rounds: int
) -> tuple[Array, Array]:
    """E (x^T)^2 and E (mean of x^0 .. x^{T-1})^2 of SGD on h x^2/2 with additive noise."""
    keep = 1 - step * curvature
    mean, spread, cross, summed = start, 0 * start * variance, 0 * start * variance, 0 * start
    square_of_sum = 0 * start * variance
    for _ in range(rounds):
        # the sum takes in x^t; cross is E[(sum before) * (noise part of x^t)]
        square_of_sum = square_of_sum + 2 * cross + spread
        cross_next = keep * (cross + spread)
        summed = summed + mean
        mean, spread = keep * mean, keep**2 * spread + step**2 * variance
        cross = cross_next
    return mean**2 + spread, (summed**2 + square_of_sum) / rounds**2
