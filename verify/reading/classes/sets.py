"""What a statement over a class says, as sets of claims: of any number of rounds, then of those
that are listed."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim.statement import Statement
from verify.reading.classes.claims import class_claims
from verify.reading.classes.rounds import any_rounds
from verify.reading.parts.claim import Claims

__all__ = ["class_sets"]


def class_sets(statement: Statement, listed: bool = False) -> Iterator[Claims]:
    """Sets of claims about data of the class, each of which is what the statement says.

    Parameters
    ----------
    statement : Statement
    listed : bool
        Whether to look at the listed numbers of rounds alone.
    """
    for claims in () if listed else any_rounds(statement):
        yield Claims(claims)
    found, complete = class_claims(statement)
    if found:
        yield Claims(found, complete)
