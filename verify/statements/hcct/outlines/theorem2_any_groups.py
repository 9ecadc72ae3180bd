"""hcct.theorem2.refined/any-groups: one client in groups that change, any steps of at most 1/L."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "hcct.theorem2.refined/any-groups"
MEANS = {
    "J": "J_i, the loss of the client",
    "w[t]": "w_i^t, its model",
    "d[t]": "grad J_i(w_i^t) - sum_j a_j^t grad J_j(w_j^t), with the group that it is in",
    "n[t]": "sum_j a_j^t (g_j^t - grad J_j), the noise of that mean",
    "eta[t]": "eta^t",
    "Sum(eta[t], (t, 0, T - 1))": "xi_T",
    "L, sigma, T": "L, sigma, T",
}


def theorem2_any_groups() -> Outline:
    """Each client, groups that change, any steps, any noise."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 2 of hcct, each client in groups that change")
    o.indices("t")
    o.numbers("positive", "L", "eta[t]")
    o.numbers("nonnegative", "sigma")
    o.numbers("positive integer", "T")
    o.vectors("w[t]", "d[t]", known="t")
    o.vectors("n[t]", known="t + 1")
    o.function("J")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta[t]*(grad(J, w[t]) - d[t] + n[t])")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="sigma**2")
    o.fact("smooth", "smooth", f="J", L="L", at="w[t]", to="w[t + 1]")
    o.given("eta[t] <= 1/L")
    each = "Sum({}, (t, 0, T - 1))".format
    xi = each("eta[t]")
    left, apart = each("eta[t]*grad(J, w[t])**2"), each("eta[t]*d[t]**2")
    squares = each("eta[t]**2")
    bound = f"{left}/{xi} <= 2/{xi}*(J(w[0]) - J(w[T])) + {apart}/{xi} + L*sigma**2/{xi}*{squares}"
    o.claim(bound)

    o.step(
        "short",
        "L*eta[t]**2*(grad(J, w[t]) - d[t])**2 <= eta[t]*(grad(J, w[t]) - d[t])**2",
        "eta[t] <= 1/L times L*eta[t]",
        roots="grad(J, w[t]) - d[t]",
    )
    o.step(
        "one epoch",
        "eta[t]*grad(J, w[t])**2 + 2*J(w[t + 1]) "
        "<= 2*J(w[t]) + eta[t]*d[t]**2 + L*eta[t]**2*sigma**2",
        "smooth times 2; variance times L*eta[t]**2; short",
    )
    o.close(
        "all epochs",
        f"{left} + 2*J(w[T]) <= 2*J(w[0]) + {apart} + L*sigma**2*{squares}",
        "telescoped",
        step="one epoch",
        index="t",
        rounds="T",
        of="2*J(w[t])",
    )
    o.step("mean", bound, "all epochs")
    return o
