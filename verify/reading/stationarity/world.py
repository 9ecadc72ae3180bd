"""A world whose runs from a common start are known by what a program asks of them.

Slopes and losses of a client are symbols wherever it is looked at: at a server's model, or at its
own one.  What a program evaluates over a set of points, with no form in symbols, is a number, or an
object whose quantities are numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis
from bounds.numbers.formal_terms import extreme_type
from bounds.numbers.symbolic import Symbolic, expression
from verify.reading.consensus.world import OwnLosses, RunsWorld, filled
from verify.reading.parts.refusals import Known, NotReadable
from verify.reading.parts.symbols import Listed
from verify.world.world import World

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types
Quantity = Callable[[World], Any]

__all__ = ["NumberedWorld", "known_at"]


def known_at(word: str, place: str) -> Expr:
    """Slopes or losses of all clients at a place, by its name."""
    return sympy.IndexedBase(f"{word}_of_{place}", real=True)


class LookedAt(OwnLosses):
    """The losses of all clients, where they are looked at."""

    def own_gradients(self, thetas: Array) -> Array:
        """(..., N, 1) to (..., N, 1)."""
        return self._looked("slope", thetas)[..., None]

    def own_losses(self, thetas: Array) -> Array:
        """(..., N, 1) to (..., N)."""
        return self._looked("loss", thetas)

    def _looked(self, word: str, thetas: Array) -> Array:
        points = np.asarray(thetas)[..., 0]
        points = np.broadcast_to(points, np.broadcast_shapes(points.shape, (self.clients,)))
        out = np.empty(points.shape, dtype=object)
        for index in np.ndindex(*points.shape):
            point, mark = expression(points[index]), self._axis.marks[index[-1]]
            if isinstance(point, sympy.Indexed) and point.indices == (mark,):
                name = str(point.base)
            elif point.is_Symbol and str(point).startswith(("server", "start")):
                name = str(point)
            else:
                raise NotReadable("a loss at another place than a model")
            out[index] = Symbolic(known_at(word, name)[mark])
        return out.view(Listed)


class _Numbers:
    """An object of which only numbers are known."""

    def __init__(self, world: NumberedWorld, rule: Quantity, exact: Any) -> None:
        self._world, self._rule, self._exact = world, rule, exact

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._exact, name)
        if not isinstance(found, np.ndarray) or found.shape != (1, 1):
            raise NotReadable("something else than a number of an object without a form")
        rule = self._rule
        return self._world.number_of((rule, name), lambda w: getattr(w.once(rule), name))


class NumberedWorld(RunsWorld):
    """A symbolic world of runs of so many rounds, with any number of numbers without a form.

    Attributes
    ----------
    numbers : dict
        Name -> quantity.
    """

    def __init__(self, instance: Any, axis: Axis, defines: Any, exact: World) -> None:
        super().__init__(instance, axis, defines, exact)
        self._cache["problem"] = Known(LookedAt(axis))
        self.numbers: dict[str, Quantity] = {}
        self._named: dict[Any, str] = {}

    def once(self, rule: Quantity) -> Any:
        """What a rule gives, or numbers of their own where that has no form."""
        try:
            made = World.once(self, rule)
            if not _of_sizes(made):
                return made
            return self.number_of(rule, lambda w: w.once(rule))
        except NotReadable:
            found = rule(self._exact)
            if isinstance(found, np.ndarray):
                if found.shape != (1, 1):
                    raise
                return self.number_of(rule, lambda w: w.once(rule))
            return _Numbers(self, rule, found)

    def number_of(self, key: Any, quantity: Quantity) -> Array:
        """The number of a quantity."""
        name = self._named.setdefault(key, f"number{len(self._named)}")
        self.numbers[name] = quantity
        return filled([sympy.Symbol(name, real=True)])[..., 0]


def _of_sizes(made: Any) -> bool:
    """Whether this is one number, of absolute values or of the largest and the smallest ones."""
    if not isinstance(made, np.ndarray) or made.shape != (1, 1):
        return False
    found = expression(made[0, 0])
    if found is None:
        return False
    sizes = found.atoms(sympy.Abs, sympy.Max, sympy.Min)
    return bool(sizes or len(found.atoms(extreme_type())) > 1)
