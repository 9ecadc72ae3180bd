"""Theorem 6.b with the step that knows K: the smaller of 1/(2 L) and a logarithm over mu K."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.allforall.outlines import averaging as of
from verify.statements.allforall.outlines import exponential as by

if TYPE_CHECKING:
    from verify.proof.outline import Outline

MEANS = by.MEANS | {
    "argument": "F_lambda^0 mu^2 K/(L sigma^2 sum_j lambda_j^2), what stands under the logarithm",
    "log": "its logarithm",
    "half": "exp(-1/(2 kappa)), so that half**K is exp(-K/(2 kappa))",
    "left": "exp(-eta mu), which is half or exp(-log/K), as eta is 1/(2 L) or log/(mu K)",
}
LOOSE = (f"{of.FACTOR}*(L*(sigma2*Sum(share[j]**2, (j, 0, N - 1)))/(mu**2*K))*log",)
"""Half of it is what the steps give."""


def horizon(title: str) -> Outline:
    """The whole outline."""
    o = by.averaging(title)
    o.numbers("positive", "argument", "half")
    o.numbers("nonnegative", "log")
    o.given("eta <= log/(mu*K)")
    o.fact("step", "relation", less="argument*left**K", more="argument*half**K + 1")
    gap = by.GAP
    o.fact("argument", "relation", less=f"{gap}*mu**2*K", more=f"argument*L*{by.MASS}")
    begin = f"{of.FACTOR}*half**K*{gap}"
    once = f"{of.FACTOR}*(L*{by.MASS}/(mu**2*K))"
    bound = f"{of.LEFT} <= {begin} + {once} + {once}*log + {of.BIAS}"
    o.claim(bound)

    by.contracted(o)
    by.balanced(o)
    o.step(
        "bound",
        bound,
        f"at the end; rounds at t = K times {of.FACTOR}; noise times {of.FACTOR};"
        f"left of the start times {of.FACTOR}; start left times {of.FACTOR}",
    )
    return o
