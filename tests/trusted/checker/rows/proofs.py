"""Products that cancel, equalities and what is claimed of a proof."""

from __future__ import annotations

from tests.trusted.checker.build import (
    by_rule,
    document,
    fact,
    lemma_by,
    proof,
)
from tests.trusted.checker.rows.base import FALSE, KINDS, Row

__all__ = ["PROOFS"]

PROOFS = [
    Row("products", "multiplier zero", document(proof("1 <= 0", [FALSE], [["0", [0]]]), KINDS), {}),
    Row(
        "products",
        "multiplier below zero",
        document(
            proof("x <= 0", [fact("x", "claim is false", strict=True)], [["1", [0]], ["-1", [0]]]),
            KINDS,
        ),
        {"x": 1},
    ),
    Row("products", "no sum of zero", document(proof("1 <= 0", [FALSE], [["1", [0]]]), KINDS), {}),
    Row(
        "products",
        "nothing strict",
        document(proof("1 < 0", [fact("1", "claim is false")], []), KINDS),
        {},
    ),
    Row(
        "products",
        "zero is not strict",
        document(proof("x < x", [fact("0", "claim is false")], [["1", [0]]]), KINDS),
        {"x": 1},
    ),
    Row(
        "claim is false",
        "of x < x follows x >= x, not x > x",
        document(proof("x < x", [fact("0", "claim is false", strict=True)], [["1", [0]]]), KINDS),
        {"x": 1},
    ),
    Row(
        "products",
        "all factors strict",
        document(
            proof(
                "x*y <= x*y - u",
                [fact("u", "claim is false", strict=True), fact("0", "hypothesis", 0)],
                [["1", [0, 1]]],
            ),
            KINDS,
            ["0 >= 0"],
        ),
        {"x": 1, "y": 1, "u": 1},
    ),
    Row(
        "products",
        "not strict for one of several",
        document(
            proof(
                "0 < u",
                [fact("-u", "claim is false"), fact("u", "declared")],
                [["1", [0]], ["1", [1]]],
            ),
            KINDS,
        ),
        {"u": 0},
    ),
    Row(
        "products",
        "one strict product is enough",
        document(
            proof(
                "s <= s + 1",
                [fact("-1", "claim is false", strict=True)],
                [["1", [0]], ["1", []]],
            ),
            KINDS,
        ),
    ),
    Row(
        "products",
        "of two facts",
        document(
            proof(
                "0 <= x*y",
                [
                    fact("-x*y", "claim is false", strict=True),
                    fact("x", "hypothesis", 0),
                    fact("y", "hypothesis", 1),
                ],
                [["1/2", [0]], ["1/2", [1, 2]]],
            ),
            KINDS,
            ["x >= 0", "y >= 0"],
        ),
    ),
    Row(
        "products", "a fact that is listed", document(proof("1 <= 0", [FALSE], [["1", [1]]]), KINDS)
    ),
    Row("products", "no decimal", document(proof("1 <= 0", [FALSE], [["1e3", [0]]]), KINDS)),
    Row("products", "no decimal point", document(proof("1 <= 0", [FALSE], [[0.5, [0]]]), KINDS)),
    Row("products", "no truth value", document(proof("1 <= 0", [FALSE], [[True, [0]]]), KINDS)),
    Row(
        "products",
        "a whole number",
        document(
            proof("1 <= 2", [fact("-1", "claim is false", strict=True)], [[2, [0]], [2, []]]), KINDS
        ),
    ),
    Row("equality", "an identity", document(proof("(x + y)**2 == x**2 + 2*x*y + y**2"), KINDS)),
    Row("equality", "no identity", document(proof("x == y"), KINDS), {"x": 0, "y": 1}),
    Row("equality", "from one side", document(proof("u == 0"), KINDS), {"u": 1}),
    Row("equality", "from the other side", document(proof("p == 0"), KINDS), {"p": -1}),
    Row(
        "equality",
        "from both sides",
        document(
            proof(
                "x == 1",
                lemmas=[lemma_by("x - 1", "hypothesis", 0), lemma_by("1 - x", "hypothesis", 1)],
            ),
            KINDS,
            ["x - 1 >= 0", "1 - x >= 0"],
        ),
    ),
    Row(
        "relation",
        "a lemma of none",
        document(
            proof(
                "x == x",
                lemmas=[proof("0 >= 0", [fact("0", "claim is false")], [["1", [0]]])],
            ),
            KINDS,
        ),
    ),
    Row(
        "proof",
        "more than a fact",
        document(
            proof("1 <= 2", [{**fact("-1", "claim is false", strict=True), "note": 1}]), KINDS
        ),
    ),
    Row(
        "proof",
        "more than a lemma",
        document(proof("x == x", lemmas=[{**proof("x == x"), "note": 1}]), KINDS),
    ),
    Row(
        "equality",
        "a lemma is checked",
        document(
            proof(
                "x == 1",
                lemmas=[lemma_by("x - 1", "hypothesis", 0), lemma_by("1 - x", "hypothesis", 0)],
            ),
            KINDS,
            ["x - 1 >= 0"],
        ),
        {"x": 2},
    ),
    Row("relation", ">= is none", document(proof("1 >= 0", [FALSE], [["1", [0]]]), KINDS)),
    Row(
        "relation",
        "proved >=",
        {
            **document(proof("1 >= 0"), KINDS),
            "claim": {"left": "1", "relation": "<=", "right": "0"},
        },
    ),
    Row(
        "relation",
        "another one is claimed",
        {
            **by_rule("x**2", "squares", [["1", "x"]], KINDS),
            "claim": {"left": "0", "relation": "<", "right": "x**2"},
        },
        {"x": 0},
    ),
    Row(
        "sides",
        "another left side is claimed",
        {
            **by_rule("x**2", "squares", [["1", "x"]], KINDS),
            "claim": {"left": "1", "relation": "<=", "right": "x**2"},
        },
        {"x": 0},
    ),
    Row(
        "sides",
        "another right side is claimed",
        {
            **by_rule("x**2", "squares", [["1", "x"]], KINDS),
            "claim": {"left": "0", "relation": "<=", "right": "x"},
        },
        {"x": -1},
    ),
]
