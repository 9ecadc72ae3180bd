"""aggregation.corollary4.repaired: T iterations with the steps 1/(mu (t + 4 L/mu)).

It starts from what Theorem 3, repaired, says of each iteration, which has an outline of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "aggregation.corollary4.repaired"
CITES = {"one iteration": "aggregation.theorem3.repaired"}
MEANS = {
    "f": "F = sum_i p_i F_i",
    "star": "w^*",
    "w[t]": "w_t",
    "gam": "Gamma",
    "delay": "gamma, which is 4 L/mu; any number that is large enough will do",
    "low, high": "rho-bar, rho-tilde",
    "f(w[T]) - f(star)": "E F(w_T) - F^*",
    "L, mu, G, sigma, E, T": "L, mu, G, sigma, E, T",
}


def corollary4_repaired() -> Outline:
    """T iterations, rho over all of them, the first step contracting."""
    from verify.proof.outline import Outline

    o = Outline("Corollary 4 of aggregation, repaired")
    o.indices("t")
    o.numbers("positive", "L", "mu", "delay", "low")
    o.numbers("nonnegative", "G", "sigma", "gam", "high")
    o.numbers("positive integer", "E", "T")
    o.vectors("w[t]", "star", known="0")
    o.function("f")
    n, b = "(t + delay)", "(1 + 3/8*low)"
    C, D = "(32*E**2*G**2 + 6*low*L*gam + sigma**2)", "(2*gam*(high - low))"
    far = "(w[t] - star)**2"
    o.fact(
        "one iteration",
        "relation",
        less="(w[t + 1] - star)**2",
        more=f"(1 - {b}/{n})*{far} + {C}/(mu*{n})**2 + {D}/(mu*{n})",
    )
    o.fact("smooth", "smooth", f="f", L="L", at="star", to="w[T]")
    o.fact("optimum", "stationary", f="f", star="star")
    o.given("low <= high", "1 + 3/8*low <= delay")
    V = (
        "4*L*(32*E**2*G**2 + sigma**2)/(3*mu**2*low) + 8*L**2*gam/mu**2 "
        "+ L*delay*(w[0] - star)**2/2"
    )
    error = "8*L*gam/(3*mu)*(high/low - 1)"
    bound = f"f(w[T]) - f(star) <= ({V})/(T + delay) + {error}"
    o.claim(bound)

    K1, K2 = f"(8*{C}/(3*mu**2*low))", f"(8*{D}/(3*mu*low))"
    nu = f"({K1} + delay*(w[0] - star)**2)"
    after = "(w[t + 1] - star)**2"
    o.step("factor", f"0 <= ({n} + 1)*({n} - {b})", "1 + 3/8*low <= delay")
    o.step("room", f"0 <= {K2}", "low <= high")
    o.step("start", "0 <= delay*(w[0] - star)**2", roots="w[0] - star")
    o.step(
        "scaled",
        f"{n}**2*{after} <= {n}*({n} - {b})*{far} + 3/8*low*({K1} + {n}*{K2})",
        f"one iteration times {n}**2",
    )
    o.step(
        "shifted",
        f"{n}**2*({after} - {K2}) <= {n}*({n} - {b})*({far} - {K2}) + 3/8*low*{K1}",
        f"scaled; room times {n}",
    )
    o.step("start alone", f"3/8*low*{K1} <= 3/8*low*{nu}", "start times 3/8*low")
    o.step(
        "goes on",
        f"({n} + 1)*({after} - {K2}) <= {nu}",
        f"shifted times {n} + 1; factor; start alone times {n} + 1; start",
        supposing=f"{n}*({far} - {K2}) <= {nu}",
    )
    o.step("begins", f"delay*((w[0] - star)**2 - {K2}) <= {nu}", "room times delay")
    o.close(
        "every iteration",
        f"{n}*({far} - {K2}) <= {nu}",
        "induction",
        claim=f"{nu} - {n}*({far} - {K2})",
        index="t",
        next="goes on",
    )
    o.step("bound", bound, "smooth; every iteration at t = T times L/(2*(T + delay))")
    return o
