"""Open places of a paper: where its printed words allow several meanings that make sense.

A paper's package declares them once as ``AXES``.  The key of a leaf names, behind ``@``, the
options that it takes (joined by ``+``); an axis that it does not name does not concern it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bounds.numbers.validate import require

__all__ = ["Axis", "Option"]


@dataclass(frozen=True)
class Option:
    """One meaning of an open place.

    Parameters
    ----------
    name : str
        What keys call it; unique within the paper.
    words : str
        The printed words that this meaning rests on, with their place.
    says : str
        The meaning, so that "stands if ..." can be completed with it.
    """

    name: str
    words: str
    says: str


@dataclass(frozen=True)
class Axis:
    """One open place with its meanings, the literal one first.

    Parameters
    ----------
    name : str
        Short name, unique within the paper.
    about : str
        What is left open.
    options : sequence of Option
        Two or more.
    """

    name: str
    about: str
    options: Sequence[Option]

    def __post_init__(self) -> None:
        names = [option.name for option in self.options]
        require(len(set(names)) == len(names) > 1, f"options of {self.name}",
                "two or more of different names", names, "name each meaning once")  # fmt: skip
        bad = [name for name in names if not name or set(name) & set("+@/.")]
        require(not bad, f"options of {self.name}", "plain words without + @ / .", bad, "rename")
