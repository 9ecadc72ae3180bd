"""Theorem 2, for groups that never change and for groups that do, and its sum (Equation 41)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.hcct import convergence
from verify.statements.hcct.proofs.setting import FIXED_GROUPS, GROUPS

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


@proof_of(convergence.theorem2_repaired, FIXED_GROUPS)
@proof_of(convergence.summed_repaired, FIXED_GROUPS)
def theorem2(o: StatementOutline) -> None:
    """The descent of Lemma 1, without moved gradients, summed over the epochs."""
    o.uses("together")
    all_epochs(o, "together", "0")
    o.step("mean", f"{o.left} <= {o.right}", "all epochs; below")


@proof_of(convergence.theorem2_with_drift, GROUPS)
def with_drift(o: StatementOutline) -> None:
    """The same with what gradients move between the models of the members."""
    o.uses("moved")
    all_epochs(o, "moved", "L**2*D[t]")
    o.step("mean", f"{o.left} <= {o.right}", "all epochs; below")


def all_epochs(o: StatementOutline, moved: str, apart: str, short: str = "eta < 1/L") -> None:
    """One epoch and all of them, gradients being moved so far, by the hypothesis on steps."""
    o.uses("rule", "unbiased", "noise", "similar", "steps")
    o.uses("smooth", at="w[t]", to="w[t + 1]")
    o.uses("below", at="w[T]")
    o.hypothesis(short)
    o.step(
        "own against group",
        f"(grad(J, w[t]) - h[t])**2 <= 2*K[t]/N + 2*{apart}/N",
        f"similar times 2; {moved} times 2",
        roots="grad(J, w[t]) - 2*c[t] + h[t]",
    )
    o.step("short steps", "L*eta[t] <= 1", f"steps times L; {short}")
    o.step(
        "short",
        "L*eta[t]**2*h[t]**2 <= eta[t]*h[t]**2",
        "short steps times eta[t]",
        roots="h[t]",
    )
    o.step(
        "one epoch",
        "eta[t]*N*grad(J, w[t])**2 + 2*N*J(w[t + 1]) "
        f"<= 2*N*J(w[t]) + 2*eta[t]*K[t] + L*N*eta[t]**2*sigma**2 + 2*eta[t]*{apart}",
        "own against group times N*eta[t]; smooth times 2*N; noise times N*L*eta[t]**2;"
        "short times N",
    )
    total = "Sum(eta[t]*N*grad(J, w[t])**2, (t, 0, T - 1))"
    rest = "2*Sum(eta[t]*K[t], (t, 0, T - 1)) + L*N*sigma**2*Sum(eta[t]**2, (t, 0, T - 1))"
    rest += f" + 2*Sum(eta[t]*{apart}, (t, 0, T - 1))"
    o.close(
        "all epochs",
        f"{total} + 2*N*J(w[T]) <= 2*N*J(w[0]) + {rest}",
        "telescoped",
        step="one epoch",
        index="t",
        rounds="T",
        of="2*N*J(w[t])",
    )
