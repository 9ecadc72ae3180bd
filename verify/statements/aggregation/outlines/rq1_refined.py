"""aggregation.RQ1.refined: one iteration without A3: the direction has second moment at most G^2 by A4."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.aggregation.outlines import theorem3_refined as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.RQ1.refined"
MEANS = of.MEANS


def rq1_refined() -> Outline:
    """The outline of the refined Theorem 3, which needs nothing else."""
    return of.theorem3_refined()
