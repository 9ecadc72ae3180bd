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


def descended(o: Outline, f: str = "H") -> None:
    """To the step called rounds: the start shrinks by exp(-eta mu) in each."""
    start, excess = f"({f}(x[0]) - {f}(star))", f"{f}(x[t]) - {f}(star)"
    o.step("eta <= 1/L", "eta <= 1/L", "eta <= 1/(2*L)")
    of.descended(o, f)
    o.step("contracts", "1 - eta*mu <= left", "tangent")
    o.step(
        "goes on",
        f"{f}(x[t + 1]) - {f}(star) <= left**(t + 1)*{start} + {REST}",
        "descent; factor; contracts; minimum",
        supposing=f"{excess} <= left**t*{start} + {REST}",
        degree=4,
    )
    o.close(
        "rounds",
        f"{excess} <= left**t*{start} + {REST}",
        "induction",
        claim=f"left**t*{start} + {REST} - ({excess})",
        index="t",
        next="goes on",
    )


def contracted(o: Outline) -> None:
    """To steps called rounds, at the end, start left and gap."""
    descended(o)
    of.ended(o)
    begun(o)


def begun(o: Outline) -> None:
    """The start is no farther from the minimum of the mean loss than from those of its parts."""
    o.step("start", f"{START} <= {GAP}", "below")
    o.step("gap", f"0 <= {GAP}", "start; minimum")
    o.step("start left", f"left**K*{START} <= left**K*{GAP}", "start")


def balanced(o: Outline, gap: str = GAP, noise: str = MASS) -> None:
    """The step that knows K: what is left of the start, and the noise."""
    once = f"L*{noise}/(mu**2*K)"
    o.step("by the gap", f"argument*left**K*{gap} <= argument*half**K*{gap} + {gap}", "step; gap")
    o.step(
        "with the argument",
        f"argument*(left**K*{gap}) <= argument*(half**K*{gap} + {once})",
        "by the gap; argument times 1/(mu**2*K)",
    )
    o.step("left of the start", f"left**K*{gap} <= half**K*{gap} + {once}", "with the argument")
    known = "eta <= log/(mu*K)" if noise == "spread" else "independent; eta <= log/(mu*K)"
    o.step("noise", f"{REST} <= {once}/2*log", known)
