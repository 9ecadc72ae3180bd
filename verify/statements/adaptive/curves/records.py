"""Theorems 1 to 3 and Corollary 1 at scale: drawn federations, long runs, whole curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bounds import rates as closed
from synthetic.exact.moments import expected_excess
from synthetic.exact.stepped import Stepped, stepped_moments
from verify.claim import Array, Instance, Readings, Statement
from verify.rates.affine import averaged
from verify.rates.control import Control
from verify.rates.record import Cell, Rate
from verify.statements.adaptive import corollary1, theorem1, theorem2, theorem3
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive.curves.federations import (
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
    return averaged(w, q.at_first(w).alpha, q.steps(w))


def first_weights(w: World) -> Control:
    """Excess loss of client 0 under the weights of the first round for ever, on the same draws."""
    alpha = q.at_first(w).alpha  # (B, 1, N)
    exact = stepped_moments(averaged(w, alpha, q.steps(w)), w.original("start"), w.rounds)
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
    terms = closed.theorem1_upper(q.start_excess(w), w.step_size, w.mu, w.beta, each)
    return sum(terms.values())


def _summed(w: World) -> Array:
    start, variance = q.start_excess(w), _own_variance(w)
    return sum(closed.theorem3_upper(start, w.step_size, w.beta, variance, w.rounds).values())


def _rates(
    *claims: Statement,
    problems: str = "quadratics",
    draw: Callable[..., Instance] = quadratic,
    cells: tuple[Cell, ...] = CELLS,
    **more: Any,
) -> tuple[Rate, ...]:
    return tuple(
        Rate(statement=claim, problems=problems, draw=draw, cells=cells, free=("N", "d"), **more)
        for claim in claims
    )


_ONE: dict[str, Any] = {"problems": "one quadratic", "way": "moments", "affine_map": one_loss}
_MILD: dict[str, Any] = {"problems": "mild quadratics"}
_CONTROLLED: dict[str, Any] = {"control": first_weights}
_OWN: dict[str, Any] = {"own_horizon": True}
_WIDE: dict[str, Any] = {"wide": True}
_CEILING: dict[str, Any] = {"ceiling": _unrolled, "wide": True}
_AVERAGE: dict[str, Any] = {"bounded": "squared gradient", "iterate": "average"}
_GRADIENT: dict[str, Any] = {**_AVERAGE, "wide": True}
_ONE_T, _ONE_ROOT_T = (-1.4, -0.6), (-0.7, -0.3)


def _printed(row: Readings, cells: tuple[Cell, ...], **more: Any) -> tuple[Rate, ...]:
    """A row read literally, where the precision plays no part."""
    return _rates(row[0], draw=tiny, cells=cells, **_ONE, **more)


def _on(losses: Losses) -> tuple[Rate, ...]:
    """Every theorem whose assumptions the losses of a class meet."""
    place: dict[str, Any] = {
        "problems": losses.problems,
        "draw": losses.draw,
        "cells": losses.cells,
    }
    summed = theorem3.descents_summed_repaired
    if not losses.dominated:
        return (
            *_rates(theorem3.smooth, **place, **_GRADIENT, ceiling=_summed),
            *_rates(summed, **place, **_GRADIENT),
        )
    return (
        *_rates(theorem2.stopped_constant, theorem2.stopped_decreasing, **place),
        *_rates(theorem1.direction, **place, **_CEILING),
        *_rates(theorem3.smooth_pl, **place, **_GRADIENT, ceiling=_summed),
        *_rates(summed, **place, **_GRADIENT),
    )


_UNROLLED = (theorem1.theorem1, theorem1.theorem1_run, theorem1.direction)
_ALONG = (theorem1.theorem1, theorem1.direction, theorem2.running)
_FAR, _ROOT = mild(CELLS, 256), mild(CELLS, 4, condition=1.5)

RATES: tuple[Rate, ...] = (
    *_rates(*_UNROLLED, cells=SAME, **_ONE),
    *_printed(theorem2.constant_row, SAME),
    *_printed(theorem2.decreasing_row, mild(SAME, 8)),
    *_printed(theorem3.theorem3, mild(SAME, 8), **_OWN, **_AVERAGE),
    *_printed(theorem2.horizon_row, mild(SAME, 256, 1 / 64), **_OWN),
    *_rates(*_ALONG, **_CEILING, **_CONTROLLED),
    *_rates(theorem2.constant_row_repaired, **_WIDE, **_CONTROLLED),
    *_rates(theorem2.stopped_constant, **_CONTROLLED),
    *_rates(theorem2.horizon_row_repaired, cells=_FAR, **_OWN, **_WIDE),
    *_rates(theorem2.stopped_horizon, cells=_FAR, **_OWN),
    *_rates(theorem2.decreasing_row_repaired, **_WIDE, **_CONTROLLED),
    *_rates(theorem2.stopped_decreasing, **_CONTROLLED),
    *_rates(
        theorem2.stopped_decreasing, cells=mild(CELLS, 2), slope=_ONE_T, **_MILD, **_CONTROLLED
    ),
    *_rates(corollary1.unreached, bounded="probability"),
    *_rates(corollary1.reached_repaired, cells=mild(CELLS, 2), **_WIDE),
    *_rates(theorem3.theorem3_repaired, cells=mild(CELLS, 8), **_OWN, **_GRADIENT),
    *_rates(
        theorem3.theorem3_repaired,
        draw=lasting,
        cells=_ROOT,
        slope=_ONE_ROOT_T,
        **{**_MILD, **_OWN, **_GRADIENT},
    ),
    *_rates(theorem3.descents_summed_repaired, **_GRADIENT),
    *(rate for losses in CLASSES for rate in _on(losses)),
)
