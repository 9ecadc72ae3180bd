"""Theorems 2.2, 6.b and 7.2 on quadratics: what their outlines prove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of, proved_by
from verify.statements.allforall import theorem6b, theorem7_2
from verify.statements.allforall.outlines import exponential as by
from verify.statements.allforall.outlines.theorem2_2_repaired import theorem2_2_repaired
from verify.statements.allforall.outlines.theorem6b_explicit import theorem6b_explicit
from verify.statements.allforall.outlines.theorem6b_relaxed import theorem6b_relaxed
from verify.statements.allforall.outlines.theorem6b_similar import theorem6b_similar
from verify.statements.allforall.outlines.theorem7_2_relaxed import theorem7_2_relaxed
from verify.statements.allforall.outlines.theorem7_2_similar import theorem7_2_similar
from verify.statements.allforall.proofs.quadratics import AT_HORIZON, TO_PRECISION

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


@proof_of(theorem6b.gap_of_the_mixture, AT_HORIZON)
def gap_of_the_mixture(o: StatementOutline) -> None:
    """The horizon bound for the mean loss itself."""
    o.uses("rule", "unbiased", "variance", "independent", "below", "minimum", "tangent")
    o.uses("smooth", at="x[t]", to="x[t + 1]")
    o.uses("PL", at="x[t]")
    o.uses("constants", called="mu <= L")
    o.uses("short step", called="eta <= 1/(2*L)")
    o.uses("long horizon", called="eta <= log/(mu*K)")
    o.uses("step", "argument")
    by.descended(o)
    by.begun(o)
    by.balanced(o)
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        "rounds at t = K; noise; left of the start; start left",
    )


proved_by(theorem6b.theorem6b_similar, AT_HORIZON, theorem6b_similar)
proved_by(theorem6b.theorem6b_relaxed, AT_HORIZON, theorem6b_relaxed)
proved_by(theorem6b.explicit, AT_HORIZON, theorem6b_explicit)
proved_by(theorem7_2.theorem7_2, TO_PRECISION, theorem7_2_similar)
proved_by(theorem7_2.theorem7_2_relaxed, TO_PRECISION, theorem7_2_relaxed)
proved_by(theorem7_2.theorem2_2, TO_PRECISION, theorem2_2_repaired)
