"""hcct.theorem2.refined/each-client: client i of a group that never changes and begins together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "hcct.theorem2.refined/each-client"
MEANS = {
    "G": "J_i, the loss of the client that is looked at",
    "low": "J_i^*",
    "d[t]": "of member j grad J_i(w^t) - grad J_j(w^t); the mean over members is by a_j",
    "w[t]": "w^t, the model of the group",
    "n[t]": "sum_j a_j times the noise of member j",
    "d[t]**2": "sum_j a_j E|grad J_i(w^t) - grad J_j(w^t)|^2",
    "a[j], sigma2[j]": "a_j, sigma_j^2",
    "spread": "variance of sum_j a_j times noises that are independent, at most sum_j a_j^2 sigma_j^2",
    "L, eta, T, N": "L, eta, T, number of members",
}


def theorem2_each_client() -> Outline:
    """Each client of a group that never changes, any smooth losses."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 2 of hcct, each client of a group that never changes")
    o.indices("t", "j")
    o.numbers("positive", "L", "eta", "a[j]")
    o.numbers("nonnegative", "sigma2[j]", "spread")
    o.numbers("real", "low")
    o.numbers("positive integer", "T", "N")
    o.vectors("w[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.function("G")
    o.vectors("d[t]", known="t", shared=False)
    own, group = "grad(G, w[t])", "grad(G, w[t]) - d[t]"
    o.fact("rule", "method", entry="w[t + 1]", is_=f"w[t] - eta*(avg({group}) + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("noise", "variance", noise="n[t]", sigma2="spread")
    each = "Sum({}, (t, 0, T - 1))".format
    average = "Sum(a[j]**2*sigma2[j], (j, 0, N - 1))"
    o.fact("independent", "relation", less="spread", more=average)
    o.fact("smooth", "smooth", f="G", L="L", at="w[t]", to="w[t + 1]")
    o.fact("below", "bounded below", f="G", low="low", at="w[T]")
    o.given("eta <= 1/L")
    left, apart = each(f"{own}**2"), each("d[t]**2")
    bound = f"{left}/T <= 2*(G(w[0]) - low)/(eta*T) + {apart}/T + L*eta*{average}"
    o.claim(bound)

    o.step(
        "short",
        f"L*eta**2*avg({group})**2 <= eta*avg({group})**2",
        "eta <= 1/L times L*eta",
        roots=f"avg({group})",
    )
    o.step(
        "mean of the group",
        "avg(d[t])**2 <= d[t]**2",
        roots="d[t]",
    )
    o.step(
        "one epoch",
        f"eta*{own}**2 + 2*G(w[t + 1]) <= 2*G(w[t]) + eta*d[t]**2 + L*eta**2*spread",
        "smooth times 2; noise times L*eta**2; short; mean of the group times eta",
    )
    o.close(
        "all epochs",
        f"eta*{left} + 2*G(w[T]) <= 2*G(w[0]) + eta*{apart} + T*L*eta**2*spread",
        "telescoped",
        step="one epoch",
        index="t",
        rounds="T",
        of="2*G(w[t])",
    )
    o.step(
        "mean",
        bound,
        "all epochs times 1/(eta*T); below times 2/(eta*T); independent times L*eta",
    )
    return o
