"""Claims that fail, as far as their facts say, where there is a single client.

Every fact that a search for a proof derives about formal sums holds where each sum is its one term.
Where the claim is false at such a point and all that is given holds there, there is no proof to
look for, and no fact about sums need be derived.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from verify.certify.facts import Fact
from verify.certify.formal_sums import CLIENTS, Translation
from verify.certify.known_facts import declared
from verify.certify.points import moved_point
from verify.certify.quotients import cancelled, leaves, polynomial_terms

Expr = Any  # sympy carries no types

LARGE = 400
"""Terms of a fact with its denominators cleared above which no point is looked for."""

__all__ = ["fails_for_one"]


class _Unread(Exception):
    """A fact has no short form as a polynomial."""


def fails_for_one(
    left: Expr, right: Expr, relation: str, given: Sequence[tuple[str, Expr, bool]]
) -> bool:
    """Whether a point with one client was found where all is given and the claim is false.

    Parameters
    ----------
    left, right, relation
        The claim.
    given : sequence of (name, expression, strict)
        The hypotheses, ``expression >= 0`` or ``> 0``.

    Returns
    -------
    bool
        False says nothing.  True says that no proof follows from what is known of the atoms.

    Raises
    ------
    Unsupported
        As the translation into atoms does.
    """
    everything = [left, right, *(e for _, e, _ in given)]
    translate = Translation({str(s) for e in everything for s in e.atoms(sympy.Symbol)})
    gap = translate(right) - translate(left)
    known = [(translate(e), strict) for _, e, strict in given]
    if translate.powers:
        return False  # what is known of powers is not among the facts below
    known += [(e, strict) for _, e, strict, _ in translate.facts]
    known.append((-gap, relation != "<"))
    one = {CLIENTS: sympy.Integer(1), **{s.atom: s.summand for s in translate.sums}}
    signs = [(k.expr, k.strict) for s in translate.sums for k in declared(s.atom)]
    try:
        cleared = [fact for e, strict in [*known, *signs] for fact in _cleared(e, strict, one)]
    except (_Unread, sympy.PolynomialError):
        return False
    variables = tuple(sorted({v for e, _ in cleared for v in leaves(e)}, key=str))
    cleared += [(k.expr, k.strict) for v in variables for k in declared(v)]
    if not variables:
        return False
    facts = [Fact.of("", polynomial_terms(e, variables), strict) for e, strict in cleared]
    return moved_point(facts, len(variables))


def _cleared(e: Expr, strict: bool, values: dict[Expr, Expr]) -> Iterator[tuple[Expr, bool]]:
    """The same without sums and denominators, which are not zero."""
    while leaves(e) & set(values):
        e = e.xreplace(values)
    numerator, denominator = sympy.fraction(cancelled(e))
    if _length(numerator) * _length(denominator) > LARGE:
        raise _Unread
    yield sympy.expand(numerator * denominator), strict
    if not denominator.is_number:
        yield sympy.expand(denominator**2), True


def _length(e: Expr) -> int:
    return len(sympy.Add.make_args(sympy.expand(e)))
