"""hcct.lemma1.repaired: descent in one epoch of one local step, summed over the clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "hcct.lemma1.repaired"
MEANS = {
    "s": "the epoch, t",
    "J": "J_i of each client",
    "w[t], w[t + 1]": "w_i^t, w_i^{t+1} = w_i^t - eta^t sum_j a_j g_j",
    "h[t]": "sum_j a_j grad J_j(w_j^t)",
    "n[t]": "sum_j a_j times the noise of client j",
    "N*J(w[t])": "sum_i E J_i(w_i^t)",
    "L, eta, sigma, N": "L, eta^t, sigma, N",
}


def lemma1_repaired() -> Outline:
    """Descent in one epoch of one local step, each client keeping its own model."""
    from verify.proof.outline import Outline

    o = Outline("Lemma 1 of hcct, one local step")
    o.indices("t")
    o.numbers("positive", "L", "eta")
    o.numbers("nonnegative", "sigma")
    o.numbers("nonnegative integer", "s")
    o.numbers("positive integer", "N")
    o.clients("N")
    o.vectors("w[t]", "h[t]", known="t", shared=False)
    o.vectors("n[t]", known="t + 1", shared=False)
    o.function("J", own=True)
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*(h[t] + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("smooth", "smooth", f="J", L="L", at="w[t]", to="w[t + 1]")
    each = "N*J(w[t + 1]) <= N*J(w[t]) - eta*N*(grad(J, w[t])*h[t]) + L*eta**2/2*N*h[t]**2 + L*eta**2/2*N*sigma**2"
    bound = each.replace("[t", "[s")  # in epoch s, which is any
    o.claim(bound)

    o.step("descent", each, "smooth times N; variance times N*L*eta**2/2")
    o.step("in epoch s", bound, "descent at t = s")
    return o
