"""Bedi et al.: FedBC, calibrated consensus (paper key ``fedbc``)."""

from __future__ import annotations

from verify.statement import Statement
from verify.statements.fedbc import (
    assumptions,
    consensus,
    corollary,
    corollary_signs,
    definitions,
    descent,
    experiments,
    remarks,
    special_cases,
    table_sentences,
    theorem,
    theorem_steps,
)
from verify.statements.fedbc.sheet import in_order

STATEMENTS: tuple[Statement, ...] = in_order(
    (
        *definitions.STATEMENTS,
        *assumptions.STATEMENTS,
        *definitions.CONDITIONS,
        *assumptions.CONDITIONS,
        *descent.STATEMENTS,
        *consensus.STATEMENTS,
        *theorem.STATEMENTS,
        *remarks.STATEMENTS,
        *corollary.STATEMENTS,
        *corollary_signs.STATEMENTS,
        *special_cases.STATEMENTS,
        *theorem_steps.STATEMENTS,
        *experiments.STATEMENTS,
        *table_sentences.STATEMENTS,
    )
)
