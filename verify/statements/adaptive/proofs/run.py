"""A run of All-for-one in fractions: what is measured at every outcome and round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verify.outlines.exact import fractions
from verify.proof.bridge import Point
from verify.statements.adaptive import quantities as q

__all__ = ["MeasuredPlace", "MeasuredRun", "entry", "slope"]


@dataclass(frozen=True)
class MeasuredPlace:
    """Definition 1 at one outcome and round; by client, the one that asks first."""

    own: Fraction
    gap: Sequence[Fraction]
    ratio: Sequence[Fraction]
    phi: Sequence[Fraction]
    weights: Sequence[Fraction]
    effective: Fraction
    noise: Fraction


class MeasuredRun:
    """What is measured on the run of a world.

    Parameters
    ----------
    world : World
        In exact numbers.
    path : Along, optional
        Definition 1 at the models that are looked at; else at those before each round.
    """

    def __init__(self, world: Any, path: q.Along | None = None) -> None:
        self._world = world
        self._theta = np.asarray(world.run().theta)[0]  # (R, T + 1, d)
        self._path = q.on_path(world) if path is None else path
        self.outcomes, length, _ = self._theta.shape
        self.rounds = length - 1
        self.chances = self.row(np.broadcast_to(np.asarray(world.weights)[0], (self.outcomes,)))
        self.sigma2, self.bias, self.slope = (
            self.row(np.asarray(v)[0, 0]) for v in (world.sigma2, world.squared_bias, world.slope)
        )
        self.clients = len(self.sigma2)
        self.excess = [self._over(q.excess(world, t)) for t in range(length)]
        """Of every round and outcome."""
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

    def sufficient(self, level: Fraction) -> tuple[list[Fraction], list[Fraction], Fraction]:
        """Ratios of Definition 2 with the square at 2 mu epsilon, phi of them, and the variance."""
        pairs = zip(self.bias, self.slope, strict=True)
        ratio = [max(1 - b / level - c, Fraction(0)) for b, c in pairs]
        phi = self.phi(ratio)
        inverse = [r * p / s for r, p, s in zip(ratio, phi, self.sigma2, strict=True)]
        return ratio, phi, 1 / sum(inverse, Fraction(0))

    # -- the run ---------------------------------------------------------------------------------

    def model(self, t: int, outcome: int) -> Point:
        """Model after t rounds."""
        return self.point(self._theta[outcome, t])

    def told(self, t: int, outcome: int) -> Point:
        """Weighted sum of the gradients."""
        weights = np.asarray(self._path.alpha)[0, outcome, t]
        return self.point((weights[:, None] * self._slopes[t][outcome]).sum(0))

    def noise(self, t: int, outcome: int) -> Point:
        """What else moves the model in round t."""
        before, after = self.model(t, outcome), self.model(t + 1, outcome)
        told = self.told(t, outcome)
        return tuple(
            (b - a) / self.steps[t] - g for b, a, g in zip(before, after, told, strict=True)
        )

    def weighted_squares(self, t: int, outcome: int) -> Fraction:
        """Weighted squares of the gradients."""
        weights = np.asarray(self._path.alpha)[0, outcome, t]
        return Fraction((weights * (self._slopes[t][outcome] ** 2).sum(-1)).sum())

    def squares(self, t: int) -> Fraction:
        """Their mean over the outcomes."""
        return self.mean([self.weighted_squares(t, o) for o in range(self.outcomes)])

    def mean(self, values: Sequence[Fraction]) -> Fraction:
        """Of a number of each outcome."""
        return sum((c * v for c, v in zip(self.chances, values, strict=True)), Fraction(0))

    def place(self, t: int, outcome: int) -> MeasuredPlace:
        """Definition 1 there."""
        at = (0, outcome, t)
        own = Fraction(np.asarray(self._path.squared_gradient)[at])
        gap = self.row(np.asarray(self._path.squared_gap)[at])
        weights = self.row(np.asarray(self._path.alpha)[at])
        noise = sum((a**2 * s for a, s in zip(weights, self.sigma2, strict=True)), Fraction(0))
        effective = Fraction(np.asarray(self._path.effective)[at])
        ratio = [max(1 - g / own, Fraction(0)) for g in gap]
        return MeasuredPlace(own, gap, ratio, self.phi(ratio), weights, effective, noise)

    def known_points(self) -> dict[Point, tuple[Fraction, Point]]:
        """Excess loss and gradient at every model."""
        found: dict[Point, tuple[Fraction, Point]] = {}
        for t, row in enumerate(self.excess):
            for outcome, excess in enumerate(row):
                here = self.point(self._theta[outcome, t])
                found.setdefault(here, (excess, self.point(self._slopes[t][outcome][0])))
        return found

    def _over(self, values: Any) -> list[Fraction]:
        """A number of each outcome."""
        return self.row(np.broadcast_to(np.asarray(values)[0], (self.outcomes,)))


def slope(start: Fraction, end: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Of a function between two places; zero where they are one."""
    return Fraction(0) if start == end else (high - low) / (end - start)


def entry(value: Any) -> Any:
    """A number as a function of its indices, from nested lists; zero outside of them."""

    def at(*places: int) -> Fraction:
        found = value
        for place in places:
            if place >= len(found):
                return Fraction(0)
            found = found[place]
        return Fraction(found)

    return at if isinstance(value, list) else lambda *_: Fraction(value)
