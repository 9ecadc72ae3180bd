"""Claims about any number of clients with some of them singled out, ready for a proof.

Leading clients get symbols of their own, ``x_0``; ``x[k]`` is any of the N others, and a claim
about leading clients alone stands beside the one with others.  What is no rational function gets a
symbol and the facts that characterise it become hypotheses: an indicator is 0 or 1, a largest value
is at least each one.  A proof from the facts proves the claim.  Where that does not suffice, a
largest value is attained: each client that may attain it is a case of its own.

A set is made claim by claim, as it is read: the first one without a proof ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.claim.statement import Statement
from verify.reading.clients.attained import attained, attaining, extremes_of
from verify.reading.clients.cases import Met, Way, claims_of_reading
from verify.reading.clients.groups import Group, groups_of
from verify.reading.clients.reading import Reading, axes_of
from verify.reading.clients.sizes import all_listed
from verify.reading.parts.claim import Claim, Claims, ReadClaim, said
from verify.reading.parts.draws import as_draws
from verify.reading.parts.free_parts import freed
from verify.reading.parts.log_parts import with_logarithms
from verify.reading.parts.refusals import NotReadable

WEIGHED = 2
"""Hypotheses about sums that terms are weighed against, one after the other."""

__all__ = ["client_sets", "sets_of_listed_sizes"]

Together = Sequence[tuple[Reading, Group]]

WAYS = ((False, True), (False, False), (True, True), (True, False))
"""Whether conditions are cases, and whether terms of sums are claims of their own: with the terms
of sums as claims, as they stand, and with a claim for each case."""


def client_sets(statement: Statement, whole: bool = False) -> Iterator[Claims]:
    """Sets of claims each of which is what a statement says, the simplest set first.

    Parameters
    ----------
    statement : Statement
        About numbers, at each point.
    whole : bool
        Whether to leave the claims whole that would be taken apart into cases.

    Yields
    ------
    Claims
        What follows may depend on how far the set has been read.
    """
    read = False
    for name in axes_of(statement):
        for claims in _of_groups(statement, groups_of(statement, name, False), whole):
            yield claims
            read |= not claims.broken
    beside = [name for name in axes_of(statement) if name != "d"]
    for name in beside if not read and all_listed(statement) else ():
        yield from _of_groups(statement, groups_of(statement, name, True), whole)


def sets_of_listed_sizes(statement: Statement, whole: bool = False) -> Iterator[Claims]:
    """Sets of claims about the listed sizes, each by itself, that do not say what others are like.

    Parameters
    ----------
    statement : Statement
        On numbers without vectors, of which `client_sets` has made nothing.
    whole : bool
        As there.
    """
    if any("d" in p.per for p in statement.family.box.values()):
        return
    for name in axes_of(statement):
        groups = groups_of(statement, name, False, sized=False)
        found = _read(groups)
        for claims in _sets(partial(_each, statement, found), whole) if found else ():
            claims.complete = statement.family.closed and not statement.also
            yield claims


def _read(groups: Sequence[Group] | None) -> list[tuple[Reading, Group]]:
    """Each group with its reading; nothing where one has none."""
    found = []
    for group in groups or ():
        if group.reading is None:
            return []
        found.append((group.reading, group))
    return found


def _of_groups(
    statement: Statement, groups: Sequence[Group] | None, whole: bool
) -> Iterator[Claims]:
    found = _read(groups)
    if not found:
        return
    yield from _sets(partial(_each, statement, found), whole)
    yield from _freed(statement, found, whole)
    yield from _drawn(statement, found, whole)
    yield from _weighed(statement, found, whole)
    yield from _from_smallest(statement, found, whole)
    if any(r.unshared for r, _ in found) and not whole:
        apart = [(r.unshared or r, g) for r, g in found]
        yield from _plain(statement, apart)
        yield from _freed(statement, apart, whole)
    counts = {len(extremes_of(r)) for r, _ in found}
    for who in attaining(max(counts)) if len(counts) == 1 else ():
        yield from _sets(partial(_by_who, statement, found, who), whole)


def _each(statement: Statement, together: Together, way: Way) -> Iterator[ReadClaim]:
    for reading, group in together:
        yield from claims_of_reading(statement, reading, group, way)


def _by_who(
    statement: Statement, together: Together, who: tuple[int, ...], way: Way
) -> Iterator[ReadClaim]:
    for reading, group in together:
        yield from attained(statement, reading, group, who, way)


def _sets(made: Callable[[Way], Iterator[ReadClaim]], whole: bool) -> Iterator[Claims]:
    """Sets of claims, one for each way that makes a difference as far as they have been read."""
    met: dict[tuple[bool, bool], Met] = {}
    for cases, terms in WAYS:
        as_before = any(
            (cases == c or not one.cases) and (terms == t or not one.terms)
            for (c, t), one in met.items()
        )
        if as_before and not whole:
            continue
        way = Way(cases, terms, whole)
        met[cases, terms] = way.met
        claims = Claims(made(way))
        if claims.all() if whole else next(iter(claims), None):
            yield claims


def _plain(statement: Statement, together: Together) -> Iterator[Claims]:
    """The claims as they stand, with positive numbers for what parts of one are of."""
    with suppress(NotReadable):
        yield Claims(
            [
                one._replace(label={**one.label, "parts of one": "as given"})
                for one in _each(statement, together, Way(False, False))
            ]
        )


def _drawn(statement: Statement, together: Together, whole: bool) -> Iterator[Claims]:
    """The claims with sums as means over a draw; nothing where one has no such form."""
    if whole or any(reading.name == "d" for reading, _ in together):
        return  # sums over coordinates are inner products: another reading has vectors for them
    with suppress(NotReadable):
        made = [as_draws(one) for one in _each(statement, together, Way(False, False))]
        claims = [one for one in made if one is not None]
        if claims and len(claims) == len(made):
            yield Claims(claims)


def _weighed(statement: Statement, together: Together, whole: bool) -> Iterator[Claims]:
    """The claims with terms of sums that are weighed against a hypothesis about sums."""
    for against in () if whole else range(WEIGHED):
        claims = Claims(_each(statement, together, Way(False, True, against=against)))
        if next(iter(claims), None):
            yield claims


def _from_smallest(statement: Statement, together: Together, whole: bool) -> Iterator[Claims]:
    """The claims about sizes that are at least the smallest listed one, and what is known of
    logarithms in them."""
    plain = Way(False, False)
    for way in () if whole else (plain, Way(True, False)):
        with suppress(NotReadable):
            made = [
                _at_least(one, _smallest(group))
                for reading, group in together
                for one in _each(statement, [(reading, group)], way)
            ]
            if any(vectors for *_, vectors in made):
                return
            if way is plain and any(_smallest(group) for _, group in together):
                yield Claims(made)
            if not any(e.has(sympy.log) for one in made for e in said(one.claim)):
                return
            for split in (False, True):
                yield from _with_logarithms(made, split)


def _with_logarithms(claims: Sequence[ReadClaim], split: bool) -> Iterator[Claims]:
    """The claims with what is known of logarithms; nothing where none has any."""
    found = list[ReadClaim]()
    for label, claim, _ in claims:
        meanings: dict[str, str] = {}
        claim = with_logarithms(claim, meanings, split)
        found.append(ReadClaim({**label, "parts": meanings} if meanings else label, claim))
    if any("parts" in label for label, *_ in found):
        yield Claims(found)


def _smallest(group: Group) -> dict[str, int]:
    """The smallest listed number of each size, where there is a smaller one."""
    least = {n: min(s[n] for s in group.shapes) for n in group.sizes}
    return {n: size for n, size in least.items() if size > 1}


def _at_least(one: ReadClaim, least: Mapping[str, int]) -> ReadClaim:
    if not least:
        return one
    left, right, relation, given = one.claim
    sizes = {str(s): s for e in said(one.claim) for s in e.free_symbols}
    facts = [
        Hypothesis(f"{n} at least {size}", sizes[f"{n}_"] - size)
        for n, size in least.items()
        if f"{n}_" in sizes
    ]
    label = {**one.label, **{n: f"any from {size}" for n, size in least.items()}}
    return one._replace(label=label, claim=Claim(left, right, relation, [*given, *facts]))


def _freed(statement: Statement, together: Together, whole: bool) -> Iterator[Claims]:
    """The claims as they stand with parts of them as any numbers; nothing where none is freed."""
    if whole:
        return
    try:
        claims = list(_each(statement, together, Way(False, False)))
        if any(vectors for *_, vectors in claims):
            return
        found = [(label, *freed(claim)) for label, claim, _ in claims]
    except NotReadable:
        return
    if any(meanings for *_, meanings in found):
        yield Claims(
            [ReadClaim({**label, "parts": meanings}, claim) for label, claim, meanings in found]
        )
