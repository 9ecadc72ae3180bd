"""Whether a value of an instance matters: a value that changes no number of a page is not told.

A term that has no formula still rests on values of the instance.  Which ones is not guessed from
what the program reads (a rule may read a threshold and not use it): each value is changed a little,
and the claim evaluated again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from bounds.numbers import precision
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.ledger.decided import decided
from verify.world.noise_plan import WITHOUT_VALUE, AllOutcomes
from verify.world.referee import CAP, exact_instance
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

__all__ = ["Matters"]

MOST_ENTRIES = 12
"""Entries of an array that are changed one by one."""

FACTORS = (Fraction(7, 8), Fraction(9, 8))
"""A value is made smaller, then larger: one of them may lie outside what the claim is about."""


class Matters:
    """What changes with the fields of one instance.

    Parameters
    ----------
    statement : Statement
    instance : Instance
        Without leading axis.
    worlds : mapping of int to World, optional
        Of this instance, by bits.
    """

    def __init__(
        self,
        statement: Statement,
        instance: Instance,
        worlds: Mapping[int, World] | None = None,
    ) -> None:
        self._statement, self._instance = statement, exact_instance(instance)
        self._worlds = worlds or {}

    def __call__(self, name: str) -> bool:
        """Whether another value of a field changes a term or a margin.

        True also where no other value can be tried: a text, a switch, a size.
        """
        tried = False
        for changed in self._changed(name):
            numbers = self._numbers(changed)
            if numbers is not None and numbers != self._plain:
                return True
            tried = tried or numbers is not None
        return not tried

    @cached_property
    def _plain(self) -> str | None:
        return self._numbers(self._instance, self._worlds)

    def _changed(self, name: str) -> Iterator[Instance]:
        data, params = self._instance.data, self._instance.params
        for value in _others(data[name]) if name in data else ():
            yield replace(self._instance, data={**data, name: value})
        for value in _others(params[name]) if name in params else ():
            yield replace(self._instance, params={**params, name: value})

    def _numbers(
        self, instance: Instance, worlds: Mapping[int, World] = MappingProxyType({})
    ) -> str | None:
        """Terms and margins, written out so that they can be compared; None without a value."""
        batch, defines = instance.batched(), self._statement.defines

        def written() -> str:
            world = worlds.get(precision())
            if world is None:
                world = World(batch, "exact", AllOutcomes(CAP), defines)
            return _written(self._statement, world)

        return decided(written, WITHOUT_VALUE)


def _written(statement: Statement, world: World) -> str:
    terms = [item for side in sides_of(statement, world) for item in side.items()]
    if statement.over == "mean":  # of what is averaged, single outcomes are not told
        terms = [(name, world.mean(_of_outcomes(value))) for name, value in terms]
    named = [*terms, *margins_of(statement, world).items()]
    return repr([(name, np.asarray(value, dtype=object).tolist()) for name, value in named])


def _of_outcomes(value: Any) -> Any:
    array = np.asarray(value, dtype=object)
    return array.reshape((1,) * (2 - array.ndim) + array.shape)


def _others(value: Any) -> Iterator[Any]:
    """Values near this one; none of a text, of a switch and of a size, which others depend on."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        places = list(np.ndindex(value.shape))
        # all at once, then one by one: of weights that are divided by their sum only that is seen
        for chosen in [places, *([one] for one in places[:MOST_ENTRIES] if len(places) > 1)]:
            for factor in FACTORS:
                out = value.copy()
                for index in chosen:
                    out[index] = _moved(value[index], factor)
                yield out
    elif isinstance(value, Fraction):
        yield from (_moved(value, factor) for factor in FACTORS)


def _moved(value: Any, factor: Fraction) -> Any:
    return value * factor if value else abs(1 - factor)
