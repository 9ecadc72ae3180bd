"""Forms of a claim about runs that are easier to prove than the one in which it is read.

A symbol stands in place of a range, the largest less the smallest value; or the claim is about a
client in one case of a round, what its method's rule (`verify.reading.runs.rules`) says put in
place of what the round has made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy

from bounds.numbers.formal_terms import extreme_type
from verify.reading.clients.reading import Reading
from verify.reading.parts.refusals import NotReadable
from verify.reading.runs.extremes import formal_extreme
from verify.reading.runs.parts import families
from verify.reading.runs.reading import RunReading
from verify.reading.runs.rules import Case

Expr = Any  # sympy carries no types

__all__ = ["with_case", "with_ranges"]


def with_case(found: RunReading, case: Case) -> Reading:
    """The claim about a client in one of the cases of a round.

    What is the largest or smallest of all clients is a number of its own, of which this client's
    value is known; of those that wait it is not, where it is about what a round has made.

    Parameters
    ----------
    found : RunReading
        Of a run of one round.
    case : Case
        One of those that were found with it, or one of which nothing is known.

    Raises
    ------
    NotReadable
        Where the claim is not about each client by itself.
    """
    reading = with_ranges(found.reading)
    reading, known = _apart(reading, case)
    if set(reading.left) | set(reading.right) > {("k",), ()} or any(
        i
        for e in reading.expressions()
        for part in e.atoms(sympy.Sum)
        for i in families([part]) & case.names
    ):
        raise NotReadable("clients in different cases enter one claim")

    reading = _put(reading, case.values)
    margins = dict(reading.margins)
    margins |= {n: _formulas({("k",): e}, case.values) for n, e in known.items()}
    margins |= {f"{case.name}: {n}": {("k",): e} for n, e in case.margins.items()}
    strict = frozenset(f"{case.name}: {n}" for n in case.strict)
    return replace(reading, margins=margins, strict=strict)


def with_ranges(reading: Reading) -> Reading:
    """The reading with a symbol for the largest less the smallest of the same values."""
    extremes = {x for e in reading.expressions() for x in e.atoms(extreme_type())}
    for most in sorted((x for x in extremes if str(x.args[0]) == "max"), key=str):
        least = formal_extreme("min", most.args[1], most.args[3])
        wide = {most - least: sympy.Symbol("range", nonnegative=True)}
        changed = _put(reading, wide)
        if least in extremes and not any(
            e.has(most) or e.has(least) for e in changed.expressions()
        ):
            return changed
    return reading


def _apart(reading: Reading, case: Case) -> tuple[Reading, dict[str, Expr]]:
    """Symbols for formal extremes, and what the generic client's values say of them."""
    table: dict[Expr, Expr] = {}
    known: dict[str, Expr] = {}
    extremes = {x for e in reading.expressions() for x in e.atoms(extreme_type())}
    for number, x in enumerate(sorted(extremes, key=str)):
        facts = {"nonnegative": True} if x.is_nonnegative else {"real": True}
        table[x] = sympy.Symbol(f"{x.args[0]}imum{number}", **facts)
        sign = 1 if str(x.args[0]) == "max" else -1
        for body in x.args[3]:
            if not (case.waits and families([body]) & case.names):
                known[f"{table[x]} against {body}"] = sign * (table[x] - body)

    return _put(reading, table), known


def _put(reading: Reading, table: Mapping[Expr, Expr]) -> Reading:
    """The reading with expressions in place of others."""
    return replace(
        reading,
        left=_formulas(reading.left, table),
        right=_formulas(reading.right, table),
        margins={n: _formulas(m, table) for n, m in reading.margins.items()},
    )


def _formulas(formulas: Mapping[Any, Expr], table: Mapping[Expr, Expr]) -> dict[Any, Expr]:
    return {place: e.xreplace(dict(table)) for place, e in formulas.items()}
