"""Exact runs of training in groups at a random point, and what is known of epochs in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property, wraps
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.parameters import Family, Shape
from verify.reading.groups.names import DISSIMILARITY, UPPER
from verify.reading.groups.reading import SCHEDULE, STEP, GroupRuns, instance_of, length_of
from verify.reading.groups.world import RUN
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.values import Formulas
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Expr = Any  # sympy carries no types
Array = np.ndarray[Any, Any]
Table = dict[tuple[str, tuple[int, ...]], Any]

NONE: Table = {}
ASKED = ("clients", "words", "last", "models", "weights", "losses", "gradients", "group_gradients")
"""What a run must have for anything to be read of it."""

__all__ = ["Array", "ExactTraining"]


def _once_an_epoch(rule: Callable[[Any, int], Any]) -> Callable[[Any, int], Any]:
    """Keep what a run gives of an epoch, which nobody changes."""

    @wraps(rule)
    def kept(run: Any, t: int) -> Any:
        key = (rule.__name__, t)
        if key not in run._kept:
            run._kept[key] = rule(run, t)
        return run._kept[key]

    return kept


class ExactTraining:
    """All outcomes of a run, arrays over outcomes and clients.

    Parameters
    ----------
    setting : GroupRuns
    family, shape
    random : random.Random
    ends : bool
        Whether parameters that reach the upper end of their domain are there.
    far : int, optional
        The number of the point, if it is one of the whole domain.

    Raises
    ------
    NotReadable
        Where the program has no value, or makes no run of this kind.
    """

    def __init__(
        self,
        setting: GroupRuns,
        family: Family,
        shape: Shape,
        random: Random,
        ends: bool = False,
        far: int | None = None,
    ) -> None:
        self.setting = setting
        instance = instance_of(family, shape, random, ends, far)
        self.world = World(instance, "exact", None, setting.statement.defines)
        with asked():
            run: Any = self.world.original(RUN)
            if not all(hasattr(run, name) for name in (*ASKED, "crossed", "in_group")):
                raise NotReadable("another run than one of groups")
            self.run, self.words = run, list(run.words)
            self.clients, self.epochs = int(run.clients), len(self.words)
            if self.epochs != length_of(instance.params[SCHEDULE]) or run.last != self.epochs - 1:
                raise NotReadable("a run of another number of epochs than its schedule has")
            weights = self.world.weights
        self.models = [self._all(m) for m in run.models]
        count = max(len(m) for m in self.models)
        self.share = np.ravel(weights) if np.size(weights) == count else np.array([Fraction(1)])
        if len(self.share) != count:
            raise NotReadable("a run with other outcomes than its noise has")
        with asked(), unchecked():
            sides = sides_of(setting.statement, self.world)
            self.margins = margins_of(setting.statement, self.world)
        self.sides = [sum(self._mean_side(v) for v in side.values()) for side in sides]
        if setting.statement.relation == ">=":
            self.sides.reverse()
        self.upper, self.step = (self._number(n) for n in (setting.upper, STEP))
        self.known: Table = {(n, ()): self._number(n) for n in setting.plain()}
        self.known[str(UPPER), ()] = self.upper
        self._here = Formulas({})

        self._kept: dict[tuple[str, int], Any] = {}

    @property
    def meant(self) -> bool:
        """Whether the hypotheses hold."""
        strict = self.setting.statement.strict
        return all(
            value > 0 or (value == 0 and name not in strict)
            for name, margin in self.margins.items()
            for value in np.asarray(margin, dtype=object).reshape(-1)
        )

    @cached_property
    def similar(self) -> Array | None:
        """Constants of similarity, (N, N)."""
        name = self.setting.similar
        return None if name is None else np.asarray(self.world.original(name))[0, 0]

    def at(self, e: Expr, t: int, more: Mapping[tuple[str, tuple[int, ...]], Any] = NONE) -> Any:
        """The values of a formula about epoch t, on every outcome of every client."""
        return self._here.at(e, {}, {**self.table(t), **more})

    @_once_an_epoch
    def table(self, t: int) -> Table:
        """What is known of epoch t."""
        found: Table = {
            **self.known,
            ("value0", ()): self.values(t),
            ("value1", ()): self.values(t + 1),
            ("gradient0", ()): self.gradients(t),
            ("group0", ()): self.groups(t),
            ("apart0", ()): self.apart(t),
            ("moved0", ()): self.moved(t),
        }
        if self.similar is not None:
            found[str(DISSIMILARITY), ()] = (self.weights(t) * self.similar).sum(-1)[None]
        return found

    def mean(self, x: Any) -> Any:
        """Over the outcomes, of what all clients have together."""
        each = self._all(x).sum(-1)
        return (self.share * each).sum() if len(each) > 1 else each[0]

    @_once_an_epoch
    def values(self, t: int) -> Array:
        """Losses, (R, N)."""
        return self._all(self.run.losses(t))

    @_once_an_epoch
    def gradients(self, t: int) -> Array:
        """Own gradients at the own models."""
        return self._all(self.run.gradients(t))

    def weights(self, t: int) -> Array:
        """Of the members j in the group of client i, (N, N)."""
        found = np.asarray(self.run.weights[self.words[t]])
        return found.reshape(found.shape[-2:])

    @_once_an_epoch
    def crossed(self, t: int) -> Array:
        """Gradient of client i at the model of client j, (R, N, N)."""
        found = np.asarray(self.run.crossed(t), dtype=object)
        return found.reshape(-1, self.clients, self.clients)

    @property
    def last(self) -> int:
        """The number of the last epoch."""
        return self.epochs - 1

    def updates(self, t: int) -> Array:
        """What models are moved along, over the step."""
        if not hasattr(self.run, "updates"):
            raise NotReadable("a run without updates")
        return self._all(self.run.updates[t])

    def told_groups(self, t: int) -> Array:
        """Mean gradients of the groups as the run has them."""
        return self._all(self.run.group_gradients(t))

    @_once_an_epoch
    def groups(self, t: int) -> Array:
        """Mean gradients of the groups."""
        return np.asarray((self.weights(t) * self.gradients(t)[:, None, :]).sum(-1))

    @_once_an_epoch
    def apart(self, t: int) -> Array:
        """Mean squared distances to the members."""
        return np.asarray((self.weights(t) * self.distances(t)).sum(-1))

    @_once_an_epoch
    def moved(self, t: int) -> Array:
        """Mean squared distances of the own gradient to what it is at the members' models."""
        gaps = self.gradients(t)[:, :, None] - self.crossed(t)
        return np.asarray((self.weights(t) * gaps**2).sum(-1))

    @_once_an_epoch
    def distances(self, t: int) -> Array:
        """Squared distances, (R, N, N)."""
        model = self.models[t]
        return (model[:, :, None] - model[:, None, :]) ** 2

    def _all(self, x: Any) -> Array:
        found = np.asarray(x, dtype=object)
        return np.broadcast_to(found, (*found.shape[:-1], self.clients)).reshape(-1, self.clients)

    def _mean_side(self, value: Any) -> Any:
        entries = np.asarray(value, dtype=object).reshape(-1)
        if len(entries) not in (1, len(self.share)):
            raise NotReadable("a claim about several clients or epochs")
        return (self.share * entries).sum() if len(entries) > 1 else entries[0]

    def _number(self, name: str) -> Any:
        with asked():
            entries = np.asarray(self.world.original(name), dtype=object).reshape(-1)
        if len(entries) != 1:
            raise NotReadable(f"{name} is not one number")
        return entries[0]
