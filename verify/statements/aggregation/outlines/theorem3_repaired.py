"""aggregation.theorem3.repaired: one iteration, rho-bar over the virtual averages too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.aggregation.outlines import _iteration as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.theorem3.repaired"
MEANS = of.MEANS | {"sigma": "sigma", "r[j]": "1/(j + 1)"}
LOOSE = ("32*h**2*E**2*G**2", "6*h**2*low*L*gam", "h**2*sigma**2")
"""Terms of the bound that may be smaller: the refined form has h^2 G^2 (1 + 4 h L (E - 1)^2)."""


def theorem3_repaired() -> Outline:
    """One iteration with the printed constants: steps that at most halve, of at most 1/(4 L)."""
    o = of.iteration("Theorem 3 of aggregation, repaired")
    o.numbers("nonnegative", "sigma")
    o.numbers("positive", "r[j]")
    o.given(
        "J + 1 <= E", "h <= 1/(4*L)", "eta[j] <= 2*h", "r[j + 1]*(j + 2) <= 1", "1 <= r[j]*(j + 1)"
    )
    noise = "32*h**2*E**2*G**2 + 6*h**2*low*L*gam + h**2*sigma**2"
    contraction = f"(1 - h*mu*(1 + 3/8*low))*{of.distance()}"
    bound = f"{of.AFTER} <= {contraction} + {noise} + {of.GAPS}"
    o.claim(bound)

    told = "(grad(F, w[j]) + n[j])"
    o.step("squares", "eta[j]**2 <= 4*h**2", "eta[j] <= 2*h")
    o.step(
        "shorter",
        f"eta[j]**2*{told}**2 <= 4*h**2*{told}**2",
        "squares",
        roots="grad(F, w[j]); n[j]",
    )
    o.step("local step", f"eta[j]**2*{told}**2 <= 4*h**2*G**2", "shorter; bounded times 4*h**2")
    o.step(
        "one more",
        "r[j + 1]*(w[j + 1] - start)**2 <= r[j]*(w[j] - start)**2 + 4*h**2*G**2",
        "local step; r[j + 1]*(j + 2) <= 1; 1 <= r[j]*(j + 1)",
        roots="w[j] - start + (j + 1)*eta[j]*grad(F, w[j]); n[j]",
        degree=4,
    )
    o.close(
        "way",
        "r[J]*(w[J] - start)**2 <= r[0]*(w[0] - start)**2 + 4*J*h**2*G**2",
        "telescoped",
        step="one more",
        index="j",
        rounds="J",
        of="r[j]*(w[j] - start)**2",
    )
    o.step(
        "way of a round",
        "(w[J] - start)**2 <= 4*E**2*h**2*G**2",
        "way; J + 1 <= E; 1 <= r[j]*(j + 1) at j = J",
        roots="w[J] - start",
    )
    spread = "4*E**2*h**2*G**2"
    o.step("spread", f"(w[J] - avg(w[J]))**2 <= {spread}", "way of a round", roots="w[J] - start")
    of.iterated(o, spread)
    o.step("short", f"h*L*({spread}) <= E**2*h**2*G**2", "h <= 1/(4*L)")
    o.step("far", f"0 <= {of.distance()}", roots="avg(w[J]) - star")
    o.step("first step", "h**2*G**2 <= E**2*h**2*G**2", "J + 1 <= E")
    o.step("bound", bound, "one iteration; short; first step; far times 5/8*h*mu*low")
    return o
