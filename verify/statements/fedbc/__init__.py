"""Bedi et al.: FedBC, calibrated consensus (paper key ``fedbc``)."""

from __future__ import annotations

from verify.statement import Statement
from verify.statements.fedbc import special_cases

STATEMENTS: tuple[Statement, ...] = (*special_cases.STATEMENTS,)
