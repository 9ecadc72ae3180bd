"""Equations 42 and 72: a round in the mean over the clients and the sampled sets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.outlines.setting import Term
from verify.statements.fedbc import lemma_b1, theorem_gradient
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.differences import rise
from verify.statements.fedbc.proofs.first_round import THERE
from verify.statements.fedbc.proofs.lemma_b1 import FALL, M, fall, slope_before
from verify.statements.fedbc.proofs.setting import COMPUTING, COMPUTING_FACTS, ROUND, families

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

WEIGHTED = f"(lam[s, i, t] - L[i])*{of.MOVE}**2"
DESCENT = (
    f"{of.LAGRANGIAN} - {of.LAGRANGIAN_LATER} + root**2*inv[i]/2 + alpha*(16*R**4 + gam[i]**2) "
    f"+ high*{of.FAR}**2"
)
"""The right side of (43) of one client, as traced."""
AVERAGED = replace(
    ROUND,
    families=families(lemma_b1.eq42_traced),
    terms=(
        *ROUND.terms,
        Term(
            of.averaged(WEIGHTED.replace("t + 1", "1").replace("t]", "0]")),
            lambda w: lemma_b1.eq42_traced(w)[0]["mean (lambda - L_i) |move|^2"],
        ),
    ),
    facts=THERE,
)
EVERYBODY = replace(
    COMPUTING,
    families=families(theorem_gradient.eq72_traced, theorem_gradient.eq72_repaired),
    facts={**THERE, "residual": COMPUTING_FACTS["residual"]},
)


@proof_of(lemma_b1.eq42_traced, AVERAGED)
def mean_of_41(o: StatementOutline) -> None:
    """(41) of every client and sampled set, as traced."""
    rise(o)
    o.uses("inverse")
    o.step("client", f"{WEIGHTED} <= {DESCENT}", "rise; inverse times root**2/(2*L[i])")
    averaged(o, WEIGHTED)


@proof_of(theorem_gradient.eq72_traced, EVERYBODY)
@proof_of(theorem_gradient.eq72_repaired, EVERYBODY)
def descent_in_the_gradient(o: StatementOutline) -> None:
    """(27) with (43) put into it."""
    o.uses("residual", "largest", "upper end", "small", "solved or still", "above one", *FALL)
    slope_before(o)
    fall(o)
    o.step(
        "client",
        f"{of.BEFORE}**2 <= 2*{M}*({DESCENT}) + 2*root**2",
        f"slope before; fall times 2*{M}",
    )
    averaged(o, f"{of.BEFORE}**2", f"2*{M}", "2*root**2")


def averaged(o: StatementOutline, left: str, factor: str = "1", more: str = "0") -> None:
    """What a client has is at most a multiple of (43) and more: in the mean over all."""
    o.uses("mean inverse", "dual bound")
    falls, far = f"({of.LAGRANGIAN} - {of.LAGRANGIAN_LATER})", f"{of.FAR}**2"
    squares = of.each("16*R**4 + gam[i]**2")
    bound = f"root**2*{of.each('inv[i]')}/2 + alpha*{squares} + high*{of.each(far)}"
    o.close(
        "clients",
        f"{of.each(left)} <= {factor}*({of.each(falls)} + {bound}) + N*({more})",
        "telescoped",
        step="client",
        index="i",
        rounds="N",
        of="0",
    )
    bound = f"N*root**2*half + N*alpha*dual + high*{of.each(far)}"
    o.step(
        "one set",
        f"{of.each(left)} <= {factor}*({of.each(falls)} + {bound}) + N*({more})",
        f"clients; mean inverse times {factor}*root**2/2; dual bound times {factor}*alpha",
    )
    bound = f"K*N*(root**2*half + alpha*dual) + high*{of.runs(of.each(far))}"
    o.close(
        "sets",
        f"{of.runs(of.each(left))} <= {factor}*({of.runs(of.each(falls))} + {bound}) + K*N*({more})",
        "telescoped",
        step="one set",
        index="s",
        rounds="K",
        of="0",
    )
    o.step("mean", f"{o.left} <= {o.right}", "sets at t = 0 times 1/(K*N)")
