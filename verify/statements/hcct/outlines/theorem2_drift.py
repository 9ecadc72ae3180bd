"""hcct.theorem2.refined/drift: groups that change, with the disagreement of their members.

A partner of client i is one of the members of its group in that epoch, by their weights a_ij.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "hcct.theorem2.refined/drift"
MEANS = {
    "J": "J_i of each client",
    "low": "the mean of J_i^* over the clients",
    "w[t]": "w_i^t, its model",
    "d[t]": "w_i^t - w_j^t for a partner j of client i, drawn by a_ij^t",
    "c[t]": "sum_j a_ij^t grad J_i(w_j^t)",
    "h[t]": "sum_j a_ij^t grad J_j(w_j^t)",
    "n[t]": "sum_j a_ij^t times the noise of client j",
    "eta[t]": "eta^t",
    "K[t]": "sum_i sum_j a_ij^t kappa_ij^2",
    "N*d[t]**2": "sum_ij a_ij^t E|w_i^t - w_j^t|^2",
    "Sum(eta[t], (t, 0, T - 1))": "xi_T",
    "L, sigma, T, N": "L, sigma, T, N",
}


def theorem2_drift() -> Outline:
    """Groups that change, with the disagreement."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 2 of hcct, groups that change, with the disagreement")
    o.indices("t")
    o.numbers("positive", "L", "eta[t]")
    o.numbers("nonnegative", "sigma", "K[t]")
    o.numbers("real", "low")
    o.numbers("positive integer", "T", "N")
    o.clients("N")
    o.vectors("w[t]", "d[t]", "h[t]", "c[t]", known="t", shared=False)
    o.vectors("n[t]", known="t + 1", shared=False)
    o.function("J", own=True)
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta[t]*(h[t] + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("noise", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("smooth", "smooth", f="J", L="L", at="w[t]", to="w[t + 1]")
    o.fact("gradients", "smooth gradients", f="J", L="L", at="w[t]", to="w[t] - d[t]")
    own, partner = "grad(J, w[t])", "grad(J, w[t] - d[t])"
    o.fact("group", "no longer", one=f"{own} - c[t]", other=f"{own} - {partner}", factor="1")
    o.fact("similar", "close", one="c[t]", other="h[t]", at_most="K[t]/N")
    o.fact("below", "bounded below", f="J", low="low", at="w[T]")
    o.given("eta[t] <= 1/L")
    each = "Sum({}, (t, 0, T - 1))".format
    xi = each("eta[t]")
    left, likeness = each(f"eta[t]*N*{own}**2"), each("eta[t]*K[t]")
    squares, drift = each("eta[t]**2"), each("eta[t]*N*d[t]**2")
    bound = (
        f"{left}/{xi} <= 2*N*(J(w[0]) - low)/{xi} + 2*{likeness}/{xi} "
        f"+ L*N*sigma**2/{xi}*{squares} + 2*L**2/{xi}*{drift}"
    )
    o.claim(bound)

    o.step(
        "own against group",
        f"({own} - h[t])**2 <= 2*K[t]/N + 2*L**2*d[t]**2",
        "similar times 2; group times 2; gradients times 2",
        roots=f"{own} - 2*c[t] + h[t]",
    )
    o.step(
        "short",
        "L*eta[t]**2*h[t]**2 <= eta[t]*h[t]**2",
        "eta[t] <= 1/L times L*eta[t]",
        roots="h[t]",
    )
    o.step(
        "one epoch",
        f"eta[t]*N*{own}**2 + 2*N*J(w[t + 1]) <= 2*N*J(w[t]) + 2*eta[t]*K[t] "
        "+ L*N*eta[t]**2*sigma**2 + 2*L**2*eta[t]*N*d[t]**2",
        "own against group times N*eta[t]; smooth times 2*N; noise times N*L*eta[t]**2;"
        "short times N",
    )
    o.close(
        "all epochs",
        f"{left} + 2*N*J(w[T]) <= 2*N*J(w[0]) + 2*{likeness} + L*N*sigma**2*{squares} "
        f"+ 2*L**2*{drift}",
        "telescoped",
        step="one epoch",
        index="t",
        rounds="T",
        of="2*N*J(w[t])",
    )
    o.step("mean", bound, "all epochs; below times 2*N")
    return o
