"""Ben Mansour, Carenini, Duplessis: aggregation under heterogeneity (paper key ``aggregation``)."""

from __future__ import annotations

from verify.claim.statement import Statement
from verify.statements.aggregation import (
    assumptions,
    chain,
    corollary,
    definitions,
    error_free,
    experiments,
    lemmas,
    logistic,
    proof_limit,
    proof_steps,
    remarks,
    speed,
    strategies,
    strategies_soft,
    temperature,
    theorem,
    tilted,
)
from verify.statements.aggregation.sheet import in_order

STATEMENTS: tuple[Statement, ...] = in_order(
    statement
    for module in (
        definitions,
        assumptions,
        logistic,
        lemmas,
        theorem,
        corollary,
        speed,
        error_free,
        chain,
        remarks,
        strategies,
        strategies_soft,
        proof_steps,
        proof_limit,
        temperature,
        tilted,
        experiments,
    )
    for statement in module.STATEMENTS
)
