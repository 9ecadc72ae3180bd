"""The setting of a statement about numbers and vectors: each parameter is called as it is.

A parameter that runs over ``d`` is a vector; one that runs over another size is indexed by the
letter of that size in lower case: ``steps[t]`` with ``t`` from 0 to ``T - 1``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.outlines.exact import in_fractions
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun

VECTOR = "d"
"""The size that is the number of coordinates."""

__all__ = ["plain_setting"]


def plain_setting(statement: Statement) -> OutlineSetting:
    """Notation of parameters, whose domains are what is known of them."""
    family = statement.family
    sizes = {n for shape in family.shapes for n, v in shape.items() if type(v) is int}
    box = {n: real for n, real in family.box.items() if n not in statement.defines}
    axes = {a for real in box.values() for a in real.per if a != VECTOR}
    letters = {axis: _letter(axis, {*box, *sizes}) for axis in sorted(axes)}
    quantities = [Quantity(letter, "index", f"from 0 to {a} - 1") for a, letter in letters.items()]
    terms: list[Term] = []
    facts: dict[str, Guaranteed] = {}
    for name, real in box.items():
        indices = [letters[axis] for axis in real.per if axis != VECTOR]
        entry = name + (f"[{', '.join(indices)}]" if indices else "")
        per = (*indices, *((VECTOR,) if VECTOR in real.per else ()))
        if real.per.count(VECTOR) > 1 or (VECTOR in real.per and real.per[-1] != VECTOR):
            continue  # a matrix
        kind = "vector" if VECTOR in real.per else real.sign
        quantities.append(Quantity(entry, kind, "a parameter", known="0" if per else None))
        terms.append(Term(entry, _asked(name), per))
        facts |= {} if kind == "vector" else _domain(entry, real)
    for name in sorted(sizes - {*box, VECTOR}):
        least = min(shape.get(name, 0) for shape in family.shapes)
        kind = "positive integer" if least > 0 else "nonnegative integer"
        quantities.append(Quantity(name, kind, "a size"))
        terms.append(Term(name, _asked(name)))

    def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
        values = {n: in_fractions(world.original(n)) for n in (*box, *sizes)}
        numbers = {n: _entry(v) for n, v in values.items() if not _is_vector(box.get(n))}
        vectors = {n: _point(v) for n, v in values.items() if _is_vector(box.get(n))}
        run = ExactRun([Fraction(1)], numbers=numbers, vectors=vectors)
        ranges = {letter: int(world.original(axis)) for axis, letter in letters.items()}
        return run, ranges

    return OutlineSetting(
        "all numbers and vectors",
        (family, *(other for other in statement.also if other.box == family.box)),
        tuple(quantities),
        tuple(terms),
        facts,
        measured,
        {letter: axis for axis, letter in letters.items()},
    )


def _letter(axis: str, taken: set[str]) -> str:
    """The index that runs over an axis."""
    return axis.lower() if axis.lower() not in taken else f"{axis.lower()}_"


def _domain(entry: str, real: Real) -> dict[str, Guaranteed]:
    """What the domain of a parameter says beyond its sign."""
    found = {}
    for place, end in enumerate(real.limits):
        if abs(end) != inf and end != 0:
            text = str(Fraction(end).limit_denominator(10**6))
            sides = (text, entry) if place == 0 else (entry, text)
            said = dict(zip(("less", "more"), sides, strict=True))
            found[" <= ".join(sides)] = Guaranteed("condition", said)
    return found


def _is_vector(real: Real | None) -> bool:
    return real is not None and VECTOR in real.per


def _asked(name: str) -> Any:
    return lambda w: w.symbol(name)


def _entry(values: Any) -> Any:
    """A number, or one of each index; the leading axes are of one entry."""
    inner = values.reshape(values.shape[2:]) if values.ndim > 1 else values.reshape(())
    return lambda *at: inner[at] if all(i < n for i, n in zip(at, inner.shape, strict=True)) else 0


def _point(values: Any) -> Any:
    inner = values.reshape(values.shape[2:])

    def point(*about: Any) -> tuple[Fraction, ...]:
        at = about[3:]  # after world, outcome and client
        inside = all(i < n for i, n in zip(at, inner.shape, strict=False))
        return tuple(inner[at]) if inside else (Fraction(0),) * inner.shape[-1]

    return point
