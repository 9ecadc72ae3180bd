"""What both forms of the decreasing row share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

MEANS = of.MEANS | {
    "eta[t]": "eta^{t+1} = C/(mu (gamma + t + 1)), the step of the round after t rounds",
    "C, gamma": "C, gamma",
    "nu": "max(beta sigma_suf^2 C^2/(2 mu^2 (C - 1)), gamma (R_i(theta^0) - R_i(theta^*)))",
}
BOUND = "F(w[T]) - F(star) <= nu/(gamma + T)"


def quantities(o: Outline) -> None:
    """Quantities and facts but the step condition."""
    of.lemma_quantities(o)
    o.numbers("positive", "eta[t]", "C", "gamma")
    o.numbers("nonnegative", "nu")
    of.quantities(o, "eta[t]")
    o.fact("steps", "definition", entry="eta[t]", is_="C/(mu*(t + gamma + 1))")
    o.given("1 < C", "mu <= beta")
    o.fact("noise decides", "condition", less="beta*suf*C**2/(2*mu**2*(C - 1))", more="nu")
    o.fact("start decides", "relation", less="gamma*(F(w[0]) - F(star))", more="nu")


def proof(o: Outline) -> None:
    """From steps called first (C <= gamma + 1) and short sums to the bound."""
    of.lemma(o)
    of.effective_noise(o)
    o.step("factor", "0 <= 1 - eta[t]*mu", "first")
    of.one_round(o, "eta[t]")
    o.step(
        "noise",
        "beta*noise*C**2 <= 2*mu**2*(C - 1)*nu",
        "noise decides; smaller noise; effective noise; 1 < C",
    )
    n = "(gamma + t + 1)"
    o.step("noise part", f"eta[t]**2*beta/2*noise <= (C - 1)*nu/{n}**2", "noise")
    o.step(
        "scaled round",
        f"{n}*(F(w[t + 1]) - F(star)) <= ({n} - C)*({of.EXCESS}) + (C - 1)*nu/{n}",
        f"one round times {n}; noise part times {n}",
    )
    o.step("scaled factor", f"0 <= {n} - C", "first")
    o.step(
        "goes on",
        f"{n}*(F(w[t + 1]) - F(star)) <= nu",
        "scaled round; scaled factor; 1 < C",
        supposing=f"(gamma + t)*({of.EXCESS}) <= nu",
    )
    o.close(
        "every round",
        f"(gamma + t)*({of.EXCESS}) <= nu",
        "induction",
        claim=f"nu - (gamma + t)*({of.EXCESS})",
        index="t",
        next="goes on",
    )
    o.step("bound", BOUND, "every round at t = T times 1/(gamma + T)")
