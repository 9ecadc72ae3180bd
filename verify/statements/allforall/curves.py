"""Theorems and lemmas of the all-for-all paper that bound a run, at scale.

Their left sides are exact moments or exact laws on a lattice, polynomial in all sizes, so that the
statements' own sides are evaluated on more agents and for longer.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from synthetic.drawn import log_uniform
from verify.claim import Instance, Statement, plain_numbers
from verify.rates.boxed import boxed
from verify.rates.record import Cell, Draw, Rate
from verify.statements.allforall import (
    theorem2_1,
    theorem3a,
    theorem4_1,
    theorem4_2,
    theorem6a,
    theorem6b,
    theorem7_2,
    theorems3b_8,
)
from verify.statements.allforall.quantities import sizes
from verify.statements.allforall.sgd import lemma4, lemmas5_6

_AGENTS = sizes("N", 1, 2, 4, 16, 64)
_ONE = sizes("N", 1)
_PAIR = sizes("N", 1, 2)
_AXES = sizes("N d", (1, 1), (1, 2))
_PLANE = sizes("N d", (1, 1), (2, 2), (8, 1), (32, 2), (128, 2), (512, 2))
_MANY = sizes("N", 1, 2, 8, 64, 512)
_BLOCKS = sizes("N block", (1, 1), (4, 2), (16, 4), (64, 64), (512, 16))
_MORE_BLOCKS = sizes("N block", (1, 1), (4, 2), (16, 4), (64, 64), (128, 8), (512, 16))
_ACTIVE = sizes("N active", (1, 1), (4, 4), (8, 1), (16, 4), (64, 1), (64, 32), (512, 64))
_CLOSE = sizes("N active counted", (1, 1, 1), (2, 1, 1), (8, 4, 4), (64, 16, 16), (512, 256, 256))
_SIMPLEX = sizes("N", 4, 64, 512)
_LARGER = sizes("N larger", (1, "noise"), (1, "start"))
_GRAPHS = tuple(dict(shape) for shape in theorem4_2.repaired.family.shapes)


# -- absolute losses whose models stay on a lattice, for Theorems 3.a and 6.a ---------------------
def _blocks(together: bool, rng: np.random.Generator, cell: Cell) -> Instance:
    """Agents in blocks that share their weights; minimisers of a block lie ``together`` or apart."""
    clients, size = cell["N"], cell["block"]
    spread = 0.0 if together else float(log_uniform(rng, 1 / 64, 2))
    middles = np.repeat(rng.uniform(-2, 2, size=clients // size), size)
    values: dict[str, Any] = {
        "slope_share": rng.uniform(0, 1, size=clients) ** float(rng.choice([0.25, 1.0])),
        "centre": middles + spread * rng.uniform(-1, 1, size=clients),
        "size": float(log_uniform(rng, 1 / 8, 8)),
        "start": float(rng.uniform(-2, 2)),
    }
    return plain_numbers({name: np.asarray(value) for name, value in values.items()}, cell)


def _inward(alike: bool, rng: np.random.Generator, cell: Cell) -> Instance:
    """Agents with one minimiser and exact gradients of a few sizes; the first ones have a weight.

    Where they are ``alike`` there is no bias.
    """
    clients, active = cell["N"], cell["active"]
    quarters: Any = rng.integers(1, 5, size=clients)
    quarters[0] = rng.choice([4, quarters[0]])
    if alike:
        quarters[:active] = quarters[0]
    values: dict[str, Any] = {
        "row": np.where(np.arange(clients) < active, 1.0, 0.0),
        "quarters": 1.0 * quarters,
        "centre": float(rng.uniform(-2, 2)),
        "size": float(log_uniform(rng, 1 / 8, 8)),
        "offset": float(rng.choice([-1.0, 1.0]))
        * float(rng.choice([1, log_uniform(rng, 1 / 16, 1)])),
        "distance": float(log_uniform(rng, 1 / 8, 8)),
        "extra": rng.uniform(0, 1, size=clients) * (not alike),
    }
    return plain_numbers({name: np.asarray(value) for name, value in values.items()}, cell)


# -- the rates ------------------------------------------------------------------------------------
def _rates(
    problems: str,
    cells: tuple[Cell, ...],
    *claims: Statement,
    draw: Draw | None = None,
    **more: Any,
) -> tuple[Rate, ...]:
    cells = tuple({k: v for k, v in cell.items() if k != "rounds"} for cell in cells)
    return tuple(
        Rate(
            statement=claim,
            problems=problems,
            draw=draw or boxed(claim.family),
            way="sides",
            cells=cells,
            **more,
        )
        for claim in claims
    )


_all, _4_1, _one, _6 = theorems3b_8, theorem4_1, theorem2_1, lemmas5_6
_3A, (_6A, _6A_MENDED) = theorem3a.theorem3a, theorem6a.theorem6a
_APART, _TOGETHER = partial(_blocks, False), partial(_blocks, True)
_BIASED, _UNBIASED = partial(_inward, False), partial(_inward, True)
_NUMBER: dict[str, Any] = {"free": ("N",)}
_MEAN: dict[str, Any] = {"iterate": "average"}
_WIDE: dict[str, Any] = {"iterate": "average", "wide": True}
_SHORT: dict[str, Any] = {**_MEAN, "longest": 12}
_LONG: dict[str, Any] = {**_WIDE, "longest": 200}
_ROOT: dict[str, Any] = {"slope": (-0.6, -0.4)}  # of 1/sqrt(T)
RATES: tuple[Rate, ...] = (
    *_rates("quadratics", _AGENTS, *_all.noiseless, **_NUMBER),
    *_rates("quadratics", _AGENTS, _all.at_the_horizon, _all.any_step, **_NUMBER),
    *_rates("two minimisers", _PAIR, *_all.theorem8[:2]),
    *_rates("two minimisers", _PAIR, _all.theorem8_repaired, **_MEAN),
    *_rates("graphs", _GRAPHS, theorem4_2.repaired),
    *_rates("relative quadratics", _AXES, lemma4.lemma4a, lemma4.lemma4a_repaired),
    *_rates("relative quadratics", _AXES, lemma4.lemma4b, lemma4.lemma4b_repaired),
    *_rates("parabolas", _ONE, *lemma4.lemma4c[1:], lemma4.lemma4c_repaired),
    *_rates("parabolas", _ONE, _6.lemma5a, **_MEAN),
    *_rates("parabolas", _ONE, _6.lemma5b),
    *_rates("one Hessian", _PLANE, theorem6b.theorem6b_similar, **_NUMBER),
    *_rates("one Hessian", _PLANE, theorem6b.gap_of_the_mixture, **_NUMBER),
    *_rates("one Hessian", _PLANE, theorem7_2.theorem7_2, theorem7_2.theorem2_2, **_NUMBER),
    *_rates("one Hessian", _PLANE[:3], theorem7_2.naive_b),
    *_rates("one minimiser", _MANY, theorem6b.theorem6b_relaxed, **_NUMBER),
    *_rates("one minimiser", _MANY, theorem7_2.theorem7_2_relaxed, **_NUMBER),
    *_rates("blocks of absolute losses", _BLOCKS, *_4_1.blocks[::2], longest=100, **_WIDE),
    *_rates("blocks of absolute losses", _BLOCKS, *_4_1.blocks[1::2], **_WIDE),
    *_rates("blocks of absolute losses", _BLOCKS, _4_1.repaired[0], **_WIDE),
    *_rates("a simplex of minimisers", _SIMPLEX, *_4_1.simplex, longest=100, **_MEAN),
    *_rates("a simplex of minimisers", _SIMPLEX, _4_1.repaired[1], longest=100, **_MEAN),
    *_rates("blocks of absolute losses", _BLOCKS, _4_1.epoch, **_WIDE),
    *_rates("absolute losses", _CLOSE, _one.theorem2_1_repaired, _one.one_of_many, **_WIDE),
    *_rates("absolute losses", _CLOSE, *_one.theorem2_1, *_one.naive_a, longest=50, **_WIDE),
    *_rates("absolute losses", _CLOSE, *_one.theorem7_1, longest=50, **_WIDE),
    *_rates("parabolas", _ONE, _6.lemma5c[3], _6.lemma5c_repaired, **_MEAN),
    *_rates("an absolute loss", _ONE, _6.lemma6a[1], _6.lemma6b[1], *_6.lemma6_repaired, **_SHORT),
    *_rates("one parabola", _LARGER, _all.samples8[1], _all.samples8_repaired),
    *_rates("blocks of absolute losses", _MORE_BLOCKS, _3A, draw=_APART, **_LONG),
    *_rates("blocks of one minimiser", _MORE_BLOCKS, _3A, draw=_TOGETHER, **_LONG, **_ROOT),
    *_rates("absolute losses, one minimiser", _ACTIVE, _6A, _6A_MENDED, draw=_BIASED, **_MEAN),
    *_rates("absolute losses, no bias", _ACTIVE, _6A_MENDED, draw=_UNBIASED, **_MEAN, **_ROOT),
    *_rates("graphs", _GRAPHS, *theorem4_2.printed[1:4:2]),
)
