"""Paths of a run of training in groups, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from verify.outlines.exact import fractions
from verify.statements.hcct.quantities.training import run_of

__all__ = ["ClientPaths", "numbered", "over_time"]


class ClientPaths:
    """What every client meets on every outcome: lists of arrays (outcomes, clients).

    Attributes
    ----------
    run : Training
    chances : list of Fraction
        Of each outcome.
    models : list of array
        w_i^t, of epochs 0 to T.
    groups, noises : list of array
        Mean gradient of its group and the noise of what is drawn of it, of epochs 0 to T - 1.
    losses : (callable, callable)
        Value and gradient of each client's loss, functions of client and point.
    """

    def __init__(self, world: Any) -> None:
        self.run = run = run_of(world)
        chances = fractions(world.weights)
        self.outcomes = max(np.shape(model)[1] for model in run.models)
        even = [Fraction(1, self.outcomes)] * self.outcomes
        self.chances = chances if len(chances) == self.outcomes else even
        self.epochs = run.last + 1
        self.models = [self.each(model) for model in run.models]
        self.groups = [self.each(run.group_gradients(t)) for t in range(self.epochs)]
        drawn = [self.each(update) for update in run.updates]
        self.noises = [d - g for d, g in zip(drawn, self.groups, strict=True)]
        bend, optimum = fractions(run.bend), fractions(run.optimum)
        self.losses: tuple[Callable[..., Fraction], Callable[..., tuple[Fraction, ...]]] = (
            lambda i, x: bend[i] * (x[0] - optimum[i]) ** 2 / 2,
            lambda i, x: (bend[i] * (x[0] - optimum[i]),),
        )

    def each(self, values: Any) -> Any:
        """An array over the clients for each outcome."""
        return np.broadcast_to(np.asarray(values)[0], (self.outcomes, self.run.clients))

    def mean(self, values: Any) -> Fraction:
        """Of a number for each outcome."""
        return sum((c * v for c, v in zip(self.chances, values, strict=True)), Fraction(0))


def over_time(rows: Sequence[Any], client: int | None = None) -> Callable[..., tuple[Fraction]]:
    """A vector of an outline: what a client, or each, has at a time, zero after the last."""

    def point(_: Any, outcome: int, own: int, t: int) -> tuple[Fraction]:
        place = own if client is None else client
        return (rows[t][outcome, place] if t < len(rows) else Fraction(0),)

    return point


def numbered(values: Mapping[str, Any]) -> dict[str, Callable[..., Fraction]]:
    """Numbers of an outline: single ones, and lists over time whose last entry stays."""

    def entry(value: Any) -> Callable[..., Fraction]:
        if not isinstance(value, list):
            return lambda: Fraction(value)
        return lambda t: value[min(t, len(value) - 1)]

    return {name: entry(value) for name, value in values.items()}
