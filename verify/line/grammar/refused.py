"""What cannot be read: the place, what was found there, and what to write instead.

A :class:`NotRead` knows the characters that it is about, so that a caret can be put under them,
and what would make the line readable: one edit, or one for each of two readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bounds.numbers.validate import InvalidInput
from verify.line.grammar.signs import Signs

__all__ = ["Edit", "NotRead", "not_read", "shown_in", "two_readings"]

LONGEST = 60
"""Characters of a piece that a message repeats."""


@dataclass(frozen=True)
class Edit:
    """``text`` in place of the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


class NotRead(InvalidInput):
    """A line, or a part of one, that is refused.

    Parameters
    ----------
    condition, found, remedy : str
        What it must be, what was found, and what to do.
    shown : str
        The piece that the message repeats.
    start, end : int
        The characters that it is about, counted from the beginning of the line.
    edits : sequence of Edit
        Each of them makes the line readable, each with its own meaning.
    """

    def __init__(
        self,
        condition: str,
        shown: str,
        found: str,
        remedy: str,
        *,
        start: int,
        end: int,
        edits: Sequence[Edit] = (),
    ) -> None:
        self.condition, self.found, self.remedy = condition, found, remedy
        self.shown, self.start, self.end, self.edits = shown, start, end, tuple(edits)
        self.proposals: tuple[str, ...] = ()
        self.marked, self._caret = "", ""
        self.function = ""  # a symbol that stands before a bracket
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        shown = self.shown if len(self.shown) <= LONGEST else f"{self.shown[: LONGEST - 3]}..."
        return (
            f"claim must be {self.condition} at character {self.start + 1} ({shown!r}), "
            f"got {self.found}: {self.remedy}."
        )

    def within(self, signs: Signs) -> None:
        """Count characters as they were typed, and write the proposals out as whole lines."""
        text = signs.text
        self.proposals = tuple(
            " ".join((text[: one.start] + one.text + text[one.end :]).split()) for one in self.edits
        )
        first, last = signs.typed_span(self.start, max(self.end, self.start + 1))
        self.start, self.end = first, last
        self.shown = " ".join(signs.typed[first:last].split()) or self.shown
        self.args = (self._sentence(),)
        line = signs.typed.replace("\n", " ").replace("\t", " ")
        carets = "^" * max(1, min(last, len(line)) - first)
        self._caret = f"  {line}\n  {' ' * first}{carets}"
        self.propose(self.proposals)

    def propose(self, proposals: Sequence[str]) -> None:
        """Say of these lines that one of them is to be written."""
        self.proposals = tuple(proposals)
        self.marked = self._caret + "".join(f"\n  write: {one}" for one in self.proposals)
        self.__notes__ = [self.marked]


def not_read(
    text: str, start: int, condition: str, found: str, remedy: str, *edits: Edit
) -> NotRead:
    """Refusal of the piece ``text``, which begins at character ``start``."""
    end = start + len(text)
    return NotRead(condition, text, found, remedy, start=start, end=end, edits=edits)


def two_readings(text: str, start: int, first: str, second: str) -> NotRead:
    """Refusal of a piece that some read in one way and some in another."""
    end = start + len(text)
    return NotRead(
        "of one meaning",
        text,
        f"what some read as {first} and others as {second}",
        "write the one that is meant",
        start=start,
        end=end,
        edits=(Edit(start, end, first), Edit(start, end, second)),
    )


@contextmanager
def shown_in(signs: Signs) -> Iterator[None]:
    """Refusals inside count the characters of this line as it was typed."""
    try:
        yield
    except NotRead as error:
        if not error.marked:
            error.within(signs)
        raise
