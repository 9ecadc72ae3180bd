"""A run of All-for-one in fractions, stopped at the minimiser once epsilon is reached."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from verify.proof.bridge import ExactRun, Point
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive.proofs.run import MeasuredPlace, MeasuredRun, entry, slope

__all__ = ["Stopped", "measured"]


class Stopped(MeasuredRun):
    """What is measured on the stopped run of a world.

    It is stopped where the excess loss is below ``precision``, or, in a world that has one, the
    squared gradient below ``level``.

    Parameters
    ----------
    world : World
        In exact numbers.
    """

    def __init__(self, world: Any) -> None:
        super().__init__(world)
        dim = self._theta.shape[-1]
        optimum = np.asarray(world.problem.optimum).reshape(-1, self.clients, dim)
        self.star = self.point(optimum[0, 0])
        self.nowhere = tuple(Fraction(0) for _ in self.star)
        by_level = world.has("level")
        self.level = self.one("level" if by_level else "precision")
        """What the squared gradient is at least before it is stopped, by the inequality of A5."""
        self._above = [
            [
                (self._square(t, o) if by_level else self.excess[t][o]) >= self.level
                for o in range(self.outcomes)
            ]
            for t in range(self.rounds + 1)
        ]
        if not by_level:
            self.level *= 2 * self.one("mu")

    def goes_on(self, outcome: int, rounds: int) -> bool:
        """Whether it was not stopped at the first so many models."""
        return all(self._above[s][outcome] for s in range(rounds))

    def looked_at(self, t: int, outcome: int, rounds: int) -> Point:
        """Model t where the run goes on after so many looks at it, else the minimiser."""
        return self.model(t, outcome) if self.goes_on(outcome, rounds) else self.star

    def told(self, t: int, outcome: int) -> Point:
        """Weighted sum of the gradients; zero once it is stopped."""
        return super().told(t, outcome) if self.goes_on(outcome, t + 1) else self.nowhere

    def noise(self, t: int, outcome: int) -> Point:
        """What else moves the model in round t; zero once it is stopped."""
        return super().noise(t, outcome) if self.goes_on(outcome, t + 1) else self.nowhere

    def weighted_squares(self, t: int, outcome: int) -> Fraction:
        """Weighted squares of the gradients; zero once it is stopped."""
        going = self.goes_on(outcome, t + 1)
        return super().weighted_squares(t, outcome) if going else Fraction(0)

    def spread(self, t: int) -> Fraction:
        """Mean square of what noise adds in round t."""
        every = range(self.outcomes)
        return self.mean([sum((x**2 for x in self.noise(t, o)), Fraction(0)) for o in every])

    def worst(self) -> MeasuredPlace:
        """Where the noise of the sum is largest before it is stopped."""
        found = [
            self.place(t, o)
            for o in range(self.outcomes)
            for t in range(self.rounds)
            if self.goes_on(o, t + 1)
        ]
        return max(found, key=lambda one: one.noise) if found else self._alike()

    def _alike(self) -> MeasuredPlace:
        """Of a run that is stopped before its first round: all clients alike, any numbers will do."""
        ones = [Fraction(1)] * self.clients
        phi = self.phi(ones)
        effective = 1 / sum((p / s for p, s in zip(phi, self.sigma2, strict=True)), Fraction(0))
        weights = [effective * p / s for p, s in zip(phi, self.sigma2, strict=True)]
        noise = sum((a**2 * s for a, s in zip(weights, self.sigma2, strict=True)), Fraction(0))
        none = [Fraction(0)] * self.clients
        return MeasuredPlace(self.level, none, ones, phi, weights, effective, noise)

    def known_points(self) -> dict[Point, tuple[Fraction, Point]]:
        """Excess loss and gradient at every model, and at the minimiser."""
        return {self.star: (Fraction(0), self.nowhere)} | super().known_points()

    def _square(self, t: int, outcome: int) -> Fraction:
        return Fraction((self._slopes[t][outcome][0] ** 2).sum())


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The stopped run of a world as outlines see it."""
    run = Stopped(world)
    worst = run.worst()
    rs, phis, sufficient = run.sufficient(run.level)
    numbers: dict[str, Any] = {
        **{n: run.one(n) for n in ("mu", "beta") if world.has(n)},
        "level": run.level,
        "T": run.rounds,
        "N": run.clients,
        "suf": sufficient,
        "own": worst.own,
        "eff": worst.effective,
        "noise": max((run.spread(t) for t in range(run.rounds)), default=Fraction(0)),
        "i2": [1 / s for s in run.sigma2],
        "b2": run.bias,
        "c": run.slope,
        "rs": rs,
        "phis": phis,
        "gap": worst.gap,
        "r": worst.ratio,
        "phi": worst.phi,
        "q": list(map(slope, rs, worst.ratio, phis, worst.phi)),
        "u": [run.squares(t) for t in range(run.rounds)],
        "eta": run.steps if world.has("step_sizes") else run.steps[0],
        "P": run.mean([Fraction(run.goes_on(o, run.rounds + 1)) for o in range(run.outcomes)]),
    }
    if world.has("precision"):
        numbers["eps"] = run.one("precision")
    if world.has("step_sizes"):
        factor = run.one("factor")
        delay = factor / (numbers["mu"] * run.steps[0]) - 1
        plateau = numbers["beta"] * numbers["suf"] * factor**2
        plateau /= 2 * numbers["mu"] ** 2 * (factor - 1)
        start = run.single(q.excess(world, 0)) if run.rounds else Fraction(0)
        numbers |= {"C": factor, "gamma": delay, "nu": max(plateau, delay * start)}
    known, zero = run.known_points(), run.nowhere
    return ExactRun(
        run.chances,
        numbers={name: entry(value) for name, value in numbers.items()},
        vectors={
            "star": lambda _, o, i: run.star,
            "w": lambda _, o, i, t: run.looked_at(t, o, t) if t <= run.rounds else zero,
            "v": lambda _, o, i, t: run.looked_at(t, o, t + 1) if t <= run.rounds else zero,
            "told": lambda _, o, i, t: run.told(t, o) if t < run.rounds else zero,
            "n": lambda _, o, i, t: run.noise(t, o) if t < run.rounds else zero,
        },
        functions={
            "F": (
                lambda i, x: known.get(x, (Fraction(0), zero))[0],
                lambda i, x: known.get(x, (Fraction(0), zero))[1],
            )
        },
    ), {"t": run.rounds, "k": run.clients}
