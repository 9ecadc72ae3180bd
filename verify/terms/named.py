"""What terms name and hold: functions that say something of their own, and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isfinite
from typing import Any

from verify.claim.literals import number_written, numbers_in
from verify.terms.claims import ClaimTerms
from verify.terms.node import Node
from verify.terms.values import function_named
from verify.terms.vocabulary import quantity_named

__all__ = ["functions_named", "numbers_held"]

NUMBERS = ("bounds.numbers", "bounds.generic")
"""Where operations on arrays lie, which terms name as the words of their language."""


def functions_named(terms: ClaimTerms) -> Iterator[Callable[..., Any]]:
    """Functions that terms name and that say something of their own, by their names.

    Parameters
    ----------
    terms : ClaimTerms
    """
    every = _every(terms)
    for name in sorted({p.data for p in every if p.op == "quantity"}):
        yield quantity_named(name)
    names = {p.data for p in every if p.op == "function"}
    names |= {p.data[0] for p in every if p.op == "generic"}
    for name in sorted(names):
        if not name.startswith(NUMBERS):
            yield function_named(name)


def numbers_held(terms: ClaimTerms) -> frozenset[Fraction]:
    """Numbers that stand in terms, wherever their program took them from, and in quantities.

    Parameters
    ----------
    terms : ClaimTerms
    """
    constants = [p.data for p in _every(terms) if p.op == "constant"]
    found = {number_written(value) for value in constants}
    # a float that no text of the program explains is itself the number that is compared with
    found |= {Fraction(value) for value in constants if type(value) is float and isfinite(value)}
    for function in functions_named(terms):
        found |= numbers_in(function)
    return frozenset(number for number in found if number is not None)


def _every(terms: ClaimTerms) -> set[Node]:
    """Every node of the terms, and of what they were told."""
    told = [part for claim in terms.claims for part in claim.settled]
    every = [term for claim in terms.claims for term in claim.every()]
    return {part for term in (*every, *told) for part in term.order}
