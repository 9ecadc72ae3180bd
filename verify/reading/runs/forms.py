"""Forms of a claim about runs that are easier to prove than the one in which it is read.

A symbol stands in place of a range, the largest less the smallest value; or the claim is about a
client in one case of a round, what its method's rule (`verify.reading.runs.rules`) says put in
place of what the round has made.  What a program takes of the clients that are written out is the
extreme of one formula over any number of them; what all its values have in common stands before it,
and absolute values and roots of squares are values and their opposites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis
from bounds.numbers.formal_terms import extreme_type, put
from bounds.numbers.symbolic import Symbolic, client_symbol
from verify.reading.clients.reading import Reading
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import formula
from verify.reading.runs.parts import families

if TYPE_CHECKING:
    from verify.reading.runs.reading import RunReading
    from verify.reading.runs.rules import Case

Expr = Any  # sympy carries no types

RANGE = sympy.Symbol("range", nonnegative=True)
"""The largest less the smallest of the same values."""

__all__ = ["RANGE", "folded", "formal_extreme", "ranges", "with_case", "with_ranges"]


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
        wide = {most - least: RANGE}
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


# -- largest and smallest values of all clients ---------------------------------------------------


def folded(side: np.ndarray[Any, Any], axis: Axis) -> np.ndarray[Any, Any]:
    """A side in which extremes of what all clients have are formal ones, in a plain form.

    Parameters
    ----------
    side : array of Symbolic
        Of any shape; so is what is returned.
    axis : Axis
        The clients that are written out.
    """
    extreme = extreme_type()
    out = np.empty(side.shape, dtype=object)
    for place in np.ndindex(*side.shape):
        e = formula(side[place])
        e = e.replace(lambda p: isinstance(p, sympy.Max | sympy.Min), lambda p: _extreme(p, axis))
        e = e.replace(lambda p: isinstance(p, extreme), _plain)
        out[place] = Symbolic(
            e.replace(
                lambda p: (
                    p.is_Pow and p.exp == sympy.Rational(1, 2) and isinstance(p.base, extreme)
                ),
                _root,
            )
        )
    return out


def ranges(sides: Sequence[Expr]) -> dict[str, dict[Any, Expr]]:
    """What extremes are beside being at least (at most) each value.

    The largest less the smallest of some values is at least each difference of two; the largest of
    a value and its opposite has a square that is at least the value's.
    """
    found: dict[str, dict[Any, Expr]] = {}
    extremes = sorted({x for e in sides for x in e.atoms(extreme_type())}, key=str)
    named = families([e.xreplace(dict.fromkeys(extremes, sympy.Integer(0))) for e in sides])
    for most in (x for x in extremes if str(x.args[0]) == "max"):
        values = list(most.args[3])
        for i, v in enumerate(values):
            if -v in values[i + 1 :]:
                found[f"{most} is at least |{v}|"] = {("k",): most**2 - v**2}
        least = formal_extreme("min", most.args[1], values)
        for one, other in combinations(values, 2) if least in extremes else ():
            gap = sympy.expand(one - other)
            if families([gap]) <= named:
                found[f"the range is at least {gap}"] = {("k",): (most - least) ** 2 - gap**2}
    return found


def formal_extreme(word: str, index: Expr, bodies: Sequence[Expr]) -> Expr:
    """The largest ("max") or smallest ("min") of what formulas in an index are for all clients."""
    return extreme_type()(sympy.Symbol(word), index, sympy.Tuple(), sympy.Tuple(*bodies))


def _extreme(e: Expr, axis: Axis) -> Expr:
    """A largest or smallest of single values, where each client has the same ones."""
    k, _ = client_symbol()
    bodies: dict[Expr, set[Expr]] = {}
    for value in e.args:
        marks = value.free_symbols & set(axis.marks)
        if len(marks) > 1:
            return e
        body = put(value, next(iter(marks)), k) if marks else value
        bodies.setdefault(body, set()).update(marks)
    if not any(bodies.values()):
        return e
    if any(marks and marks != set(axis.marks) for marks in bodies.values()):
        return e
    return formal_extreme("max" if isinstance(e, sympy.Max) else "min", k, list(bodies))


def _plain(e: Expr) -> Expr:
    """A formal extreme without what all values have in common, and without absolute values."""
    word, index, leads, bodies = e.args
    if any(leads):
        return e
    values: list[Expr] = []
    for body in bodies:
        inner = body.args[0] if isinstance(body, sympy.Abs) and str(word) == "max" else None
        values += [body] if inner is None else [inner, -inner]
    terms = [sympy.Add.make_args(sympy.expand(v)) for v in values]
    common = [t for t in terms[0] if index not in t.free_symbols and all(t in o for o in terms)]
    if len(values) == 1:
        common = []
    shift = sympy.Add(*common)
    rest = [v - shift if common else v for v in values]
    return shift + formal_extreme(str(word), index, list(dict.fromkeys(map(_tidy, rest))))


def _tidy(e: Expr) -> Expr:
    """A value as it stands, unless terms cancel."""
    whole = sympy.expand(e)
    return whole if whole.is_Atom or len(whole.args) < len(e.args) or whole == 0 else e


def _root(e: Expr) -> Expr:
    """The root of a largest square is the largest value or the largest opposite one."""
    word, index, leads, bodies = e.base.args
    roots = [b.base for b in bodies if b.is_Pow and b.exp == 2 and b.base.is_extended_real]
    if str(word) != "max" or any(leads) or len(roots) < len(bodies):
        return e
    return formal_extreme("max", index, [v for r in roots for v in (r, -r)])
