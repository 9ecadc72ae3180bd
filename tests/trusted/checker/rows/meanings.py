"""What names, roots, powers and functions stand for."""

from __future__ import annotations

from typing import Any

from tests.trusted.checker.build import (
    by_rule,
    lemma_by,
)
from tests.trusted.checker.rows.base import BELOW, KINDS, LESS, Row

__all__ = ["MEANINGS"]


def named(polynomial: str, side: str, meaning: str, at: Any = None, **more: Any) -> Row:
    """What a name stands for."""
    rule = more.pop("rule", "definition")
    known = more.pop("known", ())
    made = by_rule(polynomial, rule, "w1", KINDS, known, atoms=[["w1", meaning]], side=side, **more)
    return Row(rule, f"{polynomial} where w1 is {meaning}", made, at)


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
    named("w1", "s**(1/x)", "s**(1/x)", strict=True, rule="power"),
    named("w1 - x", "Max(x, y) - x", "Max(x, y)", {"x": 1, "y": 0}, strict=True),
    named(
        "-(w1 - x)*(w1 - y)",
        "-(Max(x, y) - x)*(Max(x, y) - y)",
        "Max(x, y)",
        {"x": 1, "y": 0},
        strict=True,
    ),
    named(
        "w1 - 1 - (R + u)*(s - 1)",
        "s**(R + u) - 1 - (R + u)*(s - 1)",
        "s**(R + u)",
        {"s": 4, "R": 0, "u": "1/2"},
        rule="power",
    ),
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
        "v*w1 - v - T*(s - 1)",
        "v*s**(T/v) - v - T*(s - 1)",
        "s**(T/v)",
        {"s": 4, "T": 1, "v": 2},
        rule="power",
        times=[["v", 1]],
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
