"""adaptive.theorem2.const.refined: the constant row with the geometric sum kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem2.const.refined"
MEANS = of.MEANS | of.LIMIT | {"eta": "eta"}


def theorem2_const_refined() -> Outline:
    """Constant step up to min_r (sigma_phi/sigma_psi)^2/beta, stopped excess loss."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 2 of adaptive, constant step, stopped excess loss, refined")
    of.lemma_quantities(o)
    o.numbers("positive", "eta", "limit")
    of.quantities(o, "eta")
    of.short(o, "1/limit")
    o.given("eta <= limit/beta", "limit <= 1", "mu <= beta")
    power = "(1 - eta*mu)**T"
    bound = f"F(w[T]) - F(star) <= {power}*(F(w[0]) - F(star)) + eta*beta/(2*mu)*suf*(1 - {power})"
    o.claim(bound)

    of.lemma(o)
    of.effective_noise(o)
    o.step("factor", "0 <= 1 - eta*mu", "eta <= limit/beta; limit <= 1; mu <= beta")
    o.step("admissible", "eta*beta <= limit", "eta <= limit/beta")
    of.short_sums(o, "eta", "admissible")
    of.one_round(o, "eta")
    o.step(
        "sufficient round",
        f"F(w[t + 1]) - F(star) <= (1 - eta*mu)*({of.EXCESS}) + eta**2*beta/2*suf",
        "one round; effective noise times eta**2*beta/2; smaller noise times eta**2*beta/2",
    )
    o.close(
        "rounds",
        bound,
        "geometric",
        step="sufficient round",
        index="t",
        rounds="T",
        of=of.EXCESS,
        factor="1 - eta*mu",
        rest="eta**2*beta/2*suf",
    )
    return o
