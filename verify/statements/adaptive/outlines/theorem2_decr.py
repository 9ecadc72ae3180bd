"""adaptive.theorem2.decr.repaired: the decreasing row of Theorem 2, with a delay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import _stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem2.decr.repaired"
MEANS = of.MEANS | {
    "eta[t]": "eta_{t+1} = C/(mu (gamma + t + 1))",
    "C, gamma": "C, gamma",
    "nu": "max(beta sigma_{i,suf}^2(epsilon) C^2/(2 mu^2 (C - 1)), gamma epsilon_i^0)",
}


def theorem2_decr() -> Outline:
    """Steps C/(mu (gamma + t)), with b^2, on the event that epsilon was not reached before."""
    o = of.stopped_run(
        "Theorem 2 of adaptive, decreasing steps, where epsilon was not reached before", "eta[t]"
    )
    o.numbers("positive", "C")
    o.numbers("nonnegative", "gamma", "nu")
    o.document["numbers"]["T"] = "positive integer"
    o.fact("steps", "definition", entry="eta[t]", is_="C/(mu*(gamma + t + 1))")
    o.given("1 < C")
    plateau = "beta*suf*C**2/(2*mu**2*(C - 1))"
    o.fact("plateau", "condition", less=plateau, more="nu")
    o.fact("start", "relation", less="gamma*(F(w[0]) - F(star))", more="nu")
    bound = "F(w[T]) - F(star) <= nu/(gamma + T)"
    o.claim(bound)

    of.smaller_noise(o)
    of.one_round(o, "eta[t]")
    n, after = "(gamma + t + 1)", "(F(w[t + 1]) - F(star))"
    o.step("delayed", f"C <= {n}", "eta[t] <= 1/mu times mu")
    o.step("later", "0 < gamma + t", "delayed; 1 < C")
    o.step("noise", "noise <= suf", "effective noise; smaller noise")
    o.step(
        "scaled",
        f"{n}*{after} <= ({n} - C)*({of.EXCESS}) + beta*C**2*suf/(2*mu**2*{n})",
        f"one round times {n}; noise times beta*C**2/(2*mu**2*{n})",
    )
    o.step("room", "beta*C**2*suf/(2*mu**2) <= (C - 1)*nu", "plateau times C - 1; 1 < C")
    o.step("rest", f"(gamma + t)/{n}*(C - 1)*nu <= (C - 1)*nu", "1 < C")
    o.step(
        "gathered",
        f"(gamma + t)*{n}*{after} <= ({n} - C)*(gamma + t)*({of.EXCESS}) + (C - 1)*nu",
        f"scaled times gamma + t; room times (gamma + t)/{n}; rest",
    )
    o.step(
        "next",
        f"{n}*{after} <= nu",
        "gathered; delayed; later",
        supposing=f"(gamma + t)*({of.EXCESS}) <= nu",
    )
    claim = f"nu - (gamma + t)*({of.EXCESS})"
    o.close(
        "all rounds",
        f"(gamma + t)*({of.EXCESS}) <= nu",
        "induction",
        claim=claim,
        index="t",
        next="next",
    )
    o.step("bound", bound, "all rounds at t = T times 1/(gamma + T)")
    return o
