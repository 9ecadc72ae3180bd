"""What a statement about runs in groups says, as a set of claims about an epoch."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim.statement import Statement
from verify.reading.groups.agreement import agreed, agrees, exact_runs, stay_together
from verify.reading.groups.claims import epoch_claims
from verify.reading.groups.epochs import EpochsRead, read_epochs
from verify.reading.groups.falling import Falling, falling_claims, read_falling
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
        read = _read(setting)
        runs = exact_runs(setting)
        together = stay_together(runs)
        if isinstance(read, Falling):
            falling = agreed(setting, read, runs) if together else None
            made = [] if falling is None else list(falling_claims(setting, falling))
        else:
            fine = agrees(setting, read, runs)
            made = list(epoch_claims(setting, read, together)) if fine else []
    except NotReadable:
        return
    many = isinstance(read, Falling) or read.many
    about = {
        GROUPS: "that never change, members beginning together" if together else "any",
        "N": "any",
        FEDERATION: LOSSES,
        "noise": LAW,
        **({"rounds": "any"} if many else {}),
    }
    if made:
        yield Claims(one._replace(label={**about, "part": name}) for name, one in made)


def _read(setting: GroupRuns) -> EpochsRead | Falling:
    """What the statement says of epochs of one step, or of falling ones."""
    try:
        return read_epochs(setting)
    except NotReadable:
        return read_falling(setting)
