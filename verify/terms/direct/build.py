"""Terms made by themselves, without a program that is traced; and functions that evaluate them.

A term may bind letters here: a sum over whole numbers from one to another, a mean over random
variables.  Such a term is evaluated like any other, on traced quantities too; what comes back from
those has its sums written out, and is what a claim is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from bounds import generic as xp
from verify.terms.node import Node, constant, node
from verify.terms.values import value_of

__all__ = [
    "TermFunction",
    "TermSides",
    "averaged",
    "bound",
    "generic",
    "number",
    "operation",
    "repeated",
    "symbol",
    "taken",
]

WHOLE = (None, None, None)
"""All entries along an axis, in the key of an index."""


class TermFunction:
    """A function of the world: the value of a term."""

    def __init__(self, term: Node) -> None:
        self.term = term

    def __call__(self, world: Any) -> Any:
        """Value in a world."""
        return value_of(self.term, world, {})


class TermSides:
    """A function of the world: the terms of both sides by name."""

    def __init__(self, left: Mapping[str, Node], right: Mapping[str, Node]) -> None:
        self.left, self.right = left, right

    def __call__(self, world: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Values in a world."""
        known: dict[Node, Any] = {}
        left, right = (
            {name: value_of(term, world, known) for name, term in side.items()}
            for side in (self.left, self.right)
        )
        return left, right


def symbol(name: str) -> Node:
    """What the world calls by this name."""
    return node("symbol", data=name)


def number(value: float | Fraction) -> Node:
    """A number that is typed; a decimal one is the fraction that it says.

    Examples
    --------
    >>> number(0.1)
    constant(1/10)
    """
    # the shortest text of a float is the literal that it was read from
    return constant(Fraction(repr(value)) if isinstance(value, float) else value)


def operation(sign: str, *inputs: Node) -> Node:
    """``+``, ``-``, ``*``, ``/``, ``**`` of two terms, ``neg`` of one."""
    return node("operator", *inputs, data=sign)


def generic(name: str, *inputs: Node | int) -> Node:
    """A function of ``bounds.generic``; plain numbers among its arguments say an axis."""
    terms = [one if isinstance(one, Node) else constant(one) for one in inputs]
    home = getattr(xp, name).__module__
    return node("generic", *terms, data=(f"{home}:{name}", len(terms), ()))


def taken(term: Node, places: Sequence[bool]) -> Node:
    """A term with its axes behind one another: True for one of its own, False for a new one.

    Examples
    --------
    >>> taken(symbol("x"), (False, True))  # x[..., None, :]
    index((Ellipsis, None, (None, None, None)), symbol(x))
    """
    key: tuple[Any, ...] = (Ellipsis,)
    if term.op == "index":  # axes behind axes that have been added already
        (term,), key = term.inputs, term.data
    return node("index", term, data=(*key, *(WHOLE if own else None for own in places)))


def bound(name: str) -> Node:
    """A letter that stands for what binds it."""
    return node("bound", data=name)


def repeated(name: str, letter: str, body: Node, ends: tuple[Node, Node], start: Node) -> Node:
    """A ``sum`` or ``prod`` of a piece, a letter of which is each whole number between two ends."""
    own = bound(letter)
    outer = _outside(body, own)
    return node("repeated", *ends, start, *outer, data=(name, own, body, outer))


def averaged(
    name: str, laws: Sequence[tuple[str, Sequence[Node]]], letters: Sequence[str], body: Node
) -> Node:
    """The ``expectation`` or ``probability`` of a piece, letters of which have these laws."""
    own = tuple(map(bound, letters))
    outer = _outside(body, *own)
    numbers = (number for _, listed in laws for number in listed)
    counts = tuple((law, len(listed)) for law, listed in laws)
    return node("averaged", *numbers, *outer, data=(name, counts, own, body, outer))


def _outside(body: Node, *own: Node) -> tuple[Node, ...]:
    """Letters of a piece that something further out binds."""
    return tuple(part for part in body.order if part.op == "bound" and part not in own)
