"""Lemma 1 and Theorem 2 for each client of a group that never changes and begins together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.hcct import each_client
from verify.statements.hcct.proofs.one_group import ONE_EPOCH, SHORT_STEPS

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


@proof_of(each_client.descent, ONE_EPOCH)
def lemma1(o: StatementOutline) -> None:
    """Its loss lies below its parabola along the step, whose noise has mean zero."""
    o.uses("rule", "unbiased", "noise", "independent")
    o.uses("smooth", at="w[0]", to="w[1]")
    o.step(
        "descent",
        f"{o.left} <= {o.right}",
        "smooth; noise at t = 0 times L*eta**2/2; independent times L*eta**2/2",
    )


@proof_of(each_client.average, SHORT_STEPS)
def theorem2(o: StatementOutline) -> None:
    """Lemma 1 without what short steps leave of the mean gradient, summed over the epochs."""
    o.uses("rule", "unbiased", "noise", "independent", "short step")
    o.uses("smooth", at="w[t]", to="w[t + 1]")
    o.uses("below", at="w[T]")
    own, group = "grad(G, w[t])", "grad(H, w[t])"
    apart = f"({own} - grad(J, w[t]))**2"
    o.step(
        "short",
        f"L*eta**2*{group}**2 <= eta*{group}**2",
        "short step times L*eta",
        roots=group,
    )
    o.step(
        "mean of the group",
        f"({own} - {group})**2 <= {apart}",
        roots=f"{own} - grad(J, w[t])",
    )
    o.step(
        "one epoch",
        f"eta*{own}**2 + 2*G(w[t + 1]) <= 2*G(w[t]) + eta*{apart} + L*eta**2*spread",
        "smooth times 2; noise times L*eta**2; short; mean of the group times eta",
    )
    each = "Sum({}, (t, 0, T - 1))".format
    o.close(
        "all epochs",
        f"eta*{each(f'{own}**2')} + 2*G(w[T]) <= 2*G(w[0]) + eta*{each(apart)} + T*L*eta**2*spread",
        "telescoped",
        step="one epoch",
        index="t",
        rounds="T",
        of="2*G(w[t])",
    )
    o.step(
        "mean",
        f"{o.left} <= {o.right}",
        "all epochs times 1/(eta*T); below times 2/(eta*T); independent times L*eta",
    )
