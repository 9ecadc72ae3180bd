"""Theorems 2.2, 6.b and 7.2 on quadratics: a step that knows the rounds, and one for a precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.allforall import theorem6b, theorem7_2
from verify.statements.allforall.proofs import exponential as by
from verify.statements.allforall.proofs.quadratics import AT_HORIZON, TO_PRECISION

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


def _averaged(o: StatementOutline) -> None:
    """Rounds of weighted gradient averaging."""
    o.uses("rule", "unbiased", "variance", "independent", "below", "minimum", "tangent", "argument")
    o.uses("constants", called="mu <= L")
    o.uses("short step", called="eta <= 1/(2*L)")
    o.uses("smooth", at="x[t]", to="x[t + 1]")
    o.uses("PL", at="x[t]")
    by.descended(o)
    by.begun(o)


def _of_one_agent(o: StatementOutline) -> None:
    """Its loss at the end, by similar gradients."""
    o.uses("similar")
    o.uses("steep", at="x[K]")
    o.uses("PL of i", at="x[K]")
    by.ended(o)


def _knowing_rounds(o: StatementOutline) -> None:
    o.uses("step")
    o.uses("long horizon", called="eta <= log/(mu*K)")
    by.balanced(o)


@proof_of(theorem6b.gap_of_the_mixture, AT_HORIZON)
def gap_of_the_mixture(o: StatementOutline) -> None:
    """The horizon bound for the mean loss itself."""
    _averaged(o)
    _knowing_rounds(o)
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        "rounds at t = K; noise; left of the start; start left",
    )


@proof_of(theorem6b.theorem6b_similar, AT_HORIZON)
@proof_of(theorem6b.theorem6b_relaxed, AT_HORIZON)
@proof_of(theorem6b.explicit, AT_HORIZON)
def horizon(o: StatementOutline) -> None:
    """The smaller of 1/(2 L) and a logarithm over mu K."""
    _averaged(o)
    _of_one_agent(o)
    _knowing_rounds(o)
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        f"at the end; rounds at t = K times {by.FACTOR}; noise times {by.FACTOR};"
        f"left of the start times {by.FACTOR}; start left times {by.FACTOR}",
    )


@proof_of(theorem7_2.theorem7_2, TO_PRECISION)
@proof_of(theorem7_2.theorem7_2_relaxed, TO_PRECISION)
@proof_of(theorem7_2.theorem2_2, TO_PRECISION)
def precise(o: StatementOutline) -> None:
    """Weights of small mean bias, a short step, and rounds enough."""
    _averaged(o)
    _of_one_agent(o)
    o.uses("rounds enough", "small bias", "shorter step")
    o.step(
        "by the argument",
        f"left**K*({by.FACTOR}*4*{by.GAP}) <= left**K*(argument*eps)",
        "argument",
    )
    o.step(
        "left of the start",
        f"{by.FACTOR}*(left**K*{by.GAP}) <= eps/4",
        "by the argument times 1/4; rounds enough times eps/4",
    )
    o.step(
        "noise",
        f"{by.FACTOR}*({by.REST}) <= eps/8",
        "independent times (relax + 1)*eta*L**2/mu**2; shorter step times 1/(8*mu**2)",
    )
    o.step(
        "precise",
        f"{o.left} <= {o.right}",
        f"at the end; rounds at t = K times {by.FACTOR}; noise; left of the start;"
        f"start left times {by.FACTOR}; small bias",
    )
