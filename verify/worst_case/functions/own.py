"""A class of one's own: its inequality between two points, or at one, as a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verify.worst_case.function import Condition, Function, FunctionClass, OracleAnswer
from verify.worst_case.functions.pairs import each, pairs
from verify.worst_case.points import Expression

__all__ = ["OwnClass"]


@dataclass(frozen=True)
class OwnClass(FunctionClass):
    """Functions that meet ``between(i, j) >= 0`` for each two points and ``at(i) >= 0`` for each.

    `exact` is for whoever writes the class to say: whether the inequalities suffice.
    """

    between: Callable[[OracleAnswer, OracleAnswer], Expression] | None = None
    at: Callable[[OracleAnswer], Expression] | None = None
    exact: bool = False  # type: ignore[misc]
    differentiable: bool = False  # type: ignore[misc]

    def conditions(self, f: Function) -> Iterator[Condition]:
        """The inequalities that were given."""
        if self.between is not None:
            yield from pairs(f.met, f.met, "own", self.between)
        if self.at is not None:
            yield from each(f.met, "own", self.at)
