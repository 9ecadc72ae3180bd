"""A claim up to a constant stands where it holds with one that depends on nothing.

``x*y <= x**2 + y**2`` up to a constant is read like any other claim, with its right side times 1,
then 2, 4, ...  The first that is proved names the constant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from bounds.numbers.symbolic import NotReadable
from verify.claim.statement import Sides, Statement
from verify.ladder.rungs import tuning
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.claim import Claims, ReadClaim
from verify.world.world import World

__all__ = ["CONSTANT", "with_constants"]

CONSTANT = "constant"
"""What the label of a claim calls the number in place of the one that is left open."""


def with_constants(statement: Statement) -> Iterator[Claims]:
    """Sets of claims each of which says the claim with some number as its constant.

    Parameters
    ----------
    statement : Statement
        Up to a constant.

    Yields
    ------
    Claims
        Those alone that are about any number of entries and any dimension: at a listed one the
        constant may be that size.
    """
    sizes = {name for real in statement.family.box.values() for name in real.per}
    for number in tuning.CONSTANTS:
        explicit = replace(statement, relation="<=", sides=partial(_times, statement, number))
        for claims in claim_sets(explicit):
            if claims.complete:
                yield Claims(_named(claims, number, sizes))


def _times(statement: Statement, number: int, w: World) -> Sides:
    left, right = statement(w)
    return left, {name: w.array(number) * value for name, value in right.items()}


def _named(claims: Claims, number: int, sizes: Collection[str]) -> Iterator[ReadClaim]:
    for label, claim, vectors in claims:
        listed = [size for size in sizes if label.get(size) != "any"]
        if [size for size in listed if size != "d" or not vectors or label.get("d")]:
            raise NotReadable(f"the constant may depend on {', '.join(listed)}")
        yield ReadClaim({**label, CONSTANT: number}, claim, vectors)
