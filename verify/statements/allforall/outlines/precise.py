"""Theorems 2.2 and 7.2: weights of small mean bias, a short step, and rounds enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.allforall.outlines import averaging as of
from verify.statements.allforall.outlines import exponential as by

if TYPE_CHECKING:
    from verify.proof.outline import Outline

MEANS = by.MEANS | {
    "eps": "epsilon",
    "share[j]": "lambda_j, equal on the agents of mean bias at most epsilon/2 and 0 on the others",
    "Sum(share[j]**2, (j, 0, N - 1))": "1/N_i^epsilon(2b)",
    "argument": "8 (m + 1) kappa F_lambda^0/epsilon, what stands under the logarithm; K is at least "
    "its logarithm over eta mu, so that argument*left**K is at most 1",
}
LOOSE = ("eps",)
"""An eighth of it is left."""


def precise(title: str) -> Outline:
    """The whole outline."""
    o = by.averaging(title)
    o.numbers("positive", "eps", "argument")
    o.fact("rounds enough", "relation", less="argument*left**K", more="1")
    o.fact("argument", "relation", less=f"{of.FACTOR}*4*{by.GAP}", more="argument*eps")
    o.fact("short step", "relation", less=f"8*(relax + 1)*L**2*eta*{by.MASS}", more="mu**2*eps")
    o.fact("small bias", "relation", less=of.BIAS, more="eps/2")
    bound = f"{of.LEFT} <= eps"
    o.claim(bound)

    by.contracted(o)
    o.step(
        "by the argument",
        f"left**K*({of.FACTOR}*4*{by.GAP}) <= left**K*(argument*eps)",
        "argument",
    )
    o.step(
        "left of the start",
        f"{of.FACTOR}*(left**K*{by.GAP}) <= eps/4",
        "by the argument times 1/4; rounds enough times eps/4",
    )
    o.step(
        "noise",
        f"{of.FACTOR}*({by.REST}) <= eps/8",
        "independent times (relax + 1)*eta*L**2/mu**2; short step times 1/(8*mu**2)",
    )
    o.step(
        "precise",
        bound,
        f"at the end; rounds at t = K times {of.FACTOR}; noise; left of the start;"
        f"start left times {of.FACTOR}; small bias",
    )
    return o
