"""Facts by hypotheses, and times factors of known sign."""

from __future__ import annotations

from tests.trusted.checker.build import (
    by_rule,
    lemma_by,
    proof,
)
from tests.trusted.checker.rows.base import KINDS, Row

__all__ = ["HYPOTHESES", "TIMES"]

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
        "not only <= 0",
        by_rule("-p*x", "hypothesis", 0, KINDS, ["x > 0"], times=[["p", 1]], strict=True),
        {"p": 0, "x": 1},
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
