"""Lemma 6: the mean of the iterates of subgradient descent, for parameters from all rounds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bounds.allforall import sgd
from verify.outlines.exact import above, fractions
from verify.outlines.registry import proof_of
from verify.statements.allforall import quantities as q
from verify.statements.allforall.proofs.walks import drifting, gathered, root, side, walk_setting
from verify.statements.allforall.sgd import lemmas5_6 as of

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


def _numbers(top: Fraction, eps: Fraction, world: Any) -> dict[str, Fraction]:
    """With the start B D over the loss of a step: the distance D in steps."""
    share, size, distance = (
        fractions(world.original(name))[0] for name in ("slope_share", "size", "distance")
    )
    one, start = Fraction(1), size * distance / top
    return {"s": share, "a": one, "top": top, "eps": eps, "start": start}


def _at_horizon(world: Any) -> dict[str, Fraction]:
    top = above(sgd.lemma6_upper(world.size**2, world.distance**2, world.rounds))
    return _numbers(top, Fraction(1), world)


def _at_precision(world: Any) -> dict[str, Fraction]:
    """With the step for a precision the loss of a step is its precision times the root of 2."""
    top = above(2 * world.size * world.distance / root(fractions(q.number(world, "rounded-up"))[0]))
    return _numbers(top, above(root(top**2 / 2)), world)


def lemma6a(o: StatementOutline) -> None:
    """The recursion, with the step sqrt(2 D^2/(B^2 T)): three quarters of the bound."""
    gathered(o, "3/4")
    o.step("bound", f"{o.left} <= {o.right}", "gathered")


def lemma6b(o: StatementOutline) -> None:
    """The recursion, with the step sqrt(2 eps^2)/B^2 and so many rounds."""
    gathered(o, "5/8")
    o.uses("size")
    o.step("small", "top <= 17/12*eps", "size times 1/(3*eps)", roots="top - 3/2*eps")
    o.step("bound", f"{o.left} <= {o.right}", "gathered; small")


for one in (of.lemma6a.leaf("in-mean"), of.lemma6_repaired[0]):
    asked = {"gap": side(one, "f(mean)"), "top": side(one, "sqrt(2/T) B D")}
    proof_of(one, walk_setting(one, asked, _at_horizon, drifting, start="a*K/2"))(lemma6a)
for one in (of.lemma6b.leaf("in-mean"), of.lemma6_repaired[1]):
    asked = {"gap": side(one, "f(mean)"), "eps": side(one, "precision")}
    proof_of(
        one, walk_setting(one, asked, _at_precision, drifting, start="a*K/4", size="2*eps**2")
    )(lemma6b)
