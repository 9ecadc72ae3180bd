"""Equation 39, expression by expression, in place and repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.hcct import drift
from verify.statements.hcct.proofs.two_clients import GROUPS_OF_BOTH, MEETING, OWN_MODELS

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

GAP = "(w[T] - v[T])"
SQUARES = "Sum(eta**2*(h[t] + n[t] - k[t] - m[t])**2, (t, 0, T - 1))"
EPOCHS = {"index": "t", "rounds": "T"}


@proof_of(drift.smooth_now, MEETING)
@proof_of(drift.ALGORITHM[1], MEETING)
def smooth(o: StatementOutline) -> None:
    """Gradients move by no more than L times the models."""
    o.uses("smooth", at="w[T]", to="v[T]")
    o.step("moved", f"{o.left} <= {o.right}", "smooth")


@proof_of(drift.unrolled, OWN_MODELS)
def unrolled(o: StatementOutline) -> None:
    """What models and sums of steps differ in is no longer than before, along any vector."""
    o.uses("rule of i", "rule of j", "start", "no step", "steps")
    along = f"({GAP} + x[T] - w[0])"
    for name, sign in (("forth", ""), ("back", "-")):
        apart = f"{sign}(w[t] - v[t] - x[t] + w[0])*{along}"
        o.step(name, f"{apart.replace('[t]', '[t + 1]')} <= {apart}")
        o.close(
            f"all {name}",
            f"{apart.replace('[t]', '[T]')} <= 0",
            "telescoped",
            step=name,
            of=apart,
            **EPOCHS,
        )
    o.step("the same", f"{o.left} == {o.right}", "all forth; all back")


@proof_of(drift.independence_repaired, OWN_MODELS)
def with_factor(o: StatementOutline) -> None:
    """Each step along the whole gap is at most T/2 of its square and 1/(2T) of that of the gap."""
    o.uses("rule of i", "rule of j", "start")
    along = f"(w[t] - v[t])*{GAP}"
    o.step(
        "one epoch",
        f"{along.replace('[t]', '[t + 1]')} <= {along} + T*eta**2*(g[t] - u[t])**2/2 + {GAP}**2/(2*T)",
        roots=f"T*eta*(g[t] - u[t]) + {GAP}",
    )
    o.close(
        "all epochs",
        f"{GAP}**2 <= T/2*Sum(eta**2*(g[t] - u[t])**2, (t, 0, T - 1)) + {GAP}**2/2",
        "telescoped",
        step="one epoch",
        of=along,
        **EPOCHS,
    )
    o.step("gap", f"{o.left} <= {o.right}", "all epochs times 2*L**2")


@proof_of(drift.variance_repaired, GROUPS_OF_BOTH)
def variance(o: StatementOutline) -> None:
    """Noises have mean zero, and those of two groups no product."""
    o.uses("unbiased of i", "unbiased of j", "noise of i", "noise of j", "together or apart")
    o.step(
        "one epoch",
        "eta**2*(h[t] + n[t] - k[t] - m[t])**2 <= eta**2*(h[t] - k[t])**2 + 2*eta**2*sigma**2",
        "noise of i times eta**2; noise of j times eta**2; together or apart times 2*eta**2",
    )
    o.close(
        "all epochs",
        f"{SQUARES} <= Sum(eta**2*(h[t] - k[t])**2, (t, 0, T - 1)) + 2*T*eta**2*sigma**2",
        "telescoped",
        step="one epoch",
        of="0",
        **EPOCHS,
    )
    o.step("squares", f"{o.left} <= {o.right}", "all epochs times L**2")


@proof_of(drift.similarity_repaired, GROUPS_OF_BOTH)
def similarity(o: StatementOutline) -> None:
    """The weights of a group add up to one."""
    o.uses("similar")
    o.step("one epoch", "(p[t] - q[t])**2 <= K", "similar")
    o.close(
        "all epochs",
        "Sum((p[t] - q[t])**2, (t, 0, T - 1)) <= T*K",
        "telescoped",
        step="one epoch",
        of="0",
        **EPOCHS,
    )
    o.step("gradients", f"{o.left} <= {o.right}", "all epochs times eta**2*L**2")
