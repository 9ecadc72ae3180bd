"""The published rates as certificates: the largest left side where the right side is at most 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from tests.verify.certify.published_rates import HARD, RATES
from verify.certify.gram.claim import Form, GramCertificate, Premise, constant
from verify.certify.gram.floats import Programme
from verify.certify.gram.roots import form_of
from verify.certify.gram.solve import certificate
from verify.reading.classes.claims import (
    FOLLOWS,
    UPPER,
    class_claims,
    scalars_of,
    vectors_of_class,
)

NUMBERS = {"share": Fraction(3, 2), "kappa": Fraction(1, 4)}
"""Step size and strong convexity at L = 1."""
READABLE = (
    "gradient-1",
    "gradient-3",
    "gradient-any-step",
    "gradient-slope-distance",
    "gradient-slope-value",
    "strong-distance",
    "strong-slope",
    "strong-value",
    "nesterov-3",
    "proximal-value",
    "proximal-distance",
    "momentum-convex",
    "momentum-strong",
)
"""Rates without roots and minima in their formulas."""


def programme_of(name: str) -> Programme:
    """The worst case of a rate over its class, by our own reading of the claim."""
    ((_, claim, _),), _ = class_claims({**RATES, **HARD}[name].claim(name))
    left, right, _, hypotheses = claim
    values, parameters = scalars_of(claim)
    numbers = {UPPER: Fraction(1), **{p: NUMBERS[str(p)] for p in parameters}}
    if name == "proximal-value":
        numbers = {key: Fraction(400) if str(key) == "share" else q for key, q in numbers.items()}
    known = {str(s): s for h in hypotheses for s in h.expr.free_symbols}
    vectors = [known[v] for v in vectors_of_class(claim)]
    # the minimiser is the origin: only differences of points occur
    origin = {sympy.Symbol("opt", real=True): sympy.Integer(0)}
    vectors = [v for v in vectors if v not in origin]

    def form(expression: Any) -> Form:
        return form_of(expression.xreplace(origin), vectors, values, numbers)

    about = [
        h
        for h in hypotheses
        if h.expr.free_symbols & {*vectors, *values}
        and FOLLOWS not in h.name
        and h.name != "off optimum"
    ]
    premises = [Premise(h.name, form(h.expr)) for h in about]
    premises.append(Premise("right side at most 1", constant(1) - form(right)))
    return Programme(form(left), tuple(premises), {})


def certified(name: str) -> GramCertificate:
    """A certified upper bound of left where right is at most 1."""
    return certificate(programme_of(name), name)
