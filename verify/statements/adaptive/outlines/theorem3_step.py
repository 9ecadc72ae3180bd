"""adaptive.theorem3.step.repaired: the sum of the descents, while gradients are large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem3.step.repaired"
MEANS = of.MEANS | {
    "eta": "eta",
    "eps": "epsilon, of which 2 mu epsilon is the least squared gradient",
    "star": "theta_i^*",
    "w[t]": "theta_i^t where G_s^2 >= 2 mu epsilon for all s <= t, theta_i^* elsewhere",
    "v[t]": "theta_i^t where G_s^2 >= 2 mu epsilon for all s <= t + 1, theta_i^* elsewhere",
    "grad(F, v[t])**2": "E[G_{t+1}^2 1{G_s^2 >= 2 mu epsilon for all s <= t + 1}]",
}


def theorem3_step() -> Outline:
    """Any admissible step: smooth losses, the variance of Definition 2 with 2 mu epsilon."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 3 of adaptive, sum of the descents while gradients are large")
    of.lemma_quantities(o)
    o.numbers("positive", "eta")
    of.quantities(o, "eta", pl=False)
    of.short(o, "1/(eta*beta)")
    o.fact("minimiser", "minimiser", f="F", star="star", at="w[T]")
    total = "Sum(grad(F, v[t])**2, (t, 0, T - 1))"
    bound = f"{total}/T <= 2*(F(w[0]) - F(star))/(T*eta) + eta*beta*suf"
    o.claim(bound)

    of.lemma(o)
    of.effective_noise(o)
    o.step("short sums", "eta*beta*told[t]**2 <= u[t]**2", "short steps times eta*beta")
    o.step(
        "one round",
        "eta/2*grad(F, v[t])**2 + F(w[t + 1]) <= F(w[t]) + eta**2*beta/2*suf",
        "smooth; gaps times eta/2; short sums times eta/2; variance times eta**2*beta/2; stopped;"
        "effective noise times eta**2*beta/2; smaller noise times eta**2*beta/2",
    )
    o.close(
        "rounds",
        f"eta/2*{total} + F(w[T]) <= F(w[0]) + T*eta**2*beta/2*suf",
        "telescoped",
        step="one round",
        index="t",
        rounds="T",
        of="F(w[t])",
    )
    o.step("bound", bound, "rounds times 2/(eta*T); minimiser times 2/(eta*T)")
    return o
