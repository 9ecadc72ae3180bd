"""What a proof speaks of is defined where its claim is."""

from __future__ import annotations

from typing import Any

from tests.trusted.checker.build import (
    Document,
    by_rule,
    claim,
    document,
    fact,
    proof,
)
from tests.trusted.checker.rows.base import KINDS, Row, U

__all__ = ["DEFINED", "same"]


def same(left: str, right: str, *known: str, kinds: str = KINDS, **more: Any) -> Document:
    """The claim that two sides are one."""
    return document(proof(f"{left} == {right}"), kinds, known, **more)


DEFINED = [
    Row(
        "defined",
        "a sum that the claim divides by, taken apart",
        document(
            proof(
                "0 <= x**2/(Sum(s*u[k], (k, 1, N)) - 1)**2",
                [
                    fact(
                        "-x**2*(s*S1 - 1)**2",
                        "claim is false",
                        strict=True,
                        times=[["s*S1 - 1", 4]],
                    ),
                    fact("x**2*(s*S1 - 1)**2", "squares", [["1", "x*(s*S1 - 1)"]]),
                ],
                [["1", [0]], ["1", [1]]],
            ),
            "x s u real",
            atoms=[["S1", U]],
            sums=[{"over": "(k, 1, N)", "parts": [["s", "u[k]"]]}],
        ),
    ),
    Row(
        "defined",
        "a sum that the claim divides by, taken apart without a name",
        document(
            proof(
                "0 <= x**2/(Sum(s*u[k], (k, 1, N)) - 1)**2",
                [
                    fact(
                        f"-x**2*(s*{U} - 1)**2",
                        "claim is false",
                        strict=True,
                        times=[[f"s*{U} - 1", 4]],
                    ),
                    fact(f"x**2*(s*{U} - 1)**2", "squares", [["1", f"x*(s*{U} - 1)"]]),
                ],
                [["1", [0]], ["1", [1]]],
            ),
            "x s u real",
            sums=[{"over": "(k, 1, N)", "parts": [["s", "u[k]"]]}],
        ),
    ),
    Row(
        "defined",
        "what a sum is taken apart into is no part of the claim",
        document(
            proof(
                f"0 < y**2 + {U}",
                [
                    fact(f"-y**2 - {U}", "claim is false"),
                    fact("y**2", "hypothesis", 0, strict=True, times=[["y", 2]]),
                    fact(U, "declared"),
                ],
                [["1", [0]], ["1", [1]], ["1", [2]]],
            ),
            "y real; u nonnegative",
            ["1 > 0"],
            sums=[{"over": "(k, 1, N)", "parts": [["y/y", "u[k]"]]}],
        ),
        {"y": 0, "u": [0]},
    ),
    *(
        Row(
            "defined",
            f"a divisor that only the proof has, {divisor}",
            document(proof(f"0 == 1/({divisor}) - 1/({divisor})"), KINDS)
            | {"claim": claim("0 == 0")},
        )
        for divisor in ("x + y", "x + y/s", "x/s + y/t")
    ),
    Row(
        "defined",
        "a power by what names another index",
        same("0", "0*Sum(x[k]**y[j], (j, 1, N))"),
    ),
    Row(
        "defined",
        "a divisor that names all there is",
        same("1/(x[k] - N)", "1/(x[k] - N)", kinds="x real"),
    ),
    Row(
        "defined",
        "a square of a quotient that the claim has",
        by_rule("x**2*y**2", "squares", [["1", "x*y"]], KINDS),
    ),
    Row("defined", "x/x is one only where x is not zero", same("1", "x/x")),
    Row("defined", "nothing is divided by zero", same("x/(y - y)", "x/(y - y)")),
    Row(
        "defined",
        "a divisor of the claim",
        document(proof("0 == (x - y)**2/(x - y)**2 - 1"), KINDS),
    ),
    Row(
        "defined",
        "a divisor that only the proof has",
        document({**proof("x - x == y/y - 1")}, KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a positive divisor that only the proof has",
        document(proof("0 == s/s - 1"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a negative divisor that only the proof has",
        document(proof("0 == m/m - 1"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a factor of a divisor",
        document(proof("0 == x/x - 1"), KINDS) | {"claim": claim("0 == 1/(x*y) - 1/(x*y)")},
    ),
    Row(
        "defined",
        "a product of divisors",
        document(proof("0 == s/(x**2*y) - s/(x**2*y)"), KINDS)
        | {"claim": claim("1/x - 1/x == 1/y - 1/y")},
    ),
    Row(
        "defined",
        "a multiple of a divisor that may vanish",
        document(proof("0 == s/(x*y) - s/(x*y)"), KINDS) | {"claim": claim("1/x - 1/x == 0")},
    ),
    Row(
        "defined",
        "a divisor of a hypothesis",
        document(proof("0 == y/y - 1"), KINDS, ["1/y >= 0"]) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "the root of a square that only the proof has",
        document(proof("0 == sqrt(x) - sqrt(x)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "the root of what is >= 0",
        document(proof("0 == sqrt(u) - sqrt(u)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a power of zero below zero",
        document(proof("0 == u**x - u**x"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a power of what is positive",
        document(proof("0 == s**x - s**x"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a whole power",
        document(proof("0 == x**R - x**R"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a power that may be a root",
        document(proof("0 == x**u - x**u"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a whole power that may be below zero",
        document(proof("0 == x**n - x**n"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a logarithm",
        document(proof("0 == log(u) - log(u)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "a logarithm of what is positive",
        document(proof("0 == log(s) - log(s)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row(
        "defined",
        "an exponential",
        document(proof("0 == exp(x) - exp(x)"), KINDS) | {"claim": claim("0 == 0")},
    ),
    Row("powers", "whole ones multiply", same("x**2*x", "x**3")),
    Row("powers", "below zero", same("x**-2*x**3", "x", "1/x >= 0")),
    Row("powers", "roots multiply", same("sqrt(s)**2", "s**(1/2)*s**(1/2)")),
    Row("powers", "no root of a product", same("sqrt(x*y)", "sqrt(x)*sqrt(y)")),
    Row("powers", "0**0 is one", same("u**(T - 1)*u", "u**T")),
    Row("powers", "of what is positive", same("s**(x + 1)", "s**x*s")),
    Row("powers", "of what is positive, below zero", same("s**(x - 1)*s", "s**x")),
    Row("powers", "of what may be zero, upwards", same("u**(R + 2)", "u**R*u**2")),
    Row(
        "powers",
        "of what may be zero, with an exponent that may vanish",
        same("u**(x + 1)", "u**x*u"),
    ),
    Row("powers", "of what may be zero, one upwards", same("u**(R + 1)", "u**R*u")),
    Row("powers", "half a step is a step", same("s**(x + 1/2)", "s**x"), {"s": 4, "x": 0}),
    Row("powers", "by half a step", same("s**(x + 1/2)", "s**x*sqrt(s)")),
    Row("powers", "of a quotient", same("s**(1 + 1/x)", "s*s**(1/x)")),
    Row("powers", "roots of another base", same("s**(1/3)", "t**(1/3)"), {"s": 1, "t": 8}),
    Row("powers", "a root of two", same("sqrt(s, t)", "s**(1/2)")),
    Row("functions", "a size of two", same("Abs(s, t)", "s")),
    Row("functions", "an indicator of one", same("Indicator(s)", "1")),
    Row("functions", "an indicator beside a symbol", same("Indicator(s, x)", "1")),
    Row("functions", "of the name of a symbol", same("s(x)", "s(x)")),
    Row("functions", "of two arguments", same("f(x, y)", "f(x)")),
    Row("functions", "an exponential of two arguments", same("exp(x, y)", "exp(x, y)")),
    Row("functions", "a logarithm of two arguments", same("log(s, t)", "log(s, t)")),
    Row("functions", "of other arguments", same("f(x)", "f(y)")),
    Row("functions", "of equal arguments", same("f(x + x)", "f(2*x)")),
    Row("functions", "Max of one and two", same("Max(x)", "Max(x, x)")),
    Row("functions", "Abs is not f", same("Abs(x)", "f(x)")),
]
