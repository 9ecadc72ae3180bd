"""Whether what is read of runs of FedBC is what exact runs give.

At random points both sides and the hypotheses are compared with the formulas.  Where the hypotheses
hold, so is what is taken for known of each round: the ends of the multipliers, how far gradients
are apart at two models by smoothness and by the number that is taken over a set of points, and that
the server's model is the mean of those that are averaged, by the new multipliers.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from verify.claim.parameters import Family, Shape
from verify.reading.consensus.exact import ExactConsensus, ExactRound, Table
from verify.reading.consensus.names import AFTER, BOUND, MOST, SOLVER
from verify.reading.consensus.reading import ConsensusRead, ConsensusRuns, instance_of
from verify.reading.parts.far_points import agree_far
from verify.reading.parts.known_before import known_before
from verify.reading.parts.values import agree, equal

MORE = ({"N": 3, "S": 2, "rounds": 1}, {"N": 2, "S": 1, "rounds": 3}, {"N": 3, "S": 3, "rounds": 2})
"""Sizes that are looked at beside the listed ones."""
LOOKED_AT, MIXED = 6, 30
"""Points per shape, and those of the whole domain with several parameters at ends: what is taken
over a set of points must bound what is met at all of them."""

__all__ = ["agrees"]


def agrees(setting: ConsensusRuns, read: ConsensusRead) -> bool:
    """Whether the formulas, and what is taken for known, are what runs give."""

    def at(place: tuple[Family, Shape], random: Random) -> bool | None:
        return _Point(setting, read, *place, random).agrees()

    def far(place: tuple[Family, Shape], random: Random, number: int) -> bool | None:
        return _Point(setting, read, *place, random, number).agrees()

    key, points = setting.statement.key, 1 if known_before() else LOOKED_AT
    return agree(key, _places(setting), at, points) and (
        known_before() or agree_far(key, ((f.box, (f, s)) for f, s in setting.places), far, MIXED)
    )


def _places(setting: ConsensusRuns) -> Iterator[tuple[Family, Shape]]:
    """Listed families and shapes, and some that are not listed."""
    yield from setting.places
    if not known_before():
        family, shape = setting.places[0]
        for sizes in MORE:
            yield family, {**shape, **sizes}


class _Point(ExactConsensus):
    """An exact instance of a shape."""

    def __init__(
        self,
        setting: ConsensusRuns,
        read: ConsensusRead,
        family: Family,
        shape: Shape,
        random: Random,
        far: int | None = None,
    ) -> None:
        super().__init__(setting, instance_of(family, shape, random, far), shape)
        self.read = read
        self.bound = np.ravel(read.bound(self.world)).item()
        params = [n for n, row in setting.rows.items() if not row]
        self.known |= {(n, ()): np.ravel(self.world.original(n))[0] for n in params}
        self.known[str(BOUND), ()] = self.bound

    def _as_read(self) -> bool:
        average = [v for r in self.rounds for v in self.each(self.read.body, r)]
        known = dict(self.known)
        if self.read.residual is not None:
            squares = [v for r in self.rounds for v in self.each(self.read.residual, r)]
            known[str(MOST), ()] = max(squares)
        right = self.here.at(self.read.right, {}, known)
        left, other = (side[0] for side in self.sides)
        alike = equal(sum(average) / len(average), left) and equal(right, other)
        return alike and self.margins_as(self.read, silent=False)

    def _of_server(self, r: ExactRound) -> Table:
        return {(str(SOLVER), ()): r.server, (str(AFTER), ()): r.after}

    def _as_known(self) -> bool:
        return all(self.as_in_every_round(r, self.bound) for r in self.rounds)
