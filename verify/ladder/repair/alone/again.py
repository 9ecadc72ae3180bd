"""Laws of one number that an earlier search has left: each is measured again where it was found.

What is kept is a start and what moves, no value and no word.  A law is told as it is read off the
values of today; where one of them is none any more, or starts at another instance than it should,
all of them are looked for anew.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from verify.ladder.repair.alone.laws import MovedLaw, alike, law_of, told
from verify.ladder.repair.alone.paths import NumberMove, NumberPath, in_floats, walked
from verify.ladder.repair.ladders import sizes_of
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate
from verify.ladder.search.seeds import KeptPath, seed_of, unmoved
from verify.ladder.search.sizes import NO_INSTANCE
from verify.world.noise_plan import NoValue

__all__ = ["laws_alone_again", "paths_of"]

CANNOT = (*NO_INSTANCE, NoValue)
"""What a path raises on which the claim has no value."""


def paths_of(climb: Climb, number: int, laws: Sequence[MovedLaw]) -> tuple[KeptPath, ...] | None:
    """What is worth keeping of laws; None where one of them starts where no seed can be.

    Parameters
    ----------
    climb : Climb
        Of the claim that falls.
    number : int
        Of its family.
    laws : sequence of MovedLaw
    """
    found = []
    for law in laws:
        path = law.walk.path
        start = seed_of(climb.pool, path.start, sizes_of(climb.statement.family))
        if start is None:
            return None
        moves = tuple((move.name, move.index, move.power) for move in path.moves)
        # of numbers the places beyond as well, where left/right may drop; sizes may be too large
        factors = law.walk.factors if path.size else path.factors
        kept = KeptPath(number, law.witness, start, moves, factors, path.size, path.last)
        found.append(kept)
    return tuple(found)


def laws_alone_again(
    climb: Climb, number: int, kept: Sequence[KeptPath]
) -> tuple[MovedLaw, ...] | None:
    """Laws on kept paths, measured again; None where they must be looked for anew.

    Parameters
    ----------
    climb : Climb
        With a witness.
    number : int
        Of its family.
    kept : sequence of KeptPath
    """
    if any(one.family != number for one in kept):
        return None
    sizes = sizes_of(climb.statement.family)
    starts = unmoved(climb.pool, [one.start for one in kept], sizes)
    found = []
    for one, start in zip(kept, starts, strict=True):
        law = None if start is None else _law(climb, one, in_floats(start))
        if law is None:
            return None
        found.append(law)
    laws = told(climb, found)
    return laws if len(laws) == len(kept) else None


def _law(climb: Climb, kept: KeptPath, start: Candidate) -> MovedLaw | None:
    """The law on one path; None where there is none, or it begins at another witness."""
    struck = climb.heard.struck
    if kept.witness and (struck is None or not alike(start, in_floats(struck))):
        return None
    if not all(_can_move(start, kept, name, at) for name, at, _ in kept.moves):
        return None  # what is kept can be wrong: the claim has no such number
    moves = tuple(NumberMove(name, at, power) for name, at, power in kept.moves)
    path = NumberPath(start, moves, kept.factors, kept.size, kept.last)
    try:
        walks = walked(climb, [path])
    except CANNOT:
        return None
    return law_of(walks[0], kept.witness) if walks else None


def _can_move(start: Candidate, kept: KeptPath, name: str, at: tuple[int, ...] | None) -> bool:
    """Whether an instance has the size, or the number, that a kept path moves."""
    if kept.size and name == kept.moves[0][0]:
        return type(start.shape.get(name)) is int
    if name not in start.values:
        return False
    shape = np.shape(start.values[name])
    return at is None or (
        len(at) == len(shape) and all(0 <= k < n for k, n in zip(at, shape, strict=True))
    )
