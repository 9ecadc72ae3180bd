"""What happens along a run of FedBC: its rounds, on the line.

A run with a sampled set in each round is followed for every sequence of sets; expectations over
them are averages over all. Where there are too many, a world names the ``sets`` that were drawn, and
its replicates are runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from bounds import generic as xp
from bounds.numbers import as_rational
from verify.claim import Array
from verify.terms.vocabulary import quantity
from verify.world.noise_plan import NotAvailable
from verify.world.world import World

if TYPE_CHECKING:
    from verify.world.trajectories import Trajectory

MOST_RUNS = 64
"""Sequences of sampled sets that are followed, one after the other."""


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


@quantity
def rounds_of(w: World) -> list[list[Round]]:
    """All runs, one for every sequence of sampled sets, as lists of rounds.

    Raises
    ------
    NotAvailable
        Where there are too many of them.
    """
    clients = w.multipliers.shape[-1]
    everybody = tuple(range(clients))
    if w.has("sets"):  # masks (1, R, T, N); nothing else is random
        drawn = World(w.instance, w.number).run(participation=w.sets)
        return [_along(w, drawn, [everybody] * w.rounds)]
    count = comb(clients, w.S) ** w.rounds
    if count > MOST_RUNS:
        raise NotAvailable(f"there are {count} sequences of sets, above {MOST_RUNS}")
    chosen = list(product(combinations(everybody, w.S), repeat=w.rounds))
    made = _runs(w, chosen) if clients > w.S else [w.run()]
    return [
        _along(w, run, [everybody if w.has("virtual") else members for members in sets])
        for run, sets in zip(made, chosen, strict=True)
    ]


def _runs(w: World, chosen: Sequence[Sequence[tuple[int, ...]]]) -> list[Trajectory]:
    """The run along each sequence of sampled sets; in floats they are one run of replicates."""
    masks = np.zeros((1, len(chosen), w.rounds, w.multipliers.shape[-1]))
    for number, sets in enumerate(chosen):
        for t, members in enumerate(sets):
            masks[0, number, t, list(members)] = 1
    if w.number != "float64":
        each = np.split(as_rational(masks), len(chosen), axis=1)
        return [w.run(participation=mask) for mask in each]
    return w.run(participation=masks).apart()


def _along(w: World, run: Trajectory, solved: Sequence[tuple[int, ...]]) -> list[Round]:
    """The rounds of a run, with the clients whose oracle ran in each."""
    old, z, lam = w.starts[..., 0], run.server[..., 0], run.multipliers
    found = []
    for t, members in enumerate(solved):
        new, servers = run.local_models[..., t, :, 0], (z[..., t], z[..., t + 1])
        found.append(Round(old, new, *servers, lam[..., t, :], lam[..., t + 1, :], members))
        old = new
    return found


@quantity
def first_rounds(w: World) -> list[Round]:
    """Round 0 of every run."""
    return [run[0] for run in rounds_of(w)]


def first_round(w: World) -> Round:
    """Round 0 of the first run."""
    return first_rounds(w)[0]


def expected(values: list[Array]) -> Array:
    """Mean over equally likely runs."""
    return sum(values[1:], values[0]) / len(values)


def side_by_side(w: World, parts: list[Array]) -> Array:
    """Per-client quantities one after the other, (B, 1, parts N)."""
    stacked = xp.stack([p + 0 * w.multipliers for p in parts], -2)
    return stacked.reshape((*stacked.shape[:-2], -1))
