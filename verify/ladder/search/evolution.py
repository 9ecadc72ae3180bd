"""Evolution of the covariance (CMA-ES), several islands side by side.

Where a side has steps, kinks or plateaus its slope says nothing; an evolution needs only the order
of the instances it has tried.  It adapts the shape of its cloud, so that narrow valleys between
active hypotheses are followed along and not across.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from verify.ladder.search import tuning

Array = np.ndarray[Any, Any]


def evolve(
    goal: Callable[[Array], Array],
    means: Array,
    population: int,
    generations: int,
    rng: np.random.Generator,
) -> Iterator[tuple[Array, Array]]:
    """Let islands evolve in the unit cube.

    Parameters
    ----------
    goal : callable
        Points (B, width) -> what is maximised, (B,); only its order counts.
    means : ndarray, shape (islands, width)
        Where the islands begin.
    population : int
        Points of one island in one generation.
    generations : int
    rng : Generator

    Yields
    ------
    points : ndarray, shape (islands * population, width)
    reached : ndarray
    """
    cloud = _Cloud(means, population)
    for _ in range(generations):
        points = cloud.drawn(rng)
        flat = points.reshape(-1, points.shape[-1])
        reached = goal(flat)
        yield flat, reached
        cloud.move(points, reached.reshape(len(means), -1))
        if (cloud.scale < tuning.ISLAND_CONVERGED).all():
            return


class _Cloud:
    """Means, scales and covariances of all islands (Hansen, The CMA Evolution Strategy, 2016)."""

    def __init__(self, means: Array, population: int) -> None:
        islands, n = means.shape
        self.population, self.mean = population, means.copy()
        self.scale = np.full(islands, tuning.ISLAND_SPREAD)
        self.covariance = np.tile(np.eye(n), (islands, 1, 1))
        self.path, self.length = np.zeros((islands, n)), np.zeros((islands, n))
        parents = max(population // 2, 1)
        weights = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
        self.weights = weights / weights.sum()
        mass = 1 / (self.weights**2).sum()
        self.mass, self.generation = mass, 0
        self.c_length = (mass + 2) / (n + mass + 5)
        self.damping = 1 + 2 * max(0, np.sqrt((mass - 1) / (n + 1)) - 1) + self.c_length
        self.c_path = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self.c_one = 2 / ((n + 1.3) ** 2 + mass)
        self.c_rank = min(1 - self.c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self.usual = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n**2))

    def drawn(self, rng: np.random.Generator) -> Array:
        """Points of all islands, (islands, population, width); the cube's sides hold them back."""
        size, self.axes = np.linalg.eigh(self.covariance)
        self.sizes = np.sqrt(np.maximum(size, 1e-20))
        normal = rng.normal(size=(len(self.mean), self.population, self.mean.shape[1]))
        step = np.einsum("ijk,ipk->ipj", self.axes * self.sizes[:, None], normal)
        return np.asarray(np.clip(self.mean[:, None] + self.scale[:, None, None] * step, 0, 1))

    def move(self, points: Array, reached: Array) -> None:
        """Towards the better half of each island."""
        order = np.argsort(-reached, axis=1, kind="stable")[:, : len(self.weights)]
        chosen = np.take_along_axis(points, order[..., None], axis=1)
        steps = (chosen - self.mean[:, None]) / self.scale[:, None, None]
        shift = np.einsum("p,ipj->ij", self.weights, steps)
        self.mean = self.mean + self.scale[:, None] * shift
        self.generation += 1
        whitened = np.einsum("ikj,ik->ij", self.axes, shift) / self.sizes
        whitened = np.einsum("ijk,ik->ij", self.axes, whitened)
        kept = 1 - self.c_length
        share = np.sqrt(self.c_length * (1 + kept) * self.mass)
        self.length = kept * self.length + share * whitened
        far = np.linalg.norm(self.length, axis=1)
        settled = np.sqrt(1 - kept ** (2 * self.generation))
        slow = (far / settled < (1.4 + 2 / (self.mean.shape[1] + 1)) * self.usual)[:, None]
        kept = 1 - self.c_path
        share = np.sqrt(self.c_path * (1 + kept) * self.mass)
        self.path = kept * self.path + slow * share * shift
        rank = np.einsum("p,ipj,ipk->ijk", self.weights, steps, steps)
        self.covariance = (
            (1 - self.c_one - self.c_rank) * self.covariance
            + self.c_one * self.path[:, :, None] * self.path[:, None]
            + self.c_rank * rank
        )
        growth = self.c_length / self.damping * (far / self.usual - 1)
        self.scale = np.clip(self.scale * np.exp(np.clip(growth, -1, 1)), 1e-12, 1.0)
