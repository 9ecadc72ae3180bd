"""adaptive.theorem1@in-mean: excess loss after T rounds, with the effective variances in mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import weighted as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem1@in-mean"
MEANS = of.MEANS | {"added[t]": "E (sigma_{i,psi}^{t+1})^2"}


def theorem1_in_mean() -> Outline:
    """Steps below (sigma_phi/sigma_psi)^2/beta in every round."""
    o = of.rounds("Theorem 1 of adaptive, in mean")
    o.fact("short steps", "weighted sum", sum="told[t]", roots="u[t]", at_most="1/(eta*beta)")
    o.claim(of.BOUND)

    o.step("short sums", "eta*beta*told[t]**2 <= u[t]**2", "short steps times eta*beta")
    of.unrolled(o)
    return o
