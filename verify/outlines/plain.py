"""The setting of a statement about numbers: each parameter is called as it is."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

from verify.claim.statement import Statement
from verify.outlines.exact import fractions
from verify.outlines.setting import Guaranteed, Quantity, Setting, Term
from verify.proof.bridge import ExactRun

__all__ = ["plain_setting"]


def plain_setting(statement: Statement) -> Setting:
    """Notation of single numbers, whose domains are what is known of them."""
    family = statement.family
    sizes = {n for shape in family.shapes for n, v in shape.items() if type(v) is int}
    quantities, facts = [], {}
    for name, real in family.box.items():
        if real.per or not name.isidentifier() or name in statement.defines:
            continue
        quantities.append(Quantity(name, real.sign or "real", "a parameter"))
        for end, rule in zip(real.limits, (_above, _below), strict=True):
            if abs(end) != inf and end != 0:
                said = rule(name, Fraction(end).limit_denominator(10**6))
                facts[f"{said['less']} <= {said['more']}"] = Guaranteed("condition", said)
    for name in sorted(sizes - {*family.box}):
        least = min(shape.get(name, 0) for shape in family.shapes)
        kind = "positive integer" if least > 0 else "nonnegative integer"
        quantities.append(Quantity(name, kind, "a size"))
    names = [q.name for q in quantities]

    def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
        values = {n: fractions(world.original(n))[0] for n in names}
        return ExactRun([Fraction(1)], numbers={n: _always(v) for n, v in values.items()}), {}

    return Setting(
        "numbers",
        (family, *(other for other in statement.also if other.box == family.box)),
        tuple(quantities),
        tuple(Term(n, _asked(n)) for n in names),
        facts,
        measured,
    )


def _above(name: str, end: Fraction) -> dict[str, str]:
    return {"less": str(end), "more": name}


def _below(name: str, end: Fraction) -> dict[str, str]:
    return {"less": name, "more": str(end)}


def _asked(name: str) -> Any:
    return lambda w: w.symbol(name)


def _always(value: Fraction) -> Any:
    return lambda: value
