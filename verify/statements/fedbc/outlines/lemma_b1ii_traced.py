"""fedbc.lemmaB1ii@traced: how far models move, by what the Lagrangians fall by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.fedbc.outlines import lemmas as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "fedbc.lemmaB1ii@traced"
MEANS = of.ROUND | of.FALLS


def lemma_b1ii_traced() -> Outline:
    """Descent of the Lagrangian in a round, for lambda_i^t >= 1 + L_i."""
    o = of.rounds("Lemma B.1 (ii) of fedbc as traced")
    of.above(o)
    of.falls(o)
    o.numbers("positive", "high")
    o.given("lam[i, t] <= high")
    moves, far = of.each(f"{of.MOVE}**2"), of.each(f"({of.LATER} - z[t + 1])**2")
    fall = f"({of.each(of.LAGRANGIAN)} - {of.each(of.LAGRANGIAN_LATER)})"
    tolerances, ranges = of.each("root**2*inv[i]/2"), of.each("16*R**4 + gam[i]**2")
    right = f"{fall}/N + {tolerances}/N + alpha*{ranges}/N + high*{far}/N"
    bound = f"{moves}/N <= {right}"
    o.claim(bound)

    of.fall(o)
    o.close(
        "clients",
        f"{moves} <= {fall} + {tolerances} + alpha*{ranges} + high*{far}",
        "telescoped",
        step="fall",
        index="i",
        rounds="N",
        of="0",
    )
    o.step("mean", bound, "clients times 1/N")
    return o
