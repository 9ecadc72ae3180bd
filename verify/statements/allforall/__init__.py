"""Even, Massoulié, Scaman: all-for-one and all-for-all (paper key ``allforall``)."""

from __future__ import annotations

from verify.statement import Statement
from verify.statements.allforall import (
    construction,
    definitions,
    distances,
    every,
    experiments,
    information,
    lower,
    one,
    toolbox,
)

STATEMENTS: tuple[Statement, ...] = (
    *definitions.STATEMENTS,
    *lower.STATEMENTS,
    *information.STATEMENTS,
    *construction.STATEMENTS,
    *one.STATEMENTS,
    *every.STATEMENTS,
    *distances.STATEMENTS,
    *toolbox.STATEMENTS,
    *experiments.STATEMENTS,
)
