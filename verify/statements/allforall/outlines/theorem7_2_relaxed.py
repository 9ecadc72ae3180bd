"""allforall.theorem7.2.repaired/relaxed: to any precision, with equal weights on near agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.allforall.outlines import precise as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "allforall.theorem7.2.repaired/relaxed"
MEANS = of.MEANS
LOOSE = of.LOOSE


def theorem7_2_relaxed() -> Outline:
    """The mean gap is at most epsilon after so many rounds, for any relaxation m."""
    return of.precise("theorem7.2.repaired/relaxed of allforall")
