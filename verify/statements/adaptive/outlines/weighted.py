"""Theorem 1: rounds with the weights of Definition 1, unrolled with what each round adds.

What is added in round t + 1 comes with the factor (1 - eta mu)^(T - t - 1), which is written as
(1 - eta mu)^T p^(t + 1) for p = 1/(1 - eta mu).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

MEANS = {
    "F": "R_i, the risk of the client that asks",
    "star": "theta_i^*",
    "w[t]": "theta_i^t",
    "told[t]": "sum_k alpha_ik^{t+1} grad R_k(theta_i^t) with the weights of Definition 1",
    "u[t]": "of client k its gradient there times the root of N alpha_ik^{t+1}",
    "n[t]": "sum_k alpha_ik^{t+1} times the noise of client k",
    "p": "1/(1 - eta mu), so that (1 - eta*mu)**T*p**(t + 1) is (1 - eta mu)^(T - t - 1)",
    "beta, mu, eta, T": "beta, mu, eta, T",
}
POWER = "(1 - eta*mu)**T"
ADDED = "Sum(p**(t + 1)*added[t], (t, 0, T - 1))"
BOUND = f"F(w[T]) - F(star) <= {POWER}*(F(w[0]) - F(star)) + beta*eta**2/2*({POWER}*{ADDED})"


def rounds(title: str) -> Outline:
    """Quantities and facts but the step condition."""
    from verify.proof.outline import Outline

    o = Outline(title)
    o.indices("t")
    o.numbers("positive", "beta", "mu", "eta", "p")
    o.numbers("nonnegative", "added[t]")
    o.numbers("nonnegative integer", "T")
    o.vectors("w[t]", "told[t]", known="t")
    o.vectors("u[t]", known="t", shared=False)
    o.vectors("n[t]", known="t + 1")
    o.vectors("star", known="0")
    o.function("F")
    o.fact("rule", "method", entry="w[t + 1]", is_="w[t] - eta*(told[t] + n[t])")
    o.fact("smooth", "smooth", f="F", L="beta", at="w[t]", to="w[t + 1]")
    o.fact("PL", "PL", f="F", mu="mu", at="w[t]", low="F(star)")
    o.fact("star", "minimiser", f="F", star="star", at="w[t]")
    o.fact("gaps", "weighted gaps", own="grad(F, w[t])", sum="told[t]", roots="u[t]")
    o.fact("unbiased", "unbiased", noise="n[t]", given="t")
    o.fact("variance", "variance", noise="n[t]", sigma2="added[t]")
    o.given("eta*mu < 1", "p*(1 - eta*mu) <= 1", "1 <= p*(1 - eta*mu)")
    return o


def unrolled(o: Outline) -> None:
    """From a step called short sums to the bound."""
    excess = "(F(w[t]) - F(star))"
    o.step(
        "one round",
        f"F(w[t + 1]) - F(star) <= (1 - eta*mu)*{excess} + eta**2*beta/2*added[t]",
        "smooth; gaps times eta/2; short sums times eta/2; variance times eta**2*beta/2;"
        "PL times eta/2",
    )
    o.step(
        "divided",
        f"p**(t + 1)*(F(w[t + 1]) - F(star)) <= p**t*{excess} + eta**2*beta/2*(p**(t + 1)*added[t])",
        "one round; star; p*(1 - eta*mu) <= 1",
        degree=4,
    )
    o.close(
        "rounds",
        f"p**T*(F(w[T]) - F(star)) <= (F(w[0]) - F(star)) + eta**2*beta/2*{ADDED}",
        "telescoped",
        step="divided",
        index="t",
        rounds="T",
        of=f"p**t*{excess}",
    )
    nothing = {"step": "nothing", "index": "s", "of": "0", "factor": "1 - eta*mu", "rest": "0"}
    o.indices("s")
    o.step("nothing", "0 <= 0")
    o.step("factor", "0 <= 1 - eta*mu", "eta*mu < 1")
    o.close("power", "0 <= (1 - eta*mu)**t", "geometric", rounds="t", **nothing)
    both = "(1 - eta*mu)**t*p**t"
    o.step(
        "growing",
        f"{both} <= (1 - eta*mu)**(t + 1)*p**(t + 1)",
        "power; 1 <= p*(1 - eta*mu)",
        degree=3,
    )
    o.close(
        "both powers",
        f"1 <= {POWER}*p**T",
        "telescoped",
        step="growing",
        index="t",
        rounds="T",
        of=f"-{both}",
    )
    o.step(
        "left",
        f"F(w[T]) - F(star) <= {POWER}*p**T*(F(w[T]) - F(star))",
        "both powers; star at t = T",
    )
    o.step("bound", BOUND, "left; rounds; power at t = T")
