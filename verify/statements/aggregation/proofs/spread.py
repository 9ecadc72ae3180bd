"""Lemma 2: how far the local models are from their mean, and what rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.aggregation import theorem
from verify.statements.aggregation.proofs.setting import ONE

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

WAY = "(v[t, j + 1] - v[t, 0])**2"
MOST = "top[t]**2*G2"


def way(o: StatementOutline) -> None:
    """How far a client has gone, by induction on the local steps of the round."""
    o.uses("sent", "local steps", "longest", "told")
    o.step("squares", "es[t, j]**2 <= top[t]**2", "longest")
    o.step(
        "shorter",
        "es[t, j]**2*u[t, j]**2 <= top[t]**2*u[t, j]**2",
        "squares",
        roots="u[t, j]",
    )
    o.step("a local step", f"es[t, j]**2*u[t, j]**2 <= {MOST}", "shorter; told times top[t]**2")
    o.step("first", f"(v[t, 1] - v[t, 0])**2 <= {MOST}", "a local step at j = 0")
    o.step(
        "one more",
        f"(v[t, j + 2] - v[t, 0])**2 <= (j + 2)**2*{MOST}",
        "a local step at j = j + 1",
        supposing=f"{WAY} <= (j + 1)**2*{MOST}",
        roots="v[t, j + 1] - v[t, 0] + (j + 1)*es[t, j + 1]*u[t, j + 1]",
    )
    o.close(
        "way",
        f"{WAY} <= (j + 1)**2*{MOST}",
        "induction",
        claim=f"(j + 1)**2*{MOST} - {WAY}",
        index="j",
        next="one more",
    )


def spread(o: StatementOutline) -> None:
    """Within (P + 1)^2 top^2 G^2: the mean is the nearest point in the mean square."""
    way(o)
    o.uses("local models")
    o.step(
        "spread",
        f"(c[t] - w[t])**2 <= (P[t] + 1)**2*{MOST}",
        "way at j = P[t]",
        roots="v[t, P[t] + 1] - v[t, 0]",
    )


def halved(o: StatementOutline) -> None:
    """Within 4 (E - 1)^2 eta^2 G^2 where no step of the round is twice as long as a later one."""
    spread(o)
    o.uses("steps of a round", "halving")
    o.step("steps", "((P[t] + 1)*top[t])**2 <= ((E - 1)*top[t])**2", "steps of a round")
    o.step("lengths", "top[t]**2 <= 4*eta[t]**2", "halving")
    o.step(
        "spread of a round",
        "(c[t] - w[t])**2 <= 4*eta[t]**2*(E - 1)**2*G2",
        "spread; steps times G2; lengths times (E - 1)**2*G2",
    )


@proof_of(theorem.lemma2_repaired, ONE)
@proof_of(theorem.lemma2_refined, ONE)
def lemma2(o: StatementOutline) -> None:
    """The weighted mean minimises the weighted squares, those about the round's first model."""
    halved(o)
    o.step("bound", f"{o.left} <= {o.right}", "spread of a round at t = A")
