"""What a statement about walks of any number of rounds says, as a set of claims without rounds."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim.statement import Statement
from verify.reading.parts.claim import Claims, ReadClaim
from verify.reading.parts.refusals import NotReadable
from verify.reading.walks.agreement import fewest_rounds
from verify.reading.walks.claims import walk_claims
from verify.reading.walks.reading import WALK, read_walks

__all__ = ["WALKS", "walk_sets"]

WALKS = "walks"
"""In the labels of such claims."""


def walk_sets(statement: Statement) -> Iterator[Claims]:
    """The set of claims that a statement about mean distances of walks says.

    Parameters
    ----------
    statement : Statement
        On numbers.
    """
    if WALK not in statement.defines or statement.relation != "<=":
        return
    made = []
    try:
        for family in (statement.family, *statement.also):
            read = read_walks(statement, family)
            fewest = fewest_rounds(statement, family, read)
            if not fewest:
                return
            label = {**dict.fromkeys((*read.sizes, "rounds"), "any")}
            if fewest > 1:
                label["rounds"] = f"any from {fewest}"
            for name, claim in walk_claims(statement, family, read, fewest):
                made.append(ReadClaim({**label, WALKS: name}, claim))
    except NotReadable:
        return
    yield Claims(made)
