"""The record of a second encoding: one main result, written from the paper's words alone.

Whoever writes one has not seen the statement of the package; `compare` evaluates both on the same
instances and says where they part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Second"]


@dataclass(frozen=True)
class Second:
    """One part of a main result, encoded a second time.

    Parameters
    ----------
    sides : callable or None
        World -> left terms, right terms; None where the result cannot be encoded.
    given : mapping of str to callable
        The printed hypotheses: name -> world -> margin, met where it is at least 0.
    strict : frozenset of str
        Names of the hypotheses whose margin must be above 0.
    relation, over, delta
        As for a statement of the package.
    defines : mapping of str to callable
        Step rules and other symbols that the result itself defines.
    words : str
        What is printed, in short, with its place.
    open_places : str
        Where the printed words allow several meanings: the one taken, and the others.
    missing : str
        Why the result cannot be encoded.
    """

    sides: Callable[[Any], Any] | None
    given: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    strict: frozenset[str] = frozenset()
    relation: str = "<="
    over: str = "point"
    delta: Callable[[Any], Any] | None = None
    defines: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    words: str = ""
    open_places: str = ""
    missing: str = ""
