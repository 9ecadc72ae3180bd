"""Exact worlds of a witness that remember what was read of it, shared by all who tell of it."""

from __future__ import annotations

from typing import Any

from bounds.numbers.shapes import Array
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.world.noise_plan import AllOutcomes
from verify.world.referee import BITS, CAP, exact_instance
from verify.world.world import World

__all__ = ["Watched", "watched"]


def watched(statement: Statement, instance: Instance) -> dict[int, World]:
    """An exact world of an instance for each of the referee's precisions.

    Whoever evaluates the claim in it again finds what was evaluated before.

    Parameters
    ----------
    statement : Statement
    instance : Instance
        Without leading axis.
    """
    batch, noise = exact_instance(instance).batched(), AllOutcomes(CAP)
    return {bits: Watched(batch, "exact", noise, statement.defines) for bits in BITS}


class Watched(World):
    """A world that remembers which fields of its instance were used, also by problems and runs."""

    def symbol(self, name: str) -> Array:
        """Value of a symbol, which is noted."""
        self._note(name)
        return super().symbol(name)

    def original(self, name: str) -> Array:
        """Value of a symbol before any change, which is noted."""
        self._note(name)
        return super().original(name)

    @property
    def problem(self) -> Any:
        """The problem, all data of which are noted."""
        for name in self.instance.data:
            self._note(name)
        return super().problem

    @property
    def used(self) -> frozenset[str]:
        """Names that were read so far."""
        return frozenset(self.__dict__.get("seen", ()))

    def _note(self, name: str) -> None:
        self.__dict__.setdefault("seen", set()).add(name)
