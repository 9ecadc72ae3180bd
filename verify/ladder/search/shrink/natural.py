"""What looks made up in an instance that breaks a claim, and how to do without it.

An author believes an instance that looks like the setting of the theorem: all clients begin at one
point, a step is taken, gradients are noisy where a bound of their noise is part of the problem, and
what a client is to itself is what the definition says.  Which number plays which part is read off
units, axes and the words that all programs share, never off a claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.generic import to_float
from verify.claim.statement import Family
from verify.ladder.search import tuning
from verify.world.world import World

__all__ = ["changes", "oddities"]

Values = Mapping[str, Any]

STEP = (-1, 2)
"""Unit of a step size, powers of loss and length."""

STARTS = ("start", "starts")
"""Where runs begin, in the words of methods and programs."""

TO_ITSELF = {"bias": 0, "slope": 0, "ratio": 1}
"""What a client is to itself by definition: it differs from itself by nothing."""

CLIENTS = "N"


def oddities(values: Values, family: Family, world: World) -> np.ndarray[Any, Any]:
    """How many features of each instance look made up, (B,).

    Parameters
    ----------
    values : mapping of str to ndarray
        Parameters with a leading axis of instances.
    family : Family
        What builds the instances of them.
    world : World
        In which they were scored, in floats.
    """
    count = len(next(iter(values.values()))) if values else 1
    found = np.zeros(count, dtype=int)
    for name, value in values.items():
        axes = family.box[name].per
        for wanted, told in _to_itself(name, axes, value):
            found += _any(told != wanted)
        if name in STARTS and CLIENTS in axes:
            places = np.moveaxis(value, 1 + axes.index(CLIENTS), 1)
            found += _any(places != places[:, :1])
    for step in _steps(world):
        found += _any(step == 0)
    if world.instance.family != "numbers" and world.problem.law != "none":
        found += ~_any(_noise(world) > 0)
    return found


def changes(exact: Values, family: Family) -> Iterator[dict[str, Any]]:
    """Changes after each of which a feature may be gone: one place, own values, fewer zeros.

    Parameters
    ----------
    exact : mapping of str to ndarray
        Parameters of one instance, object arrays of Fractions.
    family : Family
    """
    for name, value in exact.items():
        axes, inside = family.box[name].per, family.box[name].inside
        if name in STARTS and CLIENTS in axes:
            places = np.moveaxis(value, axes.index(CLIENTS), 0)
            for place in places:
                made = np.broadcast_to(place, places.shape)
                yield {name: np.moveaxis(made, 0, axes.index(CLIENTS)).copy()}
        changed = value.copy()
        for wanted, told in _to_itself(name, axes, changed[None]):
            told[...] = Fraction(wanted)
        if name in TO_ITSELF and (changed != value).any() and all(map(inside, changed.flat)):
            yield {name: changed}
    for name, value in exact.items():
        if family.box[name].low >= 0 and (value == 0).any():  # no place, which may well be zero
            for number in tuning.INSTEAD_OF_ZERO:
                if family.box[name].inside(number):
                    yield {
                        name: np.where(np.equal(value, 0), np.asarray(number, dtype=object), value)
                    }


def _to_itself(name: str, axes: tuple[str, ...], value: Any) -> Iterator[tuple[int, Any]]:
    """What stands for a client itself, the first one of a row, each one of a square; as views."""
    if name not in TO_ITSELF:
        return
    if axes == (CLIENTS,):
        yield TO_ITSELF[name], value[:, :1]
    elif axes == (CLIENTS, CLIENTS):
        for k in range(value.shape[-1]):
            yield TO_ITSELF[name], value[:, k, k : k + 1]


def _steps(world: World) -> Iterator[Any]:
    """Step sizes of an instance, given or defined by the claim."""
    units = dict(world.instance.units)
    if world.instance.method is not None:
        from algorithms.registry import load_method

        units = {**load_method(world.instance.method).units, **units}
    for name, unit in units.items():
        if tuple(unit) == STEP and world.given(name):
            yield to_float(world.original(name))


def _noise(world: World) -> Any:
    """Actual variance of every client's gradients, (B, 1, N), where all models are zero."""
    problem = world.problem
    return to_float(problem.own_gradient_variance(np.zeros((1, 1, problem.clients, problem.dim))))


def _any(told: Any) -> Any:
    """Whether it is so anywhere in each instance."""
    told = np.asarray(told)
    return told.reshape(len(told), -1).any(axis=1) if told.ndim else told
