"""Repair hints for a broken claim: the changes of its right side with which it stands.

They are suggestions for a repaired form, which then goes through the same ladder as any other
statement.  A hint is given only for what a fresh search left standing and the referee confirmed
on the witnesses.
"""

from __future__ import annotations

from collections.abc import Sequence

from verify.ladder.repair.flaws import Flaw
from verify.verdict.relation import LARGEST


def repair_hint(flaws: Sequence[Flaw]) -> str:
    """One sentence on the changes with which the claim stands, or on how far it is broken."""
    if not flaws:
        return ""
    last = flaws[-1]
    mends = ", and ".join(flaw.mend for flaw in flaws if flaw.mend)
    if last.stands:
        reached = "" if last.left is None else f" (largest ratio {last.left:.3g})"
        return f"with {mends} a fresh search finds no instance that breaks the claim{reached}"
    if last.mend:
        return f"even with {mends} the claim falls"
    bounded = last.ratio < LARGEST
    broken = f"by a factor of at least {last.ratio:.4g}" if bounded else "without bound"
    known = f"with {mends} it is still" if mends else "it is"
    return f"nothing tried mends the claim: {known} broken {broken}"
