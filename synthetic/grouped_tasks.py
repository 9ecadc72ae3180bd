r"""Federations with groups of tasks, as tables for gradients or clients for partitions.

Regressions with rotated weight vectors, sizes from a half-normal law, and three clients of which
two share a task, one of these having little data.

Source: hcct, Sections 3 and 7 (Figure 1, Table 3), in synthetic versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.numbers.validate import require

__all__ = ["Tasks", "half_normal_sizes", "rotated_regressions", "three_clients"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Tasks:
    """Tables (X_k, y_k) of every client, the group each belongs to, and its true model.

    ``models`` has shape (groups, d); labels are <x, model> plus noise.
    """

    tables: tuple[tuple[Array, Array], ...]
    groups: tuple[int, ...]
    models: Array

    @property
    def sizes(self) -> Array:
        """Number of rows of every client, (N,)."""
        return np.array([len(y) for _, y in self.tables], dtype=float)

    def excess(self, k: int, model: Array) -> float:
        """Excess risk |w - w_k|^2/2 of client k's regression on standard normal features."""
        return float(((np.asarray(model) - self.models[self.groups[k]]) ** 2).sum() / 2)


def rotated_regressions(
    groups: Sequence[int],
    sizes: Sequence[int],
    *,
    angle: float,
    noise: float = 0.1,
    dim: int = 2,
    seed: int = 0,
) -> Tasks:
    """Regressions whose weight vectors are turned by a multiple of an angle from group to group.

    Parameters
    ----------
    groups : sequence of N ints
        Group of every client; group g has the weights (cos g angle, sin g angle, 0, ...).
    sizes : sequence of N ints
        Rows of every client.
    angle : float
        In radians.
    noise : float
        Standard deviation of the labels, at least 0.
    dim : int
        d >= 2.
    seed : int
    """
    require(len(groups) == len(sizes) > 0, "sizes", f"{len(groups)} numbers", len(sizes), "align")
    require(min(sizes) >= 1, "sizes", "at least 1", min(sizes), "give every client a row")
    require(dim >= 2, "dim", "at least 2", dim, "a plane is needed to turn in")
    require(noise >= 0, "noise", "non-negative", noise, "pass a standard deviation")
    turns = np.arange(max(groups) + 1) * angle
    models = np.zeros((len(turns), dim))
    models[:, 0], models[:, 1] = np.cos(turns), np.sin(turns)
    rng, tables = np.random.default_rng(seed), []
    for group, size in zip(groups, sizes, strict=True):
        features = rng.normal(size=(size, dim))
        tables.append((features, features @ models[group] + noise * rng.normal(size=size)))
    return Tasks(tuple(tables), tuple(groups), models)


def half_normal_sizes(clients: int, mean: float, seed: int = 0) -> list[int]:
    """Sizes |N(0, 1)| scaled to the mean asked for, at least one sample each."""
    require(clients >= 1, "clients", "at least 1", clients, "name some")
    require(mean >= 1, "mean", "at least 1", mean, "raise it")
    drawn = np.abs(np.random.default_rng(seed).normal(size=clients))
    return [max(1, round(float(x))) for x in drawn * mean * np.sqrt(np.pi / 2)]


def three_clients(scale: int = 5, seed: int = 0) -> Tasks:
    """Clients 1 and 2 with one task and 20 % and 80 % of its data, client 3 with another task.

    Parameters
    ----------
    scale : int
        Client 1 has this many rows, client 2 four times and client 3 five times as many.
    """
    sizes = (scale, 4 * scale, 5 * scale)
    return rotated_regressions((0, 0, 1), sizes, angle=2.5, noise=1.0, dim=4, seed=seed)
