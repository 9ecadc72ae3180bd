"""Tables of what a module claims, and claims about Algorithm 1 beside those about own models."""

from __future__ import annotations

from functools import partial

from verify.claim import Statement, Wording
from verify.statements.hcct.quantities.training import Training


class Claims(Wording):
    """The claims of a module, see :class:`verify.claim.wording.Wording`.

    After its identifier a row has the relation, if it is not ``<=``.
    """

    def __init__(self, table: str) -> None:
        super().__init__("hcct", table)
        for name in [*self.rows]:
            key, *relation = name.split()
            row = self.rows.pop(name)
            self.rows[key] = {**row, "relation": relation[0]} if relation else row


AVERAGED = partial(Training, averaged=True)


def averaging(claim: Statement) -> Statement:
    """A claim about clients that keep their own models, about Algorithm 1 instead."""
    return claim.variant(
        claim.key.replace("own-models", "algorithm"),
        where=f"{claim.source.where}, Algorithm 1",
        defines={**claim.defines, "training": AVERAGED},
        also=claim.also,
    )
