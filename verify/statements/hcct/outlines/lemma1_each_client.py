"""hcct.lemma1.refined/each-client: one client of a group that begins together, any smooth loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "hcct.lemma1.refined/each-client"
MEANS = {
    "J": "J_i, the loss of the client that is looked at",
    "w[t]": "w^t, the model of the group",
    "s": "the epoch, t",
    "h[t]": "sum_j a_j grad J_j(w^t)",
    "n[t]": "sum_j a_j times the noise of member j",
    "a[j], sigma2[j]": "a_j, sigma_j^2",
    "spread": "variance of n[t], at most the sum below as noises are independent",
    "L, eta, N": "L, eta^t, number of members",
}


def lemma1_each_client() -> Outline:
    """Descent of one client of a group that begins together, a step of any size."""
    from verify.proof.outline import Outline

    o = Outline("Lemma 1 of hcct, one client of a group that begins together")
    o.indices("t", "j")
    o.numbers("positive", "L", "eta", "a[j]")
    o.numbers("nonnegative", "sigma2[j]", "spread")
    o.numbers("nonnegative integer", "s")
    o.numbers("positive integer", "N")
    o.vectors("w[t]", "h[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.function("J")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*(h[t] + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="spread")
    average = "Sum(a[j]**2*sigma2[j], (j, 0, N - 1))"
    o.fact("independent", "relation", less="spread", more=average)
    o.fact("smooth", "smooth", f="J", L="L", at="w[t]", to="w[t + 1]")
    each = (
        f"J(w[t + 1]) <= J(w[t]) - eta*(grad(J, w[t])*h[t]) + L*eta**2/2*h[t]**2 "
        f"+ L*eta**2/2*{average}"
    )
    bound = each.replace("[t", "[s")
    o.claim(bound)

    o.step("descent", each, "smooth; variance times L*eta**2/2; independent times L*eta**2/2")
    o.step("in epoch s", bound, "descent at t = s")
    return o
