"""Tables of what a module claims, and claims about Algorithm 1 beside those about own models."""

from __future__ import annotations

from functools import partial

from verify.claim import Statement, Wording
from verify.statements.hcct.quantities.training import averaged_models

Claims = partial(Wording, "hcct")
"""The claims of a module, see :class:`verify.claim.wording.Wording`."""


def averaging(claim: Statement) -> Statement:
    """A claim about clients that keep their own models, about Algorithm 1 instead."""
    return claim.variant(
        claim.key.replace("own-models", "algorithm"),
        where=f"{claim.source.where}, Algorithm 1",
        defines={**claim.defines, "training": averaged_models},
        also=claim.also,
    )
