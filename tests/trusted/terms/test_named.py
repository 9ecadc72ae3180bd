"""Functions and numbers that stand in terms, and in what the terms were told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import bounds.generic
from verify import quantity
from verify.terms.claims import ClaimTerms
from verify.terms.named import functions_named, numbers_held
from verify.terms.node import Node, constant, node
from verify.terms.trace import TracedClaim

X = node("symbol", data="x")


@quantity
def first(w: Any) -> Any:
    """Holds a number."""
    return w.x * 77


@quantity
def second(w: Any) -> Any:
    """Holds none."""
    return w.x


def helper(x: Any) -> Any:
    return x + 41


def other(x: Any) -> Any:
    return x


def name(function: Any) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def terms(*left: Node, **more: Any) -> ClaimTerms:
    made = TracedClaim(dict(zip("abcdefgh", left, strict=False)), {}, {}, **more)
    return ClaimTerms((TracedClaim({"x": X}, {}, {}), made), frozenset())


def test_functions_are_those_that_say_something_of_their_own_by_name() -> None:
    found = terms(
        node("quantity", data=name(second)),
        node("quantity", X, data=name(first)),
        node("mean", node("generic", X, data=(name(other), 1, ()))),
        node("generic", X, data=("bounds.generic:largest", 1, ())),
        node("function", data="bounds.numbers.floats:total"),
        node("function", data="bounds.generic:smallest"),
        node("attribute", X, data="A"),
        settled={node("method", node("function", data=name(helper)), data="m"): True},
    )
    assert list(functions_named(found)) == [first, second, helper, other]
    assert list(functions_named(terms(X))) == []
    assert bounds.generic.__name__ == "bounds.generic"


def test_numbers_are_those_of_terms_of_what_they_were_told_and_of_quantities() -> None:
    third = 1 / 3
    found = terms(
        node("operator", X, constant(2), data="*"),
        constant(third),
        constant("text"),
        constant(float("inf")),
        constant(float("nan")),
        constant(Fraction(5, 7)),
        node("quantity", data=name(first)),
        node("entry", X, data=19),
        settled={node("index", X, constant(11), data=(23,)): False},
    )
    held = numbers_held(found)
    assert {2, Fraction(1, 3), Fraction(third), Fraction(5, 7), 11, 77} <= held
    assert held.isdisjoint({19, 23, 41})
    assert None not in held
    assert numbers_held(terms(X)) == frozenset()
    assert numbers_held(terms(constant(0.1))) == {Fraction(1, 10), Fraction(0.1)}
    assert numbers_held(terms(constant(10**30))) == {10**30}
    bound = node("generic", X, data=(name(helper), 1, ()))
    assert 41 in numbers_held(terms(bound))
