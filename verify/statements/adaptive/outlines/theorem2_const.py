"""adaptive.theorem2.const.repaired: the constant row of Theorem 2, from Definition 1 and A1 to A5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem2.const.repaired"
MEANS = of.MEANS | {"eta": "eta"}


def theorem2_const() -> Outline:
    """Constant step, with b^2, on the event that epsilon was not reached before."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 2 of adaptive, constant step, where epsilon was not reached before")
    of.lemma_quantities(o)
    o.numbers("positive", "eta")
    of.quantities(o, "eta")
    of.short(o, "1/(eta*beta)")
    o.given("eta <= 1/mu")
    bound = "F(w[T]) - F(star) <= (1 - eta*mu)**T*(F(w[0]) - F(star)) + eta*beta/(2*mu)*suf"
    o.claim(bound)

    of.lemma(o)
    of.effective_noise(o)
    o.step("factor", "0 <= 1 - eta*mu", "eta <= 1/mu")
    o.step("short sums", "eta*beta*told[t]**2 <= u[t]**2", "short steps times eta*beta")
    of.one_round(o, "eta")
    power, rest = "(1 - eta*mu)**T", "eta**2*beta/2*noise"
    series = {"step": "one round", "index": "t", "rounds": "T", "of": of.EXCESS}
    series |= {"factor": "1 - eta*mu", "rest": rest}
    o.close(
        "rounds",
        f"F(w[T]) <= F(star) + {power}*(F(w[0]) - F(star)) + {rest}*(1 - {power})/(eta*mu)",
        "geometric",
        **series,
    )
    o.close("power", f"0 <= {power}", "geometric", **series)
    o.step(
        "bound",
        bound,
        "rounds; power times eta*beta/(2*mu)*noise; effective noise times eta*beta/(2*mu);"
        "smaller noise times eta*beta/(2*mu)",
    )
    return o
