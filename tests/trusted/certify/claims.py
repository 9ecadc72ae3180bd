"""Small claims with known truth; their certificates stand in certificates.json, read by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import sympy
from sympy import Rational

from verify.certify.algebra.formal_sums import CLIENT as k
from verify.certify.algebra.formal_sums import CLIENTS as N
from verify.certify.prover.prove import Certificate, Hypothesis
from verify.certify.prover.text import written

a, b, x, y = sympy.symbols("a b x y", real=True)
s, t = sympy.symbols("s t", positive=True)
T = sympy.Symbol("T", integer=True, positive=True)
u = sympy.IndexedBase("u", nonnegative=True)[k]
v = sympy.IndexedBase("v", positive=True)[k]
z = sympy.IndexedBase("z", real=True)[k]


def total(summand: Any) -> Any:
    return sympy.Sum(summand, (k, 1, N))


CLAIMS: dict[str, tuple[Any, Any, str, list[Hypothesis]]] = {
    "half": (x, 1, "<=", [Hypothesis("x <= 1/2", Rational(1, 2) - x)]),
    "constants": (Rational(1, 3), Rational(1, 2), "<", []),
    "Young": (2 * a * b, s * a**2 + b**2 / s, "<=", []),
    "below one": (1 / (1 + s), 1, "<", []),
    "below zero": (1 / (-1 - s), 0, "<", []),
    "cancelled": ((a**2 - b**2) / (2 * a - 2 * b), a / 2 + b / 2, "==", []),
    "pinned": (x, 1, "==", [Hypothesis("above", x - 1), Hypothesis("below", 1 - x)]),
    "empty": (1, 0, "<=", [Hypothesis("x > 1", x - 1, True), Hypothesis("x <= 1", 1 - x)]),
    "corner": (
        11 * x + 5 * y,
        Rational(104, 7),
        "<=",
        [Hypothesis("first", 4 - x - y), Hypothesis("second", Rational(10, 7) - 4 * x - y)],
    ),
    "bounded terms": (total(u), N, "<=", [Hypothesis("u_k <= 1", 1 - u)]),
    "Cauchy-Schwarz": (total(z) ** 2, N * total(z**2), "<=", []),
    "one of the terms": (v, total(v), "<=", []),
    "square root": (sympy.sqrt(s * t), (s + t) / 2, "<=", []),
    "positive part": (sympy.Max(0, x), sympy.Abs(x), "<=", []),
    "shrinking power": ((1 - s) ** T, 1, "<=", [Hypothesis("s <= 1", 1 - s)]),
    "exponential": (1 + x, sympy.exp(x), "<=", []),
}

STORED = Path(__file__).with_name("certificates.json")


def stored(name: str) -> Certificate:
    """The golden certificate of a claim, free of any search."""
    return Certificate.from_json(json.loads(STORED.read_text())[name])


def by_hand(premises: Any, products: Any, relation: str = "<=", **fields: Any) -> Certificate:
    """A certificate in x and y without its text."""
    return Certificate(
        **{
            "claim": "the claim",
            "relation": relation,
            "hypotheses": (),
            "variables": ("x", "y"),
            "variables_tex": ("x", "y"),
            "definitions": (),
            "premises": tuple(premises),
            "products": tuple(products),
            **fields,
        }
    )


def told(certificate: Certificate) -> Certificate:
    """With texts that say what the record says, as a careful forger would write them."""
    return written(replace(certificate, lemmas=tuple(told(c) for c in certificate.lemmas)))
