"""What a statement says at each point, as sets of claims in symbols: one reader for all programs.

Each set by itself is what the statement says; which of them is read depends on what its instances
are: functions of a class, numbers of clients, means over runs.
Means that a program has calculated itself are numbers like others.
"""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim.functions import class_of
from verify.claim.statement import Statement
from verify.reading.clients.sets import client_sets, sets_of_listed_sizes
from verify.reading.parts.claim import Claims
from verify.terms.claims import as_terms, terms_of, why_no_terms
from verify.terms.refusals import CATCHES
from verify.terms.renaming import with_free_names

__all__ = ["claim_sets"]

TAKEN = frozenset(("k", "N"))
"""Names that symbols of a client and of the number of clients have in claims and proofs."""


def claim_sets(statement: Statement, whole: bool = False) -> Iterator[Claims]:
    """Sets of claims each of which is what a statement says, the simplest set first.

    Parameters
    ----------
    statement : Statement
        At each point, for all instances.
    whole : bool
        Whether to leave the claims whole that would be taken apart into cases.

    Yields
    ------
    Claims
        What follows may depend on how far the set has been read.  Last are those that are not
        `complete`: about the listed sizes alone.
    """
    terms = terms_of(statement)
    if terms is None or terms.own_program or terms.picks_out or terms.listed:
        yield from _at_listed_sizes(statement, whole)
        return
    statement = with_free_names(as_terms(statement), TAKEN)
    if terms.fixed:
        yield from _of_fixed_sizes(statement, whole)
        return
    if terms.obstacle:
        yield from _with_symbols_for_sizes(statement, whole)
        return
    if class_of(statement.family) is not None:
        from verify.reading.classes.sets import class_sets

        yield from class_sets(statement)
        return
    if statement.over != "point":
        if statement.over == "mean" and not whole:
            yield from client_sets(statement)
        return
    read = False
    for claims in client_sets(statement, whole):
        yield claims
        read |= not claims.broken
    if not read:
        yield from sets_of_listed_sizes(statement, whole)


def _of_fixed_sizes(statement: Statement, whole: bool) -> Iterator[Claims]:
    """What is read of a claim about one number of rounds, say, and no other."""
    if class_of(statement.family) is not None:
        from verify.reading.classes.sets import class_sets

        terms = terms_of(statement)
        if terms is not None and not terms.obstacle:
            yield from class_sets(statement, listed=True)
    elif statement.over in ("point", "mean"):
        yield from client_sets(statement, whole)


def _with_symbols_for_sizes(statement: Statement, whole: bool) -> Iterator[Claims]:
    """What readers that have a symbol for each size make of a term in which a size decides."""
    if statement.over in ("point", "mean"):
        yield from client_sets(statement, whole)


def _at_listed_sizes(statement: Statement, whole: bool) -> Iterator[Claims]:
    """What is read of a program that is no term: of the listed sizes alone.

    A number of samples is a symbol, of which a program can ask nothing. One that catches errors may
    have another formula where it does, and is not read.
    """
    if CATCHES in why_no_terms(statement) or statement.over != "point":
        return
    if not _sizes(statement):  # there is one size, and no program can ask a number of a symbol
        yield from client_sets(statement, whole)
    elif class_of(statement.family) is None:
        yield from sets_of_listed_sizes(statement, whole)


def _sizes(statement: Statement) -> bool:
    """Whether anything in the families of a statement counts something."""
    families = (statement.family, *statement.also)
    axes = any(parameter.per for family in families for parameter in family.box.values())
    return axes or any(type(v) is int for f in families for s in f.shapes for v in s.values())
