"""Exact runs of FedBC at a random point, to which what is read of them is held."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.numbers.symbolic import client_symbol
from bounds.numbers.validate import unchecked
from verify.claim.instance import Instance
from verify.claim.parameters import Shape
from verify.reading.consensus.names import MODEL, MULTIPLIER, SLOPE, STIFF, TOP
from verify.reading.consensus.reading import ENDS, ConsensusRead, ConsensusRuns
from verify.reading.parts.refusals import asked
from verify.reading.parts.values import Formulas, equal, whole
from verify.world.returned import margins_of, sides_of
from verify.world.trajectories import Trajectory
from verify.world.world import World

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types
Table = dict[tuple[str, tuple[int, ...]], Any]

__all__ = ["ExactConsensus", "ExactRound", "Table"]


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


@dataclass(frozen=True)
class ExactRound:
    """A round of a run, arrays over clients.

    Attributes
    ----------
    server, after : number
        The server's model before and after.
    models : array
        Where each client solves its problem.
    multipliers, updated : array
        Before and after.
    averaged : array
        1 for clients whose models are averaged, else 0.
    solved : array
        1 for clients that compute, else 0.
    """

    server: Any
    after: Any
    models: Array
    multipliers: Array
    updated: Array
    averaged: Array
    solved: Array


class ExactConsensus:
    """An exact instance of a shape: what a statement gives there, and the runs that it makes.

    Parameters
    ----------
    setting : ConsensusRuns
    instance : Instance
    shape : mapping
    """

    def __init__(self, setting: ConsensusRuns, instance: Instance, shape: Shape) -> None:
        statement, self.clients = setting.statement, int(shape["N"])
        self.instance = instance
        self.world = world = Recorded(instance, "exact", None, statement.defines)
        with asked(), unchecked():
            self.sides = [whole(side) for side in sides_of(statement, world)]
            self.margins = {
                n: list(np.asarray(m, dtype=object).reshape(-1))
                for n, m in margins_of(statement, world).items()
            }
        self.runs = [[*self._rounds(run, masks)] for run, masks in world.made]
        self.rounds = [r for run in self.runs for r in run]
        self.here = Formulas({**shape, "N": self.clients}, "N", setting.axis)
        self.stiff = np.ravel(world.problem.client_smoothness)
        self.known: Table = {(str(TOP), ()): np.ravel(world.problem.smoothness).item()}

    def agrees(self) -> bool | None:
        """Whether all of it is as it was read; None where a hypothesis is broken."""
        if any(len(side) != 1 for side in (*self.sides, *self.margins.values())):
            return False
        if not self._as_read():
            return False
        if any(m[0] < 0 for m in self.margins.values()):
            return None
        return bool(self.rounds) and self._as_known()

    def _as_read(self) -> bool:
        """Whether both sides and the hypotheses are what was read."""
        raise NotImplementedError

    def _as_known(self) -> bool:
        """Whether what is taken for known is so."""
        raise NotImplementedError

    def _solved(self, averaged: Array) -> Array:
        """Which clients compute: all of them."""
        return np.ones_like(averaged)

    def _of_server(self, r: ExactRound) -> Table:
        """What formulas may say of the server: nothing."""
        return {}

    def _rounds(self, run: Trajectory, masks: Any) -> Iterator[ExactRound]:
        z, lam = np.asarray(run.server)[0, 0, :, 0], np.asarray(run.multipliers)[0, 0]
        models = np.asarray(run.local_models)[0, 0, :, :, 0]
        one = np.ones(self.clients, dtype=int)
        for t in range(len(models)):
            averaged = one if masks is None else np.asarray(masks)[0, 0, t]
            solved = self._solved(averaged)
            own = models[t]
            if not np.all(solved == 1):  # one that waits is looked at where it would solve its own
                problem: Any = self.world.problem
                begin = np.array([[[z[t]]]], dtype=object)
                exact = problem.proximal(2 * lam[t][None, None], begin)
                own = np.where(solved == 1, own, np.ravel(exact))
            yield ExactRound(z[t], z[t + 1], own, lam[t], lam[t + 1], averaged, solved)

    def at(self, point: Any, of: Any) -> Array:
        """Losses or slopes of all clients at one point, or at one point for each."""
        points = np.broadcast_to(np.asarray(point, dtype=object), (self.clients,))
        found: Array = np.asarray(of(points[None, None, :, None]), dtype=object).reshape(-1)
        return found

    def slopes(self, point: Any) -> Array:
        """Of all clients at one point, or at one point for each."""
        return self.at(point, self.world.problem.own_gradients)

    def each(self, e: Expr, r: ExactRound) -> list[Any]:
        """The values of a formula of every client in a round."""
        k, _ = client_symbol()
        own = {MULTIPLIER: r.multipliers, MODEL: r.models, SLOPE: self.slopes(r.models)}
        own[STIFF] = self.stiff
        table = {**self.known, **self._of_server(r)}
        for base, values in own.items():
            table |= {(str(base.label), (i,)): v for i, v in enumerate(values)}
        return [self.here.at(e, {k: i}, table) for i in range(self.clients)]

    def margins_as(self, read: ConsensusRead, silent: bool) -> bool:
        """Whether the lowest margin of each hypothesis is what was read.

        Parameters
        ----------
        read : ConsensusRead
        silent : bool
            Whether a hypothesis may say nothing: its margin is zero then.
        """
        begins = [run[0] for run in self.runs]
        for name, margin in self.margins.items():
            parts: list[tuple[Expr, Sequence[ExactRound]]] = []
            parts += [(e, self.rounds) for e in read.everywhere.get(name, ())]
            parts += [(e, begins) for e in read.first.get(name, ())]
            found = [v for e, rounds in parts for r in rounds for v in self.each(e, r)]
            found += [self.here.at(e, {}, self.known) for e in read.plain.get(name, ())]
            if not (found or silent) or not equal(min(found, default=0), margin[0]):
                return False
        return True

    def as_in_every_round(self, r: ExactRound, unlike: Any) -> bool:
        """Whether what is taken for known of a round is so.

        Slopes are smooth, and no more than so unlike, which is not looked at if it is None; the
        server's model is the mean of those that are averaged.
        """
        low, high = (self.known[n, ()] for n in ENDS)
        x, lam = r.models, r.multipliers
        slopes = np.array([self.slopes(v) for v in x])  # f_i'(x_j) at [j, i]
        own = np.diagonal(slopes)
        apart = ~np.eye(self.clients, dtype=bool)
        shares = r.averaged * r.updated
        near = np.abs(own[None, :] - slopes) <= self.stiff * np.abs(x[:, None] - x)
        gaps = np.abs(lam[:, None] * slopes - own[:, None] * lam)
        return bool(
            np.all((low <= lam) & (lam <= high))
            and np.all(self.stiff <= self.known[str(TOP), ()])
            and np.all(near)
            and (unlike is None or np.all(gaps[apart] <= unlike))
            and np.all(shares >= 0)
            and shares.sum() > 0
            and r.after * shares.sum() == (shares * x).sum()
        )
