"""allforall.theorem6b.refined/class: weighted gradient averaging with any step of at most 1/L."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.allforall.outlines import averaging as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "allforall.theorem6b.refined/class"
MEANS = of.MEANS


def theorem6b_class() -> Outline:
    """Weighted gradient averaging: any losses of the class, any noise, any step of at most 1/L."""
    o = of.averaging("Theorem 6.b of allforall, any losses of the class")
    bound = f"{of.LEFT} <= {of.START} + {of.NOISE} + {of.BIAS}"
    o.claim(bound)

    of.averaged(o)
    o.step("bound", bound, "all")
    return o
