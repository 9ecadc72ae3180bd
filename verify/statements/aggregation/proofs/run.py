"""A run with local steps in fractions, as outlines see it.

Each round has a client of its own, drawn by the weights of that round and apart from the clients of
other rounds: what outlines say of a client at iteration t they say of that of its round.  Where
models are aggregated at the times of eq. 2 the weights of a round are those with which it ends, and
p in the last round if the iteration that is looked at ends within it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, prod
from typing import Any

import numpy as np

from verify.outlines.exact import fractions, in_fractions
from verify.proof.bridge import ExactRun
from verify.statements.aggregation.quantities import measures

LOOKED_AT = 3
"""Iterations, and local steps of a round, at which facts are tried at most."""

__all__ = ["LocalRun"]


class LocalRun:
    """A world of one run.

    Parameters
    ----------
    world : World
        In exact numbers.
    last : int
        The iteration that is looked at.
    """

    def __init__(self, world: Any, last: int) -> None:
        self.world, self.last = world, last
        self.steps, self.early = int(world.local_steps), world.timing != "algorithm"
        run = world.run()
        theta, models, alpha = (in_fractions(x)[0] for x in (run.theta, run.models, run.alpha))
        self.rounds, self.clients = alpha.shape[1:]
        self.outcomes = max(len(x) for x in (theta, models, alpha))
        self.models = np.broadcast_to(models, (self.outcomes, *models.shape[1:]))
        self.alpha = np.broadcast_to(alpha, (self.outcomes, *alpha.shape[1:]))
        chances = fractions(world.weights)
        equal = [Fraction(1, self.outcomes)] * self.outcomes
        self.chances = chances if len(chances) == self.outcomes else equal
        self.share = np.array(fractions(world.client_weights), dtype=object)
        self.eta = fractions(world.original("step_sizes"))
        self.star = in_fractions(measures.best(world))[0, 0]
        self.own_best = in_fractions(world.problem.optimum)[0, 0]
        self.weights = [self._weights(t) for t in range(self.rounds)]
        self.point = [self._point(t) for t in range(self.rounds + 1)]
        self.slopes = [self._slopes(t) for t in range(self.rounds)]

    def begin(self, t: int) -> int:
        """The iteration with which the round of another one begins."""
        first = int(self.early and t > 0)
        return (t - first) // self.steps * self.steps + first

    def _weights(self, t: int) -> Any:
        """Of the round of an iteration, (R, N)."""
        if not self.early:
            return self.alpha[:, t]
        end = -(-t // self.steps) * self.steps
        return self.alpha[:, end] if end <= self.last else self.alpha[:, 0] * 0 + self.share

    def _point(self, t: int) -> Any:
        """The virtual average, (R, d)."""
        weights = self.weights[max(t - 1, 0)]
        return (weights[..., None] * self.models[:, t]).sum(1)

    def _slopes(self, t: int) -> Any:
        """Gradients of the clients at their own models, (R, N, d)."""
        return in_fractions(self.world.problem.own_gradients(self.models[None, :, t]))[0]

    # -- what outlines ask for -------------------------------------------------------------------

    def noise(self, t: int) -> Any:
        """Of the mean direction, (R, d)."""
        told = (self.point[t] - self.point[t + 1]) / self.eta[t]
        return told - (self.weights[t][..., None] * self.slopes[t]).sum(1)

    def made(self, t: int, j: int) -> tuple[int, bool]:
        """After j steps of its round, or those before t if fewer: which iteration; if one follows."""
        first = self.begin(t)
        return min(first + j, t), first + j < t

    def step(self, t: int, j: int) -> Fraction:
        """Size of a step of the round before t, zero where there is none."""
        at, follows = self.made(t, j)
        return self.eta[at] if follows else Fraction(0)

    def told(self, t: int, j: int) -> Any:
        """What clients are told in it, (R, N, d)."""
        at, follows = self.made(t, j)
        if not follows:
            return self.models[:, 0] * 0
        return (self.models[:, at] - self.models[:, at + 1]) / self.eta[at]

    def longest(self, t: int) -> Fraction:
        """The largest of them."""
        return max((self.step(t, j) for j in range(t - self.begin(t))), default=Fraction(0))

    def mean(self, t: int, values: Any, only: int | None = None) -> Fraction:
        """Over outcomes, or on one, and the clients by the weights of the round."""
        found = in_fractions(values)
        found = found.reshape(-1, self.clients)
        each = (self.weights[t] * np.broadcast_to(found, self.weights[t].shape)).sum(-1)
        return self.over_outcomes(each, only)

    def over_outcomes(self, values: Any, only: int | None = None) -> Fraction:
        """Mean of a number of each outcome."""
        if only is not None:
            return Fraction(values[only])
        return sum((c * v for c, v in zip(self.chances, values, strict=True)), Fraction(0))

    def rise(self, point: Any) -> Any:
        """F - F^* at one point of each outcome."""
        hessian = in_fractions(measures.mean_hessian(self.world))[0, 0]
        away = point - self.star
        return ((away @ hessian) * away).sum(-1) / 2

    def own(self, t: int, only: int | None) -> Fraction:
        """Losses of the clients above their least ones, at their own models."""
        return self.mean(t, self.world.problem.own_excess(self.models[None, :, t]), only)

    def losses(self, t: int, point: Any, only: int | None) -> Fraction:
        """The same at one point of each outcome."""
        return self.mean(t, self.world.problem.excess(point[None]), only)

    def _sent(self, t: int) -> Any:
        """The first model of the round of an iteration, (R, d)."""
        return self.models[:, self.begin(t), 0]

    def _variances(self) -> Any:
        """Stated variance of each client."""
        return in_fractions(self.world.problem.noise_variance).reshape(1, -1)

    # -- as one run, or as one of each outcome -----------------------------------------------------

    def whole(self, numbers: Mapping[str, Any]) -> tuple[ExactRun, Mapping[str, int]]:
        """All outcomes together."""
        return self._run(numbers, None)

    def alone(self, numbers: Mapping[str, Any]) -> Sequence[tuple[ExactRun, Mapping[str, int]]]:
        """Each outcome by itself."""
        return [self._run(numbers, outcome) for outcome in range(self.outcomes)]

    def _run(
        self, numbers: Mapping[str, Any], only: int | None
    ) -> tuple[ExactRun, Mapping[str, int]]:
        rows = range(self.outcomes) if only is None else [only]
        begins = sorted({self.begin(t) for t in range(self.rounds)})
        lists = list(product(range(self.clients), repeat=len(begins)))
        chosen = [
            [
                prod(
                    (self.weights[b][o, i] for b, i in zip(begins, those, strict=True)),
                    start=Fraction(1),
                )
                for those in lists
            ]
            for o in rows
        ]
        zero = (Fraction(0),) * len(self.star)

        def shared(values: Any, until: int) -> Any:
            def point(_: ExactRun, outcome: int, client: int, t: int) -> tuple[Fraction, ...]:
                return tuple(values(min(t, self.rounds))[rows[outcome]]) if t < until else zero

            return point

        def each(values: Any) -> Any:
            def point(run: ExactRun, outcome: int, client: int, t: int, *j: int) -> Any:
                if t >= self.rounds:
                    return zero
                drawn = lists[client][begins.index(self.begin(t))]
                return tuple(values(t, *j)[rows[outcome], drawn])

            return point

        def models(run: ExactRun, outcome: int, client: int, t: int) -> Any:
            if t >= self.rounds:  # the average: nobody moves any more
                return tuple(self.point[self.rounds][rows[outcome]])
            drawn = lists[client][begins.index(self.begin(t))]
            return tuple(self.models[rows[outcome], t, drawn])

        far = 10**9
        vectors = {
            "w": shared(lambda t: self.point[t], far),
            "n": shared(self.noise, self.rounds),
            "s": shared(self._sent, self.rounds),
            "k": each(lambda t: self.slopes[t]),
            "g": each(lambda t: self.slopes[self.begin(t)]),
            "o": each(lambda t: self.models[:, t] * 0 + self.own_best),
            "v": each(lambda t, j: self.models[:, self.made(t, j)[0]]),
            "u": each(self.told),
            "c": models,
            "star": lambda *_: tuple(self.star),
        }
        entries = {**self._numbers(only), **numbers}
        found = ExactRun(
            [self.chances[o] for o in rows] if only is None else [Fraction(1)],
            chosen=chosen,
            numbers={name: _entry(value) for name, value in entries.items()},
            vectors=vectors,
        )
        looked_at = min(self.rounds, LOOKED_AT), min(self.steps, LOOKED_AT)
        return found, dict(zip(("t", "j"), looked_at, strict=True))

    def _numbers(self, only: int | None) -> dict[str, Any]:
        times = range(self.rounds)
        at_best = self.models[:, 0, 0] * 0 + self.star
        ends = self.world.given("horizon")
        count = ceil(fractions(self.world.horizon)[0]) if ends else self.last + 1
        return {
            "A": count - 1,
            "E": self.steps,
            "P": [max(t - self.begin(t) - 1, 0) for t in times],
            "b": [self.begin(t) for t in times],
            "eta": self.eta[: self.rounds],
            "top": [self.longest(t) for t in times],
            "es": lambda t, j: self.step(t, j) if t < self.rounds else Fraction(0),
            "own": [self.own(t, only) for t in times],
            "here": [self.losses(t, self.point[t], only) for t in times],
            "first": [self.losses(t, self._sent(t), only) for t in times],
            "begun": [self.over_outcomes(self.rise(self._sent(t)), only) for t in times],
            "ideal": [self.losses(t, at_best, only) for t in times],
            "squares": [self.mean(t, self.weights[t] * self._variances(), only) for t in times],
            "rise": [self.over_outcomes(self.rise(x), only) for x in self.point],
        }


def _entry(value: Any) -> Any:
    if callable(value):
        return value
    if not isinstance(value, list):
        return lambda *_: Fraction(value)
    return lambda place: value[min(place, len(value) - 1)]
