"""Theorem 6.b with the step that knows K: the smaller of 1/(2 L) and a logarithm over mu K."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.allforall.outlines import _averaging as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

MEANS = of.MEANS | {
    "sigma2": "sigma^2",
    "argument": "F_lambda^0 mu^2 K/(L sigma^2 sum_j lambda_j^2), what stands under the logarithm",
    "log": "its logarithm",
    "half": "exp(-1/(2 kappa)), so that half**K is exp(-K/(2 kappa))",
    "left": "exp(-eta mu), which is half or exp(-log/K), as eta is 1/(2 L) or log/(mu K)",
}
LOOSE = (f"{of.FACTOR}*(L*(sigma2*Sum(share[j]**2, (j, 0, N - 1)))/(mu**2*K))*log",)
"""Half of it is what the steps give."""
MASS = "(sigma2*Sum(share[j]**2, (j, 0, N - 1)))"


def horizon(title: str) -> Outline:
    """The whole outline."""
    o = of.averaging(title, MASS, "eta <= 1/(2*L)", "positive integer")
    o.numbers("positive", "argument", "half", "left")
    o.numbers("nonnegative", "sigma2", "log")
    o.fact("tangent", "exponential", value="left", of="eta*mu")
    o.given("eta <= log/(mu*K)")
    o.fact("step", "relation", less="argument*left**K", more="argument*half**K + 1")
    o.fact("minimum", "minimiser", f="H", star="star", at="x[0]")
    gap = "(H(x[0]) - low)"
    o.fact("argument", "relation", less=f"{gap}*mu**2*K", more=f"argument*L*{MASS}")
    begin = f"{of.FACTOR}*half**K*{gap}"
    once = f"{of.FACTOR}*(L*{MASS}/(mu**2*K))"
    bound = f"{of.LEFT} <= {begin} + {once} + {once}*log + {of.BIAS}"
    o.claim(bound)

    o.step("eta <= 1/L", "eta <= 1/L", "eta <= 1/(2*L)")
    of.descended(o)
    start, rest = "(H(x[0]) - H(star))", "eta*L/(2*mu)*spread"
    o.step("contracts", "1 - eta*mu <= left", "tangent")
    o.step(
        "goes on",
        f"H(x[t + 1]) - H(star) <= left**(t + 1)*{start} + {rest}",
        "descent; factor; contracts; minimum",
        supposing=f"H(x[t]) - H(star) <= left**t*{start} + {rest}",
        degree=4,
    )
    o.close(
        "rounds",
        f"H(x[t]) - H(star) <= left**t*{start} + {rest}",
        "induction",
        claim=f"left**t*{start} + {rest} - (H(x[t]) - H(star))",
        index="t",
        next="goes on",
    )
    of.ended(o)
    o.step("start", f"{start} <= {gap}", "below")
    o.step("gap", f"0 <= {gap}", "start; minimum")
    o.step("start left", f"left**K*{start} <= left**K*{gap}", "start")
    once_left = f"L*{MASS}/(mu**2*K)"
    o.step(
        "by the gap",
        f"argument*left**K*{gap} <= argument*half**K*{gap} + {gap}",
        "step; gap",
    )
    o.step(
        "with the argument",
        f"argument*(left**K*{gap}) <= argument*(half**K*{gap} + {once_left})",
        "by the gap; argument times 1/(mu**2*K)",
    )
    o.step(
        "left of the start",
        f"left**K*{gap} <= half**K*{gap} + {once_left}",
        "with the argument",
    )
    o.step("noise", f"{rest} <= L*{MASS}/(2*mu**2*K)*log", "independent; eta <= log/(mu*K)")
    o.step(
        "bound",
        bound,
        f"at the end; rounds at t = K times {of.FACTOR}; noise times {of.FACTOR};"
        f"left of the start times {of.FACTOR}; start left times {of.FACTOR}",
    )
    return o
