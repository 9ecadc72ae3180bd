"""fedbc.lemmaB1i@V+traced: the gradients of the Lagrangians by the moves of the models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.fedbc.outlines import lemmas as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "fedbc.lemmaB1i@V+traced"
MEANS = of.ROUND | of.SLOPES


def lemma_b1i_traced() -> Outline:
    """Gradient of the Lagrangian before a round, every device computing."""
    o = of.rounds("Lemma B.1 (i) of fedbc as traced")
    of.gradients(o)
    of.bounds(o)
    left, moves = of.each(f"{of.BEFORE}**2"), of.each(f"{of.MOVE}**2")
    bound = f"{left}/N <= 2*{of.M}*{moves}/N + 2*root**2"
    o.claim(bound)

    of.slope_before(o)
    o.close(
        "clients",
        f"{left} <= 2*{of.M}*{moves} + N*2*root**2",
        "telescoped",
        step="slope before",
        index="i",
        rounds="N",
        of="0",
    )
    o.step("mean", bound, "clients times 1/N")
    return o
