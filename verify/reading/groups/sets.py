"""What a statement about runs in groups says, as a set of claims about an epoch."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim.statement import Statement
from verify.reading.groups.agreement import agrees, exact_runs, stay_together
from verify.reading.groups.claims import epoch_claims
from verify.reading.groups.epochs import read_epochs
from verify.reading.groups.reading import GroupRuns
from verify.reading.parts.claim import Claims
from verify.reading.parts.refusals import NotReadable

__all__ = ["FEDERATION", "GROUPS", "group_sets"]

GROUPS, FEDERATION = "groups", "federation"
"""In the labels of such claims: what the groups and the losses are."""
LOSSES = "smooth losses of any number of clients in groups"
LAW = "of any law with mean zero and this variance at most"


def group_sets(statement: Statement) -> Iterator[Claims]:
    """The set of claims that a statement about means over runs in groups says.

    Parameters
    ----------
    statement : Statement

    Yields
    ------
    Claims
    """
    try:
        setting = GroupRuns(statement)
        read = read_epochs(setting)
        runs = exact_runs(setting)
        if not agrees(setting, read, runs):
            return
        together = stay_together(runs)
        about = {
            GROUPS: "that never change, members beginning together" if together else "any",
            "N": "any",
            FEDERATION: LOSSES,
            "noise": LAW,
            **({"rounds": "any"} if read.many else {}),
        }
        yield Claims(
            one._replace(label={**about, "part": name})
            for name, one in list(epoch_claims(setting, read, together))
        )
    except NotReadable:
        return
