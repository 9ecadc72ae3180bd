"""Text that is read, and how much of everything."""

from __future__ import annotations

from typing import Any

from tests.trusted.checker.build import (
    Document,
    by_rule,
    document,
    proof,
)
from tests.trusted.checker.rows.base import FALSE, KINDS, Row
from tests.trusted.checker.rows.names import TRUE, changed, hypothesis

__all__ = ["LIMITS", "TEXT"]


def text(right: str, kinds: str = "x real", **more: Any) -> Document:
    return document(proof(f"{right} == {right}", **more), kinds)


def printed(right: str) -> Row:
    made = text("x")
    made["claim"]["right"] = made["proof"]["right"] = right
    return Row("text", right if right.isprintable() else ascii(right), made)


def deep(levels: int, *last: Any) -> Document:
    made = proof("x == x", last)
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
            "(x or x) + x",
            "(x or x) + x + x",
            "x + (x or x) + x",
            "Sum(x, (j, 1, x or x))",
            "Sum(x, (j, 1, 2, 3))",
            "Sum(x, (j, 1, N), j)",
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

HIGH = "(x**30*(x + y + 1)**6)"
LONG = "(3**40*3**40*3**40*3**40*3**40*3**40*(x + y + 1)**6)"
FIVE = "x + x**2 + x**3 + x**4 + 1"
EIGHT = "x + x**2 + x**3 + x**4 + x**5 + x**6 + x**7 + 1"
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
    Row("limits", "one sign too many", text("-" * 150 + "x")),
    Row("limits", "so deep a nesting", text("-" * 149 + "x")),
    Row("limits", "nesting of a tower", text("**".join("x" * 200))),
    Row("limits", "brackets that Python does not read", text("(" * 300 + "x" + ")" * 300)),
    Row("limits", "minus signs", text("-" * 200_000 + "x")),
    Row("limits", "minus signs within the letters", text("-" * 19_000 + "x")),
    Row("limits", "a sum of many terms is not deep", text("x" + " + x" * 160)),
    Row("limits", "levels", deep(60)),
    Row("limits", "one level too many", deep(49)),
    Row("limits", "so many levels", deep(48)),
    Row("limits", "the last level", deep(48, 0)),
    Row("limits", "degree of one term of several", text("(x**600 + 1)**2")),
    Row(
        "limits",
        "digits of a number that is not read",
        by_rule("s", "declared", 10**2_000, "s positive"),
    ),
    Row("costs", "terms of high degree", text(f"{HIGH}*{HIGH}", "x y real")),
    Row("costs", "numbers of many digits", text(f"{LONG}*{LONG}*{LONG}", "x y real")),
    Row(
        "costs",
        "products of a few terms",
        text("*".join(["((x + y + 1)**3 - y**3*x*7)"] * 3), "x y real"),
    ),
    Row("costs", "sixty-four products", text(f"({EIGHT})*({EIGHT})")),
    Row("costs", "sixty-five products", text(f"({FIVE})*({EIGHT} + y*({FIVE}))", "x y real")),
    Row("costs", "a number of two hundred and fifty-five bits", text(f"x*{2**254}")),
    *(
        Row(
            "costs",
            f"{power} bits in many products",
            text(f"({EIGHT} + y*{2**power})*({EIGHT})", "x y real"),
        )
        for power in (251, 252)
    ),
    Row(
        "costs",
        "quotients of many terms",
        text("1/(x + y + 1) + 1/(x + y + 1)**2 + 1/(x + y + 1)**3", "x y real"),
    ),
    Row("costs", "quotients", text("1/(x + 1) + 1/(x + 1)**2 + 1/(x + 2)/(x + 1)")),
    Row(
        "costs",
        "signs of names in names",
        by_rule(
            "Max(Max(Max(s, s), Max(s, s)), Max(Max(s, s), Max(s, s)))",
            "declared",
            None,
            "s positive",
        ),
    ),
    Row(
        "costs",
        "vectors in sums",
        document(proof("Sum(x**2, (k, 1, N)) == Sum(x**2, (k, 1, N))"), "x real", vectors=["x"]),
    ),
    Row(
        "costs",
        "so many entries",
        changed(TRUE, symbols={"s": "positive"} | {f"x{i}": "real" for i in range(5_966)}),
    ),
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
    *(
        Row(
            "costs",
            f"{power} bits in a matrix",
            by_rule(
                f"2**{power}*x**2", "gram", {"monomials": ["x"], "matrix": [[str(2**power)]]}, KINDS
            ),
        )
        for power in (61, 62)
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
