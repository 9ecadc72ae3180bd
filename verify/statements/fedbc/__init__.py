"""Bedi et al.: FedBC, calibrated consensus (paper key ``fedbc``)."""

from __future__ import annotations

from verify.statement import Statement
from verify.statements.fedbc import consensus, descent, special_cases, theorem, theorem_steps

STATEMENTS: tuple[Statement, ...] = tuple(
    statement
    for module in (descent, consensus, theorem, theorem_steps, special_cases)
    for statement in module.STATEMENTS
)
