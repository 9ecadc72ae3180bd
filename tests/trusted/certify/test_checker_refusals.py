"""Refusals that no true claim meets: each is provoked by a document made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.trusted.certify.test_checker_defined import FALSE, document, fact, proof
from verify.certify.checker import Refused, check

X = {"x": "real"}


def given(*expressions: str) -> list[dict[str, Any]]:
    return [{"name": "", "expr": e, "strict": False} for e in expressions]


def equal(left: str, right: str, **more: Any) -> dict[str, Any]:
    """Two sides that are said to be one."""
    return document(proof([], [], left, right, relation="=="), **more)


def of_vectors(facts: Any, products: Any, *known: str, **more: Any) -> dict[str, Any]:
    """A proof of 1 <= 0 about vectors x and y."""
    symbols = {"x": "real", "y": "real", "s": "positive"}
    return document(
        proof([FALSE, *facts], products, **more),
        vectors=["x", "y"],
        symbols=symbols,
        given=given(*known),
    )


LONG = proof(
    [
        fact("-x**2", "claim is false"),
        fact("x**2 - 1", "hypothesis", 0),
        fact("1", "declared", strict=True),
    ],
    [["1", [0]], ["1", [1]], ["1", [2]]],
    "0",
    "x**2",
    relation="<",
)
"""That a vector is not zero, from |x|^2 >= 1."""

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a quotient for a fact": (
        document(
            proof([fact("1/(x**2 + 1)", "hypothesis", 0), FALSE], [["1", [0]]]),
            symbols=X,
            given=given("1/(x**2 + 1)"),
        ),
        "a fact is no polynomial",
    ),
    "a sign that is none": (
        document(proof([FALSE], []), symbols={"x": "big"}),
        "a sign must be one of positive, nonnegative",
    ),
    "nothing below the line": (
        equal("1/(x - x)", "1/(x - x)", symbols=X),
        "something is divided by zero",
    ),
    "two things that are not one": (equal("x", "x + 1", symbols=X), "is no identity"),
    "an equality from one side": (
        document(
            {
                **proof([], [], "x**2", "0", relation="=="),
                "lemmas": [
                    proof(
                        [
                            fact("-x**2", "claim is false", strict=True),
                            fact("x**2", "squares", [["1", "x"]]),
                        ],
                        [["1", [0]], ["1", [1]]],
                        "0",
                        "x**2",
                    )
                ],
            },
            symbols=X,
        ),
        "is no identity",
    ),
    "another relation": (document(proof([FALSE], [], relation=">=")), "the relation >= is unknown"),
    "a number that may be negative": (
        document(proof([fact("x", "declared"), FALSE], [["1", [0]]]), symbols=X),
        "no symbol was declared so that x >= 0",
    ),
    "a sum that is none": (
        document(proof([fact("x", "sum", [["1", "x"]]), FALSE], [["1", [0]]]), symbols=X),
        "x is no sum over the clients",
    ),
    "terms of other indices": (
        document(
            proof([fact("S1", "sum", [["1", "S1"]]), FALSE], [["1", [0]]]),
            symbols={"u": "positive", "T": "positive integer"},
            atoms=[["S1", "Sum(u[t], (t, 2, T))"]],
        ),
        "S1 is no sum over the clients",
    ),
    "a range that is empty for T = 1": (
        equal(
            "Sum(1, (t, 3, T))",
            "T - 2",
            symbols={"T": "positive integer"},
            sums=[{"over": "(t, 3, T)", "parts": [["1", "1"]]}],
        ),
        "a range that may be empty is counted",
    ),
    "a product of two inner products": (
        of_vectors(
            [fact("x**2 - 1", "hypothesis", 0), fact("y**2 - 1", "hypothesis", 1)],
            [["1", [1, 2]]],
            "x**2 - 1",
            "y**2 - 1",
        ),
        "two factors of one product speak of vectors",
    ),
    "a number times a squared norm": (
        of_vectors(
            [fact("s*x**2", "hypothesis", 1, times=[["x**2", 1]], lemmas=[0])],
            [["1", [1]]],
            "x**2 - 1",
            "s",
            lemmas=[LONG],
        ),
        r"s\*x\*\*2 was multiplied by something that speaks of vectors",
    ),
    "a vector that is declared": (
        of_vectors([fact("x**2", "declared")], [["1", [1]]]),
        r"x\*\*2 speaks of vectors by the rule declared",
    ),
    "the square of a number and a vector": (
        of_vectors([fact("x**2 + 2*s*x + s**2", "squares", [["1", "x + s"]])], [["1", [1]]]),
        "is not linear in inner products",
    ),
    "the square of a number beside one of a vector": (
        of_vectors([fact("x**2 + s**2", "squares", [["1", "x"], ["1", "s"]])], [["1", [1]]]),
        "is no squared norm",
    ),
    "the exponential of a vector": (
        of_vectors([fact("exp(x)", "declared", strict=True)], [["1", [1]]]),
        "is no sum that is homogeneous in the vectors",
    ),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_it_is_refused_for_its_own_reason(fault: str) -> None:
    forged, reason = REFUSED[fault]
    with pytest.raises(Refused, match=reason):
        check(forged)
