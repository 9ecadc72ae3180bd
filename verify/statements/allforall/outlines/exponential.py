"""Weighted gradient averaging with steps of at most 1/(2 L), contracting by exp(-eta mu)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.allforall.outlines import averaging as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

MEANS = of.MEANS | {
    "sigma2": "sigma^2",
    "left": "exp(-eta mu)",
}
MASS = "(sigma2*Sum(share[j]**2, (j, 0, N - 1)))"
GAP, START, REST = "(H(x[0]) - low)", "(H(x[0]) - H(star))", "eta*L/(2*mu)*spread"


def averaging(title: str) -> Outline:
    """Quantities and facts but what more is asked of the step."""
    o = of.averaging(title, MASS, "eta <= 1/(2*L)", "positive integer")
    o.numbers("positive", "left")
    o.fact("tangent", "exponential", value="left", of="eta*mu")
    o.fact("minimum", "minimiser", f="H", star="star", at="x[0]")
    return o


def contracted(o: Outline) -> None:
    """To steps called rounds, at the end, start left and gap."""
    o.step("eta <= 1/L", "eta <= 1/L", "eta <= 1/(2*L)")
    of.descended(o)
    o.step("contracts", "1 - eta*mu <= left", "tangent")
    o.step(
        "goes on",
        f"H(x[t + 1]) - H(star) <= left**(t + 1)*{START} + {REST}",
        "descent; factor; contracts; minimum",
        supposing=f"H(x[t]) - H(star) <= left**t*{START} + {REST}",
        degree=4,
    )
    o.close(
        "rounds",
        f"H(x[t]) - H(star) <= left**t*{START} + {REST}",
        "induction",
        claim=f"left**t*{START} + {REST} - (H(x[t]) - H(star))",
        index="t",
        next="goes on",
    )
    of.ended(o)
    o.step("start", f"{START} <= {GAP}", "below")
    o.step("gap", f"0 <= {GAP}", "start; minimum")
    o.step("start left", f"left**K*{START} <= left**K*{GAP}", "start")
