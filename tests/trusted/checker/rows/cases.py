"""Claims in cases, and what maxima, sizes and indicators are in them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.trusted.checker.build import (
    Document,
    cover,
    document,
    fact,
    given,
    proof,
    symbols,
)
from tests.trusted.checker.rows.base import FALSE, KINDS, Row, S, X
from tests.trusted.checker.rows.rounds import HIDDEN

__all__ = ["CASES"]


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


ONE_SIDE = case("x <= x", facts=[fact("0", "claim is false", strict=True)], products=[["1", [0]]])
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
    Row("cases", "a divisor of the text", single("Abs(s/y**2) <= s/y**2", "s/y**2 <= s/y**2")),
    Row(
        "cases",
        "what is not read shows no sign",
        single(
            "Sum(Abs(1/x[j]), (j, 1, N)) <= Sum(1/x[j], (j, 1, N))",
            "Sum(1/x[j], (j, 1, N)) <= Sum(1/x[j], (j, 1, N))",
        ),
        {"x": [-1]},
    ),
    Row(
        "cases",
        "a hypothesis beside an answer",
        cover(
            "Max(x, y) <= x",
            {
                "if": "y",
                "strict": False,
                "then": ONE_SIDE,
                "else": ONE_SIDE,
            },
            "x y real",
            ["x - y >= 0"],
        ),
    ),
    Row("cases", "a fact by its text", single("Abs(x/y) <= x/y", "x/y <= x/y", "x/y >= 0")),
    Row(
        "cases",
        "what stays has its sign",
        single("Abs(Max(s, x)) <= Max(s, x)", "Max(s, x) <= Max(s, x)"),
    ),
    Row(
        "cases",
        "what it divides by is known by its text",
        single("Abs(x/y) <= Abs(x/y)", "Abs(x/y) <= Abs(x/y)"),
    ),
]
