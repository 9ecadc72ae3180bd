"""aggregation.lemma2.repaired: how far the local models are from their mean, as printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.aggregation.outlines import iteration as of
from verify.statements.aggregation.outlines import local_spread

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.lemma2.repaired"
MEANS = of.MEANS | local_spread.ROOTS
LOOSE = ("16*h**2*E**2*G**2",)
"""Four times what the steps give."""


def lemma2_repaired() -> Outline:
    """E sum_i alpha_t^i |w_t - w_t^i|^2 where no step is more than twice a later one."""
    o = of.local_steps("Lemma 2 of aggregation, repaired")
    local_spread.printed_given(o)
    bound = "(avg(w[J]) - w[J])**2 <= 16*h**2*E**2*G**2"
    o.claim(bound)

    local_spread.printed(o)
    o.step("bound", bound, "spread")
    return o
