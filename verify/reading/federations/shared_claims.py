"""Claims that a reading of All-for-one comes to, made once for all statements that come to it.

Under one rule for the weights most of what is claimed of them is the same in every statement.  Of a
statement no more is handed on than the claims depend on: the rule, the domains of the parameters
that are named, and which of the hypotheses are strict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, cast

import sympy

from bounds.numbers.formal import Axis
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.reading.clients.cases import Way, claims_of_reading
from verify.reading.clients.groups import Group
from verify.reading.clients.reading import Reading
from verify.reading.federations.reading import WeighedRuns
from verify.reading.parts.claim import ReadClaim
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types
Places = tuple[tuple[tuple[Any, ...], Expr], ...]

NONE: Mapping[str, Real] = {}

__all__ = ["shared_claims"]


@dataclass(frozen=True)
class _Asked:
    """What claims depend on, in the order in which it stands.

    Attributes
    ----------
    axis : Axis
    left, right, margins : tuples of pairs
        As in `Reading`.
    relation : str
    marks : tuple of symbols
    box : tuple of pairs
        Domains of the parameters that are named.
    strict : frozenset of str
        Hypotheses that are strict.
    rule : tuple
        Constants that say which rule for the weights it is, and the type of each.
    cases, terms : bool
        The way in which claims are made.
    """

    axis: Axis
    left: Places
    right: Places
    margins: tuple[tuple[str, Places], ...]
    relation: str
    marks: tuple[Expr, ...]
    box: tuple[tuple[str, Real], ...]
    strict: frozenset[str]
    rule: tuple[tuple[str, Any, type], ...]
    cases: bool
    terms: bool


def shared_claims(
    setting: WeighedRuns, reading: Reading, way: Way, more: Mapping[str, Real] = NONE
) -> Iterator[ReadClaim]:
    """The claims of a reading, as `verify.reading.clients.cases.claims_of_reading` makes them.

    Parameters
    ----------
    setting : WeighedRuns
    reading : Reading
        With no sizes, of clients N, not spelled out.
    way : Way
        That leaves nothing whole and weighs against nothing.
    more : mapping
        Further parameters, in whose domains they are read.

    Yields
    ------
    ReadClaim

    Raises
    ------
    NotReadable
        Where one of them is none.
    """
    asked = _Asked(
        reading.axis,
        tuple(reading.left.items()),
        tuple(reading.right.items()),
        tuple((name, tuple(margin.items())) for name, margin in reading.margins.items()),
        reading.relation,
        reading.marks,
        tuple(_named(reading, {**setting.box, **setting.rows, **more})),
        frozenset(setting.statement.strict) & frozenset(reading.margins),
        tuple((name, value, type(value)) for name, value in setting.rule.items()),
        way.cases,
        way.terms,
    )
    made, broken = _made(asked)
    for label, claim, vectors in made:
        yield ReadClaim(dict(label), claim._replace(hypotheses=[*claim.hypotheses]), vectors)
    if broken is not None:
        raise NotReadable(broken)


def _named(reading: Reading, box: Mapping[str, Real]) -> Iterator[tuple[str, Real]]:
    """Parameters whose names, or their beginnings, stand in a reading, and vectors."""
    names = {s.name for e in reading.expressions() for s in sympy.sympify(e).atoms(sympy.Symbol)}
    for name, parameter in box.items():
        alike = (n == name or n.startswith(f"{name}_") or name.startswith(f"{n}_") for n in names)
        if "d" in parameter.per or any(alike):
            yield name, parameter


@lru_cache(1_000)
def _made(asked: _Asked) -> tuple[list[ReadClaim], str | None]:
    """The claims, and why there are no more of them where one cannot be made."""
    family = SimpleNamespace(box=dict(asked.box))
    statement = cast(Statement, SimpleNamespace(family=family, strict=asked.strict))
    shape = {"N": 1, **{name: value for name, value, _ in asked.rule}}
    group = cast(Group, SimpleNamespace(shapes=(shape,), sizes={}))
    margins = {name: dict(margin) for name, margin in asked.margins}
    sides = dict(asked.left), dict(asked.right)
    reading = Reading(asked.axis, *sides, margins, asked.relation, {}, "N", asked.marks)
    found: list[ReadClaim] = []
    try:
        found.extend(claims_of_reading(statement, reading, group, Way(asked.cases, asked.terms)))
    except NotReadable as error:
        return found, str(error)
    return found, None
