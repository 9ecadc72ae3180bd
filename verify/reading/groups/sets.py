"""What a statement about runs in groups says, as a set of claims about an epoch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from verify.claim.statement import Statement
from verify.reading.groups.agreement import agreed, agrees, exact_runs, stay_together
from verify.reading.groups.claims import epoch_claims
from verify.reading.groups.epochs import EpochsRead, read_epochs
from verify.reading.groups.exact import ExactTraining
from verify.reading.groups.falling import Falling, falling_claims, read_falling
from verify.reading.groups.move_agreement import move_along, moves_agree
from verify.reading.groups.moves import MovesRead, move_claims, read_moves
from verify.reading.groups.pair_agreement import pairs_agree
from verify.reading.groups.pairs import PairRead, pair_claims, read_pair, same_of_pair
from verify.reading.groups.reading import GroupRuns
from verify.reading.parts.claim import Claims, ReadClaim
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable

__all__ = ["FEDERATION", "GROUPS", "group_sets"]

GROUPS, FEDERATION = "groups", "federation"
"""In the labels of such claims: what the groups and the losses are."""
LOSSES = "smooth losses of any number of clients in groups"
Read = EpochsRead | Falling | PairRead | MovesRead
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
        if not known_before() and not all(_alike(read, setting, one) for one in setting.others()):
            return
        runs = exact_runs(setting)
        together = stay_together(runs)
        made = list(_made(setting, read, runs, together))
    except NotReadable:
        return
    if isinstance(read, MovesRead):
        many, law, fixed = setting.longest > 1, "any", False
    else:
        many, law, fixed = not isinstance(read, EpochsRead) or read.many, LAW, together
    about = {
        GROUPS: "that never change, members beginning together" if fixed else "any",
        "N": "any",
        "d": 1,
        FEDERATION: LOSSES,
        "noise": law,
        **({"rounds": "any"} if many else {}),
    }
    if made:
        yield Claims(one._replace(label={**about, "part": name}) for name, one in made)


def _made(
    setting: GroupRuns, read: Read, runs: list[ExactTraining], together: bool
) -> Iterator[tuple[str, ReadClaim]]:
    """The claims, if they are what runs give."""
    if isinstance(read, MovesRead):
        if moves_agree(setting, read, runs):
            yield from move_claims(setting, read, move_along(runs))
    elif isinstance(read, PairRead):
        if pairs_agree(setting, read, runs):
            yield from pair_claims(setting, read)
    elif isinstance(read, EpochsRead):
        if agrees(setting, read, runs):
            yield from epoch_claims(setting, read, together)
    elif together:
        falling = agreed(setting, read, runs)
        if falling is not None:
            yield from falling_claims(setting, falling)


def _alike(read: Read, one: GroupRuns, other: GroupRuns) -> bool:
    """Whether the statement says the same with another number of clients."""
    if isinstance(read, PairRead):
        return same_of_pair(one, other)
    epochs = 1 if one.longest == 1 else 2
    if isinstance(read, MovesRead):
        return one.whole(epochs) == other.whole(epochs)
    return one.after(epochs) == other.after(epochs)


def _read(setting: GroupRuns) -> Read:
    """What it says: of all clients, of falling steps, of two clients, or of the last epoch."""
    others = (read_epochs, read_falling, read_pair)
    for reader in others if setting.statement.relation != "==" else ():
        with suppress(NotReadable):
            return reader(setting)
    return read_moves(setting)
