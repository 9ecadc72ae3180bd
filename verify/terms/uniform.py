"""Whether what a term says at a few sizes is what it says at every size.

A reader that evaluates a term at a few sizes, or with a few clients written out, and goes on to any
number, is right where sizes enter as numbers that one calculates with, a few times: polynomials of
low degree.  It is not where a slice leaves out all but some entries, where a size is compared or
rounded, or where a product of many factors vanishes at every size that was looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from verify.terms.node import SIZES, Node
from verify.terms.traced import HERE

__all__ = ["MOST_FACTORS", "degree_in_sizes", "obstacle", "picks_out"]

MOST_FACTORS = 4
"""Degree in the sizes up to which a term is read at a few of them: readers look at more sizes than
that, so that no polynomial vanishes at all of them."""

LINEAR = frozenset(
    [
        "broadcast_to",
        "concatenate",
        "copy",
        "cumsum",
        "diagonal",
        "dot",
        "expand_dims",
        "eye",
        "flip",
        "matvec",
        "mean",
        "moveaxis",
        "ones_like",
        "repeat",
        "reshape",
        "squeeze",
        "stack",
        "sum",
        "swapaxes",
        "symmetric_part",
        "total",
        "trace",
        "trailing",
        "transpose",
        "zeros_like",
    ]
)
"""Functions and methods whose value is a sum of entries, or the entries in another place."""

SQUARES = frozenset(("squared_norm",))
"""Functions whose value has twice the degree of their argument."""

PRODUCTS = frozenset(("dot", "matmul", "matvec"))
"""Functions whose value is a sum of products of entries."""

RATIOS = frozenset(("divide",))
"""Functions that divide."""

PLAIN = frozenset(
    ("array", "attribute", "constant", "entry", "entry at", "index", "literal", "mean", "tuple")
)
"""Operations that hand on what they are given."""


def obstacle(terms: Iterable[Node]) -> str:
    """Why terms that were read at a few sizes may say something else at others; empty if not.

    Parameters
    ----------
    terms : iterable of Node
        Of both sides, hypotheses and definitions.
    """
    known: dict[Node, float] = {}
    for term in terms:
        if picks_out(term):
            return "entries between two places are picked out, wherever an axis ends"
        for part in term.parts():
            known[part] = _degree(part, known)
        if known[term] > MOST_FACTORS:
            return "a size is compared, rounded or multiplied with itself too often"
    return ""


def picks_out(term: Node) -> bool:
    """Whether entries between two places are picked out of an axis."""
    return any(not _whole_axes(part) for part in term.parts())


def degree_in_sizes(term: Node) -> float:
    """Degree in the sizes as one writes the term out; infinite where it is no polynomial in them.

    Examples
    --------
    >>> from verify.terms.node import constant, node
    >>> n = node("size", data="N")
    >>> degree_in_sizes(node("operator", n, constant(2), data="**"))
    2
    >>> degree_in_sizes(node("operator", n, constant(77), data="=="))
    inf
    """
    known: dict[Node, float] = {}
    for part in term.parts():
        known[part] = _degree(part, known)
    return known[term]


# -- private helpers ------------------------------------------------------------------------------


def _degree(part: Node, known: dict[Node, float]) -> float:
    if part.op in SIZES:
        return 1
    below = [known[one] for one in part.inputs]
    most = max(below, default=0)
    if not most:
        return 0
    name = _name(part)
    if part.op == "operator":
        return _of_operator(name, part, below)
    if part.op in PLAIN or part.op == "run":
        return below[0] if part.op == "index" else most
    if name == "eye":  # of which the size is the number of rows
        return 0
    if name == "log" and most <= 1:
        return 1
    if name in SQUARES:
        return 2 * most
    if name in PRODUCTS or name in RATIOS:
        return sum(below)
    if name in LINEAR:
        return most
    if name in ("where", "indicator"):  # between values with sizes in them, by a condition without
        return max(below[1:], default=inf) if not below[0] else inf
    if part.op in ("call", "quantity"):  # of the package: they take arrays whatever these are
        return most
    return inf


def _of_operator(name: str, part: Node, below: list[float]) -> float:
    if name in ("+", "-"):
        return max(below)
    if name == "neg":
        return below[0]
    if name in ("*", "/", "@"):
        return sum(below)
    if name == "**":
        exponent = part.inputs[1]
        if exponent.op == "constant" and type(exponent.data) is int:
            return below[0] * abs(exponent.data)
        if not below[0] and below[1] <= 1:  # a factor for each round
            return 1
    return inf


def _name(part: Node) -> str:
    if part.op == "operator":
        return str(part.data)
    if part.op in ("generic", "numpy", "method", "call"):
        name = part.data[0]
        return str(name).rpartition(":")[2]
    return part.op


def _whole_axes(part: Node) -> bool:
    """Whether an index keeps an axis, or takes one entry, or all but the first or the last."""
    if part.op == "entry at":
        return _near_an_end(part.inputs[1])
    terms = iter(part.inputs[1:])
    for key in part.data if part.op == "index" else ():
        if key is HERE:
            if not _near_an_end(next(terms)):
                return False
        elif isinstance(key, tuple):
            start, stop, step = key
            first = start in (None, 0) and stop == 1
            rest = start in (None, 0, 1) and stop in (None, -1)
            if step not in (None, 1) or not (first or rest):
                return False
    return True


def _near_an_end(term: Node) -> bool:
    """A size, or the one before or after it."""
    if term.op in SIZES:
        return True
    if term.op == "operator" and term.data in ("+", "-"):
        first, second = term.inputs
        return _near_an_end(first) and second.op == "constant" and second.data in (0, 1)
    return False
