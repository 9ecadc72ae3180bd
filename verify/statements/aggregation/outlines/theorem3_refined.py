"""aggregation.theorem3.refined: one iteration with steps of any size that at most halve.

Steps of length zero are put before the first one of the round until there are E - 1 before this
iteration; one of them where E is 1, and then s is zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.aggregation.outlines import iteration as of
from verify.statements.aggregation.outlines import local_spread

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.theorem3.refined"
MEANS = of.MEANS_AFTER | local_spread.REFINED


def theorem3_refined() -> Outline:
    """One iteration with steps of any size that at most halve within a round."""
    o = of.iteration("Theorem 3 of aggregation, refined", "P", local_spread.FIRST)
    local_spread.refined_given(o)
    noise = "h**2*G**2*(1 + 4*h*L*(E - 1)**2)"
    contraction = f"(1 - h*mu*(1 + low))*{of.distance('P')}"
    bound = f"{of.AFTER} <= {contraction} + {noise} + {of.GAPS}"
    o.claim(bound)

    spread = local_spread.refined(o)
    of.iterated(o, spread, "P")
    o.step("bound", bound, "one iteration")
    return o
