"""adaptive.theorem1.refined: one step size for every path, with the variance of the direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import weighted as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem1.refined"
MEANS = of.MEANS | {
    "added[t]": "E sum_k (alpha_ik^{t+1} sigma_k)^2",
    "limit": "min_r (sigma_phi/sigma_psi)^2, one over the largest sum of weights",
}


def theorem1_refined() -> Outline:
    """Steps of at most min_r (sigma_phi/sigma_psi)^2/beta; eta mu = 1 is the limit from below."""
    o = of.rounds("Theorem 1 of adaptive, refined")
    o.numbers("positive", "limit")
    o.fact("short steps", "weighted sum", sum="told[t]", roots="u[t]", at_most="1/limit")
    o.given("eta <= limit/beta")
    o.claim(of.BOUND)

    o.step("admissible", "eta*beta <= limit", "eta <= limit/beta")
    o.step("limited", "eta*beta*told[t]**2 <= limit*told[t]**2", "admissible", roots="told[t]")
    o.step("short sums", "eta*beta*told[t]**2 <= u[t]**2", "limited; short steps times limit")
    of.unrolled(o)
    return o
