"""adaptive.lemma2.repaired/variance: sigma_eff is at most sigma_suf, with b^2 and realised excess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.lemma2.repaired/variance"
MEANS = of.OF_LEMMA


def lemma2_variance() -> Outline:
    """Effective beats sufficient at any point, epsilon being its excess loss."""
    from verify.proof.outline import Outline

    o = Outline("Lemma 2 of adaptive, repaired, the variance")
    of.lemma_quantities(o)
    o.claim("eff <= suf")

    of.lemma(o)
    return o
