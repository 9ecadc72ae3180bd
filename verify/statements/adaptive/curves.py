"""Theorems 1 to 3 and Corollary 1 at scale: drawn federations, long runs, whole curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bounds import rates as closed
from synthetic.exact.moments import expected_excess
from synthetic.exact.stepped import Stepped, stepped_moments
from verify.claim import Array, Instance, Statement
from verify.rates.affine import averaged
from verify.rates.control import Control
from verify.rates.record import Cell, Rate
from verify.statements.adaptive import common, complexity, rates, rates_smooth, refined
from verify.statements.adaptive.federations import (
    CELLS,
    CLASSES,
    SAME,
    Losses,
    lasting,
    mild,
    quadratic,
    tiny,
)
from verify.world.noise_plan import NotAvailable
from verify.world.world import World

# -- exact moments where all clients have one loss ----------------------------------------------


def one_loss(w: World) -> Stepped:
    """Rounds under the weights that ratios of 1 give."""
    if not ((w.squared_bias <= 1e-9).all() and (w.slope <= 1e-9).all()):
        raise NotAvailable("the weights follow the models unless all clients have one loss")
    return averaged(w, common.at_first(w).alpha, common.steps(w))


def first_weights(w: World) -> Control:
    """Excess loss of client 0 under the weights of the first round for ever, on the same draws."""
    alpha = common.at_first(w).alpha  # (B, 1, N)
    exact = stepped_moments(averaged(w, alpha, common.steps(w)), w.original("start"), w.rounds)
    own = w.problem.select([0])
    mean = expected_excess(own, exact.back())[:, 0, :, 0]
    run = w.run(weights="fixed", weight_matrix=alpha[..., None, :])
    return Control(own.expand(1).excess(run.theta)[..., 0], mean)


# -- proved ceilings of random right sides ------------------------------------------------------


def _own_variance(w: World) -> Array:
    """sigma_0^2/phi(1), above every effective and sufficient variance, (B, 1)."""
    top = w.threshold if w.phi == "binary" else 1
    return w.sigma2[..., 0] / top


def _unrolled(w: World) -> Array:
    each = _own_variance(w)[..., None] + np.zeros(w.rounds)
    terms = closed.theorem1_upper(common.start_excess(w), w.step_size, w.mu, w.beta, each)
    return sum(terms.values())


def _summed(w: World) -> Array:
    start, variance = common.start_excess(w), _own_variance(w)
    return sum(closed.theorem3_upper(start, w.step_size, w.beta, variance, w.rounds).values())


# -- the records -------------------------------------------------------------------------------


def _rates(
    claims: tuple[Statement, ...],
    problems: str,
    draw: Callable[..., Instance],
    cells: tuple[Cell, ...] = CELLS,
    **more: Any,
) -> tuple[Rate, ...]:
    return tuple(
        Rate(statement=claim, problems=problems, draw=draw, cells=cells, free=("N", "d"), **more)
        for claim in claims
    )


_ONE: dict[str, Any] = {
    "problems": "one quadratic",
    "way": "moments",
    "affine_map": one_loss,
    "cells": SAME,
}
_MANY: dict[str, Any] = {"problems": "quadratics", "draw": quadratic}
_CONTROLLED: dict[str, Any] = {**_MANY, "control": first_weights}
_ONE_T, _ONE_ROOT_T = (-1.4, -0.6), (-0.7, -0.3)
_GRADIENT: dict[str, Any] = {"bounded": "squared gradient", "iterate": "average", "wide": True}


def _on(losses: Losses) -> tuple[Rate, ...]:
    """Every theorem whose assumptions the losses of a class meet."""
    place = losses.problems, losses.draw, losses.cells
    summed = {**_GRADIENT, "ceiling": _summed}
    if not losses.dominated:
        return (
            *_rates((refined.smooth,), *place, **summed),
            *_rates((rates_smooth.descents_summed_repaired,), *place, **_GRADIENT),
        )
    return (
        *_rates((refined.stopped_constant, refined.stopped_decreasing), *place),
        *_rates((refined.direction,), *place, ceiling=_unrolled, wide=True),
        *_rates((refined.smooth_pl,), *place, **summed),
        *_rates((rates_smooth.descents_summed_repaired,), *place, **_GRADIENT),
    )


RATES: tuple[Rate, ...] = (
    *_rates((rates.theorem1, rates.theorem1_run, refined.direction), draw=quadratic, **_ONE),
    *_rates((rates.constant_row,), draw=tiny, **_ONE),
    *_rates((rates.decreasing_row,), draw=tiny, **{**_ONE, "cells": mild(SAME, 8)}),
    *_rates(
        (rates_smooth.theorem3,),
        draw=tiny,
        own_horizon=True,
        bounded="squared gradient",
        iterate="average",
        **{**_ONE, "cells": mild(SAME, 8)},
    ),
    *_rates(
        (rates.horizon_row,),
        draw=tiny,
        own_horizon=True,
        **{**_ONE, "cells": mild(SAME, 256, 1 / 64)},
    ),
    *_rates(
        (rates.theorem1, refined.direction, refined.running),
        ceiling=_unrolled,
        wide=True,
        **_CONTROLLED,
    ),
    *_rates((rates.constant_row_repaired,), wide=True, **_CONTROLLED),
    *_rates((refined.stopped_constant,), **_CONTROLLED),
    *_rates(
        (rates.horizon_row_repaired,), own_horizon=True, wide=True, cells=mild(CELLS, 256), **_MANY
    ),
    *_rates((refined.stopped_horizon,), own_horizon=True, cells=mild(CELLS, 256), **_MANY),
    *_rates((rates.decreasing_row_repaired,), wide=True, **_CONTROLLED),
    *_rates((refined.stopped_decreasing,), **_CONTROLLED),
    *_rates(
        (refined.stopped_decreasing,),
        "mild quadratics",
        quadratic,
        mild(CELLS, 2),
        slope=_ONE_T,
        control=first_weights,
    ),
    *_rates((refined.unreached,), bounded="probability", **_MANY),
    *_rates((complexity.reached_repaired,), wide=True, cells=mild(CELLS, 2), **_MANY),
    *_rates(
        (rates_smooth.theorem3_repaired,),
        own_horizon=True,
        cells=mild(CELLS, 8),
        **_GRADIENT,
        **_MANY,
    ),
    *_rates(
        (rates_smooth.theorem3_repaired,),
        "mild quadratics",
        lasting,
        mild(CELLS, 4, condition=1.5),
        own_horizon=True,
        slope=_ONE_ROOT_T,
        **_GRADIENT,
    ),
    *_rates((rates_smooth.descents_summed_repaired,), **_GRADIENT, **_MANY),
    *(rate for losses in CLASSES for rate in _on(losses)),
)
