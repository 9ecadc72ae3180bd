"""What happens along a run of FedBC: its rounds, and what is measured at their models.

Everything lives on the line. A run with a sampled set in each round is followed for every sequence
of sets; expectations over them are averages over all. epsilon is the largest squared residual of
the local solves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers import as_rational
from verify.world.world import World, once

Array = Any


@dataclass(frozen=True)
class Round:
    """Round t of one run: before and after, on the line. Arrays (B, 1, N) and (B, 1)."""

    old: Array  # x_i^t
    new: Array  # x_i^{t+1}
    server: Array  # z^t
    after: Array  # z^{t+1}
    multipliers: Array  # lambda_i^t
    updated: Array  # lambda_i^{t+1}
    solved: tuple[int, ...]  # clients whose oracle ran

    @property
    def move(self) -> Array:
        """x_i^{t+1} - x_i^t."""
        return self.new - self.old

    @property
    def gap(self) -> Array:
        """|x_i^{t+1} - z^t|^2, the squared distance from the model that the server has sent."""
        return (self.new - self.server[..., None]) ** 2

    @property
    def spread(self) -> Array:
        """|x_i^{t+1} - z^{t+1}|^2, the squared distance from the server's next model."""
        return (self.new - self.after[..., None]) ** 2


@once
def rounds_of(w: World) -> list[list[Round]]:
    """All runs, one for every sequence of sampled sets, as lists of rounds."""
    clients = w.multipliers.shape[-1]
    sets = list(combinations(range(clients), w.S))
    out = []
    for chosen in product(sets, repeat=w.rounds):
        mask = np.zeros((1, 1, w.rounds, clients))
        for t, members in enumerate(chosen):
            mask[0, 0, t, list(members)] = 1
        mask = mask if w.number == "float64" else as_rational(mask)
        run = w.run(participation=mask) if clients > w.S else w.run()
        old = w.starts[..., 0]
        everybody = tuple(range(clients))
        found = []
        for t, members in enumerate(chosen):
            new = run.local_models[..., t, :, 0]
            found.append(
                Round(
                    old, new, run.server[..., t, 0], run.server[..., t + 1, 0],
                    run.multipliers[..., t, :], run.multipliers[..., t + 1, :],
                    everybody if w.has("virtual") else members,
                )
            )  # fmt: skip
            old = new
        out.append(found)
    return out


def first_rounds(w: World) -> list[Round]:
    """Round 0 of every run."""
    return [run[0] for run in rounds_of(w)]


def first_round(w: World) -> Round:
    """Round 0 of the first run."""
    return first_rounds(w)[0]


def expected(values: list[Array]) -> Array:
    """Mean over equally likely runs."""
    return sum(values[1:], values[0]) / len(values)


def losses(w: World, x: Array) -> Array:
    """f_i(x_i), (B, 1, N)."""
    return w.problem.own_losses(x[..., None])


def slopes(w: World, x: Array) -> Array:
    """f_i'(x_i), (B, 1, N)."""
    return w.problem.own_gradients(x[..., None])[..., 0]


def everywhere(z: Array, like: Array) -> Array:
    """One point for every client, (B, 1, N)."""
    return z[..., None] + 0 * like


def lagrangian(w: World, x: Array, z: Array, multipliers: Array) -> Array:
    """L_i(x_i, z, lambda_i), (B, 1, N)."""
    return losses(w, x) + multipliers * ((x - z[..., None]) ** 2 - w.gamma)


def lagrangian_slope(w: World, x: Array, z: Array, multipliers: Array) -> Array:
    """Gradient of L_i in x_i, (B, 1, N)."""
    return slopes(w, x) + 2 * multipliers * (x - z[..., None])


def residuals(w: World, r: Round) -> Array:
    """e_i^{t+1}, (B, 1, N)."""
    return lagrangian_slope(w, r.new, r.server, r.multipliers)


@once
def tolerance(w: World) -> Array:
    """epsilon: the largest squared residual of a local solve, (B, 1)."""
    found = [residuals(w, r)[..., k] ** 2 for run in rounds_of(w) for r in run for k in r.solved]
    return xp.largest(xp.stack(found, -1))


@once
def mean_slope_of_lagrangians(w: World) -> Array:
    """Mean over clients and sampled sets of |grad L_i|^2 before the first round, (B, 1)."""
    return expected([
        xp.mean(lagrangian_slope(w, r.old, r.server, r.multipliers) ** 2) for r in first_rounds(w)
    ])  # fmt: skip


@once
def average_spread(w: World) -> Array:
    """Mean over clients, rounds and sampled sets of |x_i^{t+1} - z^{t+1}|^2, (B, 1)."""
    return expected([xp.mean(r.spread) for run in rounds_of(w) for r in run])


def in_every_set(w: World, value: Callable[[Round], Array]) -> Array:
    """A per-client quantity of the first round for every sampled set, (B, 1, sets N)."""
    return side_by_side(w, [value(r) for r in first_rounds(w)])


def side_by_side(w: World, parts: list[Array]) -> Array:
    """Per-client quantities one after the other, (B, 1, parts N)."""
    stacked = xp.stack([p + 0 * w.multipliers for p in parts], -2)
    return stacked.reshape((*stacked.shape[:-2], -1))
