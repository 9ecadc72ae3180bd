"""Statements of known truth: a claim, whether it is true, and why, in a line or two.

The truth is data of the test.  Nothing that decides reads it, and nothing here knows how the ladder
searches.  A false claim names an instance that breaks it, where one of moderate size does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tests.qa.calibration.record import record
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.line import one_line

TRUE, FALSE, BEYOND, EMPTY, SAYS_NOTHING = "true", "false", "beyond", "empty", "says nothing"

UNDECIDED = "inconclusive"

WRONG: Mapping[str, tuple[str, ...]] = {
    TRUE: ("violated", "vacuous"),
    FALSE: ("holds", "proved", "vacuous"),
    BEYOND: ("proved", "vacuous"),
    EMPTY: ("holds", "violated"),
    SAYS_NOTHING: ("holds", "violated"),
}
"""Words that are wrong, by the truth.

``beyond``: false only beyond the ranges that are searched; it may hold, if the first line names the
limit.  ``empty``: nothing meets the hypotheses.  ``says nothing``: true by the form of its sides.
"""


@dataclass(frozen=True)
class Known:
    """One claim of known truth.

    Parameters
    ----------
    kind : str
        What sort of claim it is.
    name : str
        Unique within the kind.
    truth : str
        One of the keys of :data:`WRONG`.
    made : Statement or callable
        The statement, or what makes it of a key.
    said : str
        The claim in one line, for the table.
    why : str
        The derivation, or the source.
    at, shape : mapping
        An instance that breaks a false claim, or is the one that is said to exist.
    """

    kind: str
    name: str
    truth: str
    made: Callable[[str], Statement]
    said: str
    why: str
    at: Mapping[str, Any] | None = None
    shape: Shape = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Key of the statement; it does not tell the truth."""
        return f"known.{self.kind}.{self.name}"

    @property
    def statement(self) -> Statement:
        """The claim."""
        return self.made(self.key)


class Kind:
    """Makes the claims of one kind."""

    def __init__(self, name: str) -> None:
        self.name = name

    def line(
        self,
        name: str,
        truth: str,
        said: str,
        why: str,
        *,
        at: Mapping[str, Any] | None = None,
        shape: Shape | None = None,
        **fields: Any,
    ) -> Known:
        """A claim in one line; ``fields`` change its relation or quantifier."""
        made = partial(_of_line, said, tuple(fields.items()))
        marks = "".join(f" [{value}]" for value in fields.values())
        return Known(self.name, name, truth, made, said + marks, why, at, shape or {})

    def true(self, name: str, said: str, why: str, **more: Any) -> Known:
        """A true claim in one line."""
        return self.line(name, TRUE, said, why, **more)

    def false(self, name: str, said: str, why: str, **more: Any) -> Known:
        """A false claim in one line."""
        return self.line(name, FALSE, said, why, **more)

    def built(
        self,
        name: str,
        truth: str,
        said: str,
        sides: Callable[..., Any],
        family: Family,
        why: str,
        *,
        at: Mapping[str, Any] | None = None,
        shape: Shape | None = None,
        **fields: Any,
    ) -> Known:
        """A claim by its sides; ``said`` describes it."""
        made = partial(_of_sides, sides, family, tuple(fields.items()))
        place = family.shapes[0] if shape is None else shape
        return Known(self.name, name, truth, made, said, why, at, place)


def _of_line(said: str, fields: tuple[tuple[str, Any], ...], key: str) -> Statement:
    made = one_line(said, key)
    return replace(made, **dict(fields)) if fields else made


def _of_sides(
    sides: Callable[..., Any], family: Family, fields: tuple[tuple[str, Any], ...], key: str
) -> Statement:
    return record(key, sides, family, **dict(fields))
