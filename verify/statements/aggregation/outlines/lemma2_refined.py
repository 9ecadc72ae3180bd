"""aggregation.lemma2.refined: how far the local models are from their mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.aggregation.outlines import iteration as of
from verify.statements.aggregation.outlines import local_spread

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.lemma2.refined"
MEANS = of.MEANS | local_spread.REFINED


def lemma2_refined() -> Outline:
    """E sum_i alpha_t^i |w_t - w_t^i|^2 where no step is more than twice a later one."""
    o = of.local_steps("Lemma 2 of aggregation, refined", "P", local_spread.FIRST)
    local_spread.refined_given(o)
    bound = "(avg(w[P]) - w[P])**2 <= 4*h**2*(E - 1)**2*G**2"
    o.claim(bound)

    local_spread.refined(o)
    o.step("bound", bound, "spread")
    return o
