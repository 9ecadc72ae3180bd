"""aggregation.RQ2.refined: one iteration with full gradients, which are gradients without noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.aggregation.outlines import theorem3_refined as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.RQ2.refined"
MEANS = of.MEANS


def rq2_refined() -> Outline:
    """The outline of the refined Theorem 3, which needs nothing else."""
    return of.theorem3_refined()
