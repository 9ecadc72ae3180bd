"""What the functions of a statement print while it is searched: its first lines, and a count.

A search evaluates a statement thousands of times, and the answer of a command goes to stdout.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

__all__ = ["quiet"]

LINES = 5
"""Lines that are shown."""

WIDEST = 200
"""Characters of a line that are shown."""


@contextmanager
def quiet(key: str) -> Iterator[None]:
    """Keep what is printed inside off stdout; its first lines go to stderr in the end.

    In the main thread alone: ``sys.stdout`` is one for all threads. A block inside another one is
    part of it.

    Parameters
    ----------
    key : str
        Of the statement, to say whose lines they are.
    """
    inside = isinstance(sys.stdout, _FirstLines)
    if inside or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = _FirstLines()
    try:
        with redirect_stdout(heard):
            yield
    finally:
        for line in heard.told(key):
            sys.stderr.write(f"{line}\n")


class _FirstLines(io.TextIOBase):
    """A stream that keeps its first lines and counts the others."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0
        self.open = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        first, *rest = text.split("\n")
        if len(self.open) < WIDEST:
            self.open += first[:WIDEST]
        for piece in rest:
            self._end()
            self.open = piece[:WIDEST]
        return len(text)

    def _end(self) -> None:
        self.count += 1
        if len(self.lines) < LINES:
            self.lines.append(self.open[:WIDEST])
        self.open = ""

    def told(self, key: str) -> Iterator[str]:
        """The first lines, each with the key, and how many there are more."""
        if self.open:
            self._end()
        yield from (f"{key} prints: {line}" for line in self.lines)
        more = self.count - len(self.lines)
        if more:
            yield f"{key} prints {more} more line{'s' if more > 1 else ''}"
