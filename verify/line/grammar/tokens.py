"""The signs of a formula, each with its place in the line."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Token", "kind_of", "tokens"]

_TOKEN = re.compile(
    r"(?P<command>\\[A-Za-z]+|\\.)"
    r"|(?P<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+(?![A-Za-z]))?)"
    r"|(?P<word>[A-Za-z][A-Za-z0-9]*|[^\W\d_]+)"
    r"|(?P<sign>\*\*|<=|>=|==|!=|\|\||\.\.\.?|\S)"
)
_SIZES = frozenset(
    [
        "left",
        "right",
        "middle",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "Biggl",
        "Biggr",
    ]
)
_SIDE = {
    **dict.fromkeys(("left", "bigl", "Bigl", "biggl", "Biggl"), "left"),
    **dict.fromkeys(("right", "bigr", "Bigr", "biggr", "Biggr"), "right"),
}


@dataclass(frozen=True)
class Token:
    """One sign.

    Parameters
    ----------
    kind : str
        command, number, word, sign, or end.
    text : str
    start, end : int
        Its place in the line.
    spaced : bool
        Whether blanks stand before it.
    side : str
        ``left`` or ``right`` where a TeX command says which side of a bracket it is.
    """

    kind: str
    text: str
    start: int
    end: int
    spaced: bool = False
    side: str = ""


def tokens(text: str, start: int) -> list[Token]:
    """The signs of a text that begins at this place of the line, and one for its end."""
    out: list[Token] = []
    side, last = "", 0
    for mark in _TOKEN.finditer(text):
        word = mark[0]
        if word[0] == "\\" and word[1:] in _SIZES:
            side = _SIDE.get(word[1:], "")
            continue
        if word == "~":
            continue
        first, end = start + mark.start(), start + mark.end()
        out.append(Token(str(mark.lastgroup), word, first, end, mark.start() > last, side))
        side, last = "", mark.end()
    out.append(Token("end", "", start + len(text), start + len(text), True))
    return out


def kind_of(text: str) -> str:
    """The kind of what is left of a word."""
    return "number" if text[0].isdigit() else "word"
