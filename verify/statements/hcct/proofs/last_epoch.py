"""Equation 40: the descent of the last epoch, whatever was before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.hcct import convergence
from verify.statements.hcct.proofs.setting import FIXED_GROUPS, GROUPS

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

LAST = {"at": "w[T - 1]", "to": "w[T]"}


@proof_of(convergence.summed_now, GROUPS)
def with_moved_gradients(o: StatementOutline) -> None:
    """Polarisation, and what gradients move between the members of a group."""
    o.uses("rule", "unbiased", "noise", "similar", "moved gradients", "equal steps")
    o.uses("smooth", **LAST)
    o.step(
        "own against group",
        "(grad(J, w[t]) - h[t])**2 <= 2*K[t]/N + 2*M[t]/N",
        "similar times 2; moved gradients times 2",
        roots="grad(J, w[t]) - 2*c[t] + h[t]",
    )
    _closed(o)


@proof_of(convergence.second_repaired, FIXED_GROUPS)
def together(o: StatementOutline) -> None:
    """Members have one model, so that no gradient moves."""
    o.uses("rule", "unbiased", "noise", "similar", "together", "equal steps")
    o.uses("smooth", **LAST)
    o.step(
        "own against group",
        "(grad(J, w[t]) - h[t])**2 <= 2*K[t]/N",
        "similar times 2; together times 2",
        roots="grad(J, w[t]) - 2*c[t] + h[t]",
    )
    _closed(o)


def _closed(o: StatementOutline) -> None:
    o.step(
        "descent",
        f"{o.left} <= {o.right}",
        "smooth times N; own against group at t = T - 1 times N*eta0/2;"
        "noise at t = T - 1 times N*L*eta0**2/2",
    )
