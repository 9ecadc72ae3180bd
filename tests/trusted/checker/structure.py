"""What a document may speak of: names, sums, divisors, vectors, rounds, cases, text and size."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.trusted.checker.build import (
    Document,
    by_rule,
    claim,
    cover,
    document,
    fact,
    given,
    induction,
    lemma_by,
    proof,
    symbols,
)
from tests.trusted.checker.rules import FALSE, KINDS, Row, S

__all__ = ["STRUCTURE"]

U, X = S("u[k]"), S("x[k]")


def same(left: str, right: str, *known: str, kinds: str = KINDS, **more: Any) -> Document:
    """The claim that two sides are one."""
    return document(proof(f"{left} == {right}"), kinds, known, **more)


def square(of: str, *known: str, kinds: str = KINDS, **more: Any) -> Document:
    """0 <= of**2, where ``of`` may be undefined."""
    return by_rule(f"({of})**2", "squares", [["1", of]], kinds, known, **more)


# -- names -----------------------------------------------------------------------------------------

TRUE = by_rule("s", "declared", None, "s positive")


def changed(document: Document, **more: Any) -> Document:
    return {**deepcopy(document), **more}


def hypothesis(**more: Any) -> Document:
    """A claim from x >= 0 with another hypothesis."""
    made = by_rule("x", "hypothesis", 0, "x real", ["x >= 0"])
    made["given"][0] |= more
    return made


NAMES = [
    Row("names", "a sign that is none", changed(TRUE, symbols={"s": "big"})),
    Row("names", "a symbol k", changed(TRUE, symbols={"s": "positive", "k": "positive"})),
    Row("names", "a symbol N", changed(TRUE, symbols={"s": "positive", "N": "real"})),
    Row("names", "a symbol exp", changed(TRUE, symbols={"s": "positive", "exp": "real"})),
    Row("names", "the name of an atom", changed(TRUE, symbols={"s": "positive", "<0>": "real"})),
    Row(
        "names",
        "a letter of another alphabet",
        changed(TRUE, symbols={"s": "positive", "а": "real"}),
    ),
    Row("names", "no name", changed(TRUE, symbols={"s": "positive", "2": "real"})),
    Row("names", "undeclared on the left", by_rule("s", "declared", None, ""), {"s": -1}),
    Row("names", "undeclared in a hypothesis", changed(TRUE, given=given("q >= 0"))),
    Row("names", "undeclared in a name", changed(TRUE, atoms=[["w1", "exp(q)"]])),
    Row("names", "a client hidden in a name", changed(TRUE, atoms=[["w1", "exp(s[k])"]])),
    Row("names", "a client in a name of clients", changed(TRUE, atoms=[["w1[k]", "exp(s[k])"]])),
    Row("names", "a name twice", changed(TRUE, atoms=[["w1", "exp(s)"], ["w1", "exp(2*s)"]])),
    Row("names", "the name of a symbol", changed(TRUE, atoms=[["s", "exp(s)"]])),
    Row("names", "the name of a family", changed(TRUE, atoms=[["s[k]", "exp(s)"]])),
    Row(
        "names", "before it is defined", changed(TRUE, atoms=[["w1", "exp(w2)"], ["w2", "exp(s)"]])
    ),
    Row(
        "names",
        "in the claim",
        by_rule("w1", "definition", "w1", "s positive", atoms=[["w1", "sqrt(s)"]]),
    ),
    Row("names", "a strict that is no truth value", hypothesis(strict=-1)),
    Row("names", "a strict that is 1", hypothesis(strict=1)),
    Row(
        "names",
        "a fact whose strict is no truth value",
        by_rule("s", "declared", None, "s positive", strict=1),
    ),
    Row("names", "a hypothesis on every round", hypothesis(each="t")),
    Row("names", "an index of rounds that is a symbol", hypothesis(each="x")),
    Row("names", "an index of rounds that is no name", hypothesis(each="t = 1 or")),
    Row("names", "more than a claim", changed(TRUE, claim={**TRUE["claim"], "note": "x"})),
    Row("names", "less than a claim", changed(TRUE, claim={"left": "0", "right": "s"})),
    Row("names", "more than a hypothesis", hypothesis(note="x")),
    Row("names", "more than a proof", changed(TRUE, note="0 < 0")),
    Row("names", "no symbols", {k: v for k, v in TRUE.items() if k != "symbols"}),
    Row(
        "names",
        "a relation that is none",
        changed(TRUE, claim={**TRUE["claim"], "relation": "<= 0 and 0 <="}),
    ),
    Row("names", "another format", changed(TRUE, format="fedassay-proof/0")),
    Row("names", "no format", {}),
]

# -- where things are defined ----------------------------------------------------------------------

ONES = {"over": "(j, 1, T)", "parts": [["1", "1"]]}
DEFINED = [
    Row(
        "defined",
        "a square of a quotient that the claim has",
        by_rule("x**2*y**2", "squares", [["1", "x*y"]], KINDS),
    ),
    Row("defined", "x/x is one only where x is not zero", same("1", "x/x")),
    Row("defined", "nothing is divided by zero", same("x/(y - y)", "x/(y - y)")),
    Row(
        "defined",
        "a divisor of the claim",
        document(proof("0 == (x - y)**2/(x - y)**2 - 1"), KINDS),
    ),
    Row(
        "defined",
        "a divisor that only the proof has",
        document({**proof("x - x == y/y - 1")}, KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a positive divisor that only the proof has",
        document(proof("0 == s/s - 1"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a negative divisor that only the proof has",
        document(proof("0 == m/m - 1"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a factor of a divisor",
        document(proof("0 == x/x - 1"), KINDS) | {"claim": claim("0 == 1/(x*y) - 1/(x*y)")},
    ),
    Row(
        "defined",
        "a product of divisors",
        document(proof("0 == s/(x**2*y) - s/(x**2*y)"), KINDS)
        | {"claim": claim("1/x - 1/x == 1/y - 1/y")},
    ),
    Row(
        "defined",
        "a multiple of a divisor that may vanish",
        document(proof("0 == s/(x*y) - s/(x*y)"), KINDS) | {"claim": claim("1/x - 1/x == 0")},
    ),
    Row(
        "defined",
        "a divisor of a hypothesis",
        document(proof("0 == y/y - 1"), KINDS, ["1/y >= 0"]) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "the root of a square that only the proof has",
        document(proof("0 == sqrt(x) - sqrt(x)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "the root of what is >= 0",
        document(proof("0 == sqrt(u) - sqrt(u)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a power of zero below zero",
        document(proof("0 == u**x - u**x"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a power of what is positive",
        document(proof("0 == s**x - s**x"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a whole power",
        document(proof("0 == x**R - x**R"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a power that may be a root",
        document(proof("0 == x**u - x**u"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a whole power that may be below zero",
        document(proof("0 == x**n - x**n"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a logarithm",
        document(proof("0 == log(u) - log(u)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a logarithm of what is positive",
        document(proof("0 == log(s) - log(s)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "an exponential",
        document(proof("0 == exp(x) - exp(x)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row("powers", "whole ones multiply", same("x**2*x", "x**3")),
    Row("powers", "below zero", same("x**-2*x**3", "x", "1/x >= 0")),
    Row("powers", "roots multiply", same("sqrt(s)**2", "s**(1/2)*s**(1/2)")),
    Row("powers", "no root of a product", same("sqrt(x*y)", "sqrt(x)*sqrt(y)"), {"x": -4, "y": -9}),
    Row("powers", "0**0 is one", same("u**(T - 1)*u", "u**T")),
    Row("powers", "of what is positive", same("s**(x + 1)", "s**x*s")),
    Row("powers", "of what is positive, below zero", same("s**(x - 1)*s", "s**x")),
    Row("powers", "of what may be zero, upwards", same("u**(R + 2)", "u**R*u**2")),
    Row(
        "powers",
        "of what may be zero, with an exponent that may vanish",
        same("u**(x + 1)", "u**x*u"),
    ),
    Row("powers", "by half a step", same("s**(x + 1/2)", "s**x*sqrt(s)")),
    Row("powers", "of a quotient", same("s**(1 + 1/x)", "s*s**(1/x)")),
    Row("powers", "roots of another base", same("s**(1/3)", "t**(1/3)"), {"s": 1, "t": 8}),
    Row("powers", "sqrt of two is no sqrt", same("sqrt(s, t)", "s**(1/2)")),
    Row("functions", "of two arguments", same("f(x, y)", "f(x)")),
    Row("functions", "of other arguments", same("f(x)", "f(y)")),
    Row("functions", "of equal arguments", same("f(x + x)", "f(2*x)")),
    Row("functions", "Max of one and two", same("Max(x)", "Max(x, x)")),
    Row("functions", "Abs is not f", same("Abs(x)", "f(x)")),
]


def vanishing(text: str, what: str) -> Document:
    """0 < what**2, as if it could not vanish."""
    facts = [
        fact(f"-{what}**2", "claim is false"),
        fact(f"{what}**2", "hypothesis", 0, strict=True, times=[[what, 2]]),
    ]
    return document(proof(text, facts, [["1", [0]], ["1", [1]]]), KINDS, ["1 > 0"])


SUMS = [
    Row("sums", "written out", same("Sum(x[j], (j, 1, 3))", "x[1] + x[2] + x[3]")),
    Row("sums", "of nothing", same("Sum(x[j], (j, 1, 0))", "0")),
    Row("sums", "of less than nothing", same("Sum(x[j], (j, 2, 0))", "0")),
    Row("sums", "twenty-one terms", same("Sum(1, (j, 0, 20))", "21")),
    Row("sums", "twenty-two terms are not written out", same("Sum(1, (j, 0, 21))", "22")),
    Row("sums", "between halves", same("Sum(x[j], (j, 1/2, 3/2))", "x[1]")),
    Row("sums", "to a half", same("Sum(x[j], (j, 1, 3/2))", "x[1]")),
    Row("sums", "whatever the index is called", same("Sum(x[j], (j, 1, N))", X)),
    Row("sums", "of one index in another", same("Sum(x[j]*x[k], (j, 1, N))", f"x[k]*{X}")),
    Row(
        "sums",
        "two in one",
        same("Sum(x[i]*y[j], (i, 1, N), (j, 1, N))", "Sum(Sum(x[i]*y[j], (i, 1, N)), (j, 1, N))"),
    ),
    Row("sums", "not over other ranges", same("Sum(x[j], (j, 2, N))", X), {"x": [1]}),
    Row("sums", "not to another end", same("Sum(x[j], (j, 1, T))", X)),
    Row(
        "sums",
        "the last term by itself",
        same("Sum(x[j], (j, 1, T))", "Sum(x[j], (j, 1, T - 1)) + x[T]"),
    ),
    Row(
        "sums",
        "no last term where there may be none",
        same("Sum(x[j], (j, 1, R))", "Sum(x[j], (j, 1, R - 1)) + x[R]"),
    ),
    Row(
        "sums",
        "a last term from zero",
        same("Sum(x[j], (j, 0, R))", "Sum(x[j], (j, 0, R - 1)) + x[R]"),
    ),
    Row(
        "sums",
        "no last term before the first",
        same("Sum(x[j], (j, 2, T))", "Sum(x[j], (j, 2, T - 1)) + x[T]"),
        {"T": 1, "x": [7]},
    ),
    Row(
        "sums", "from below zero", same("Sum(x[j], (j, -1, T))", "Sum(x[j], (j, -1, T - 1)) + x[T]")
    ),
    Row("sums", "from a half", same("Sum(x[j], (j, 1/2, T))", "Sum(x[j], (j, 1/2, T - 1)) + x[T]")),
    Row("sums", "the index is a symbol", same("Sum(x, (x, 1, N))", "Sum(x, (x, 1, N))")),
    Row("sums", "the index is a number", same("Sum(1, (2, 1, N))", "Sum(1, (2, 1, N))")),
    Row(
        "sums",
        "the index is a function",
        same("Sum(exp(x), (exp, 1, N))", "Sum(exp(x), (exp, 1, N))"),
    ),
    Row("sums", "k is a client", same("Sum(x[k], (k, 2, N))", "Sum(x[k], (k, 2, N))")),
    Row("sums", "k is a client in rounds", same("Sum(x[k], (k, 1, T))", "Sum(x[k], (k, 1, T))")),
    Row(
        "sums",
        "the index is a name of the file",
        same("Sum(x[w1], (w1, 1, N))", "Sum(x[w1], (w1, 1, N))", atoms=[["w1[k]", "exp(x[k])"]]),
    ),
    Row(
        "sums",
        "taken apart",
        same(
            S("s*x[k] + 1"),
            f"s*{X} + N",
            sums=[{"over": "(k, 1, N)", "parts": [["s", "x[k]"], ["1", "1"]]}],
        ),
    ),
    Row("sums", "not taken apart by themselves", same(S("s*x[k] + 1"), f"s*{X} + N")),
    Row(
        "sums",
        "taken apart into something else",
        same(
            S("s*x[k] + 1"),
            f"s*{X} + N",
            sums=[{"over": "(k, 1, N)", "parts": [["s", "x[k]"], ["2", "1"]]}],
        ),
    ),
    Row(
        "sums",
        "over another range",
        same(S("s*x[k]"), f"s*{X}", sums=[{"over": "(k, 0, N)", "parts": [["s", "x[k]"]]}]),
    ),
    Row(
        "sums",
        "of another index",
        same(S("s*x[k]"), f"s*{X}", sums=[{"over": "(j, 1, N)", "parts": [["s", "x[k]"]]}]),
    ),
    Row(
        "sums",
        "a coefficient that moves",
        same(
            S("x[k]*y[k]"),
            f"x[k]*{S('y[k]')}",
            sums=[{"over": "(k, 1, N)", "parts": [["x[k]", "y[k]"]]}],
        ),
        {"x": [1, 2], "y": [1, 1], "k": 1},
    ),
    Row(
        "sums",
        "no range for a name",
        same(S("s*x[k]"), f"s*{X}", sums=[{"over": "k", "parts": [["s", "x[k]"]]}]),
    ),
    Row(
        "sums",
        "two ranges for one",
        same(
            S("s*x[k]"), f"s*{X}", sums=[{"over": "(k, 1, N), (j, 1, N)", "parts": [["s", "x[k]"]]}]
        ),
    ),
    Row(
        "sums",
        "a number for an index",
        same(S("s*x[k]"), f"s*{X}", sums=[{"over": "(1, 1, N)", "parts": [["s", "x[k]"]]}]),
    ),
    Row("sums", "counted", same("Sum(1, (j, 1, T))", "T", sums=[ONES])),
    Row(
        "sums",
        "counted from zero",
        same(
            "Sum(1, (j, 0, T))",
            "T + 1",
            sums=[{**ONES, "over": "(j, 0, T)"}, {**ONES, "over": "(j, 0, T - 1)"}],
        ),
    ),
    Row(
        "sums",
        "not counted where there may be no term",
        same("Sum(1, (j, 1, R))", "R", sums=[{**ONES, "over": "(j, 1, R)"}]),
    ),
    Row(
        "sums",
        "not counted from two",
        same("Sum(1, (j, 2, T))", "T - 1", sums=[{**ONES, "over": "(j, 2, T)"}]),
    ),
    Row(
        "sums",
        "not counted from three",
        same("Sum(1, (j, 3, T))", "T - 2", sums=[{**ONES, "over": "(j, 3, T)"}]),
        {"T": 1},
    ),
    Row(
        "sums",
        "not counted to a half",
        same("Sum(1, (j, 1, s))", "s", sums=[{**ONES, "over": "(j, 1, s)"}]),
        {"s": "1/2"},
    ),
    # a sum that may be empty grants nothing
    Row(
        "empty sums",
        "what they divide by may vanish",
        vanishing("0 < x**2 + 0*Sum(u[j]/x, (j, 1, R))", "x"),
        {"x": 0, "R": 0, "u": []},
    ),
    Row(
        "empty sums",
        "a sum over other clients says nothing of this one",
        vanishing("0 < x[k]**2 + 0*Sum(1/x[k], (k, 2, N))", "x[k]"),
        {"x": [0], "k": 1},
    ),
    Row(
        "empty sums",
        "what they take a root of may be negative",
        document(
            proof(
                "0 <= x + 0*Sum(sqrt(x), (j, 1, R))",
                [
                    fact("-x", "claim is false", strict=True),
                    fact("w1**2", "squares", [["1", "w1"]]),
                    fact("x - w1**2", "definition", "w1"),
                ],
                [["1", [0]], ["1", [1]], ["1", [2]]],
            ),
            KINDS,
            atoms=[["w1", "sqrt(x)"]],
        ),
        {"x": -1, "R": 0},
    ),
    Row(
        "empty sums",
        "a sum over clients is not empty",
        document(proof("0 == x/x - 1"), KINDS) | {"claim": claim(f"0 == 0*{S('u[k]/x')}")},
    ),
    Row(
        "empty sums",
        "the last term is there",
        document(proof("0 == x/x - 1"), KINDS) | {"claim": claim("0 == 0*Sum(u[j]/x, (j, 1, T))")},
    ),
    Row(
        "empty sums",
        "each of clients",
        document(proof("0 == x[k]/x[k] - 1"), KINDS) | {"claim": claim(f"0 == 0*{S('1/x[k]')}")},
    ),
    Row(
        "empty sums",
        "not in every round",
        document(proof("0 == x[t]/x[t] - 1"), "x real; T positive integer")
        | {"claim": claim("0 == 0*Sum(1/x[j], (j, 1, T))")},
    ),
]

# -- vectors ---------------------------------------------------------------------------------------

LONG = lemma_by("x**2 - 1", "hypothesis", 0)


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

# -- rounds ----------------------------------------------------------------------------------------

ROUNDS = "T nonnegative integer; x y real; q s positive"
EACH = "s - x[t] + x[t + 1] >= 0 each t"


def step_of(
    text: str, *known: str, kinds: str = ROUNDS, facts: Any = (), products: Any = ()
) -> Document:
    return document(proof(text, facts, products), kinds, known)


def falling(**more: Any) -> Document:
    """x[0] - T*s <= x[T], where each round falls by s at most."""
    start = step_of(
        "x[0] <= x[0]", facts=[fact("0", "claim is false", strict=True)], products=[["1", [0]]]
    )
    step = step_of(
        "x[0] - (T + 1)*s <= x[T + 1]",
        "x[T] - x[0] + T*s >= 0",
        "s - x[T] + x[T + 1] >= 0",
        facts=[
            fact("x[0] - T*s - s - x[T + 1]", "claim is false", strict=True),
            fact("x[T] - x[0] + T*s", "hypothesis", 0),
            fact("s - x[T] + x[T + 1]", "hypothesis", 1),
        ],
        products=[["1", [0]], ["1", [1]], ["1", [2]]],
    )
    made = induction("x[0] - T*s <= x[T]", start, step, ROUNDS, [EACH])
    for path, value in more.items():
        *keys, last = path.split("__")
        at: Any = made
        for key in keys:
            at = at[int(key) if key.isdigit() else key]
        at[int(last) if last.isdigit() else last] = value
    return made


POLE = ["1/y >= 0"]
BELOW_Y = [
    fact("-y**2", "claim is false"),
    fact("y**2", "hypothesis", 0, times=[["y", 2]], strict=True),
]
HIDDEN = step_of("0*y/y < y**2", "1 > 0", facts=BELOW_Y, products=[["1", [0]], ["1", [1]]])
STRICTLY = step_of("x[0] < x[T]", "x[T] - x[0] > 0", facts=[], products=[])
INDUCTIONS = [
    Row("induction", "step by step", falling()),
    Row(
        "induction", "the start is another claim", falling(proof__start=falling()["proof"]["step"])
    ),
    Row("induction", "the step is another claim", falling(proof__step=falling()["proof"]["start"])),
    Row(
        "induction",
        "the start of another relation",
        falling(proof__start__claim__relation="==", proof__start__proof=proof("x[0] == x[0]")),
    ),
    Row(
        "induction",
        "rounds are whole",
        falling(symbols=symbols(ROUNDS.replace("nonnegative integer", "nonnegative"))),
    ),
    Row(
        "induction",
        "rounds are not below zero",
        falling(symbols=symbols(ROUNDS.replace("nonnegative integer", "integer"))),
    ),
    Row(
        "induction",
        "rounds from one begin at one",
        falling(symbols=symbols(ROUNDS.replace("nonnegative integer", "positive integer"))),
    ),
    Row("induction", "a step of another format", falling(proof__step__format="fedassay-cover/1")),
    Row("induction", "a step of other symbols", falling(proof__step__symbols__s="real")),
    Row(
        "induction",
        "a step of a symbol of its own",
        falling(proof__step__symbols={**symbols(ROUNDS), "r": "positive"}),
    ),
    Row("induction", "of vectors", falling(vectors=["x"])),
    Row("induction", "a step of vectors", falling(proof__step__vectors=["y"])),
    Row("induction", "what is assumed", falling(given=[])),
    Row(
        "induction",
        "what is assumed of this round only",
        falling(given=given("s - x[0] + x[1] >= 0")),
    ),
    Row("induction", "what is assumed more strictly", falling(proof__step__given__1__strict=True)),
    Row(
        "induction",
        "the claim before it more strictly",
        falling(proof__step__given__0__strict=True),
    ),
    Row("induction", "no hypothesis on T", falling(given=given("s - x[T] + x[T + 1] >= 0"))),
    Row("induction", "more than an induction", falling(proof={**falling()["proof"], "note": 1})),
    Row(
        "induction",
        "less than an induction",
        falling(proof={"induction": "T", "start": falling()["proof"]["start"]}),
    ),
    Row("induction", "an index that is T", falling(given=given("s - x[T] + x[T + 1] >= 0 each T"))),
    Row(
        "induction",
        "a start that assumes the claim",
        falling(
            proof__start=step_of(
                "x[0] <= x[0]",
                "x[T] - x[0] + T*s >= 0",
                facts=[fact("0", "claim is false", strict=True)],
                products=[["1", [0]]],
            )
        ),
    ),
    Row("induction", "a step that is no proof", falling(proof__step__proof__products=[])),
    Row("induction", "no induction in an induction", falling(proof__start=falling())),
    Row(
        "induction",
        "undefined in some round",
        induction(
            "x/(T - 2) == x/(T - 2)",
            step_of("x/(-2) == x/(-2)"),
            step_of("x/(T - 1) == x/(T - 1)"),
            ROUNDS,
        ),
    ),
    Row(
        "induction",
        "a root that is undefined in some round",
        induction(
            "sqrt(2 - T) == sqrt(2 - T)",
            step_of("sqrt(2) == sqrt(2)"),
            step_of("sqrt(1 - T) == sqrt(1 - T)"),
            ROUNDS,
        ),
    ),
    Row(
        "induction",
        "a pole that the claim has in no round",
        induction("0 < y**2", HIDDEN, HIDDEN, ROUNDS, ["1 > 0"]),
        {"y": 0, "T": 0},
    ),
    Row(
        "induction",
        "an equality",
        induction(
            "x[T] == x[0]",
            step_of("x[0] == x[0]"),
            document(
                proof(
                    "x[T + 1] == x[0]",
                    lemmas=[
                        lemma_by("x[T + 1] - x[0]", "hypothesis", 0),
                        lemma_by("x[0] - x[T + 1]", "hypothesis", 1),
                    ],
                ),
                ROUNDS,
                ["x[T + 1] - x[0] >= 0", "x[0] - x[T + 1] >= 0"],
            ),
            ROUNDS,
            ["x[0] - x[T + 1] >= 0"],
        ),
    ),
    Row(
        "induction",
        "an equality is known on both sides",
        induction(
            "x[T] == x[0]",
            step_of("x[0] == x[0]"),
            document(
                proof(
                    "x[T + 1] == x[0]",
                    lemmas=[
                        proof(
                            "x[0] <= x[T + 1]",
                            [
                                fact("x[0] - x[T + 1]", "claim is false", strict=True),
                                fact("x[T] - x[0]", "hypothesis", 0),
                                fact("x[T + 1] - x[T]", "hypothesis", 2),
                            ],
                            [["1", [0]], ["1", [1]], ["1", [2]]],
                        ),
                        proof(
                            "x[T + 1] <= x[0]",
                            [
                                fact("x[T + 1] - x[0]", "claim is false", strict=True),
                                fact("x[0] - x[T]", "hypothesis", 1),
                                fact("x[T] - x[T + 1]", "hypothesis", 3),
                            ],
                            [["1", [0]], ["1", [1]], ["1", [2]]],
                        ),
                    ],
                ),
                ROUNDS,
                [
                    "x[T] - x[0] >= 0",
                    "x[0] - x[T] >= 0",
                    "x[T + 1] - x[T] >= 0",
                    "x[T] - x[T + 1] >= 0",
                ],
            ),
            ROUNDS,
            ["x[t + 1] - x[t] >= 0 each t", "x[t] - x[t + 1] >= 0 each t"],
        ),
    ),
    Row(
        "induction",
        "a strict claim is known strictly",
        induction(
            "0 < s + T",
            step_of(
                "0 < s",
                facts=[fact("-s", "claim is false"), fact("s", "declared", strict=True)],
                products=[["1", [0]], ["1", [1]]],
            ),
            step_of(
                "0 < s + T + 1",
                "s + T > 0",
                facts=[
                    fact("-s - T - 1", "claim is false"),
                    fact("s + T", "hypothesis", 0, strict=True),
                ],
                products=[["1", [0]], ["1", [1]], ["1", []]],
            ),
            ROUNDS,
        ),
    ),
]

# -- cases -----------------------------------------------------------------------------------------


def case(
    text: str,
    *known: str,
    kinds: str = "x y real",
    facts: Any = (),
    products: Any = (),
    **more: Any,
) -> Document:
    return document(proof(text, facts, products), kinds, known, **more)


def sides(
    above: str = "x <= x", below: str = "-x <= -x", condition: str = "x", **more: Any
) -> Document:
    """Abs(x) <= Abs(x) + ... by the sign of x, each case a claim of equal sides."""
    zero = [fact("0", "claim is false", strict=True)]
    cases = {
        "if": condition,
        "strict": False,
        "then": case(above, "x >= 0", facts=zero, products=[["1", [0]]]),
        "else": case(below, "-x > 0", facts=zero, products=[["1", [0]]]),
    }
    for path, value in more.pop("put", {}).items():
        *keys, last = path.split(".")
        at: Any = cases
        for key in keys:
            at = at[int(key) if key.isdigit() else key]
        at[int(last) if last.isdigit() else last] = value
    return cover(
        more.pop("text", "Abs(x) <= Max(x, -x)"),
        cases,
        more.pop("kinds", "x y real"),
        more.pop("known", []),
        **more,
    )


UNTRUE = document(
    proof(
        "0 < x",
        [fact("-x", "claim is false"), fact("x", "hypothesis", 0, strict=True)],
        [["1", [0]], ["1", [1]]],
    ),
    "x real",
    ["x >= 0"],
)
UNTRUE["given"][0]["strict"] = -1


def without(document: Document, key: str) -> Document:
    made = deepcopy(document)
    del made["cases"][key]
    return made


def single(text: str, shown: str, *known: str, kinds: str = KINDS) -> Document:
    """A claim in one case only: what its sides become by what is known."""
    zero = [fact("0", "claim is false", strict=True)]
    made = document(proof(shown, zero, [["1", [0]]]), kinds, known)
    return cover(text, made, kinds, list(known))


CASES = [
    Row("cases", "both", sides()),
    Row("cases", "the first left out", without(sides(), "then")),
    Row("cases", "the second left out", without(sides(), "else")),
    Row(
        "cases",
        "swapped",
        sides(put={"then": sides()["cases"]["else"], "else": sides()["cases"]["then"]}),
    ),
    Row("cases", "zero is in one of them", sides(put={"then.given.0.strict": True})),
    Row("cases", "zero is in one of them, with a strict condition", sides(put={"strict": True})),
    Row("cases", "strictness that is no truth value", sides(put={"strict": 0})),
    Row(
        "cases",
        "strictness of a hypothesis that is no truth value",
        cover("0 < x", UNTRUE, "x real", ["x >= 0"]),
        {"x": 0},
    ),
    Row("cases", "more than a condition", sides(put={"note": "x"})),
    Row("cases", "less than a condition", without(sides(), "strict")),
    Row("cases", "another claim", sides("y <= y", "-x <= -x")),
    Row("cases", "another relation", sides(text="Abs(x) < Max(x, -x)"), {"x": 1}),
    Row(
        "cases",
        "a falsehood from what contradicts itself",
        cover(
            "1 <= 0",
            case(
                "1 <= 0",
                "x > 0",
                "-x >= 0",
                facts=[FALSE, fact("x", "hypothesis", 0, strict=True), fact("-x", "hypothesis", 1)],
                products=[["1", [1]], ["1", [2]]],
            ),
            "x y real",
            ["x > 0", "-x >= 0"],
        ),
    ),
    Row(
        "cases",
        "a falsehood that is proved of any relation",
        cover(
            "1 < 0",
            case(
                "1 <= 0",
                "x > 0",
                "-x >= 0",
                facts=[FALSE, fact("x", "hypothesis", 0, strict=True), fact("-x", "hypothesis", 1)],
                products=[["1", [1]], ["1", [2]]],
            ),
            "x y real",
            ["x > 0", "-x >= 0"],
        ),
    ),
    Row("cases", "a relation that is none", cover("1 >= 0", case("1 <= 0"), "x y real")),
    Row("cases", "other symbols", sides(put={"then.symbols.x": "positive"})),
    Row("cases", "another format", sides(put={"then.format": "fedassay-cover/1"})),
    Row("cases", "no induction", sides(put={"then.proof": {"induction": "x"}})),
    Row("cases", "other vectors", sides("0 <= 0", "0 <= 0", text="0 <= 0", vectors=["y"])),
    Row("cases", "a vector has no sign", sides(vectors=["x"])),
    Row(
        "cases",
        "no case of every client",
        cover("Abs(x[k]) <= Max(x[k], -x[k])", sides()["cases"] | {"if": "x[k]"}, "x y real"),
    ),
    Row("cases", "no condition that may be undefined", sides(condition="1/y")),
    Row("cases", "no condition on a vector", sides(text="0 <= 0", condition="y", vectors=["y"])),
    Row("cases", "no hypothesis of every round", sides(known=["x >= 0 each t"])),
    Row("cases", "more than cases", {**sides(), "atoms": []}),
    Row(
        "cases",
        "a case with a pole of its own",
        single("0 < y**2", "0*y/y < y**2", "1 > 0"),
        {"y": 0},
    ),
    Row(
        "cases",
        "a case with a pole of its own that is proved",
        cover(
            "0 < y**2",
            {**HIDDEN, "symbols": symbols("y real"), "given": given("1 > 0")},
            "y real",
            ["1 > 0"],
        ),
        {"y": 0},
    ),
    Row("cases", "Max by a hypothesis", single("Max(x, y) <= x", "x <= x", "x - y >= 0")),
    Row("cases", "Max by the other", single("Max(x, y) <= y", "y <= y", "y - x >= 0")),
    Row("cases", "Max not by itself", single("Max(x, y) <= x", "x <= x"), {"x": 0, "y": 1, "s": 1}),
    Row(
        "cases",
        "Max not by the wrong one",
        single("Max(x, y) <= x", "x <= x", "y - x >= 0"),
        {"x": 0, "y": 1},
    ),
    Row("cases", "Min by a hypothesis", single("y <= Min(x, y)", "y <= y", "x - y >= 0")),
    Row(
        "cases",
        "Min not by the wrong one",
        single("x <= Min(x, y)", "x <= x", "x - y >= 0"),
        {"x": 1, "y": 0},
    ),
    Row(
        "cases",
        "Max of three",
        single("Max(x, y, s) <= Max(x, s)", "Max(x, s) <= Max(x, s)", "x - y >= 0"),
    ),
    Row("cases", "Abs of what is positive", single("Abs(s) <= s", "s <= s")),
    Row("cases", "Abs of what is negative", single("Abs(m) <= -m", "-m <= -m")),
    Row("cases", "Abs of either", single("Abs(x) <= x", "x <= x"), {"x": -1}),
    Row("cases", "Indicator above zero", single("1 <= Indicator(x, 1)", "1 <= 1", "x > 0")),
    Row("cases", "Indicator at zero is zero", single("Indicator(x, 1) <= 0", "0 <= 0", "-x >= 0")),
    Row("cases", "Indicator at zero is one", single("1 <= Indicator(x, 0)", "1 <= 1", "x >= 0")),
    Row("cases", "Indicator below zero", single("Indicator(x, 0) <= 0", "0 <= 0", "-x > 0")),
    Row(
        "cases",
        "Indicator above zero is not seen at zero",
        single("1 <= Indicator(x, 1)", "1 <= 1", "x >= 0"),
        {"x": 0},
    ),
    Row(
        "cases",
        "Indicator from zero is not seen at zero",
        single("Indicator(x, 0) <= 0", "0 <= 0", "-x >= 0"),
        {"x": 0},
    ),
    Row("cases", "no third Indicator", single("Indicator(x, 2) <= 1", "1 <= 1", "x > 0")),
    Row(
        "cases",
        "a fact times what is positive",
        single("Max(0, s*x) <= s*x", "s*x <= s*x", "x >= 0"),
    ),
    Row(
        "cases",
        "a fact times what may be zero",
        single("1 <= Indicator(u*x, 1)", "1 <= 1", "x > 0"),
        {"u": 0, "x": 1},
    ),
    Row(
        "cases",
        "a fact over what is positive",
        single("Max(0, x/s) <= x/s", "x/s <= x/s", "x >= 0"),
    ),
    Row("cases", "a fact that is a quotient", single("Max(0, x) <= x", "x <= x", "x/s >= 0")),
    Row(
        "cases", "a fact that says nothing", single("Max(0, x) <= x", "x <= x", "0 >= 0"), {"x": -1}
    ),
    Row(
        "cases",
        "in a sum over clients",
        single(f"{S('Abs(x[k])')} <= {X}", f"{X} <= {X}", "x[k] >= 0"),
    ),
    Row(
        "cases",
        "in no other sum",
        single(
            "Sum(Abs(x[k]), (j, 1, T)) <= Sum(x[k], (j, 1, T))",
            "Sum(x[k], (j, 1, T)) <= Sum(x[k], (j, 1, T))",
            "x[k] >= 0",
        ),
    ),
    Row("cases", "in themselves", single("Abs(Abs(s) + Abs(m)) <= s - m", "s - m <= s - m")),
    Row(
        "cases",
        "by a hypothesis that is resolved",
        cover(
            "Max(x, s) <= x",
            case(
                "x <= x",
                "x - s >= 0",
                kinds="x real; s positive",
                facts=[fact("0", "claim is false", strict=True)],
                products=[["1", [0]]],
            ),
            "x real; s positive",
            ["x - Abs(s) >= 0"],
        ),
    ),
    Row(
        "cases",
        "what it divides by is known by its text",
        single("Abs(x/y) <= Abs(x/y)", "Abs(x/y) <= Abs(x/y)"),
    ),
]

# -- text and size ---------------------------------------------------------------------------------


def text(right: str, kinds: str = "x real", **more: Any) -> Document:
    return document(proof(f"{right} == {right}", **more), kinds)


def printed(right: str) -> Row:
    made = text("x")
    made["claim"]["right"] = made["proof"]["right"] = right
    return Row("text", right if right.isprintable() else ascii(right), made)


def deep(levels: int) -> Document:
    made = proof("x == x")
    for _ in range(levels):
        made = proof("x == x", lemmas=[made])
    return document(made, "x real")


TEXT = [
    *(
        printed(right)
        for right in (
            "x # <= 0",
            "x\n",
            "x\r",
            "x\t",
            "x\x00",
            "x\x1b[2K",
            "x\u202e",
            "x\u00a0",
            "х",
            "ﬁ",
            "x if x else x",
            "x or x",
            "not x",
            "lambda: x",
            "x <= x",
            "(x, x)",
            "[x]",
            "x[k](x)",
            "x.real",
            "'x'",
            "1_0",
            "0x10",
            "1e3",
            "1.5",
            "1if 1else 1",
            "True*x",
            "None",
            "x // 1",
            "x % 1",
            "x @ x",
            "+x",
            "~x",
            "f()",
            "f(x=1)",
            "f(*x)",
            "f(x)(x)",
            "(x + x)[k]",
            "Sum(x, k)",
            "Sum(x, (k, 1))",
            "Sum(x)",
            "x +",
            "",
            "x[1:2]",
            "x[k, k]",
            "(x)",
            "00",
        )
    ),
    Row("text", "no text", changed(text("x"), claim={"left": 1, "right": "x", "relation": "=="})),
    Row("text", "an unprintable name of a hypothesis", hypothesis(name="a\nb")),
    Row("text", "an unprintable entry", changed(TRUE, **{"no\nte": 1})),
    Row("text", "a number that is none", changed(TRUE, symbols={"s": 0.5})),
]

LONGEST = {"letters": 20_000, "digits": 2_000, "exponent": 1_000, "nesting": 150}
LIMITS = [
    Row("limits", "letters", text("x" + "+x" * 10_000)),
    Row("limits", "letters of a name that is not read", hypothesis(name="x" * 20_001)),
    Row("limits", "so many letters", hypothesis(name="x" * 20_000)),
    Row("limits", "digits", text("x*" + "1" * 2_001)),
    Row(
        "limits",
        "so many digits",
        document(proof("x*10 == 10*x"), "x real")
        | {"proof": proof("x*" + "1" * 2_000 + "0 == " + "1" * 2_000 + "0*x")},
    ),
    Row(
        "limits",
        "digits of a multiplier",
        document(proof("1 <= 0", [FALSE], [["1" * 2_001, [0]]]), "x real"),
    ),
    Row(
        "limits",
        "digits of a quotient",
        document(proof("1 <= 0", [FALSE], [["1/" + "1" * 2_001, [0]]]), "x real"),
    ),
    Row(
        "limits",
        "so many digits of a multiplier",
        document(proof("1 <= 0", [FALSE], [["-" + "1" * 2_000, [0]]]), "x real"),
    ),
    Row(
        "limits",
        "digits of a number in the file",
        document(proof("1 <= 0", [FALSE], [[10**2_000, [0]]]), "x real"),
    ),
    Row(
        "limits",
        "a number as a power of ten",
        document(proof("1 <= 0", [FALSE], [["1e999999999", [0]]]), "x real"),
    ),
    Row(
        "limits",
        "digits of a product",
        text("x + 3**1000*3**1000*3**1000*3**1000*3**1000*3**1000*3**1000*3**1000*3**1000*3**1000"),
    ),
    Row("limits", "exponent", text("x**1000000000")),
    Row("limits", "exponent of a sum", text("(x + 1)**1001")),
    Row("costs", "so large an exponent", text("x**100")),
    Row("limits", "exponent below zero", text("3**-1001")),
    Row(
        "limits",
        "exponent of a root",
        by_rule(
            "s - w1**1001",
            "definition",
            "w1",
            "s positive",
            atoms=[["w1", "s**(1/1001)"]],
            side="s - s**(1/1001)",
        ),
    ),
    Row("limits", "exponent beside a symbol", text("3**(x + 1001)")),
    Row("limits", "degree", text("x**600*x**600")),
    Row(
        "limits",
        "exponent of a factor",
        by_rule("s", "hypothesis", 0, "s positive", ["s > 0"], times=[["s", 1000]]),
    ),
    Row("costs", "terms", text("(x + y + s + t + 1)**9", "x y s t real")),
    Row("costs", "steps", text("(x + y + s + 1)**60", "x y s real")),
    Row("limits", "nesting", text("f(" * 60 + "x" + ")" * 60 + "+" + "-" * 150 + "x")),
    Row("limits", "so deep a nesting", text("-" * 148 + "x")),
    Row("limits", "nesting of a tower", text("**".join("x" * 200))),
    Row("limits", "brackets that Python does not read", text("(" * 300 + "x" + ")" * 300)),
    Row("limits", "minus signs", text("-" * 200_000 + "x")),
    Row("limits", "minus signs within the letters", text("-" * 19_000 + "x")),
    Row("limits", "a sum of many terms is not deep", text("x" + " + x" * 160)),
    Row("limits", "levels", deep(60)),
    Row("limits", "so many levels", deep(40)),
    Row("costs", "entries", changed(TRUE, symbols={f"x{i}": "real" for i in range(7_000)})),
    Row(
        "costs",
        "names in names",
        changed(
            TRUE, atoms=[[f"w{i + 1}", f"f(w{i}, w{i})" if i else "f(s, s)"] for i in range(60)]
        ),
    ),
    Row(
        "costs",
        "sums in sums",
        text("Sum(" * 8 + "x" + "".join(f", (j{i}, 0, 20))" for i in range(8))),
    ),
    Row(
        "costs",
        "a large matrix",
        by_rule(
            "0",
            "gram",
            {
                "monomials": ["x - x"] * 60,
                "matrix": [
                    ["1" if i == j else "1/" + str(7**40 + i + j) for i in range(60)]
                    for j in range(60)
                ],
            },
            "x real",
        ),
    ),
]

STRUCTURE = [*NAMES, *DEFINED, *SUMS, *VECTORS, *INDUCTIONS, *CASES, *TEXT, *LIMITS]
