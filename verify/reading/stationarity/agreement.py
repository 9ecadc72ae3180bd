"""Whether what is read of runs from a common start is what exact runs give.

At random points both sides and the hypotheses are compared with the formulas, for every set of
clients that is sampled.  Where the hypotheses hold, so is what is taken for known: the numbers
without a form bound distances, slopes, dissimilarity and the mean loss at all models and servers;
multipliers step and stay as the rule says; the server's model is a mean of the sampled ones.  A
client that waits is looked at where it would solve its problem exactly.

A statement may speak of a longer run than the program makes, where a run stands still: three rounds
are made then, in which nothing may change but the clients' models after the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from bounds.numbers.via_flint import from_flint
from verify.claim.parameters import Family, Shape
from verify.reading.consensus.exact import ExactConsensus, ExactRound
from verify.reading.consensus.names import BOUND, MOST, STIFF
from verify.reading.consensus.reading import ENDS, instance_of
from verify.reading.parts.exact_points import in_flint
from verify.reading.parts.far_points import agree_far
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import asked
from verify.reading.parts.values import agree, equal
from verify.reading.stationarity.reading import (
    FALLS,
    LEAST,
    RANGE,
    ROUNDS,
    SPREADS,
    STEEPEST,
    TrainingRead,
    TrainingRuns,
)

Array = np.ndarray[Any, Any]

LOOKED_AT, MIXED = 4, 8
"""Points per shape, and those of the whole domain with several parameters at ends: what numbers
bound is looked at."""

__all__ = ["agrees"]


def agrees(setting: TrainingRuns, read: TrainingRead) -> bool:
    """Whether the formulas, and what is taken for known, are what runs give."""
    seen: list[bool] = []

    def at(place: tuple[Family, Shape], random: Random) -> bool | None:
        found = _Point(setting, read, *place, random).agrees()
        seen.append(bool(found))
        return found

    def far(place: tuple[Family, Shape], random: Random, number: int) -> bool | None:
        return _Point(setting, read, *place, random, number).agrees()

    key, points = setting.statement.key, 1 if known_before() else LOOKED_AT
    if not agree(key, _places(setting), at, points):
        return False
    families = (setting.statement.family, *setting.statement.also)
    everywhere = ((f.box, (f, f.shapes[0])) for f in families)  # long runs take seconds each
    return known_before() or (any(seen) and agree_far(key, everywhere, far, MIXED))


def _places(setting: TrainingRuns) -> Iterator[tuple[Family, Shape]]:
    """Listed families and shapes, and runs with more clients or rounds."""
    yield from setting.places
    for family, shape in () if known_before() else setting.places:
        if "branch" not in shape and shape["N"] == shape["S"]:
            yield family, {**shape, "N": 3, "S": 3, "rounds": 1}
            yield family, {**shape, "rounds": 3}
            return


class _Point(ExactConsensus):
    """An exact instance of a shape."""

    def __init__(
        self,
        setting: TrainingRuns,
        read: TrainingRead,
        family: Family,
        shape: Shape,
        random: Random,
        far: int | None = None,
    ) -> None:
        super().__init__(setting, instance_of(family, shape, random, far), shape)
        self.read, world = read, self.world
        with asked(), unchecked():
            self.numbers = {
                role: np.ravel(quantity(world)).item() for role, quantity in read.numbers.items()
            }
        for name, row in setting.rows.items():
            entries = np.ravel(world.original(name))
            self.known[name, ()] = entries[0]
            for i in range(self.clients) if row and name != "starts" else ():
                self.known[name, (i,)] = entries[i]
        start = self.at(self.runs[0][0].server, world.problem.own_losses)
        self.known |= {("loss_of_start", (i,)): v for i, v in enumerate(start)}
        self.known |= {(str(STIFF.label), (i,)): v for i, v in enumerate(self.stiff)}
        self.known |= {(str(role), ()): v for role, v in self.numbers.items()}
        self.residuals = [self._residuals(r) ** 2 * r.solved for r in self.rounds]
        self.known[str(FALLS), ()] = sum(map(self._fall, self.runs)) / len(self.runs)
        spreads = [v for r in self.rounds for v in (r.models - r.after) ** 2]
        self.known[str(SPREADS), ()] = sum(spreads) / len(spreads)
        self.known[str(MOST), ()] = max(v for each in self.residuals for v in each)

    def _as_read(self) -> bool:
        return self._sides() and self.margins_as(self.read.known, silent=True)

    def _as_known(self) -> bool:
        return self._signs() and all(map(self._run, self.runs))

    def _solved(self, averaged: Array) -> Array:
        waits = not self.instance.params.get("virtual")
        return np.array([int(a == 1 or not waits) for a in averaged])

    def _fall(self, run: list[ExactRound]) -> Any:
        """Mean of the first Lagrangian less the last."""
        first, last = run[0], run[-1]
        losses = self.world.problem.own_losses
        numbers = (
            np.ravel(self.instance.params["gamma"]),
            self.at(first.server, losses),
            first.multipliers,
            self.at(last.models, losses),
            last.updated,
            last.models - last.after,
        )
        short = [in_flint(v) for v in numbers]
        if any(v is None for v in short):
            return _fallen(*numbers) / self.clients
        return from_flint(_fallen(*short)) / self.clients

    def _residuals(self, r: ExactRound) -> Array:
        found: Array = self.slopes(r.models) + 2 * r.multipliers * (r.models - r.server)
        return found

    def _sides(self) -> bool:
        averages = [
            sum(sum(self.slopes(r.server)) ** 2 for r in run) / self.clients**2 / len(run)
            for run in self.runs
        ]
        left, right = (side[0] for side in self.sides)
        if not equal(sum(averages) / len(averages), left):
            return False
        made = int(self.instance.params["rounds"])
        known = {**self.known, (str(ROUNDS), ()): made}
        if equal(self.here.at(self.read.right, {}, known), right):
            return True
        longer = self.instance.params.get("horizon")
        if longer is None or not self._stands_still():
            return False
        known[str(ROUNDS), ()] = int(longer)
        return equal(self.here.at(self.read.right, {}, known), right)

    def _stands_still(self) -> bool:
        """Whether every round is as the first, however long the run."""
        if len(self.runs) != 1:
            return False
        run = self.world.run(rounds=3)
        paths = (run.server, run.multipliers, run.local_models)
        return all(np.all(np.asarray(p) == np.asarray(p)[:, :, :1]) for p in paths)

    def _signs(self) -> bool:
        """What has a sign in the claims."""
        params = self.instance.params
        needed = {RANGE} if self.read.spreads else {RANGE, BOUND}
        needed |= set() if self.read.whole_fall else {STEEPEST, LEAST}
        if not needed <= set(self.numbers):
            return False
        roles = (v for role, v in self.numbers.items() if role != LEAST)
        return bool(
            np.all(np.ravel(params["gamma"]) >= 0)
            and np.all(np.ravel(params["dual_step"]) > 0)
            and np.all(self.stiff > 0)
            and all(v >= 0 for v in roles)
        )

    def _run(self, run: list[ExactRound]) -> bool:
        last = run[-1]
        after = sum(self.at(last.after, self.world.problem.own_losses)) / self.clients
        steep = max(np.abs(self.slopes(last.models)))
        if self.read.whole_fall:
            return all(map(self._round, run)) and all(np.all(r.solved == 1) for r in run)
        return bool(
            all(map(self._round, run))
            and self.numbers[STEEPEST] >= steep
            and self.numbers[LEAST] <= after
        )

    def _round(self, r: ExactRound) -> bool:
        """What is taken for known of a round."""
        low, high = (self.known[n, ()] for n in ENDS)
        gamma, step = (np.ravel(self.instance.params[n]) for n in ("gamma", "dual_step"))
        x, lam = r.models, r.multipliers
        moved = lam + step * ((x - r.server) ** 2 - gamma)
        stepped = np.minimum(np.maximum(moved, low), high)
        unlike = None if self.read.spreads else self.numbers[BOUND]
        return bool(
            self.as_in_every_round(r, unlike)
            and np.all(np.abs(x - r.server) <= self.numbers[RANGE])
            and np.all(np.where(r.solved == 1, r.updated == stepped, r.updated == lam))
            and np.all(self._residuals(r)[r.solved == 0] == 0)
        )


def _fallen(gamma: Any, begin: Any, before: Any, end: Any, after: Any, gap: Any) -> Any:
    """The first Lagrangian less the last, of all clients together."""
    return sum(begin - before * gamma - (end + after * (gap**2 - gamma)))
