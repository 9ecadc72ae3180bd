"""Signs by their form, squares and Gram matrices."""

from __future__ import annotations

from typing import Any

from tests.trusted.checker.build import (
    by_rule,
    document,
    fact,
    proof,
)
from tests.trusted.checker.rows.base import FALSE, KINDS, Row, U, V, X

__all__ = ["GRAMS", "SIGNS", "SQUARES"]


def sign(polynomial: str, at: Any = None, strict: bool = False, kinds: str = KINDS) -> Row:
    """Whether a polynomial has a sign by its form."""
    made = by_rule(polynomial, "declared", None, kinds, strict=strict)
    return Row("declared", polynomial + (" > 0" if strict else " >= 0"), made, at)


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
    sign("(s + t)*(s**2 - s*t + t**2)"),
    sign("Min(1/x, s)", {"x": -1, "s": 1}),
    sign("Max(z, s)"),
    sign("log(s)"),
    sign("log(s)**2"),
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
