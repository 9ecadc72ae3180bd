"""What a program is told that asks a term for what only a number has."""

from __future__ import annotations

import traceback
from pathlib import Path

__all__ = ["CATCHES", "NotTraceable", "place_of"]

CATCHES = "catches errors"
"""What a program does that may have another formula wherever an error comes up."""

_OWN = str(Path(__file__).parent)
_NUMBERS = str(Path(__file__).parents[2] / "bounds" / "numbers")


class NotTraceable(Exception):
    """A program cannot be written down as a term.

    It asks for a truth value, a plain number or a length where there is only a term, or does
    something that no term says.
    No ValueError or ArithmeticError, so that what a program catches of those does not hide it.
    """


def place_of(error: BaseException) -> str:
    """File and line of the program at which an error came up, and the code there."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith((_OWN, _NUMBERS, "<frozen"))]
    if not own:
        return ""
    last = own[-1]
    return f"{Path(last.filename).name}:{last.lineno}, {last.line}".rstrip(", ")
