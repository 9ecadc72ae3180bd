"""What a statement about one iteration of runs with local steps says, as sets of claims."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim.statement import Statement
from verify.reading.iterations.agreement import agrees
from verify.reading.iterations.claims import FACTS, iteration_claims
from verify.reading.iterations.reading import settings_of
from verify.reading.parts.claim import Claims
from verify.reading.parts.refusals import NotReadable

__all__ = ["LOCAL", "iteration_sets"]

LOCAL = "local steps"
"""In the labels of such claims."""
LOSSES = "losses that meet the assumptions on any number of clients"
LAW = "of any law with mean zero and this variance at most"


def iteration_sets(statement: Statement) -> Iterator[Claims]:
    """Sets of claims each of which is what a statement says, those that assume least first.

    Parameters
    ----------
    statement : Statement
        About means over runs.
    """
    try:
        setting = settings_of(statement)
        read = setting.read
    except NotReadable:
        return
    if not agrees(setting):
        return
    label = {"federation": LOSSES, "noise": LAW, "N": "any", LOCAL: "any"}
    for facts in FACTS:
        made = iteration_claims(read, _relation(statement), statement.strict, facts)
        yield Claims(one._replace(label={**label, "facts": facts, **one.label}) for one in made)


def _relation(statement: Statement) -> str:
    return "==" if statement.relation == "==" else "<="
