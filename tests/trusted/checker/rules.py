"""For each rule of a proof: claims that its side conditions refuse, and one that it proves.

A row that begins with ``no`` is false, or not shown, and one condition alone refuses it; what it is
false at is given where a point shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.trusted.checker.build import (
    Document,
    by_rule,
    document,
    fact,
    lemma_by,
    proof,
)

__all__ = ["RULES", "Row"]


@dataclass(frozen=True)
class Row:
    """A document, the rule and the condition that it is about, and a point at which it is false."""

    rule: str
    condition: str
    document: Document
    false_at: dict[str, Any] | None = None


FALSE = fact("1", "claim is false", strict=True)
S = "Sum({}, (k, 1, N))".format
U, X, V = S("u[k]"), S("x[k]"), S("v[k]")
KINDS = (
    "x y real; s t positive; u w nonnegative; m negative; p nonpositive; z complex; "
    "T positive integer; R nonnegative integer; n integer; v positive"
)
LESS = lemma_by("1 - s", "hypothesis", 0)
BELOW = ["1 - s >= 0"]


def sign(polynomial: str, at: Any = None, strict: bool = False, kinds: str = KINDS) -> Row:
    """Whether a polynomial has a sign by its form."""
    made = by_rule(polynomial, "declared", None, kinds, strict=strict)
    return Row("declared", polynomial + (" > 0" if strict else " >= 0"), made, at)


def named(polynomial: str, side: str, meaning: str, at: Any = None, **more: Any) -> Row:
    """What a name stands for."""
    rule = more.pop("rule", "definition")
    known = more.pop("known", ())
    made = by_rule(polynomial, rule, "w1", KINDS, known, atoms=[["w1", meaning]], side=side, **more)
    return Row(rule, f"{polynomial} where w1 is {meaning}", made, at)


SIGNS = [
    *(sign(p) for p in ("0", "1", "s", "u", "s + x**2", "-m", "-p", "m*p", "T - 1", "R", "n**2")),
    *(sign(p, strict=True) for p in ("1", "s", "s + u", "-m", "T", "T*s - s + t", "m**2", "R + 1")),
    *(sign(p, strict=True) for p in ("exp(x)", "Max(x, s)", "Min(s, t)", "s**x", "sqrt(s)", V)),
    *(sign(p) for p in ("Abs(x)", "Max(x, u)", "Min(u, s)", "u**s", "sqrt(x)", "x**2", U)),
    *(sign(p) for p in ("Abs(x)**2", "(x**R)**2", "(x**y)**2", "s**2*x**2", "-m*s*(T - 1)")),
    *(sign(p) for p in ("Max(x, y)**2", f"{X}**2", "x[1]**2", "w[k]", "Min(x, s)**2")),
    sign("x", {"x": -1}),
    sign("x**3", {"x": -1}),
    sign("-1", {}),
    sign("-s", {"s": 1}),
    sign("s - 1", {"s": "1/2"}),
    sign("s - u", {"s": 1, "u": 2}),
    sign("m", {"m": -1}),
    sign("p", {"p": -1}),
    sign("-u", {"u": 1}),
    sign("m*s", {"m": -1, "s": 1}),
    sign("p*p*p", {"p": -1}),
    sign("n", {"n": -1}),
    sign("T - 2", {"T": 1}),
    sign("R - 1", {"R": 0}),
    sign("z**2"),
    sign("s + x", {"s": 1, "x": -2}),
    sign("s*x", {"s": 1, "x": -1}),
    sign("Max(x, y)", {"x": -1, "y": -1}),
    sign("Min(s, x)", {"s": 1, "x": -1}),
    sign("Min(x, s)", {"s": 1, "x": -1}),
    sign("x**R", {"x": -1, "R": 1}),
    sign("x**y"),
    sign(X, {"x": [-1]}),
    sign("log(s)", {"s": "1/2"}),
    sign("f(x)"),
    sign("f(x)**2"),
    sign("exp(z)"),
    sign("Abs(z)**2"),
    sign("Sum(t*x[j], (j, 0, R))"),
    sign("Sum(u[j], (j, 0, R))"),
    sign("x[1]", {"x": [-1]}),
    *(sign(p, a, strict=True) for p, a in (("0", {}), ("u", {"u": 0}), ("R", {"R": 0}))),
    *(sign(p, a, strict=True) for p, a in (("u + w", {"u": 0, "w": 0}), ("-p", {"p": 0}))),
    *(sign(p, a, strict=True) for p, a in (("x**2", {"x": 0}), ("s*u", {"s": 1, "u": 0}))),
    *(
        sign(p, a, strict=True)
        for p, a in (("Abs(x)", {"x": 0}), (U, {"u": [0]}), ("n**2", {"n": 0}))
    ),
    *(sign(p, a, strict=True) for p, a in (("Max(x, u)", {"x": 0, "u": 0}), ("T - 1", {"T": 1}))),
    *(sign(p, a, strict=True) for p, a in (("Min(u, s)", {"u": 0, "s": 1}), ("sqrt(x)", {"x": 0}))),
    sign("u**s", {"u": 0, "s": 1}, strict=True),
    sign("s*T - s", {"s": 1, "T": 1}, strict=True),
    sign("Abs(x)*s", {"x": 0, "s": 1}, strict=True),
    sign("exp(x)*u", {"x": 0, "u": 0}, strict=True),
    Row(
        "declared",
        "a quotient is no fact",
        document(proof("1 <= 0", [fact("1/s", "declared"), FALSE], [["1", [0]]]), KINDS),
    ),
]

SQUARES = [
    Row(
        "squares",
        "two of them",
        by_rule("2*x**2 + y**2", "squares", [["2", "x"], ["1", "y"]], KINDS),
    ),
    Row("squares", "weight zero", by_rule("y**2", "squares", [["0", "x"], ["1", "y"]], KINDS)),
    Row(
        "squares",
        "no negative weight",
        by_rule("y**2 - x**2", "squares", [["-1", "x"], ["1", "y"]], KINDS),
        {"x": 1, "y": 0},
    ),
    Row("squares", "of something real", by_rule("z**2", "squares", [["1", "z"]], KINDS)),
    Row(
        "squares",
        "all of them real",
        by_rule("x**2 + z**2", "squares", [["1", "x"], ["1", "z"]], KINDS),
    ),
    Row(
        "squares",
        "never strict",
        by_rule("x**2", "squares", [["1", "x"]], KINDS, strict=True),
        {"x": 0},
    ),
    Row(
        "squares",
        "the same polynomial",
        by_rule("x**2 - 1", "squares", [["1", "x"]], KINDS),
        {"x": 0},
    ),
]


def gram(polynomial: str, matrix: Any, monomials: Any = ("x", "y"), at: Any = None) -> Row:
    about = {"monomials": list(monomials), "matrix": matrix}
    return Row("gram", f"{polynomial} by {matrix}", by_rule(polynomial, "gram", about, KINDS), at)


GRAMS = [
    gram("x**2 - 2*x*y + y**2", [["1", "-1"], ["-1", "1"]]),
    gram("2*x**2 + 2*x*y + y**2", [["2", "1"], ["1", "1"]]),
    gram("y**2", [["0", "0"], ["0", "1"]]),
    gram("x**2", [["1", "0"], ["0", "0"]]),
    gram("0", [], ()),
    gram("2*x**2 + y**2 - 4*x*y", [["2", "-2"], ["-2", "1"]], at={"x": 1, "y": 2}),
    gram("2*x*y", [["0", "1"], ["1", "0"]], at={"x": 1, "y": -1}),
    gram("2*x*y + y**2", [["0", "1"], ["1", "1"]], at={"x": -5, "y": 1}),
    gram("x**2 - y**2", [["1", "0"], ["0", "-1"]], at={"x": 0, "y": 1}),
    gram("-x**2", [["-1"]], ["x"], {"x": 1}),
    gram("x**2 + 3*x*y + y**2", [["1", "3"], ["0", "1"]], at={"x": 1, "y": -1}),
    gram("x**2 + 3*x*y + y**2", [["1", "0"], ["3", "1"]], at={"x": 1, "y": -1}),
    gram("x**2 - 1", [["1"]], ["x"], {"x": 0}),
    gram("x**2", [["1", "0"]], ["x"]),
    gram("x**2", [["1"], ["0"]], ["x", "y"]),
    gram("x**2", [["1", "0"], ["0"]], ["x", "y"]),
    gram("z**2", [["1"]], ["z"]),
    gram("x**2", [["1.0"]], ["x"]),
]

MEANINGS = [
    named("w1**2 - x", "sqrt(x)**2 - x", "sqrt(x)"),
    named("x - w1**2", "x - sqrt(x)**2", "sqrt(x)"),
    named("w1", "sqrt(s)", "sqrt(s)", strict=True),
    named("w1", "sqrt(u)", "sqrt(u)"),
    named("w1 - x", "Abs(x) - x", "Abs(x)"),
    named("w1 + x", "Abs(x) + x", "Abs(x)"),
    named("w1**2 - x**2", "Abs(x)**2 - x**2", "Abs(x)"),
    named("x**2 - w1**2", "x**2 - Abs(x)**2", "Abs(x)"),
    named("w1 - x", "Max(x, y) - x", "Max(x, y)"),
    named("w1 - y", "Max(x, y) - y", "Max(x, y)"),
    named("x - w1", "x - Min(x, y)", "Min(x, y)"),
    named("y - w1", "y - Min(x, y)", "Min(x, y)"),
    named("-(w1 - x)*(w1 - y)", "-(Max(x, y) - x)*(Max(x, y) - y)", "Max(x, y)"),
    named("-(w1 - x)*(w1 - y)", "-(Min(x, y) - x)*(Min(x, y) - y)", "Min(x, y)"),
    named("w1 - 1 - x", "exp(x) - 1 - x", "exp(x)"),
    named("s - 1 - w1", "s - 1 - log(s)", "log(s)"),
    named("s*w1 - s + 1", "s*log(s) - s + 1", "log(s)", times=[["s", 1]]),
    named("w1", "s**x", "s**x", strict=True, rule="power"),
    named("1 - w1", "1 - s**u", "s**u", known=BELOW, lemmas=[LESS], rule="power"),
    named("w1 - 1 - R*(s - 1)", "s**R - 1 - R*(s - 1)", "s**R", rule="power"),
    # false, or beyond the rule
    named("w1**2 - z", "sqrt(z)**2 - z", "sqrt(z)"),
    named("w1", "sqrt(u)", "sqrt(u)", {"u": 0}, strict=True),
    named("w1", "x**R", "x**R", {"x": -1, "R": 1}),
    named("w1", "s**z", "s**z"),
    named("w1 - z", "Abs(z) - z", "Abs(z)"),
    named("w1 - x", "Abs(x) - x", "Abs(x)", {"x": 1}, strict=True),
    named("w1 - x - 1", "Abs(x) - x - 1", "Abs(x)", {"x": 1}),
    named("x - w1", "x - Max(x, y)", "Max(x, y)", {"x": 0, "y": 1}),
    named("w1 - x", "Min(x, y) - x", "Min(x, y)", {"x": 1, "y": 0}),
    named(
        "-(w1 - x)*(w1 - y)",
        "-(Max(x, y, s) - x)*(Max(x, y, s) - y)",
        "Max(x, y, s)",
        {"x": 0, "y": 0, "s": 1},
    ),
    named("w1 - s", "Max(z, s) - s", "Max(z, s)"),
    named("w1 - 1 - z", "exp(z) - 1 - z", "exp(z)"),
    named("w1 - 1 - x", "exp(x) - 1 - x", "exp(x)", {"x": 0}, strict=True),
    named("z - 1 - w1", "z - 1 - log(z)", "log(z)"),
    named("s - 1 - w1", "s - 1 - log(s)", "log(s)", {"s": 1}, strict=True),
    named("w1 - 1", "log(s) - 1", "log(s)", {"s": 1}),
    named("w1 - x", "f(x) - x", "f(x)"),
    named("1 - w1", "1 - s**u", "s**u", {"s": 2, "u": 1}, rule="power"),
    named(
        "1 - w1",
        "1 - s**x",
        "s**x",
        {"s": "1/2", "x": -1},
        known=BELOW,
        lemmas=[LESS],
        rule="power",
    ),
    named(
        "1 - w1",
        "1 - x**T",
        "x**T",
        {"x": -2, "T": 2},
        known=["1 - x >= 0"],
        lemmas=[lemma_by("1 - x", "hypothesis", 0)],
        rule="power",
    ),
    named(
        "1 - w1",
        "1 - s**u",
        "s**u",
        {"s": "1/2", "u": 0},
        known=BELOW,
        lemmas=[LESS],
        rule="power",
        strict=True,
    ),
    named("w1 - 1 - u*(s - 1)", "s**u - 1 - u*(s - 1)", "s**u", {"s": 4, "u": "1/2"}, rule="power"),
    named("w1 - 1 - n*(s - 1)", "s**n - 1 - n*(s - 1)", "s**n", rule="power"),
    named("w1 - 1 - T*(x - 1)", "x**T - 1 - T*(x - 1)", "x**T", {"x": -9, "T": 3}, rule="power"),
    named(
        "w1 - 1 - T/2*(s - 1)",
        "s**(T/2) - 1 - T/2*(s - 1)",
        "s**(T/2)",
        {"s": 4, "T": 1},
        rule="power",
    ),
    named(
        "w1 - 1 - T*u*(s - 1)",
        "s**(T*u) - 1 - T*u*(s - 1)",
        "s**(T*u)",
        {"s": 4, "T": 1, "u": "1/2"},
        rule="power",
    ),
    named(
        "w1 - 1 - R*(s - 1)",
        "s**R - 1 - R*(s - 1)",
        "s**R",
        {"s": 1, "R": 0},
        rule="power",
        strict=True,
    ),
]

POSITIVE = lemma_by("x[k] - 1", "hypothesis", 0)
KNOWN = ["x[k] - 1 >= 0"]
STRICT = lemma_by("y[k]", "hypothesis", 0, strict=True)
SUMS = [
    Row("sum", U, by_rule(U, "sum", [["1", U]], KINDS)),
    Row("sum", "strict", by_rule(V, "sum", [["1", V]], KINDS, strict=True)),
    Row("sum", "N", by_rule("N", "sum", [["1", "N"]], KINDS, strict=True)),
    Row(
        "sum",
        "by a lemma",
        by_rule(f"{X} - N", "sum", [["1", X], ["-1", "N"]], KINDS, KNOWN, lemmas=[POSITIVE]),
    ),
    Row(
        "sum",
        "strict by a lemma",
        by_rule(
            S("y[k]"), "sum", [["1", S("y[k]")]], KINDS, ["y[k] > 0"], lemmas=[STRICT], strict=True
        ),
    ),
    Row("sum", "a coefficient", by_rule(f"s*{U}", "sum", [["s", U]], KINDS)),
    Row("sum", "terms >= 0", by_rule(X, "sum", [["1", X]], KINDS), {"x": [-1]}),
    Row(
        "sum",
        "all terms >= 0",
        by_rule(f"{U} + {X}", "sum", [["1", U], ["1", X]], KINDS),
        {"u": [0], "x": [-1]},
    ),
    Row("sum", "terms > 0", by_rule(U, "sum", [["1", U]], KINDS, strict=True), {"u": [0]}),
    Row(
        "sum",
        "terms > 0, not only >= 0 by a lemma",
        by_rule(
            f"{X} - N", "sum", [["1", X], ["-1", "N"]], KINDS, KNOWN, lemmas=[POSITIVE], strict=True
        ),
        {"x": [1]},
    ),
    Row(
        "sum",
        "no coefficient with k",
        by_rule(f"x[k]*{X}", "sum", [["x[k]", X]], KINDS),
        {"x": [2, -3], "k": 1},
    ),
    Row("sum", "a sum over clients", by_rule("x", "sum", [["1", "x"]], KINDS), {"x": -1}),
    Row(
        "sum",
        "not over rounds",
        by_rule("Sum(u[j], (j, 0, R))", "sum", [["1", "Sum(u[j], (j, 0, R))"]], KINDS),
    ),
    Row("sum", "the same", by_rule(f"{U} - 1", "sum", [["1", U]], KINDS), {"u": [0]}),
    Row("term", "u[k] is one of them", by_rule(f"{U} - u[k]", "term", U, KINDS)),
    Row(
        "term",
        "by a lemma",
        by_rule(
            f"{S('x[k] - 1')} - x[k] + 1", "term", S("x[k] - 1"), KINDS, KNOWN, lemmas=[POSITIVE]
        ),
    ),
    Row("term", "terms >= 0", by_rule(f"{X} - x[k]", "term", X, KINDS), {"x": [1, -1], "k": 1}),
    Row(
        "term",
        "not strict",
        by_rule(f"{V} - v[k]", "term", V, KINDS, strict=True),
        {"v": [1], "k": 1},
    ),
    Row("term", "a sum", by_rule("x - x", "term", "x", KINDS)),
    Row("term", "of all clients", by_rule("f(x) - x", "term", "f(x)", KINDS)),
]


def cauchy(a: str, b: str, c: str, at: Any = None, kinds: str = KINDS, **more: Any) -> Row:
    names = [S(part) if part != "N" else part for part in (a, b, c)]
    polynomial = f"{names[0]}*{names[1]} - {names[2]}**2"
    made = by_rule(polynomial, "Cauchy-Schwarz", names, kinds, **more)
    return Row("Cauchy-Schwarz", f"{a}, {b}, {c}", made, at)


CAUCHY = [
    cauchy("N", "x[k]**2", "x[k]"),
    cauchy("u[k]", "u[k]*x[k]**2", "u[k]*x[k]"),
    cauchy("x[k]", "x[k]*y[k]**2", "x[k]*y[k]", {"x": [1, -1], "y": [1, -1]}),
    cauchy("N", "x[k]**2 - 2*x[k]*y[k] + y[k]**2", "x[k] - y[k]"),
    cauchy("x[k]**2 - 2*x[k]*y[k] + y[k]**2", "N", "x[k] - y[k]"),
    cauchy("N", "u[k]", "u[k]", {"u": [2]}),
    cauchy("N", "x[k]**2", "s*x[k]", {"x": [1], "s": 2}),
    cauchy("N", "Abs(z[k])**2", "Abs(z[k])"),
    cauchy("N", "x[k]**2", "x[k]", {"x": [1]}, strict=True),
    cauchy(
        "N",
        "z[k]**2",
        "z[k]",
        known=["z[k]**2 >= 0"],
        lemmas=[lemma_by("z[k]**2", "hypothesis", 0)],
    ),
]

TIMES = [
    Row(
        "times",
        "a positive factor",
        by_rule("s*x - s", "hypothesis", 0, KINDS, ["x - 1 >= 0"], times=[["s", 1]]),
    ),
    Row(
        "times",
        "a negative factor, turned",
        by_rule("m - m*x", "hypothesis", 0, KINDS, ["x - 1 >= 0"], times=[["m", 1]]),
    ),
    Row(
        "times",
        "a square",
        by_rule("y**2*x - y**2", "hypothesis", 0, KINDS, ["x - 1 >= 0"], times=[["y", 2]]),
    ),
    Row(
        "times",
        "a square of what is not zero",
        by_rule("m**2*x", "hypothesis", 0, KINDS, ["x > 0"], times=[["m", 2]], strict=True),
    ),
    Row(
        "times",
        "positive by a lemma",
        by_rule(
            "x*y",
            "hypothesis",
            0,
            KINDS,
            ["x >= 0", "y > 0"],
            times=[["y", 1]],
            lemmas=[lemma_by("y", "hypothesis", 1, strict=True)],
        ),
    ),
    Row(
        "times",
        "no unknown sign",
        by_rule("x*y", "hypothesis", 0, KINDS, ["x >= 0"], times=[["y", 1]]),
        {"x": 1, "y": -1},
    ),
    Row(
        "times",
        "not only >= 0",
        by_rule("x*u", "hypothesis", 0, KINDS, ["x > 0"], times=[["u", 1]], strict=True),
        {"x": 1, "u": 0},
    ),
    Row(
        "times",
        "not only >= 0 by a lemma",
        by_rule(
            "x*y",
            "hypothesis",
            0,
            KINDS,
            ["x > 0", "y >= 0"],
            times=[["y", 1]],
            lemmas=[lemma_by("y", "hypothesis", 1)],
            strict=True,
        ),
        {"x": 1, "y": 0},
    ),
    Row(
        "times",
        "a negative factor is not positive",
        by_rule("m*x", "hypothesis", 0, KINDS, ["x >= 0"], times=[["m", 1]]),
        {"m": -1, "x": 1},
    ),
    Row(
        "times",
        "an odd power",
        by_rule("y**3*x", "hypothesis", 0, KINDS, ["x >= 0"], times=[["y", 3]]),
        {"y": -1, "x": 1},
    ),
    Row(
        "times",
        "a square may vanish",
        by_rule("y**2*x", "hypothesis", 0, KINDS, ["x > 0"], times=[["y", 2]], strict=True),
        {"y": 0, "x": 1},
    ),
    Row(
        "times",
        "a square of something real",
        by_rule("z**2*x", "hypothesis", 0, KINDS, ["x >= 0"], times=[["z", 2]]),
    ),
    Row(
        "times",
        "no strict zero",
        by_rule("0", "hypothesis", 0, KINDS, ["x > 0"], times=[["y - y", 2]], strict=True),
        {"x": 1, "y": 1},
    ),
    Row(
        "times",
        "no strict zero beside a divisor",
        by_rule("0", "hypothesis", 0, KINDS, ["x/y > 0"], times=[["y - y", 2]], strict=True),
        {"x": 1, "y": 1},
    ),
    Row(
        "times",
        "no exponent below zero",
        by_rule("1", "hypothesis", 0, KINDS, ["s > 0"], times=[["s", -1]]),
    ),
    Row(
        "times",
        "a lemma of an equality shows no sign",
        by_rule(
            "x*y",
            "hypothesis",
            0,
            KINDS,
            ["x >= 0"],
            times=[["y", 1]],
            lemmas=[proof("0*y == 0")],
        ),
        {"x": 1, "y": -1},
    ),
]

HYPOTHESES = [
    Row("hypothesis", "as it is", by_rule("x - 1", "hypothesis", 0, KINDS, ["x - 1 >= 0"])),
    Row("hypothesis", "the second", by_rule("y", "hypothesis", 1, KINDS, ["x >= 0", "y >= 0"])),
    Row("hypothesis", "strict", by_rule("x", "hypothesis", 0, KINDS, ["x > 0"], strict=True)),
    Row("hypothesis", "weaker", by_rule("x", "hypothesis", 0, KINDS, ["x > 0"])),
    Row(
        "hypothesis",
        "another one",
        by_rule("x", "hypothesis", 0, KINDS, ["y >= 0"]),
        {"x": -1, "y": 1},
    ),
    Row(
        "hypothesis",
        "not strict",
        by_rule("x", "hypothesis", 0, KINDS, ["x >= 0"], strict=True),
        {"x": 0},
    ),
    Row("hypothesis", "not listed", by_rule("x", "hypothesis", 1, KINDS, ["x >= 0"])),
    Row("hypothesis", "no place below zero", by_rule("x", "hypothesis", -1, KINDS, ["x >= 0"])),
    Row(
        "hypothesis",
        "no truth value for a place",
        by_rule("y", "hypothesis", True, KINDS, ["x >= 0", "y >= 0"]),
    ),
    Row("hypothesis", "no word for a place", by_rule("y", "hypothesis", "0", KINDS, ["y >= 0"])),
    Row("hypothesis", "a rule that is none", by_rule("x", "it is so", 0, KINDS, ["x >= 0"])),
]

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

RULES = [
    *SIGNS,
    *SQUARES,
    *GRAMS,
    *MEANINGS,
    *SUMS,
    *CAUCHY,
    *TIMES,
    *HYPOTHESES,
    *PROOFS,
]
