"""Exact means of gradient methods with fixed weights on quadratics with additive noise."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds.numbers.shapes import Array
from synthetic.exact.moments import averaged_gradient_map
from synthetic.exact.stepped import Stepped
from verify.world.world import World


def averaged(w: World, weights: Array, sizes: Array) -> Stepped:
    """Rounds theta' = theta - s_t sum_k w_k g_k(theta); additive noise is the same everywhere.

    Parameters
    ----------
    w : World
        Of quadratics with additive noise.
    weights : array (B, 1, N)
    sizes : array (B, 1, T), or (B, 1, 1)
        Steps.
    """
    problem: Any = w.problem
    made = averaged_gradient_map(problem, weights, 1)
    start = w.original("start")
    noise: Any = made.covariance
    pull = xp.eye(problem.dim, made.offset) - made.matrix
    return Stepped(pull, made.offset, noise(start, 0 * start[..., :, None]), sizes)
