"""Where the reading of a formula stands: its tokens, what is open, and how to refuse."""

from __future__ import annotations

import re

from verify.line.grammar.names import Symbols
from verify.line.grammar.refused import Edit, NotRead, not_read, two_readings
from verify.line.grammar.tokens import Token, tokens

__all__ = ["Cursor"]

_SIZES = re.compile(r"\\(?:left|right|middle|[bB]igg?[lr]?)(?![A-Za-z])\s*")


class Cursor:
    """The tokens of one formula, from the next one on.

    Parameters
    ----------
    text : str
        One side, without relations.
    start : int
        Its place in the line.
    names : Symbols
        What is known of the symbols.
    """

    def __init__(self, text: str, start: int, names: Symbols) -> None:
        self.text, self.start, self.names = text, start, names
        self.tokens = tokens(text, start)
        self.at = 0
        self.closers: list[str] = []
        """Ends of the brackets that are open, the innermost last."""
        self.running: list[str] = []
        """Indices of the sums that are open."""
        self.open_sums: list[tuple[int, str]] = []
        """Depth of brackets and index of the sums whose end is not written."""

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[min(self.at, len(self.tokens) - 1)]

    def ahead(self, count: int = 1) -> Token:
        """A later token."""
        return self.tokens[min(self.at + count, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Consume the next token."""
        token = self.token
        self.at += 1
        return token

    def takes(self, *texts: str) -> bool:
        """Consume the next token if it is one of these."""
        if self.token.text in texts and self.token.kind != "end":
            self.at += 1
            return True
        return False

    def begins(self, token: Token) -> int:
        """Where a token stands in the list."""
        near = range(min(self.at + 3, len(self.tokens)) - 1, -1, -1)
        return next((k for k in near if self.tokens[k] is token), self.at)

    def past(self) -> int:
        """Where the last token that was consumed ends."""
        return self.tokens[self.at - 1].end if self.at else self.start

    def source(self, start: int, end: int) -> str:
        """What stands between two places of the line."""
        found = self.text[start - self.start : end - self.start]
        return _SIZES.sub("", found).strip()

    def expect(self, closer: str, opened: Token) -> None:
        """Consume the end of a bracket."""
        if not self.takes(closer):
            raise self.wrong(
                opened.start,
                max(self.token.end, opened.end),
                "a formula",
                f"{opened.text} without its {closer}",
                "close every bracket",
            )

    def wrong(
        self, start: int, end: int, condition: str, found: str, remedy: str, *edits: Edit
    ) -> NotRead:
        """Refusal of what stands between two places."""
        shown = self.text[start - self.start : max(end, start + 1) - self.start]
        return not_read(shown.rstrip() or shown, start, condition, found, remedy, *edits)

    def two(self, start: int, end: int, first: str, second: str) -> NotRead:
        """Refusal of what can be read in two ways."""
        shown = self.text[start - self.start : end - self.start].rstrip()
        return two_readings(shown, start, first, second)
