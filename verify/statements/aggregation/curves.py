"""Theorems of the aggregation paper at scale: many clients and long runs, without noise and with.

rho-bar, rho-tilde and G^2 are taken over all that a run does, on every outcome. Runs of one outcome
measure them, under any rule; with noise they are numbers that bound them on every outcome, under
weights that never change.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from verify.claim import Statement
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
_ALWAYS: dict[str, Any] = {"at": lambda w: w.rounds - 1}
_LATEST: dict[str, Any] = {**_ALWAYS, "step_sizes": q.paper_steps}
"""The last iteration of a run with the steps of the corollary."""
_KNOWN: dict[str, Any] = {
    "low": noisy.skew_low,
    "high": noisy.skew_high,
    "G2": noisy.squared_gradient,
}
"""Numbers that bound what is taken over all outcomes."""


def _rates(claims: Iterable[Statement], bounded: str, **fields: Any) -> tuple[Rate, ...]:
    """Rates of claims, ``shared`` where all clients have one minimiser (Gamma = 0)."""
    shared, cells = fields.pop("shared", False), fields.pop("cells", CELLS)
    given = {"problems": "one minimiser" if shared else "quadratics", "way": "sides"} | fields
    given |= {
        "draw": partial(noisy.federation, shared),
        "cells": tuple(cell for cell in cells if shared or cell["N"] > 1),
        "free": ("N", "d"),
        "bounded": bounded,
        "defines": fields.get("defines", _ALWAYS),
    }
    return tuple(Rate(statement=claim, **given) for claim in claims)


def _noisy(claims: Iterable[Statement], bounded: str, **fields: Any) -> tuple[Rate, ...]:
    """On federations with noise."""
    problems = "one minimiser, noise" if fields.get("shared") else "quadratics, noise"
    given = {"problems": problems, "cells": noisy.CELLS, **fields, "way": "moments"}
    defines = {**fields.get("defines", _ALWAYS), **_KNOWN}
    return _rates(claims, bounded, **{**given, "affine_map": noisy.rounds, "defines": defines})


_LOSS, _DISTANCE = "excess loss", "squared distance"
_MILD: dict[str, Any] = {
    "problems": "mild quadratics, noise",
    "cells": noisy.MILD,
    "slope": (-1.4, -0.6),
}
"""Where the order 1/T can be seen."""
_LOOP4 = [corollary.corollary4.leaf("algorithm", "loop", t) for t in ("iterations", "rounds")]
_LOOP14 = [error_free.eq14.leaf("algorithm", "loop", t) for t in ("iterations", "rounds")]
_REPAIRED = [corollary.repaired, corollary.order_repaired]
_THEOREM = [theorem.repaired, theorem.refined]
_SPREAD = [theorem.lemma2.leaf("algorithm"), theorem.lemma2_repaired, theorem.lemma2_refined]

RATES: tuple[Rate, ...] = (
    *_rates([*_LOOP4, *_REPAIRED], _LOSS),
    *_rates(_LOOP14, _LOSS, shared=True),
    *_rates((theorem.theorem3.leaf("algorithm", "loop"), *_THEOREM), _DISTANCE, defines=_LATEST),
    *_rates(
        (error_free.eq13.leaf("algorithm", "loop"), error_free.repaired),
        _DISTANCE,
        shared=True,
        defines=_LATEST,
    ),
    *_rates(_SPREAD, "spread of the clients", defines=_LATEST),
    *_noisy(_REPAIRED, _LOSS),
    *_noisy(_REPAIRED, _LOSS, **_MILD),
    *_noisy(_LOOP14[:1], _LOSS, shared=True),
    *_noisy(_THEOREM, _DISTANCE, defines=_LATEST),
    *_noisy((error_free.repaired,), _DISTANCE, shared=True, defines=_LATEST),
)
