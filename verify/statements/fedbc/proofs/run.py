"""Exact runs of FedBC as outlines see them: each sequence of sampled sets is a run by itself.

F at e_i + x is f_i at x: a point has one further coordinate for each client, in which it is told
whose loss is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from verify.outlines.exact import fractions, in_fractions
from verify.proof.bridge import ExactRun
from verify.statements.fedbc import quantities as q

Quantities = Mapping[str, Callable[[Any], Any]]

LOOKED_AT = 2
"""Rounds in which facts and steps are looked at, and the last: numbers are five times as long in
each as in the one before."""

__all__ = ["measured_with"]


def measured_with(
    numbers: Quantities, *, solved: bool = False, kept: bool = False
) -> Callable[[Any], tuple[ExactRun, Mapping[str, int]]]:
    """How the run of a world is seen.

    Parameters
    ----------
    numbers : mapping
        What is taken over a set of points, by its letter.
    solved : bool
        Whether a client that waits has the exact solution of its problem for its model.
    kept : bool
        Whether multipliers stay in the last round.
    """

    def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
        seen = _Seen(world, solved, kept)
        taken = {name: _one(quantity, world) for name, quantity in numbers.items()}
        numbers_of = seen.numbers() | taken
        still = numbers_of["T"]() > seen.rounds  # every further round is as the last one
        steady = {"t": seen.rounds} if still else {}
        run = ExactRun([Fraction(1)], numbers=numbers_of, **seen.rest(), steady=steady)
        rounds = min(seen.rounds + still, LOOKED_AT)
        return run, {"s": seen.count, "i": seen.clients, "j": seen.clients, "t": rounds}

    return measured


def _one(quantity: Callable[[Any], Any], world: Any) -> Callable[[], Fraction]:
    return lambda: fractions(quantity(world))[0]


class _Seen:
    """Models, server and multipliers of all runs of a world, arrays of fractions."""

    def __init__(self, world: Any, solved: bool, kept: bool) -> None:
        self.world, runs = world, q.rounds_of(world)
        self.count, self.rounds = len(runs), len(runs[0])
        self.clients = world.multipliers.shape[-1]
        self.problem: Any = world.problem
        self._known: dict[Any, tuple[Fraction, Fraction]] = {}
        self.x = np.empty((self.count, self.clients, self.rounds + 1), dtype=object)
        self.lam, self.z = self.x.copy(), np.empty((self.count, self.rounds + 1), dtype=object)
        self.sent = np.empty((self.count, self.clients, self.rounds), dtype=object)
        self.share, self.works = self.sent.copy(), self.sent.copy()
        sampled = combinations(range(self.clients), int(world.S))
        sets = list(product(sampled, repeat=self.rounds))  # in the order of the runs
        for s, run in enumerate(runs):
            self.x[s, :, 0], self.z[s, 0] = fractions(run[0].old), fractions(run[0].server)[0]
            self.lam[s, :, 0] = fractions(run[0].multipliers)
            for t, r in enumerate(run):
                self._round(s, t, r, solved)
                self.share[s, :, t] = self._shares(r, sets[s][t])
            if kept:
                self.lam[s, :, -1] = self.lam[s, :, -2]

    def _round(self, s: int, t: int, r: q.Round, solved: bool) -> None:
        new = np.array(fractions(r.new), dtype=object)
        works = np.array([k in r.solved for k in range(self.clients)])
        if solved and not works.all():
            exact = self.problem.proximal(2 * r.multipliers, r.server[..., None])[..., 0]
            new = np.where(works, new, np.array(fractions(exact), dtype=object))
        self.x[s, :, t + 1], self.z[s, t + 1] = new, fractions(r.after)[0]
        self.lam[s, :, t + 1], self.works[s, :, t] = fractions(r.updated), works
        self.sent[s, :, t] = (new - self.z[s, t]) ** 2

    def _shares(self, r: q.Round, members: tuple[int, ...]) -> Any:
        """What each client has in the server's model, which is the mean of those in the set."""
        chosen = np.array([int(k in members) for k in range(self.clients)], dtype=object)
        weights = chosen * np.array(fractions(r.updated), dtype=object)
        return weights / weights.sum()

    def numbers(self) -> dict[str, Callable[..., Fraction]]:
        """Numbers by name."""
        world, stiff = self.world, fractions(q.stiffness(self.world))
        gamma = fractions(world.original("gamma"))
        low, high, alpha = (
            fractions(world.original(n))[0] for n in ("lambda_min", "lambda_max", "dual_step")
        )
        return {
            "L": lambda i: stiff[i],
            "inv": lambda i: 1 / stiff[i],
            "gam": lambda i: gamma[i],
            "lam": _within(self.lam),
            "U": _within(self.sent),
            "a": _within(self.share),
            "top": lambda: max(stiff),
            "low": lambda: low,
            "high": lambda: high,
            "alpha": lambda: alpha,
            "N": lambda: Fraction(self.clients),
            "K": lambda: Fraction(self.count),
            "T": lambda: Fraction(int(fractions(q.length(world))[0])),
        }

    def rest(self) -> dict[str, Any]:
        """Vectors and functions by name."""
        nowhere = (Fraction(0),) * self.clients

        def told(i: int) -> tuple[Fraction, ...]:
            return tuple(Fraction(i == k) for k in range(self.clients))

        def at(values: Any) -> Any:
            entry = _within(values)

            def point(_: Any, __: int, ___: int, *place: int) -> tuple[Fraction, ...]:
                return (entry(*place), *nowhere)

            return point

        def loss(_: int, x: tuple[Fraction, ...]) -> Fraction:
            return self._at(x)[0]

        def gradient(_: int, x: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
            return (self._at(x)[1], *nowhere)

        return {
            "vectors": {
                "x": at(self.x),
                "z": at(self.z),
                "res": at(self._residuals()),
                "mean": at(self._slopes()),
                "e": lambda _, o, c, i: (Fraction(0), *told(i)),
            },
            "functions": {"F": (loss, gradient)},
        }

    def _at(self, x: tuple[Fraction, ...]) -> tuple[Fraction, Fraction]:
        """Loss and gradient of the client that is told, zero where none is."""
        whose = [i for i, mark in enumerate(x[1:]) if mark == 1]
        if len(whose) != 1 or any(mark not in (0, 1) for mark in x[1:]):
            return Fraction(0), Fraction(0)
        if x not in self._known:
            points = np.array([[[x[0]] * self.clients]], dtype=object)
            found = (q.losses(self.world, points), q.slopes(self.world, points))
            self._known[x] = tuple(in_fractions(v)[0, 0, whose[0]] for v in found)
        return self._known[x]

    def _residuals(self) -> Any:
        """Of the local solves; zero where a client waits."""
        found = np.full(self.sent.shape, Fraction(0), dtype=object)
        for s, i, t in np.ndindex(*found.shape):
            if self.works[s, i, t]:
                model = self.x[s, i, t + 1]
                marks = tuple(Fraction(i == k) for k in range(self.clients))
                pull = 2 * self.lam[s, i, t] * (model - self.z[s, t])
                found[s, i, t] = self._at((model, *marks))[1] + pull
        return found

    def _slopes(self) -> Any:
        """Of the mean loss at the server's models."""
        found = np.empty(self.z.shape, dtype=object)
        for place in np.ndindex(*found.shape):
            points = np.array([[[self.z[place]] * self.clients]], dtype=object)
            found[place] = sum(in_fractions(q.slopes(self.world, points)).flat) / self.clients
        return found


def _within(values: Any) -> Callable[..., Fraction]:
    """An entry; beyond the last index the last one."""

    def entry(*place: int) -> Fraction:
        found: Fraction = values[
            tuple(min(p, n - 1) for p, n in zip(place, values.shape, strict=True))
        ]
        return found

    return entry
