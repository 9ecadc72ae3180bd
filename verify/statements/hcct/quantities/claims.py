"""Tables of what a module claims, its readings along the models that clients hold, deductions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from verify.claim import Wording
from verify.claim import Family, Hypothesis, Readings, Rule, Statement, statement
from verify.claim.statement import OVERS
from verify.statements.hcct.quantities.symbols import symbols
from verify.statements.hcct.quantities.training import OWN, Training

_MODELS = "models: own-models, algorithm"


class Claims(Wording):
    """The claims of a module, see :class:`verify.claim.wording.Wording`.

    After its identifier a row has the relation, if it is not ``<=``, and what is compared, if it is
    not each point; after ``<-`` it names what the claim rests on.
    """

    def __init__(self, table: str) -> None:
        lines = [line.partition(" <- ") for line in table.strip("\n").splitlines()]
        super().__init__("hcct", "\n".join(line for line, _, _ in lines))
        self.rests = {line.split()[0]: tuple(uses.split()) for line, mark, uses in lines if mark}
        for name in [*self.rows]:
            key, *how = name.split()
            row = self.rows.pop(name)
            self.rows[key] = row | {"over" if word in OVERS else "relation": word for word in how}

    def said(self, name: str) -> dict[str, Any]:
        """Place, kind, title and formula of a claim, how it compares, and what it rests on."""
        uses = self.rests.get(name)
        rests = {"uses": tuple(f"hcct.{used}" for used in uses)} if uses else {}
        return {**super().said(name), **rests}

    def deduced(
        self, name: str, names: str | Family, *given: Hypothesis
    ) -> Callable[[Rule], Statement]:
        """Decorator: a step over free symbols, of this name and place, from these displays."""
        family = symbols(names) if isinstance(names, str) else names
        where = self.said(name)["where"]
        fields = {"kind": "deduction", "latex": "", "family": family, "given": given}
        return statement(f"hcct.{name}-deduced", where=where, **fields)

    def trained(
        self, name: str, *axes: str, **fields: Any
    ) -> Callable[[Callable[..., Any]], Readings]:
        """Decorator: a claim about clients with models of their own, and about Algorithm 1."""
        where = self.said(name)["where"]
        places = {"own-models": where, "algorithm": f"{where}, Algorithm 1"}
        runs = {"own-models": OWN, "algorithm": {**OWN, "training": AVERAGED}}
        both = {"where": lambda r: places[r.models], "defines": lambda r: runs[r.models]}
        return self(name, readings=(_MODELS, *axes), **both, **fields)


AVERAGED = partial(Training, averaged=True)


def averaging(claim: Statement) -> Statement:
    """A claim about clients that keep their own models, about Algorithm 1 instead."""
    return claim.variant(
        claim.key.replace("own-models", "algorithm"),
        where=f"{claim.source.where}, Algorithm 1",
        defines={**claim.defines, "training": AVERAGED},
        also=claim.also,
    )
