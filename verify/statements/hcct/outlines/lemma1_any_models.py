"""hcct.lemma1.refined/any-models: one epoch of one client in any group, a step of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "hcct.lemma1.refined/any-models"
MEANS = {
    "s": "the epoch, t",
    "J": "J_i, the loss of the client",
    "w[t], w[t + 1]": "w_i^t, w_i^{t+1}",
    "h[t]": "sum_j a_j grad J_j(w_j^t), the mean gradient of the group",
    "n[t]": "sum_j a_j (g_j - grad J_j), the noise of that mean",
    "L, eta, sigma": "L, eta^t, sigma",
}


def lemma1_any_models() -> Outline:
    """Descent of one client in any group, from any models, any noise."""
    from verify.proof.outline import Outline

    o = Outline("Lemma 1 of hcct, one client in any group")
    o.indices("t")
    o.numbers("positive", "L", "eta")
    o.numbers("nonnegative", "sigma")
    o.numbers("nonnegative integer", "s")
    o.vectors("w[t]", "h[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.function("J")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*(h[t] + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("smooth", "smooth", f="J", L="L", at="w[t]", to="w[t + 1]")
    each = "J(w[t + 1]) - J(w[t]) <= -eta*grad(J, w[t])*h[t] + L*eta**2/2*(h[t]**2 + sigma**2)"
    bound = each.replace("[t", "[s")  # in epoch s, which is any
    o.claim(bound)

    o.step("descent", each, "smooth; variance times L*eta**2/2")
    o.step("in epoch s", bound, "descent at t = s")
    return o
