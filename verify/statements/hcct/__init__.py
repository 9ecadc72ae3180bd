"""Sun, Kountouris, Zhang: how to collaborate, HCCT (paper key ``hcct``)."""

from __future__ import annotations

from verify.claim.statement import Statement
from verify.statements.hcct import (
    assumptions,
    chain,
    convergence,
    counting,
    definitions,
    descent,
    drift,
    experiments,
    generalization,
    generalization_readings,
    generalization_repaired,
    informal,
    limits,
    partition,
    utility,
)
from verify.statements.hcct.sheet import in_order

STATEMENTS: tuple[Statement, ...] = in_order(
    (
        *definitions.STATEMENTS, *assumptions.STATEMENTS, *generalization.STATEMENTS,
        *generalization_readings.STATEMENTS, *generalization_repaired.STATEMENTS,
        *chain.STATEMENTS, *utility.STATEMENTS, *partition.STATEMENTS, *counting.STATEMENTS,
        *informal.STATEMENTS, *descent.STATEMENTS, *convergence.STATEMENTS, *limits.STATEMENTS,
        *drift.STATEMENTS, *experiments.STATEMENTS,
    )
)  # fmt: skip
