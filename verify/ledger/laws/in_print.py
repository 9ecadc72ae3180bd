"""Laws of growth in the symbols of their paper.

Of the laws of a leaf those are told whose number has a letter in print.  Where none has, the first
is told with the name that the witness gives to it, and that it is no name of the paper's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from verify.ladder.told import law_text

__all__ = ["GROWING", "MOST", "in_print"]

GROWING = ("exponential", "faster", "power")
"""Kinds of laws (`verify.ladder.repair.fit`) that say that a claim falls without a bound."""

MOST = 3
"""Laws of a leaf that are told."""


def in_print(
    laws: Sequence[Mapping[str, Any]], letter: Callable[[str], str | None] | None
) -> list[dict[str, Any]]:
    """The laws that are told, their words in print.

    Parameters
    ----------
    laws : sequence of mappings
        Of a leaf, the best ones first.
    letter : callable or None
        What a field is called in print, None where it has no letter; None for a user's own claim,
        whose names are the author's.
    """
    if letter is None:
        return [dict(law) for law in laws[:MOST]]
    known = [law for law in laws if all(letter(name) for name in _names(law))]
    told = known or laws[:1]
    return [
        {**law, "text": law_text(law, lambda name: _called(letter, name))} for law in told[:MOST]
    ]


def _names(law: Mapping[str, Any]) -> list[str]:
    """Fields that a law names."""
    return [str(law["along"]).removeprefix("1/"), *(move[0] for move in law["path"]["moves"][1:])]


def _called(letter: Callable[[str], str | None], name: str) -> str:
    return letter(name) or f"{name} (of our instance; the paper has no letter for it)"
