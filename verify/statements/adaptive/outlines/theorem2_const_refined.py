"""adaptive.theorem2.const.refined: the constant row with the geometric sum kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import _stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem2.const.refined"
MEANS = of.MEANS | {"eta": "eta"}


def theorem2_const_refined() -> Outline:
    """Constant step, on the event that epsilon was not reached before, the sum kept."""
    o = of.stopped_run("Theorem 2 of adaptive, constant step, with the geometric sum", "eta")
    power, rest = "(1 - eta*mu)**T", "eta**2*beta/2*suf"
    bound = f"F(w[T]) - F(star) <= {power}*(F(w[0]) - F(star)) + eta*beta/(2*mu)*suf*(1 - {power})"
    o.claim(bound)

    of.smaller_noise(o)
    of.one_round(o, "eta")
    o.step(
        "in a round",
        f"F(w[t + 1]) - F(star) <= (1 - eta*mu)*({of.EXCESS}) + {rest}",
        "one round; effective noise times eta**2*beta/2; smaller noise times eta**2*beta/2",
    )
    o.close(
        "rounds",
        f"F(w[T]) - F(star) <= {power}*(F(w[0]) - F(star)) + {rest}*(1 - {power})/(eta*mu)",
        "geometric",
        step="in a round",
        index="t",
        rounds="T",
        of=of.EXCESS,
        factor="1 - eta*mu",
        rest=rest,
    )
    o.step("bound", bound, "rounds")
    return o
