"""adaptive.S2: descent with the weights of Definition 1, in mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.S2"
MEANS = {
    "F": "R_i, the risk of the client that asks",
    "w[t], w[t + 1]": "theta_i^{t-1}, theta_i^t",
    "s": "the round, which is any",
    "told[t]": "sum_k alpha_ik grad R_k at w[t] with the weights of Definition 1",
    "u[t]": "of client k its gradient there times the root of N alpha_ik",
    "n[t]": "sum_k alpha_ik times the noise of client k",
    "eff": "(sigma_{i,eff})^2, a bound of sum_k (alpha_ik sigma_k)^2",
    "beta, eta": "beta, eta_i^t",
}


def s2() -> Outline:
    """Descent in a round with a step below (sigma_phi/sigma_psi)^2/beta."""
    from verify.proof.outline import Outline

    o = Outline("(S2) of adaptive")
    o.indices("t")
    o.numbers("positive", "beta", "eta")
    o.numbers("nonnegative", "eff")
    o.numbers("nonnegative integer", "s")
    o.vectors("w[t]", "told[t]", known="t")
    o.vectors("u[t]", known="t", shared=False)
    o.vectors("n[t]", known="t + 1")
    o.function("F")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*(told[t] + n[t])")
    o.fact("smooth", "smooth", f="F", L="beta", at="w[t]", to="w[t + 1]")
    o.fact("gaps", "weighted gaps", own="grad(F, w[t])", sum="told[t]", roots="u[t]")
    o.fact("short steps", "weighted sum", sum="told[t]", roots="u[t]", at_most="1/(eta*beta)")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="eff")
    each = "F(w[t + 1]) - F(w[t]) <= eta**2*beta/2*eff - eta/2*grad(F, w[t])**2"
    bound = each.replace("[t", "[s")
    o.claim(bound)

    o.step(
        "descent",
        each,
        "smooth; gaps times eta/2; short steps times eta**2*beta/2; variance times eta**2*beta/2",
    )
    o.step("in round s", bound, "descent at t = s")
    return o
