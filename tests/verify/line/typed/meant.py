"""One row of the table: a line as typed, and what its author meant, written down twice.

``plain`` is the same claim with every sign written out, and ``sides`` computes both sides from the
values of the symbols. Both were written before the line was put to any reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Typed:
    """A line as somebody types it.

    Parameters
    ----------
    line : str
        As typed.
    plain : str
        The same with every sign written out.
    sides : function
        Left and right side from the values: ``v.x`` is a number, an array of one number per client,
        a vector of coordinates, or one vector per client.
    """

    line: str
    plain: str
    sides: Callable[[Any], tuple[Any, Any]]


@dataclass(frozen=True)
class Refused:
    """A line that two readers could read differently, or that cannot be read.

    Parameters
    ----------
    line : str
        As typed.
    says : str
        Pattern that the message must match.
    readings : tuple of str
        Plain lines, of which each proposal of the message must mean one, and each one proposed.
    """

    line: str
    says: str
    readings: tuple[str, ...] = ()
