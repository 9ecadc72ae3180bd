"""fedbc.lemmaB2.explicit: the consensus error of every device, with constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.fedbc.outlines import lemmas as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "fedbc.lemmaB2.explicit"
MEANS = of.ROUND | of.PAIRS | {"T": "T"}


def lemma_b2_explicit() -> Outline:
    """Consensus error for lambda_i^t >= 1 + L_i."""
    o = of.rounds("Lemma B.2 of fedbc with constants")
    of.above(o)
    of.pairs(o)
    o.numbers("positive integer", "T")
    far = f"({of.LATER} - z[t + 1])**2"
    total = f"Sum({of.each(far)}, (t, 0, T - 1))"
    bound = f"{total}/(T*N) <= 2*root**2 + delta**2/2"
    o.claim(bound)

    of.near(o)
    o.step("plain", f"{far} <= 2*root**2 + delta**2/2", "near", roots="root - delta/2")
    each = {"index": "i", "rounds": "N", "of": "0"}
    o.close(
        "clients",
        f"{of.each(far)} <= N*(2*root**2 + delta**2/2)",
        "telescoped",
        step="plain",
        **each,
    )
    o.close(
        "rounds",
        f"{total} <= T*N*(2*root**2 + delta**2/2)",
        "telescoped",
        step="clients",
        index="t",
        rounds="T",
        of="0",
    )
    o.step("mean", bound, "rounds times 1/(T*N)")
    return o
