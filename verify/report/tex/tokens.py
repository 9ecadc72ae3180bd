"""Tokens of a formula in TeX, one after the other."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)


class UnknownTeX(ValueError):
    """The formula uses something that the reader does not know."""


class Tokens:
    """A place in a formula.

    Parameters
    ----------
    tex : str
        Without dollar signs.
    """

    def __init__(self, tex: str) -> None:
        self._all: list[str] = _TOKEN.findall(tex)
        self.at = 0

    def next(self) -> str | None:
        """Next token that is no white space; None at the end."""
        while self.at < len(self._all):
            token = self._all[self.at]
            self.at += 1
            if not token.isspace():
                return token
        return None

    def peek(self) -> str | None:
        """What comes next, without going there."""
        here = self.at
        token = self.next()
        self.at = here
        return token

    def raw(self) -> str:
        """Text of a group, as it stands."""
        if self.next() != "{":
            raise UnknownTeX("a group must follow")
        depth = 1
        found: list[str] = []
        while self.at < len(self._all):
            token = self._all[self.at]
            self.at += 1
            depth += (token == "{") - (token == "}")
            if not depth:
                return "".join(found)
            found.append(token)
        raise UnknownTeX("a brace is missing")

    def number(self, first: str) -> str:
        """Digits that follow each other, with one decimal point between digits."""
        digits = first
        while self.at < len(self._all):
            token = self._all[self.at]
            after = self._all[self.at + 1] if self.at + 1 < len(self._all) else ""
            if not (token.isdigit() or (token == "." and after.isdigit() and "." not in digits)):
                break
            digits += token
            self.at += 1
        return digits
