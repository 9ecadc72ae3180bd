"""Philippenko, Le Bars, Scaman, Massoulie: adaptive collaboration (paper key ``adaptive``)."""

from __future__ import annotations

from verify.claim.statement import Statement
from verify.statements.adaptive import (
    assumptions,
    complexity,
    definitions,
    descent,
    experiments,
    heterogeneity,
    informal,
    lemma_weights,
    oracle,
    proof_rows,
    proofs,
    rates,
    refined,
    remarks,
    section4,
    sufficient,
)
from verify.statements.adaptive.sheet import in_order

STATEMENTS: tuple[Statement, ...] = in_order(
    statement
    for module in (
        definitions,
        assumptions,
        oracle,
        heterogeneity,
            descent,
        sufficient,
        rates,
        complexity,
        remarks,
        section4,
        lemma_weights,
        informal,
        proofs,
        proof_rows,
        refined,
        experiments,
    )
    for statement in module.STATEMENTS
)
