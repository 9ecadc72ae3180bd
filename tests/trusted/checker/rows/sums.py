"""Sums over clients and over rounds, and sums that may be empty."""

from __future__ import annotations

from tests.trusted.checker.build import (
    Document,
    claim,
    document,
    fact,
    proof,
)
from tests.trusted.checker.rows.base import KINDS, Row, S, U, X
from tests.trusted.checker.rows.defined import same

__all__ = ["SUMS"]

ONES = {"over": "(j, 1, T)", "parts": [["1", "1"]]}


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
    Row("sums", "from a symbol", same("Sum(x[j], (j, R, T))", "Sum(x[j], (j, R, T))")),
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
    Row(
        "sums",
        "taken apart by a name that stands behind another sum",
        same(
            S("sqrt(s)*u[k]"),
            f"sqrt(s)*{U}",
            atoms=[["w1", X], ["w2", "sqrt(s)"]],
            sums=[{"over": "(k, 1, N)", "parts": [["w2", "u[k]"]]}],
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
    Row(
        "sums",
        "not counted beside something else",
        same(
            "Sum(s*x[j] + 1, (j, 2, T))",
            "s*Sum(x[j], (j, 2, T)) + N",
            sums=[{"over": "(j, 2, T)", "parts": [["s", "x[j]"], ["1", "1"]]}],
        ),
        {"T": 1, "s": 1},
    ),
    Row(
        "sums",
        "one of two coefficients moves",
        same(
            S("x[k]*y[k] + s*x[k]"),
            f"x[k]*{S('y[k]')} + s*{X}",
            sums=[{"over": "(k, 1, N)", "parts": [["x[k]", "y[k]"], ["s", "x[k]"]]}],
        ),
        {"x": [1, 2], "y": [1, 1], "s": 1, "k": 1},
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
