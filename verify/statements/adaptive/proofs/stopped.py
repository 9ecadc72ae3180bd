"""A run of All-for-one in fractions, stopped at the minimiser once epsilon is reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verify.outlines.exact import fractions
from verify.proof.bridge import Point
from verify.statements.adaptive import quantities as q

__all__ = ["Stopped", "Worst"]


@dataclass(frozen=True)
class Worst:
    """Definition 1 where the noise of the sum is largest; by client, the one that asks first."""

    own: Fraction
    gap: Sequence[Fraction]
    ratio: Sequence[Fraction]
    phi: Sequence[Fraction]
    effective: Fraction
    noise: Fraction


class Stopped:
    """What is measured on the run of a world.

    Parameters
    ----------
    world : World
        In exact numbers.
    """

    def __init__(self, world: Any) -> None:
        self._world = world
        self._theta = np.asarray(world.run().theta)[0]  # (R, T + 1, d)
        self._path = q.on_path(world)
        outcomes, length, _ = self._theta.shape
        self.rounds = length - 1
        self.chances = self.row(np.broadcast_to(np.asarray(world.weights)[0], (outcomes,)))
        self.sigma2, self.bias, self.slope = (
            self.row(np.asarray(v)[0, 0]) for v in (world.sigma2, world.squared_bias, world.slope)
        )
        self.clients = len(self.sigma2)
        self.star = self.point(
            np.asarray(world.problem.optimum).reshape(-1, self.clients, self._theta.shape[-1])[0, 0]
        )
        self._excess = [self._over(q.excess(world, t)) for t in range(length)]
        self._slopes = [
            np.asarray(world.problem.gradients(self._theta[None, :, t]))[0] for t in range(length)
        ]
        decreasing = world.has("step_sizes")
        self.steps = (
            fractions(world.original("step_sizes"))
            if decreasing
            else [self.one("step_size")] * self.rounds
        )
        """Of every round."""
        least = self.one("precision")
        self._above = [[x >= least for x in row] for row in self._excess]

    # -- numbers ---------------------------------------------------------------------------------

    def one(self, name: str) -> Fraction:
        """A constant by its name."""
        return self.single(self._world.original(name))

    def single(self, value: Any) -> Fraction:
        """The one number of an array."""
        return fractions(value)[0]

    def row(self, values: Any) -> list[Fraction]:
        """Numbers as fractions."""
        return fractions(values)

    def point(self, values: Any) -> Point:
        """Coordinates of a vector."""
        return tuple(self.row(values))

    def phi(self, ratio: Sequence[Fraction]) -> list[Fraction]:
        """phi of the ratios of all clients."""
        values = np.empty((1, 1, self.clients), dtype=object)
        values[0, 0] = ratio
        return self.row(q.phi_of(self._world, self._world.array(values)))

    def sufficient(self) -> tuple[list[Fraction], list[Fraction]]:
        """Ratios of Definition 2 with the square, and phi of them."""
        ratio = self.row(q.sufficient(self._world, self._world.precision, printed=False)[0])
        return ratio, self.phi(ratio)

    # -- the run ---------------------------------------------------------------------------------

    def goes_on(self, outcome: int, rounds: int) -> bool:
        """Whether the excess loss has been at least epsilon at the first so many models."""
        return all(self._above[s][outcome] for s in range(rounds))

    def model(self, t: int, outcome: int, rounds: int) -> Point:
        """Model t where the run goes on after so many looks at it, else the minimiser."""
        return self.point(self._theta[outcome, t]) if self.goes_on(outcome, rounds) else self.star

    def told(self, t: int, outcome: int) -> Point:
        """Weighted sum of the gradients; zero once it is stopped."""
        if not self.goes_on(outcome, t + 1):
            return tuple(Fraction(0) for _ in self.star)
        weights = np.asarray(self._path.alpha)[0, outcome, t]
        return self.point((weights[:, None] * self._slopes[t][outcome]).sum(0))

    def noise(self, t: int, outcome: int) -> Point:
        """What else moves the model in round t; zero once it is stopped."""
        if not self.goes_on(outcome, t + 1):
            return tuple(Fraction(0) for _ in self.star)
        move = self.point(self._theta[outcome, t] - self._theta[outcome, t + 1])
        step = self.steps[t]
        return tuple(m / step - g for m, g in zip(move, self.told(t, outcome), strict=True))

    def spread(self, t: int) -> Fraction:
        """Mean square of what noise adds in round t."""
        squares = (sum(x**2 for x in self.noise(t, o)) for o in range(len(self.chances)))
        return sum((c * s for c, s in zip(self.chances, squares, strict=True)), Fraction(0))

    def squares(self, t: int) -> Fraction:
        """Mean over the outcomes that go on of the weighted squares of the gradients."""
        total = Fraction(0)
        for outcome, chance in enumerate(self.chances):
            if self.goes_on(outcome, t + 1):
                weights = np.asarray(self._path.alpha)[0, outcome, t]
                total += chance * Fraction(
                    (weights * (self._slopes[t][outcome] ** 2).sum(-1)).sum()
                )
        return total

    def worst(self) -> Worst:
        """Where the noise of the sum is largest before epsilon is reached."""
        path, found = self._path, []
        for outcome in range(len(self.chances)):
            for t in range(self.rounds):
                if self.goes_on(outcome, t + 1):
                    at = (0, outcome, t)
                    weights = self.row(np.asarray(path.alpha)[at])
                    own = Fraction(np.asarray(path.squared_gradient)[at])
                    gap = self.row(np.asarray(path.squared_gap)[at])
                    ratio = [max(1 - g / own, Fraction(0)) for g in gap]
                    effective = Fraction(np.asarray(path.effective)[at])
                    noise = sum(
                        (a**2 * s for a, s in zip(weights, self.sigma2, strict=True)), Fraction(0)
                    )
                    found.append(Worst(own, gap, ratio, self.phi(ratio), effective, noise))
        return max(found, key=lambda one: one.noise) if found else self._alike()

    def _alike(self) -> Worst:
        """Of a run that is stopped before its first round: all clients alike, any numbers will do."""
        ones = [Fraction(1)] * self.clients
        phi = self.phi(ones)
        effective = 1 / sum((p / s for p, s in zip(phi, self.sigma2, strict=True)), Fraction(0))
        noise = sum((p**2 / s for p, s in zip(phi, self.sigma2, strict=True)), Fraction(0))
        own = 2 * self.one("mu") * self.one("precision")
        return Worst(own, [Fraction(0)] * self.clients, ones, phi, effective, effective**2 * noise)

    def known_points(self) -> dict[Point, tuple[Fraction, Point]]:
        """Excess loss and gradient at every model, and at the minimiser."""
        found = {self.star: (Fraction(0), tuple(Fraction(0) for _ in self.star))}
        for t, row in enumerate(self._excess):
            for outcome, excess in enumerate(row):
                here = self.point(self._theta[outcome, t])
                found.setdefault(here, (excess, self.point(self._slopes[t][outcome][0])))
        return found

    def _over(self, values: Any) -> list[Fraction]:
        """A number of each outcome."""
        return self.row(np.broadcast_to(np.asarray(values)[0], (len(self._theta),)))
