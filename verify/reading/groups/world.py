"""A world whose run of groups is known by what a program asks of it at the beginning of epochs.

Of any number of clients, all written out in one group, each one's loss, gradient and group gradient
at its own model are symbols, and so are its model and the constants of similarity: nothing else may
be asked, so that a claim holds in every dimension, of any smooth losses and of any noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis
from bounds.numbers.symbolic import Symbolic, client_symbol, expression
from verify.claim.instance import Instance
from verify.reading.groups.names import SIGNS, UPPER
from verify.reading.parts.refusals import Known, NotReadable
from verify.reading.parts.symbols import Listed, row_of
from verify.world.trajectories import Trajectory
from verify.world.world import World

Array = np.ndarray[Any, Any]
Expr = Any  # sympy carries no types

RUN = "training"
"""The symbol that a program gives its own run."""
SMOOTHNESS = ("smoothness", "curvature")
"""The symbols that a constant of smoothness of all losses may have."""
SIZE = "size"
"""The parameter that weights of members are proportional to."""
SIMILAR = sympy.IndexedBase("similar", nonnegative=True)
"""Constants of similarity of two clients, squared."""

__all__ = ["RUN", "SIMILAR", "SIZE", "SMOOTHNESS", "GroupWorld", "everybody"]


def everybody(clients: int, epochs: int) -> str:
    """The schedule of one group of all clients."""
    return f"{','.join(map(str, range(clients)))}*{epochs}"


class AnyTraining:
    """A run of so many epochs, as far as something is known of it.

    Parameters
    ----------
    axis : Axis
        The clients that are written out.
    epochs : int
    """

    def __init__(self, axis: Axis, epochs: int) -> None:
        self._axis = axis
        self.words = [everybody(axis.size, 1).partition("*")[0]] * epochs
        self.last = epochs - 1

    @property
    def clients(self) -> Symbolic:
        """Their number."""
        return Symbolic(self._axis.count)

    @property
    def models(self) -> list[Array]:
        """As held at the beginning of each epoch, and at the end."""
        return [self._row(f"model{t}", {"real": True}) for t in range(self.last + 2)]

    @property
    def updates(self) -> list[Array]:
        """What each client's model is moved along in every epoch, over the step."""
        return [self._row(f"update{t}", {"real": True}) for t in range(self.last + 1)]

    @property
    def weights(self) -> dict[str, Array]:
        """Of the members in the group of each client, (1, N, N), by the groups of an epoch."""
        base, (k, count) = sympy.IndexedBase(SIZE, positive=True), client_symbol()
        whole = sympy.Sum(base[k], (k, 1, count))
        row = [Symbolic(base[mark] / whole) for mark in self._axis.marks]
        found = np.empty((1, self._axis.size, self._axis.size), dtype=object)
        found[...] = np.array(row, dtype=object)
        return dict.fromkeys(self.words, found.view(Listed))

    def crossed(self, t: int) -> Array:
        """Gradient of a client at the model of another one, (1, 1, N, N)."""
        if t not in range(self.last + 1):
            raise NotReadable(f"epoch {t} of a run that has {self.last + 1}")
        return _pairs(sympy.IndexedBase(f"crossed{t}", real=True), self._axis)

    def losses(self, t: int) -> Array:
        """Of each client at its own model, (1, 1, N)."""
        return self._known("value", t, self.last + 1)

    def gradients(self, t: int) -> Array:
        """Of each client at its own model."""
        return self._known("gradient", t, self.last + 1)

    def group_gradients(self, t: int) -> Array:
        """Mean gradient of each client's group."""
        return self._known("group", t, self.last)

    def in_group(self, t: int, values: Array) -> Array:
        """Weighted mean over the members j of what a client i has of them: of squared distances.

        Of models, or of its gradient at its own model and at theirs.
        """
        if np.shape(values)[-2:] != (self._axis.size,) * 2 or t not in range(self.last + 1):
            raise NotReadable("a mean over the members of something else than of pairs")
        words = ("model", "gradient", "crossed")
        model, own, at = (sympy.IndexedBase(f"{word}{t}", real=True) for word in words)
        if self._of_pairs(values, lambda i, j: (model[i] - model[j]) ** 2):
            return self._known("apart", t, self.last)
        if self._of_pairs(values, lambda i, j: (own[i] - at[i, j]) ** 2):
            return self._known("moved", t, self.last)
        raise NotReadable("a mean over the members that is not of squared distances")

    def _of_pairs(self, values: Array, rule: Callable[[Expr, Expr], Expr]) -> bool:
        marks = self._axis.marks
        return all(
            sympy.expand(expression(np.asarray(values)[..., i, j].item()) - rule(one, other)) == 0
            for i, one in enumerate(marks)
            for j, other in enumerate(marks)
        )

    def _known(self, word: str, t: int, last: int) -> Array:
        if t not in range(last + 1):
            raise NotReadable(f"epoch {t} of a run that has {self.last + 1}")
        return self._row(f"{word}{t}", SIGNS[word])

    def _row(self, name: str, facts: Mapping[str, bool]) -> Array:
        return row_of(sympy.IndexedBase(name, **facts), self._axis)[None, None]


class GroupWorld(World):
    """A symbolic world of a run of so many epochs.

    Parameters
    ----------
    instance : Instance
        With symbols for its parameters, everybody in one group.
    axis : Axis
    epochs : int
    defines : mapping
        What the statement defines.
    similar : str or None
        The symbol among them that has the constants of similarity, squared.
    """

    def __init__(
        self,
        instance: Instance,
        axis: Axis,
        epochs: int,
        defines: Mapping[str, Callable[[World], Any]],
        similar: str | None,
    ) -> None:
        super().__init__(instance, "symbolic", None, defines)
        self._cache[RUN] = Known(AnyTraining(axis, epochs))
        smoothness = np.empty((1, 1), dtype=object)
        smoothness[...] = Symbolic(UPPER)
        if SMOOTHNESS[0] in defines:
            self._cache[SMOOTHNESS[0]] = smoothness.view(Listed)
        if similar is not None:
            self._cache[similar] = _pairs(SIMILAR, axis)

    def mean(self, x: Array) -> Array:
        """Both sides are read as means as they stand; what a mean does inside is compared later."""
        return x

    def run(self, method: str | None = None, rounds: int | None = None, **hyper: Any) -> Trajectory:
        """No run of a method."""
        raise NotReadable("a run of a method beside the one that the statement makes")


def _pairs(base: Expr, axis: Axis) -> Array:
    """A symbol of each ordered pair of clients."""
    found = np.empty((1, 1, axis.size, axis.size), dtype=object)
    for i, one in enumerate(axis.marks):
        for j, other in enumerate(axis.marks):
            found[0, 0, i, j] = Symbolic(base[one, other])
    return found.view(Listed)
