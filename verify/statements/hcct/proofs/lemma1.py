"""Lemma 1: the descent of one epoch, from any models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.hcct import descent
from verify.statements.hcct.proofs.setting import ONE_EPOCH

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


@proof_of(descent.repaired, ONE_EPOCH)
def lemma1(o: StatementOutline) -> None:
    """Every loss lies below its parabola along its own step; noise has mean zero."""
    o.uses("rule", "equal steps", "unbiased", "noise")
    o.uses("smooth", at="w[0]", to="w[1]")
    o.step(
        "descent",
        f"{o.left} <= {o.right}",
        "smooth times N; noise at t = 0 times N*L*eta0**2/2",
    )
