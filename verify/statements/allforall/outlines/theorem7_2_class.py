"""allforall.theorem7.2.refined/class: to any precision, with weights of small mean bias."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.allforall.outlines import averaging as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "allforall.theorem7.2.refined/class"
MEANS = of.MEANS | {"eps": "epsilon"}


def theorem7_2_class() -> Outline:
    """To any precision: a step that is short for the noise, rounds enough for the start."""
    o = of.averaging("Theorem 7.2 of allforall, any losses of the class")
    o.numbers("positive", "eps")
    o.fact("enough rounds", "relation", less=of.START, more="eps/4")
    o.fact("short step", "relation", less=of.NOISE, more="eps/4")
    o.fact("small bias", "relation", less=of.BIAS, more="eps/2")
    bound = f"{of.LEFT} <= eps"
    o.claim(bound)

    of.averaged(o)
    o.step("precise", bound, "all; enough rounds; short step; small bias")
    return o
