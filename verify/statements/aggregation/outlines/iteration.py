"""One iteration of a round of generalised FedAvg: what its refined and its repaired form share.

A client is drawn by the weights of the round: what is of each client is in the mean over them.  The
round begins at one model, each client has made J local steps and makes one more; steps after that
are not looked at, and may be of length zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

MEANS = {
    "F": "F_i of each client; the mean over clients is by the weights alpha_t^i of the round",
    "start": "the model that the round began with",
    "w[j]": "the local model of a client after j steps of the round",
    "n[j]": "the noise of its gradient there",
    "avg(w[J])": "w_t",
    "eta[j], h": "the step sizes before, of which those from J on are zero, and eta_t",
    "G, E": "G, E",
    "J": "how many local steps of the round came before, at most E - 1",
}
MEANS_AFTER = MEANS | {
    "f": "F = sum_i p_i F_i",
    "star": "w^*",
    "after": "w_{t+1}",
    "L, mu": "L, mu",
    "gam": "Gamma",
    "low, high": "rho-bar, rho-tilde",
    "least": "E sum_i alpha_t^i F_i^*",
}
AFTER = "(after - star)**2"
GAPS = "2*h*gam*(high - low)"


def distance(steps: str = "J") -> str:
    """The squared distance before the iteration, so many local steps of the round being made."""
    return f"(avg(w[{steps}]) - star)**2"


def local_steps(title: str, steps: str = "J", sent: str = "start") -> Outline:
    """The local steps, so many after the model that is sent, in letters."""
    from verify.proof.outline import Outline

    o = Outline(title)
    o.indices("j")
    o.numbers("positive", "h", "G")
    o.numbers("nonnegative", "eta[j]")
    o.numbers("nonnegative integer", steps)
    o.numbers("positive integer", "E")
    o.vectors("start", known="0")
    o.vectors("w[j]", known="j", shared=False)
    o.vectors("n[j]", known="j + 1", shared=False)
    o.function("F", own=True)
    told = "grad(F, w[j]) + n[j]"
    o.fact("sent", "method", entry="w[0]", is_=sent)
    o.fact("rule", "method", entry="w[j + 1]", is_=f"w[j] - eta[j]*({told})")
    o.fact("unbiased", "unbiased", noise="n[j]", given="j")
    o.fact("bounded", "relation", less=f"({told})**2", more="G**2")
    return o


def iteration(title: str, steps: str = "J", sent: str = "start") -> Outline:
    """The local steps and the iteration after them."""
    o = local_steps(title, steps, sent)
    o.numbers("positive", "L", "mu")
    o.numbers("nonnegative", "gam", "low", "high")
    o.numbers("real", "least")
    o.vectors("star", known="0")
    o.vectors("after")
    o.function("f")
    now = f"w[{steps}]"
    last = f"grad(F, {now}) + n[{steps}]"
    o.fact("server", "method", entry="after", is_=f"avg({now}) - h*avg({last})")
    o.fact("smooth", "smooth", f="F", L="L", at=now, to=f"avg({now})")
    o.fact("strong", "strongly convex", f="F", mu="mu", at=now, to="star")
    o.fact("growth", "quadratic growth", f="f", mu="mu", at=f"avg({now})", star="star")
    o.fact(
        "rho-bar",
        "relation",
        less=f"low*(f(avg({now})) - f(star) + gam)",
        more=f"F(avg({now})) - least",
    )
    o.fact("rho-tilde", "relation", less="F(star) - least", more="high*gam")
    return o


def iterated(o: Outline, spread: str, steps: str = "J") -> None:
    """From a step called spread, a bound of E sum alpha |w_t - w_t^i|^2, to the next distance."""
    now, before = f"w[{steps}]", distance(steps)
    told = f"grad(F, {now}) + n[{steps}]"
    o.step("direction", f"avg({told})**2 <= G**2", f"bounded at j = {steps}", roots=told)
    o.step("distances", f"{before} <= ({now} - star)**2", roots=f"{now} - star")
    o.step(
        "along",
        f"2*(F(avg({now})) - F(star)) + mu*{before} - L*({spread}) "
        f"<= 2*grad(F, {now})*(avg({now}) - star)",
        "smooth times 2; strong times 2; distances times mu; spread times L",
    )
    o.step(
        "skew",
        f"low*mu*{before} - 2*gam*(high - low) <= 2*(F(avg({now})) - F(star))",
        "rho-bar times 2; rho-tilde times 2; growth times 2*low",
    )
    o.step(
        "one iteration",
        f"{AFTER} + h*mu*(1 + low)*{before} <= {before} + h**2*G**2 + h*L*({spread}) + {GAPS}",
        "direction times h**2; along times h; skew times h",
    )
