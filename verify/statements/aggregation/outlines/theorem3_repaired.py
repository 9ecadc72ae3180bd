"""aggregation.theorem3.repaired: one iteration, rho-bar over the virtual averages too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.aggregation.outlines import iteration as of
from verify.statements.aggregation.outlines import local_spread

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.theorem3.repaired"
MEANS = of.MEANS_AFTER | local_spread.ROOTS | {"sigma": "sigma"}
LOOSE = ("32*h**2*E**2*G**2", "6*h**2*low*L*gam", "h**2*sigma**2")
"""Terms of the bound that may be smaller: the refined form has h^2 G^2 (1 + 4 h L (E - 1)^2)."""


def theorem3_repaired() -> Outline:
    """One iteration with the printed constants: steps that at most halve, of at most 1/(4 L)."""
    o = of.iteration("Theorem 3 of aggregation, repaired")
    o.numbers("nonnegative", "sigma")
    local_spread.printed_given(o)
    o.given("h <= 1/(4*L)")
    noise = "32*h**2*E**2*G**2 + 6*h**2*low*L*gam + h**2*sigma**2"
    contraction = f"(1 - h*mu*(1 + 3/8*low))*{of.distance()}"
    bound = f"{of.AFTER} <= {contraction} + {noise} + {of.GAPS}"
    o.claim(bound)

    spread = local_spread.printed(o)
    of.iterated(o, spread)
    o.step("short", f"h*L*({spread}) <= E**2*h**2*G**2", "h <= 1/(4*L)")
    o.step("far", f"0 <= {of.distance()}", roots="avg(w[J]) - star")
    o.step("first step", "h**2*G**2 <= E**2*h**2*G**2", "J + 1 <= E")
    o.step("bound", bound, "one iteration; short; first step; far times 5/8*h*mu*low")
    return o
