"""adaptive.lemma1.repaired: descent in a round with any weights, eta beta sum alpha at most 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.lemma1.repaired"
MEANS = {
    "F": "R_i, the risk of the client that asks",
    "w[t], w[t + 1]": "theta_i^{t-1}, theta_i^t",
    "s": "the round, which is any",
    "d[t]": "of client k grad R_k - grad R_i at w[t], times the root of N alpha_ik",
    "d[s]**2": "sum_k alpha_ik Delta_k^2",
    "aside[t]": "sum_k alpha_ik (grad R_k - grad R_i) at w[t]",
    "n[t]": "sum_k alpha_ik times the noise of client k",
    "A": "sum_k alpha_ik",
    "alpha[k], sigma2[k]": "alpha_ik, sigma_k^2",
    "spread": "variance of n[t], at most the sum below as the clients draw independently",
    "beta, eta, N": "beta, eta, N",
}


def lemma1_repaired() -> Outline:
    """Descent with any weights that are not negative."""
    from verify.proof.outline import Outline

    o = Outline("Lemma 1 of adaptive, repaired")
    o.indices("t", "k")
    o.numbers("positive", "beta", "eta", "A")
    o.numbers("nonnegative", "alpha[k]", "sigma2[k]", "spread")
    o.numbers("nonnegative integer", "s")
    o.numbers("positive integer", "N")
    o.vectors("w[t]", "aside[t]", known="t")
    o.vectors("d[t]", known="t", shared=False)
    o.vectors("n[t]", known="t + 1")
    o.function("F")
    slope = "grad(F, w[t])"
    told = f"A*{slope} + aside[t]"
    o.fact("rule", "method", entry="w[t + 1]", is_=f"w[t] - eta*({told} + n[t])")
    o.fact("smooth", "smooth", f="F", L="beta", at="w[t]", to="w[t + 1]")
    o.fact("gaps", "weighted sum", sum="aside[t]", roots="d[t]", at_most="A")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="spread")
    noise = "Sum(alpha[k]**2*sigma2[k], (k, 0, N - 1))"
    o.fact("independent", "relation", less="spread", more=noise)
    o.given("eta*beta*A <= 1")
    each = f"F(w[t + 1]) - F(w[t]) <= eta/2*(d[t]**2 - A*{slope}**2) + eta**2*beta/2*{noise}"
    bound = each.replace("[t", "[s")
    o.claim(bound)

    o.step("short", f"eta*beta*A*({told})**2 <= ({told})**2", "eta*beta*A <= 1", roots=told)
    o.step(
        "descent",
        each,
        "smooth; gaps times eta/(2*A); short times eta/(2*A); variance times eta**2*beta/2;"
        "independent times eta**2*beta/2",
    )
    o.step("in round s", bound, "descent at t = s")
    return o
