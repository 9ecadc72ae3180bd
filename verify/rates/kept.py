"""One run of a batch, and what is found along it once for every horizon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.numbers.shapes import Array
from verify.verdict import relation
from verify.world.trajectories import Trajectory

if TYPE_CHECKING:
    from synthetic.problem import Problem
    from verify.world.world import World

AT_ONCE = 1 << 17
"""Entries of all clients' gradients that are evaluated in one piece: what a fast memory holds."""

Rule = Callable[["World", Array], Any]


@dataclass(eq=False)
class KeptRun:
    """A run of a batch of federations.

    Attributes
    ----------
    path : Trajectory
        Models (B, R, T + 1, d).
    weights : ndarray
        Of its outcomes.
    problem : Problem
        What the batch knows about itself, with the constants that were found.
    """

    path: Trajectory
    weights: Array
    problem: Problem
    _found: dict[Rule, Any] = field(default_factory=dict)

    def along(self, rule: Rule, world: World, rounds: int) -> Any:
        """``rule(world, theta)`` at theta^0 .. theta^{T-1}, taken over from another horizon.

        The rule is of every point by itself, and its value is the same at every horizon unless a
        symbol that it reads is not. Both ends are evaluated again, which shows whether one is.
        """
        points = self.path.theta[:, :, :-1]
        if rule not in self._found:
            self._found[rule] = self._in_pieces(rule, world, points)
        whole = _map(lambda value: value[:, :, :rounds], self._found[rule])
        ends = [0, rounds - 1] if rounds > 1 else [0]
        again = rule(world, points[:, :, ends])
        if _alike(again, _map(lambda value: value[:, :, ends], whole)):
            return whole
        return self._in_pieces(rule, world, points[:, :, :rounds])

    def _in_pieces(self, rule: Rule, world: World, points: Array) -> Any:
        rounds = points.shape[2]
        each = points[:, :, :1].size * self.problem.clients
        length = max(1, AT_ONCE // max(1, each))
        found = [rule(world, points[:, :, t : t + length]) for t in range(0, rounds, length)]
        return _joined(found)


def _parts(value: Any) -> list[Array]:
    """The arrays (B, R, T, ...) of a value."""
    if isinstance(value, np.ndarray):
        return [value]
    return [getattr(value, item.name) for item in fields(value)]


def _rebuilt(value: Any, parts: list[Array]) -> Any:
    if isinstance(value, np.ndarray):
        return parts[0]
    names = [item.name for item in fields(value)]
    return replace(value, **dict(zip(names, parts, strict=True)))


def _map(change: Callable[[Array], Array], value: Any) -> Any:
    return _rebuilt(value, [change(part) for part in _parts(value)])


def _joined(values: list[Any]) -> Any:
    if len(values) == 1:
        return values[0]
    columns = zip(*(_parts(value) for value in values), strict=True)
    return _rebuilt(values[0], [np.concatenate(column, axis=2) for column in columns])


def _alike(one: Any, other: Any) -> bool:
    return all(
        a.shape == b.shape and np.allclose(a, b, rtol=relation.ROUNDING, atol=0, equal_nan=True)
        for a, b in zip(_parts(one), _parts(other), strict=True)
    )
