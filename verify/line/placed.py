"""Symbols of a line that are what a function of a class says at points that nothing chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bounds.numbers.validate import InvalidInput

__all__ = ["Placed"]

DIMENSIONS = (1, 2)
"""Of the spaces that are listed; claims about one function fall in one dimension, or in a plane."""


TAKEN = frozenset(
    (
        *("beta", "mu", "start", "optimum", "upper", "stride", "rise", "approach", "convexity"),
        *("place", "points", "rounds", "method", "problem", "sigma"),
    )
)
"""What instances of a class call their own numbers."""


@dataclass(frozen=True)
class Placed:
    """Where symbols of a line come from.

    Parameters
    ----------
    kind : str
        Class, as ``verify.functions`` calls it.
    points : int
        How many points there are.
    symbols : mapping of str to str
        Names of the line, each with the program that reads it off the world.
    """

    kind: str
    points: int
    symbols: Mapping[str, str]

    def family(self, box: Mapping[str, str]) -> list[str]:
        """Arguments of the family: the class, with places and what else is free."""
        for name in (*box, *self.symbols):
            if name in TAKEN and self.symbols.get(name) != f"w.{name}":
                raise InvalidInput(
                    f"claim must be with {name} under a free name, got a name that the class "
                    f"{self.kind} has: rename it."
                )
        rounds = max(self.points - 1, 1)
        place = 'Real(-4, 4, unit=(0, 1), per=("rounds", "d"))'
        free = {name: text for name, text in box.items() if name not in self.symbols}
        items = [f'"{name}": {text}' for name, text in {"place": place, **free}.items()]
        return [
            f'"{self.kind}"',
            f"rounds={rounds}",
            f"points={max(self.points, 2)}",
            f"dimensions={DIMENSIONS}",
            f"extra={{{', '.join(items)}}}",
        ]

    def defines(self, used: Sequence[str]) -> dict[str, str]:
        """Definitions of the symbols that the line uses and the world has under another name."""
        return {
            name: text
            for name, text in self.symbols.items()
            if name in used and text != f"w.{name}"
        }
