"""Philippenko, Le Bars, Scaman, Massoulie: adaptive collaboration (paper key ``adaptive``)."""

from __future__ import annotations

from verify.statement import Statement
from verify.statements.adaptive import (
    complexity,
    descent,
    heterogeneity,
    rates,
    sufficient,
    weights,
)

STATEMENTS: tuple[Statement, ...] = (
    *heterogeneity.STATEMENTS,
    *weights.STATEMENTS,
    *descent.STATEMENTS,
    *sufficient.STATEMENTS,
    *rates.STATEMENTS,
    *complexity.STATEMENTS,
)
