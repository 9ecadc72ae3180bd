"""adaptive.theorem2.decr.refined: decreasing steps, the first at most min_r q(r)/beta."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.statements.adaptive.outlines import decreasing as row
from verify.statements.adaptive.outlines import stopped as of

if TYPE_CHECKING:
    from verify.proof.outline import Outline

PROVES = "adaptive.theorem2.decr.refined"
MEANS = row.MEANS | of.LIMIT


def theorem2_decr_refined() -> Outline:
    """Decreasing steps with a delay that makes the first one short enough, stopped excess loss."""
    from verify.proof.outline import Outline

    o = Outline("Theorem 2 of adaptive, decreasing steps, stopped excess loss, refined")
    row.quantities(o)
    o.numbers("positive", "limit")
    of.short(o, "1/limit")
    o.given("eta[0] <= limit/beta", "limit <= 1")
    o.claim(row.BOUND)

    o.step("first", "C <= gamma + 1", "eta[0] <= limit/beta; limit <= 1; mu <= beta")
    o.step("all steps", "eta[t]*beta <= limit", "eta[0] <= limit/beta")
    of.short_sums(o, "eta[t]", "all steps")
    row.proof(o)
    return o
