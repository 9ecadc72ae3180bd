"""What the tools return, as types: the schemas that a client sees are made of them.

Definitions are told to a model at the cost of its attention, so the schemas are short: no titles,
and words only where a name does not say it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Bare",
    "BestPart",
    "ClaimAnswer",
    "EntriesAnswer",
    "EntryPart",
    "FilePart",
    "GivenPart",
    "MendPart",
    "MendsAnswer",
    "PaperAnswer",
    "ResultPart",
    "TextAnswer",
    "WitnessPart",
    "Word",
    "WordPart",
    "WordsAnswer",
]

Word = Literal["proved", "holds", "violated", "vacuous", "not-checkable", "inconclusive"]


def _bare(schema: dict[str, Any]) -> None:
    """Leave out titles, which repeat names, and what is for readers of this file."""
    schema.pop("title", None)
    schema.pop("description", None)
    for one in schema.get("properties", {}).values():
        one.pop("title", None)


class Bare(BaseModel):
    """A record whose schema is short: tools are told to a model at the cost of its attention."""

    model_config = ConfigDict(json_schema_extra=_bare)


class FilePart(Bare):
    """A file in the workspace."""

    path: str
    sha256: str


class WitnessPart(Bare):
    """Where a claim falls; fractions as text."""

    at: dict[str, str]
    left: str
    relation: str
    right: str


class BestPart(Bare):
    """A best constant before the right side."""

    constant: Annotated[
        str, Field(description="with it before the right side proved, with any better one false")
    ]
    at: dict[str, str]
    proof: FilePart


class GivenPart(Bare):
    """A hypothesis: what happens without it, and where."""

    name: str
    role: str
    at: dict[str, str]


class ClaimAnswer(Bare):
    """What is known of one claim."""

    word: Word
    conclusive: bool
    claim: Annotated[str, Field(description="as it was read: compare")]
    means: str
    leaves_open: str
    reason: str
    scope: str
    best: BestPart | None
    largest_ratio: Annotated[str | None, Field(description="seen, not proved")]
    witness: WitnessPart | None
    hypotheses: list[GivenPart]
    proof: FilePart | None
    record: FilePart | None


class MendPart(Bare):
    """A changed claim, judged by itself."""

    change: str
    word: Word
    reason: str


class MendsAnswer(Bare):
    """What is true instead of a claim."""

    word: Word
    claim: str
    reason: str
    repairs: list[MendPart]
    record: str


class WordPart(Bare):
    """One of several claims."""

    claim: str
    word: Word | Literal["refused"]
    reason: str


class WordsAnswer(Bare):
    """Several claims in their order."""

    rows: list[WordPart]
    record: str


class TextAnswer(Bare):
    """One part of a text."""

    text: str
    part: int
    parts: int


class ResultPart(Bare):
    """A result of a paper: its line, or what stopped it."""

    place: str
    line: str
    reason: str


class PaperAnswer(Bare):
    """Results of a paper, one part of them."""

    results: list[ResultPart]
    read: int
    open: int
    part: int
    parts: int
    record: str


class EntryPart(Bare):
    """An entry of the library."""

    key: str
    kind: str
    claim: str


class EntriesAnswer(Bare):
    """Entries that are like what was asked."""

    entries: list[EntryPart]
    more: int
