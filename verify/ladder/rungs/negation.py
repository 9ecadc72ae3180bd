"""Other claims of the same hypotheses whose proofs say something of a claim.

A claim that some instance exists falls where the opposite holds of every instance.

"There is an x with ``x**2 + 1 <= x``" is read like any other claim, and each claim that the
program becomes is turned round: ``x < x**2 + 1`` for every x.  What is proved so is no witness; it
says that there is none to be found.  And where hypotheses imply a falsehood nothing meets them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bounds.numbers.symbolic import NotReadable
from verify.claim.statement import Sides, Statement
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.world.world import World

__all__ = ["CONTRADICTION", "NEGATION", "contradiction", "negations"]

NEGATION = "negation"
"""What the proof of an existence claim's negation says of itself."""

CONTRADICTION = "contradiction"
"""The same, of a proof that the hypotheses imply a falsehood."""

WHOLE = ("N", "parts", "d")
"""Words in the labels of claims that are the program's own at each instance, not one of several."""


def contradiction(statement: Statement) -> Statement:
    """The claim that one is at most zero under the same hypotheses."""
    return replace(statement, sides=_falsehood, relation="<=", quantifier="all", ceiling=None)


def _falsehood(_: World) -> Sides:
    return {"one": 1}, {"zero": 0}


def negations(statement: Statement) -> Iterator[Claims]:
    """Sets of claims about all instances each of which says that none satisfies the statement.

    Parameters
    ----------
    statement : Statement
        That some instance exists.

    Yields
    ------
    Claims
    """
    every = replace(statement, quantifier="all")
    for number in range(2 if statement.relation == "==" else 1):
        for claims in claim_sets(every):
            if claims.complete:
                yield Claims(_turned(claims, bool(number)))


def _turned(claims: Claims, other: bool) -> Iterator[ReadClaim]:
    """Each claim with its relation turned round; of an equality, one side below the other."""
    for label, (left, right, _, given), vectors in claims:
        if vectors or set(label) - set(WHOLE):
            raise NotReadable("the claim is made of several, of which one may hold")
        if other:
            low, high, word = left, right, "left below right"
        else:
            low, high, word = right, left, "left above right"
        yield ReadClaim({**label, "instead": word}, Claim(low, high, "<", given), vectors)
    if claims.broken:
        raise NotReadable("the claim cannot be read")
