"""adaptive.theorem2.decr.repaired: the decreasing row with steps C/(mu (gamma + t))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import decreasing as row
from verify.statements.adaptive.outlines import stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem2.decr.repaired"
MEANS = row.MEANS


def theorem2_decr() -> Outline:
    """Decreasing steps, with b^2, on the event that epsilon was not reached before."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 2 of adaptive, decreasing steps, where epsilon was not reached before")
    row.quantities(o)
    of.short(o, "1/(eta[t]*beta)")
    o.given("eta[0]*beta <= 1")
    o.claim(row.BOUND)

    o.step("first", "C <= gamma + 1", "eta[0]*beta <= 1; mu <= beta")
    o.step("short sums", "eta[t]*beta*told[t]**2 <= u[t]**2", "short steps times eta[t]*beta")
    row.proof(o)
    return o
