"""Whether what is read of runs of FedBC is what exact runs give.

At random points both sides and the hypotheses are compared with the formulas.  Where the hypotheses
hold, so is what is taken for known of each round: the ends of the multipliers, how far gradients
are apart at two models by smoothness and by the number that is taken over a set of points, and that
the server's model is the mean of those that are averaged, by the new multipliers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.symbolic import client_symbol
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Family, Shape
from verify.reading.consensus.names import BOUND, MOST, TOP
from verify.reading.consensus.reading import ENDS, ConsensusRead, ConsensusRuns, instance_of
from verify.reading.parts.far_points import agree_far
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import asked
from verify.reading.parts.values import Formulas, agree, equal, whole
from verify.world.returned import margins_of, sides_of
from verify.world.trajectories import Trajectory
from verify.world.world import World

Array = np.ndarray[Any, Any]
Table = dict[tuple[str, tuple[int, ...]], Any]

MORE = ({"N": 3, "S": 2, "rounds": 1}, {"N": 2, "S": 1, "rounds": 3}, {"N": 3, "S": 3, "rounds": 2})
"""Sizes that are looked at beside the listed ones."""
LOOKED_AT, MIXED = 6, 30
"""Points per shape, and those of the whole domain with several parameters at ends: what is taken
over a set of points must bound what is met at all of them."""

__all__ = ["agrees"]


class Recorded(World):
    """A world that keeps the runs that were made in it, with the clients that were averaged."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.made: list[tuple[Trajectory, Any]] = []

    def run(self, method: str | None = None, rounds: int | None = None, **hyper: Any) -> Trajectory:
        """The same, kept."""
        found = super().run(method, rounds, **hyper)
        self.made.append((found, hyper.get("participation")))
        return found


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


@dataclass(frozen=True)
class _Round:
    """A round of a run, arrays over clients."""

    server: Any
    after: Any
    models: Array
    multipliers: Array
    updated: Array
    averaged: Array
    begins: bool


class _Point:
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
        self.read, self.clients = read, int(shape["N"])
        self.world = world = Recorded(
            instance_of(family, shape, random, far), "exact", None, setting.statement.defines
        )
        statement = setting.statement
        with asked(), unchecked():
            self.sides = [whole(side) for side in sides_of(statement, world)]
            self.margins = {
                n: list(np.asarray(m, dtype=object).reshape(-1))
                for n, m in margins_of(statement, world).items()
            }
        self.rounds = [r for run, masks in world.made for r in self._rounds(run, masks)]
        self.here = Formulas({**shape, "N": self.clients}, "N", setting.axis)
        self.stiff = np.ravel(world.problem.client_smoothness)
        self.top = np.ravel(world.problem.smoothness).item()
        self.bound = np.ravel(read.bound(world)).item()
        params = [n for n, row in setting.rows.items() if not row]
        self.known: Table = {(n, ()): np.ravel(world.original(n))[0] for n in params}
        self.known |= {(str(TOP), ()): self.top, (str(BOUND), ()): self.bound}

    def agrees(self) -> bool | None:
        """Whether all of it is as it was read; None where a hypothesis is broken."""
        if any(len(side) != 1 for side in (*self.sides, *self.margins.values())):
            return False
        if not self._sides() or not self._margins():
            return False
        if any(m[0] < 0 for m in self.margins.values()):
            return None
        return bool(self.rounds) and all(map(self._known_of, self.rounds))

    def _rounds(self, run: Trajectory, masks: Any) -> Iterator[_Round]:
        z, lam = np.asarray(run.server)[0, 0, :, 0], np.asarray(run.multipliers)[0, 0]
        models = np.asarray(run.local_models)[0, 0, :, :, 0]
        for t in range(len(models)):
            one = np.array([Fraction(1)] * self.clients)
            averaged = one if masks is None else np.asarray(masks)[0, 0, t]
            yield _Round(z[t], z[t + 1], models[t], lam[t], lam[t + 1], averaged, t == 0)

    def _slopes(self, x: Array) -> Array:
        """f_i'(x_j), (N, N)."""
        points = np.broadcast_to(x[:, None, None], (len(x), self.clients, 1))
        found = self.world.problem.own_gradients(points[None, None])
        return np.asarray(found)[0, 0, :, :, 0].T

    def _table(self, r: _Round) -> Table:
        own = np.diagonal(self._slopes(r.models))
        each = {"multiplier": r.multipliers, "model": r.models, "slope": own, "stiff": self.stiff}
        found: Table = {(n, (k,)): v for n, vs in each.items() for k, v in enumerate(vs)}
        return {**self.known, **found, ("server", ()): r.server, ("server_after", ()): r.after}

    def _each(self, e: Any, r: _Round) -> list[Any]:
        """The values of a formula of every client in a round."""
        k, _ = client_symbol()
        table = self._table(r)
        return [self.here.at(e, {k: i}, table) for i in range(self.clients)]

    def _sides(self) -> bool:
        average = [v for r in self.rounds for v in self._each(self.read.body, r)]
        known = dict(self.known)
        if self.read.residual is not None:
            squares = [v for r in self.rounds for v in self._each(self.read.residual, r)]
            known[str(MOST), ()] = max(squares)
        right = self.here.at(self.read.right, {}, known)
        left, other = (side[0] for side in self.sides)
        return equal(sum(average) / len(average), left) and equal(right, other)

    def _margins(self) -> bool:
        """The lowest margin of each hypothesis."""
        read, begins = self.read, [r for r in self.rounds if r.begins]
        for name, margin in self.margins.items():
            found = [
                v
                for e in read.everywhere.get(name, ())
                for r in self.rounds
                for v in self._each(e, r)
            ]
            found += [v for e in read.first.get(name, ()) for r in begins for v in self._each(e, r)]
            found += [self.here.at(e, {}, self.known) for e in read.plain.get(name, ())]
            if not found or not equal(min(found), margin[0]):
                return False
        return True

    def _known_of(self, r: _Round) -> bool:
        """What is taken for known of a round."""
        low, high = (self.known[n, ()] for n in ENDS)
        slopes, x, lam = self._slopes(r.models), r.models, r.multipliers
        own = np.diagonal(slopes)
        smooth = np.abs(own[:, None] - slopes) <= self.stiff[:, None] * np.abs(x[:, None] - x)
        unlike = np.abs(lam * slopes - lam[:, None] * own) <= self.bound
        shares = r.averaged * r.updated
        apart = ~np.eye(self.clients, dtype=bool)
        return bool(
            np.all((low <= lam) & (lam <= high))
            and np.all(self.stiff <= self.top)
            and np.all(smooth)
            and np.all(unlike[apart])
            and np.all(shares >= 0)
            and shares.sum() > 0
            and r.after * shares.sum() == (shares * x).sum()
        )
