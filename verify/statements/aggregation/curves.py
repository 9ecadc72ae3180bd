"""Theorems of the aggregation paper at scale: many clients and long runs, without noise and with.

rho-bar, rho-tilde and G^2 are taken over all that a run does, on every outcome. Runs of one outcome
measure them, under any rule; with noise they are numbers that bound them on every outcome, under
weights that never change.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from synthetic import drawn
from verify.claim import Instance, Statement
from verify.rates.record import Cell, Rate
from verify.statements.aggregation import corollary, error_free, noisy, theorem
from verify.statements.aggregation import quantities as q

_SIZES = (
    (1, 1, 1, "fedavg"),
    (2, 1, 2, "fedmax"),
    (4, 3, 5, "fedsoftmax"),
    (20, 10, 2, "fedavg"),
    (16, 4, 1, "fedmax"),
    (64, 4, 3, "fedsoftmax"),
    (64, 32, 5, "fedavg"),
    (512, 8, 2, "fedmax"),
)
CELLS: tuple[Cell, ...] = tuple(
    {"N": n, "d": d, "local_steps": steps, "rule": rule} for n, d, steps, rule in _SIZES
)


def federation(shared: bool, rng: np.random.Generator, cell: Cell) -> Instance:
    """Quadratics without noise, any shares; ``shared`` gives all one minimiser (Gamma = 0)."""
    layout = str(rng.choice(drawn.LAYOUTS[1:]))
    data = drawn.quadratics(
        rng,
        cell["N"],
        cell["d"],
        "none",
        layout=layout,
        condition=float(drawn.log_uniform(rng, 1, 1e3)),
        bias=0.0 if shared else float(drawn.log_uniform(rng, 1 / 64, 4)),
        slope=float(rng.uniform(0, 0.75)),
        low=float(drawn.log_uniform(rng, 1 / 4, 4)),
    )
    share = drawn.log_uniform(rng, 1 / 64, 1, cell["N"])
    params = {
        "start": rng.normal(size=cell["d"]) * drawn.log_uniform(rng, 1 / 16, 8),
        "client_weights": share / share.sum(),
        "temperature": np.asarray(drawn.log_uniform(rng, 1 / 16, 16)),
        "rule": cell["rule"],
        "local_steps": cell["local_steps"],
        "timing": "algorithm",
    }
    return Instance("quadratic", data, "aggregation", params)


_LATEST: dict[str, Any] = {"at": lambda w: w.rounds - 1, "step_sizes": q.paper_steps}
"""The last iteration of a run with the steps of the corollary."""
_ALWAYS: dict[str, Any] = {"at": lambda w: w.rounds - 1}


def _rates(
    claims: Iterable[Statement],
    bounded: str,
    *,
    shared: bool = False,
    defines: dict[str, Any] = _ALWAYS,
    cells: tuple[Cell, ...] = CELLS,
) -> tuple[Rate, ...]:
    problems = "one minimiser" if shared else "quadratics"
    return tuple(
        Rate(
            statement=claim,
            problems=problems,
            draw=partial(federation, shared),
            cells=cells,
            free=("N", "d"),
            way="sides",
            bounded=bounded,
            defines=defines,
        )
        for claim in claims
    )


def _named(claims: Iterable[Statement], *endings: str) -> tuple[Statement, ...]:
    return tuple(claim for claim in claims if claim.key.endswith(endings))


_ONE_T = (-1.4, -0.6)
_KNOWN: dict[str, Any] = {
    "low": noisy.skew_low,
    "high": noisy.skew_high,
    "G2": noisy.squared_gradient,
}
"""Numbers that bound what is taken over all outcomes."""


def _noisy(
    claims: Iterable[Statement],
    bounded: str,
    *,
    shared: bool = False,
    defines: dict[str, Any] = _ALWAYS,
    mild: bool = False,
) -> tuple[Rate, ...]:
    """On federations with noise; where these are ``mild`` the order 1/T can be seen."""
    problems = "one minimiser, noise" if shared else "quadratics, noise"
    cells = tuple(cell for cell in noisy.CELLS if shared or cell["N"] > 1)
    more: dict[str, Any] = {}
    if mild:
        problems, cells, more = f"mild {problems}", noisy.MILD, {"slope": _ONE_T}
    return tuple(
        Rate(
            statement=claim,
            problems=problems,
            draw=partial(noisy.federation, shared),
            cells=cells,
            free=("N", "d"),
            way="moments",
            affine_map=noisy.rounds,
            bounded=bounded,
            defines={**defines, **_KNOWN},
            **more,
        )
        for claim in claims
    )


_LOSS, _DISTANCE = "excess loss", "squared distance"
_COLLABORATING = tuple(cell for cell in CELLS if cell["N"] > 1)
_HETEROGENEOUS: dict[str, Any] = {"cells": _COLLABORATING}

RATES: tuple[Rate, ...] = (
    *_rates(
        _named(corollary.OTHERS, "algorithm+loop+iterations", "algorithm+loop+rounds"),
        _LOSS,
        **_HETEROGENEOUS,
    ),
    *_rates((corollary.repaired, corollary.order_repaired), _LOSS, **_HETEROGENEOUS),
    *_rates(
        _named(error_free.EQ14, "algorithm+loop+iterations", "algorithm+loop+rounds"),
        _LOSS,
        shared=True,
    ),
    *_rates(
        (*_named(theorem.OTHERS, "algorithm+loop"), theorem.repaired, theorem.refined),
        _DISTANCE,
        defines=_LATEST,
        **_HETEROGENEOUS,
    ),
    *_rates(
        (*_named(error_free.OTHERS13, "algorithm+loop"), error_free.repaired13),
        _DISTANCE,
        shared=True,
        defines=_LATEST,
    ),
    *_rates(
        (theorem.lemma2_algorithm, theorem.lemma2_repaired, theorem.spread_refined),
        "spread of the clients",
        defines=_LATEST,
        **_HETEROGENEOUS,
    ),
    *_noisy((corollary.repaired, corollary.order_repaired), _LOSS),
    *_noisy((corollary.repaired, corollary.order_repaired), _LOSS, mild=True),
    *_noisy(_named(error_free.EQ14, "algorithm+loop+iterations"), _LOSS, shared=True),
    *_noisy((theorem.repaired, theorem.refined), _DISTANCE, defines=_LATEST),
    *_noisy((error_free.repaired13,), _DISTANCE, shared=True, defines=_LATEST),
)
