"""Products of two vectors are inner products, and nothing else is said of vectors."""

from __future__ import annotations

from typing import Any

from tests.trusted.checker.build import (
    Document,
    by_rule,
    document,
    fact,
    lemma_by,
    proof,
    symbols,
)
from tests.trusted.checker.rows.base import Row, S

__all__ = ["VECTORS"]


def vector(
    polynomial: str, rule: str = "hypothesis", about: Any = 0, *known: str, **more: Any
) -> Document:
    kinds = "x y real; s positive; z complex"
    return by_rule(
        polynomial, rule, about, kinds, known, vectors=more.pop("vectors", ["x", "y"]), **more
    )


def lines(text: str, *known: str, **more: Any) -> Document:
    return document(proof(text), "x y real; s positive", known, vectors=["x", "y"], **more)


VECTORS = [
    Row("vectors", "a squared norm", vector("x**2", "squares", [["1", "x"]])),
    Row(
        "vectors",
        "of a difference",
        vector("s*x**2 - 2*s*x*y + s*y**2", "squares", [["1", "x - y"]], times=[["s", 1]]),
    ),
    Row("vectors", "an inner product", vector("x*y", "hypothesis", 0, "x*y >= 0")),
    Row("vectors", "by Gram", vector("x**2", "gram", {"monomials": ["x"], "matrix": [["1"]]})),
    Row(
        "vectors",
        "a sum of them",
        lines(f"{S('x[k]')}**2 == {S('x[k]')}*{S('x[j]')}".replace("x[j], (k", "x[k], (k")),
    ),
    Row("vectors", "no vector by itself", lines("x == x")),
    Row("vectors", "no product of three", lines("x*y*x == x**2*y")),
    Row("vectors", "no product of four", lines("(x*y)**2 == x**2*y**2"), None),
    Row(
        "vectors",
        "no number beside a vector",
        vector("x**2 + 2*s*x + s**2", "squares", [["1", "x + s"]]),
    ),
    Row(
        "vectors",
        "no number beside a square",
        vector("x**2 + s**2", "squares", [["1", "x"], ["1", "s"]]),
    ),
    Row(
        "vectors",
        "no number beside a Gram matrix",
        vector(
            "x**2 + s**2", "gram", {"monomials": ["x", "s"], "matrix": [["1", "0"], ["0", "1"]]}
        ),
    ),
    Row("vectors", "not below the line", lines("1/x**2 == 1/x**2")),
    Row(
        "vectors",
        "not in a hypothesis",
        document(proof("0 == 0"), "x real", ["x >= 0"], vectors=["x"]),
    ),
    Row("vectors", "none is declared", vector("x**2", "declared", None)),
    Row(
        "vectors",
        "no sign of a vector",
        {**vector("x*y", "declared", None), "symbols": symbols("x y positive")},
    ),
    Row("vectors", "none has a function", lines("Abs(x) == Abs(x)")),
    Row("vectors", "none in an exponent", lines("s**x == s**x")),
    Row("vectors", "a sum of a vector and a number", lines(f"{S('x[k] + s')} == {S('s + x[k]')}")),
    Row("vectors", "a sum up to a vector", lines("Sum(s, (j, 1, x)) == Sum(s, (j, 1, x))")),
    Row(
        "vectors",
        "none by the meaning of a name",
        vector(
            "w1**2 - x**2", "definition", "w1", atoms=[["w1", "Abs(x)"]], side="Abs(x)**2 - x**2"
        ),
    ),
    Row(
        "vectors",
        "none is undeclared",
        {**vector("x**2", "squares", [["1", "x"]]), "vectors": ["x", "y", "q"]},
    ),
    Row(
        "vectors",
        "no two in one product",
        document(
            proof(
                "0 <= x*y*x*y + s",
                [
                    fact("-x*y*x*y - s", "claim is false", strict=True),
                    fact("x*y", "hypothesis", 0),
                    fact("s", "declared"),
                ],
                [["1", [0]], ["1", [1, 1]], ["1", [2]]],
            ),
            "x y real; s positive",
            ["x*y >= 0"],
            vectors=["x", "y"],
        ),
    ),
    Row(
        "vectors",
        "no two in one product, whatever is claimed",
        document(
            {
                **proof("0 <= s"),
                "facts": [
                    fact("-s", "claim is false", strict=True),
                    fact("x*y", "hypothesis", 0),
                    fact("s", "declared"),
                ],
                "products": [["1", [1, 1]], ["1", [0]], ["1", [2]]],
            },
            "x y real; s positive",
            ["x*y >= 0"],
            vectors=["x", "y"],
        ),
    ),
    Row(
        "vectors",
        "none is multiplied by",
        vector(
            "s*x**2",
            "hypothesis",
            1,
            "x**2 - 1 >= 0",
            "s > 0",
            times=[["x**2", 1]],
            lemmas=[lemma_by("x**2", "squares", [["1", "x"]])],
        ),
    ),
    Row(
        "vectors",
        "none is multiplied by, though a lemma shows its sign",
        vector(
            "s*x**2",
            "hypothesis",
            1,
            "x**2 - 1 >= 0",
            "s > 0",
            times=[["x**2", 1]],
            lemmas=[
                proof(
                    "0 < x**2",
                    [
                        fact("-x**2", "claim is false"),
                        fact("x**2 - 1", "hypothesis", 0),
                        fact("1", "declared", strict=True),
                    ],
                    [["1", [0]], ["1", [1]], ["1", [2]]],
                )
            ],
        ),
    ),
    Row(
        "vectors",
        "none is multiplied by, though it is positive",
        by_rule(
            "s*x**2",
            "hypothesis",
            0,
            "x real; s positive",
            ["s > 0"],
            times=[["x", 2]],
            vectors=["x"],
        ),
    ),
    Row(
        "vectors",
        "a sum of products",
        by_rule(S("x[k]**2"), "sum", [["1", S("x[k]**2")]], "x real", vectors=["x"]),
    ),
]
