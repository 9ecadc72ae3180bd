"""Even, Massoulié, Scaman: all-for-one and all-for-all (paper key ``allforall``)."""

from __future__ import annotations

from verify.statement import Statement
from verify.statements.allforall import (
    all_convex,
    all_flat,
    all_smooth,
    all_steps,
    construction,
    construction_quadratic,
    continuum,
    definitions,
    distances,
    epochs,
    experiments,
    graphs,
    information,
    lower,
    one_convex,
    one_samples,
    one_smooth,
    orders,
    separation,
    sgd_convex,
    sgd_strong,
    simplex,
)

STATEMENTS: tuple[Statement, ...] = (
    *definitions.STATEMENTS,
    *lower.STATEMENTS,
    *orders.STATEMENTS,
    *information.STATEMENTS,
    *separation.STATEMENTS,
    *construction.STATEMENTS,
    *construction_quadratic.STATEMENTS,
    *one_convex.STATEMENTS,
    *one_samples.STATEMENTS,
    *one_smooth.STATEMENTS,
    *all_convex.STATEMENTS,
    *simplex.STATEMENTS,
    *all_smooth.STATEMENTS,
    *graphs.STATEMENTS,
    *all_flat.STATEMENTS,
    *all_steps.STATEMENTS,
    *epochs.STATEMENTS,
    *distances.STATEMENTS,
    *continuum.STATEMENTS,
    *sgd_strong.STATEMENTS,
    *sgd_convex.STATEMENTS,
    *experiments.STATEMENTS,
)
