"""What a statement about runs of any number of rounds says, as a set of claims without rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from verify.claim.statement import Statement
from verify.reading.loops.bases import rules
from verify.reading.loops.claims import loop_claims
from verify.reading.loops.reading import K, LoopRead, read_loops
from verify.reading.parts.claim import Claims, ReadClaim
from verify.reading.parts.refusals import NotReadable

__all__ = ["LOOP", "loop_sets"]

LOOP = "rounds one by one"
"""In the labels of such claims."""


def loop_sets(statement: Statement) -> Iterator[Claims]:
    """Sets of claims each of which is what a statement says.

    Parameters
    ----------
    statement : Statement
        On numbers; both sides are compared as they are, also where they are means that the
        program has calculated.
    """
    if statement.relation != "<=":
        return
    families = (statement.family, *statement.also)
    alone = [replace(statement, family=family, also=()) for family in families]
    try:
        found = [next(read_loops(one), []) for one in alone]
        if all(found) and any(_has_rounds(read) for groups in found for read in groups):
            pairs = zip(alone, found, strict=True)
            yield Claims([*_rules(), *(c for one, groups in pairs for c in _claims(one, groups))])
    except NotReadable:
        return


def _has_rounds(read: LoopRead) -> bool:
    """Whether the program goes through rounds."""
    symbols = {*read.powers.symbols.values(), *read.powers.series.values()}
    return bool(read.left.free_symbols & symbols)


def _rules() -> Iterator[ReadClaim]:
    for name, claim in rules(K):
        yield ReadClaim({"rounds": "any", LOOP: name}, claim)


def _claims(statement: Statement, groups: Sequence[LoopRead]) -> Iterator[ReadClaim]:
    for read in groups:
        sizes = {n: "any" for n in (*read.group.sizes, read.group.axis) if n}
        label = {**sizes, "rounds": "any"}
        if read.reading.spelled:
            label["d"] = read.group.shapes[0]["d"]
        for name, claim in loop_claims(statement, read):
            yield ReadClaim({**label, LOOP: name}, claim)
