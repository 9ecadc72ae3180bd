"""Induction over rounds."""

from __future__ import annotations

from typing import Any

from tests.trusted.checker.build import (
    Document,
    document,
    fact,
    given,
    induction,
    lemma_by,
    proof,
    symbols,
)
from tests.trusted.checker.rows.base import FALSE, Row

__all__ = ["HIDDEN", "INDUCTIONS"]

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


BELOW_Y = [
    fact("-y**2", "claim is false"),
    fact("y**2", "hypothesis", 0, times=[["y", 2]], strict=True),
]
HIDDEN = step_of("0*y/y < y**2", "1 > 0", facts=BELOW_Y, products=[["1", [0]], ["1", [1]]])
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
        "a divisor below zero in every round",
        induction(
            "x/(-T - 1) == x/(-T - 1)",
            step_of("x/(-1) == x/(-1)"),
            step_of("x/(-T - 2) == x/(-T - 2)"),
            ROUNDS,
        ),
    ),
    Row(
        "induction",
        "an equality is no strict inequality",
        induction(
            "x[T] == x[0]",
            step_of("x[0] == x[0]"),
            step_of(
                "1 <= 0",
                "x[0] - x[T] >= 0",
                "x[T] - x[0] > 0",
                facts=[
                    FALSE,
                    fact("x[0] - x[T]", "hypothesis", 0),
                    fact("x[T] - x[0]", "hypothesis", 1, strict=True),
                ],
                products=[["1", [1]], ["1", [2]]],
            ),
            ROUNDS,
        ),
        {"T": 1},
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
