"""What a document is made of, and the names that it may use."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.trusted.checker.build import (
    Document,
    by_rule,
    given,
)
from tests.trusted.checker.rows.base import Row

__all__ = ["NAMES", "TRUE", "changed", "hypothesis"]

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
    Row("names", "a client in a long name", changed(TRUE, atoms=[["w1", "functionsk(s[k])"]])),
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
