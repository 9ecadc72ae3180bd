"""Absolute losses for Theorems 3.a and 6.a at scale, whose models stay on a lattice."""

from __future__ import annotations

from typing import Any

import numpy as np

from synthetic.drawn import log_uniform
from verify.claim import Instance, plain_numbers
from verify.rates.record import Cell

BLOCKS: tuple[Cell, ...] = tuple(
    {"N": n, "block": c} for n, c in ((1, 1), (4, 2), (16, 4), (64, 64), (128, 8), (512, 16))
)
ACTIVE: tuple[Cell, ...] = tuple(
    {"N": n, "active": a}
    for n, a in ((1, 1), (4, 4), (8, 1), (16, 4), (64, 1), (64, 32), (512, 64))
)


def blocks(together: bool, rng: np.random.Generator, cell: Cell) -> Instance:
    """Agents in blocks that share their weights; minimisers of a block lie ``together`` or apart."""
    clients, size = cell["N"], cell["block"]
    spread = 0.0 if together else float(log_uniform(rng, 1 / 64, 2))
    middles = np.repeat(rng.uniform(-2, 2, size=clients // size), size)
    return _instance(
        {
            "slope_share": rng.uniform(0, 1, size=clients) ** float(rng.choice([0.25, 1.0])),
            "centre": middles + spread * rng.uniform(-1, 1, size=clients),
            "size": float(log_uniform(rng, 1 / 8, 8)),
            "start": float(rng.uniform(-2, 2)),
        },
        cell,
    )


def inward(alike: bool, rng: np.random.Generator, cell: Cell) -> Instance:
    """Agents with one minimiser and exact gradients of a few sizes; the first ones have a weight.

    Where they are ``alike`` there is no bias.
    """
    clients, active = cell["N"], cell["active"]
    quarters: Any = rng.integers(1, 5, size=clients)
    quarters[0] = rng.choice([4, quarters[0]])
    if alike:
        quarters[:active] = quarters[0]
    return _instance(
        {
            "row": np.where(np.arange(clients) < active, 1.0, 0.0),
            "quarters": 1.0 * quarters,
            "centre": float(rng.uniform(-2, 2)),
            "size": float(log_uniform(rng, 1 / 8, 8)),
            "offset": float(rng.choice([-1.0, 1.0]))
            * float(rng.choice([1, log_uniform(rng, 1 / 16, 1)])),
            "distance": float(log_uniform(rng, 1 / 8, 8)),
            "extra": rng.uniform(0, 1, size=clients) * (not alike),
        },
        cell,
    )


def _instance(values: dict[str, Any], cell: Cell) -> Instance:
    return plain_numbers({name: np.asarray(value) for name, value in values.items()}, cell)
