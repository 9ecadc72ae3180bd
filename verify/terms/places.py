"""Places on the axes of a term: a letter for an axis that is added up, an entry with its number."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from verify.terms.node import Node

__all__ = ["EVERY", "NodeNumbers", "AxisPlace", "Places", "entry_of", "letters_for", "shift_of"]


@dataclass(frozen=True)
class AxisPlace:
    """Where on an axis: at a letter, so many entries further; without a letter at that entry."""

    letter: str
    at: int = 0

    def further(self, count: int) -> AxisPlace:
        """The place so many entries behind this one."""
        return self if self == EVERY else AxisPlace(self.letter, self.at + count)

    @property
    def tree(self) -> ast.expr:
        """As an index."""
        if not self.letter:
            return ast.Constant(self.at)
        name = ast.Name(self.letter)
        return ast.BinOp(name, ast.Add(), ast.Constant(self.at)) if self.at else name


EVERY = AxisPlace("*")
"""All coordinates of a vector, which its letter stands for."""

Places = tuple[AxisPlace, ...]


def letters_for(names: Collection[str]) -> tuple[str, ...]:
    """Letters for axes, none of which is a name."""
    return tuple(one for one in "ijklmrstuvabcghopqyz" if one not in names)


@dataclass(frozen=True)
class NodeNumbers:
    """Numbers of nodes in a world.

    Parameters
    ----------
    known : mapping
        Values of nodes, with one instance.
    outcome : int
        Of the noise; -1 where numbers differ between outcomes and none is meant.
    """

    known: Mapping[Node, Any]
    outcome: int

    def at(self, term: Node, places: tuple[int, ...]) -> Any:
        """Value of a node at a place; raises `LookupError` where there is no single one."""
        value = np.asarray(self.known[term], dtype=object)
        if value.ndim == 0:
            return value.item()
        own = value.shape[2:]
        if len(value) != 1 or len(own) > len(places):
            raise LookupError("there is no single number")
        at = places[len(places) - len(own) :]
        inside = tuple(0 if size == 1 else k for k, size in zip(at, own, strict=True))
        outcomes = value.shape[1] if value.ndim > 1 else 1
        which = 0 if outcomes == 1 else self.outcome
        if which < 0:
            raise LookupError("there is no single outcome")
        return value[(0, which, *inside)] if value.ndim > 1 else value[0]

    def count(self, term: Node, behind: int) -> int:
        """Entries along an axis, counted from the last one."""
        shape = np.shape(self.known[term])[2:]
        return shape[-1 - behind] if behind < len(shape) else 0


def entry_of(places: Places) -> tuple[int, ...]:
    """The numbers of places; raises `LookupError` where one is a letter."""
    if any(place.letter for place in places):
        raise LookupError("there is no single entry")
    return tuple(place.at for place in places)


def shift_of(one: Any) -> int | None:
    """How much further the entries of a slice lie; None of one that is no whole axis."""
    if not isinstance(one, tuple):
        return None
    start, stop, step = one
    if step not in (None, 1) or start not in (None, 0, 1) or stop not in (None, -1):
        return None
    return start or 0
