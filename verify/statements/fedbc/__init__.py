"""Bedi et al.: FedBC, calibrated consensus (paper key ``fedbc``)."""

from __future__ import annotations

from verify.claim.statement import Statement
from verify.statements.fedbc import (
    assumptions,
    consensus,
    consensus_pairs,
    consensus_sampling,
    corollary,
    corollary_bracket,
    corollary_signs,
    definitions,
    descent,
    descent_differences,
    descent_gradient,
    experiments,
    objectives,
    remarks,
    special_cases,
    table_sentences,
    theorem,
    theorem_fall,
    theorem_gradient,
    theorem_sum,
)
from verify.statements.fedbc.sheet import in_order

STATEMENTS: tuple[Statement, ...] = in_order(
    (
        *definitions.STATEMENTS,
        *assumptions.STATEMENTS,
        *definitions.CONDITIONS,
        *assumptions.CONDITIONS,
        *descent_gradient.STATEMENTS,
        *descent_differences.STATEMENTS,
        *descent.STATEMENTS,
        *consensus_sampling.STATEMENTS,
        *consensus_pairs.STATEMENTS,
        *consensus.STATEMENTS,
        *theorem_gradient.STATEMENTS,
        *theorem_sum.STATEMENTS,
        *theorem_fall.STATEMENTS,
        *theorem.STATEMENTS,
        *remarks.STATEMENTS,
        *corollary.STATEMENTS,
        *corollary_bracket.STATEMENTS,
        *corollary_signs.STATEMENTS,
        *special_cases.STATEMENTS,
        *objectives.STATEMENTS,
        *experiments.STATEMENTS,
        *table_sentences.STATEMENTS,
    )
)
