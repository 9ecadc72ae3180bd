"""Theorem 6.b refined for any losses of the class, and Theorems 2.2 and 7.2, which follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proved_by
from verify.statements.allforall.general import each_agent
from verify.statements.allforall.outlines.theorem6b_class import theorem6b_class
from verify.statements.allforall.proofs.setting import AVERAGING

if TYPE_CHECKING:
    from verify.proof.outline import Outline


def to_any_precision() -> Outline:
    """Theorem 6.b where its three terms are at most eps/4, eps/4 and eps/2."""
    o = theorem6b_class()
    o.numbers("positive", "eps")
    noise, bias = "Sum(share[j]**2*sigma2[j], (j, 0, N - 1))", "Sum(share[j]*b[j], (j, 0, N - 1))"
    factor = "2*(relax + 1)*L/mu"
    begin = f"{factor}*(1 - eta*mu)**K*(H(x[0]) - low)"
    o.fact("biases", "relation", less=bias, more="eps/2")
    o.fact("short step", "relation", less=f"{factor}*eta*L*{noise}/(2*mu)", more="eps/4")
    o.fact("enough rounds", "relation", less=begin, more="eps/4")
    o.claim("G(x[K]) - lowest <= eps")
    o.step("precise", "G(x[K]) - lowest <= eps", "all; biases; short step; enough rounds")
    return o


THEOREM6B = proved_by(each_agent.theorem6b, AVERAGING, theorem6b_class)
THEOREM7_2 = proved_by(each_agent.theorem7_2, AVERAGING, to_any_precision)
THEOREM2_2 = proved_by(each_agent.theorem2_2, AVERAGING, to_any_precision)
