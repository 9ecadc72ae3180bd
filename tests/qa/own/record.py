"""Claims of a user's own file with what is known of them: the truth, and the reason in a line.

The truth is data of the test, found with a pencil; nothing that decides reads it.  A file of claims
makes a `Table`, and marks each of its statements by it::

    own = Table("needles")

    @own.false("At x = 1/3: 0.")
    @statement("own.needles.third", ...)
    def third(w): ...

    own.line("half", FALSE, "(2*x - 1)**2 >= 1/1000000 for real x", "At x = 1/2: 0.")
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.qa.calibration.known.record import EMPTY, FALSE, TRUE
from verify.claim.statement import Statement
from verify.line import one_line

__all__ = ["EMPTY", "FALSE", "TRUE", "Own", "Table"]


@dataclass(frozen=True)
class Own:
    """One claim of known truth.

    Parameters
    ----------
    kind : str
        What sort of claim it is.
    statement : Statement
        The claim.
    truth : str
        ``true``, ``false``, or ``empty`` where nothing meets the hypotheses.
    said : str
        The claim in one line, for the table.
    why : str
        Its proof, or an instance that breaks it.
    """

    kind: str
    statement: Statement
    truth: str
    said: str
    why: str

    @property
    def key(self) -> str:
        """Key of the statement; it does not tell the truth."""
        return self.statement.key

    def turned(self) -> Own:
        """The same claim with the wrong truth, for controls."""
        return replace(self, truth=FALSE if self.truth == TRUE else TRUE)


class Table:
    """Claims of one kind, in the order in which a file writes them."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.claims: list[Own] = []

    def true(self, why: str) -> Callable[[Statement], Statement]:
        """Mark a statement as true, with its proof."""
        return self._marked(TRUE, why)

    def false(self, why: str) -> Callable[[Statement], Statement]:
        """Mark a statement as false, with an instance that breaks it."""
        return self._marked(FALSE, why)

    def line(self, name: str, truth: str, said: str, why: str, **fields: Any) -> None:
        """Take up a claim in one line; ``fields`` change its relation or quantifier."""
        made = replace(one_line(said, f"own.{self.kind}.{name}"), **fields)
        marks = "".join(f" [{value}]" for value in fields.values())
        self.claims.append(Own(self.kind, made, truth, said + marks, why))

    def _marked(self, truth: str, why: str) -> Callable[[Statement], Statement]:
        def mark(made: Statement) -> Statement:
            self.claims.append(Own(self.kind, made, truth, made.latex, why))
            return made

        return mark
