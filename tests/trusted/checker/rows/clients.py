"""Rules on sums over clients."""

from __future__ import annotations

from typing import Any

from tests.trusted.checker.build import (
    by_rule,
    lemma_by,
)
from tests.trusted.checker.rows.base import KINDS, Row, S, U, V, X

__all__ = ["CAUCHY", "SUMS"]

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
