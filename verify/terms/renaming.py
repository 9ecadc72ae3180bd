"""Names mean nothing: a term says the same whatever its symbols are called.

Readers have names of their own, for a client and for the number of clients. A symbol that is called
so gets another name before it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from verify.claim.parameters import Family, plain_numbers
from verify.claim.statement import Statement
from verify.terms.claims import terms_of
from verify.terms.node import ANY, Node, node
from verify.terms.trace import TracedClaim

__all__ = ["can_be_renamed", "renamed", "with_free_names"]

NAMED = ("symbol", "original", "plain", "has", "given", "size", "original size")
"""Operations whose data is the name of a symbol."""


def with_free_names(statement: Statement, taken: frozenset[str]) -> Statement:
    """The statement with other names for symbols that have a name which is taken.

    Parameters
    ----------
    statement : Statement
        On plain numbers; any other one is as it was, and so is one that says something of its
        numbers by name in a function that is no term.
    taken : set of str
    """
    families = (statement.family, *statement.also)
    own = {name for family in families for name in family.box} | {*statement.defines}
    if own.isdisjoint(taken) or not can_be_renamed(statement):
        return statement
    used = own | taken | {name for f in families for shape in f.shapes for name in shape}
    names: dict[str, str] = {}
    for name in sorted(own & taken):
        new = name
        while new in used:
            new += "_"
        names[name] = new
        used.add(new)
    return renamed(statement, names)


def can_be_renamed(statement: Statement) -> bool:
    """Whether all that a statement says of its numbers by name is a term.

    Parameters
    ----------
    statement : Statement
    """
    families = (statement.family, *statement.also)
    if any(f.build is not plain_numbers or f.constraints for f in families):
        return False
    if statement.trivial or statement.constant is not None or statement.ceiling is not None:
        return False
    terms = terms_of(statement)
    return terms is not None and all(
        ANY not in term.symbols for claim in terms.claims for term in claim.every()
    )


def renamed(statement: Statement, names: Mapping[str, str]) -> Statement:
    """The statement with other names for some of its parameters and definitions.

    Parameters
    ----------
    statement : Statement
        Whose functions are terms.
    names : mapping
        New names by old ones; none of them is used already.
    """
    terms = terms_of(statement)
    assert terms is not None
    claims = tuple(_claim(claim, names) for claim in terms.claims)
    made = replace(terms, claims=claims)

    def family(one: Family) -> Family:
        units = {names.get(n, n): unit for n, unit in one.units.items()}
        box = {names.get(n, n): real for n, real in one.box.items()}
        return replace(one, box=box, units=units)

    changed = replace(
        statement,
        family=family(statement.family),
        also=tuple(map(family, statement.also)),
        defines={names.get(n, n): rule for n, rule in statement.defines.items()},
    )
    return made.put_into(changed)


# -- private helpers ------------------------------------------------------------------------------


def _claim(claim: TracedClaim, names: Mapping[str, str]) -> TracedClaim:
    known: dict[Node, Node] = {}

    def new(term: Node) -> Node:
        for part in term.parts():
            inputs = (known[one] for one in part.inputs)
            data = names.get(part.data, part.data) if part.op in NAMED else part.data
            known[part] = node(part.op, *inputs, data=data)
        return known[term]

    return TracedClaim(
        {n: new(term) for n, term in claim.left.items()},
        {n: new(term) for n, term in claim.right.items()},
        {n: new(term) for n, term in claim.margins.items()},
        None if claim.level is None else new(claim.level),
        {names.get(n, n): new(term) for n, term in claim.defined.items()},
        {new(part): told for part, told in claim.settled.items()},
        {new(part): name for part, name in claim.called.items() if part in known},
    )
