"""Claims about runs on smooth losses, read as claims about any numbers.

The program of the claim runs in a world whose losses are known by slopes and values at the points
that it looks at, and whose models after each round are symbols (`verify.ladder.run_world`).  The
smoothness of the losses becomes a hypothesis; a hyper-parameter is a symbol with the sign that the
family's own program gives it.  `verify.ladder.run_values` compares all of it with exact runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis, generic_entry, listed
from bounds.numbers.formal_terms import extreme_type, put
from bounds.numbers.symbolic import Symbolic, client_symbol, expression
from synthetic.registry import make
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.ladder.client_reading import FIXED, LISTED, Reading, by_place
from verify.ladder.run_names import PAIR, STIFF, own_name
from verify.ladder.run_parts import families
from verify.ladder.run_rules import METHODS, Case
from verify.ladder.run_world import AnyLosses, RunWorld
from verify.world.score import score_world

Expr = Any  # sympy carries no types

__all__ = ["RunReading", "read_run", "with_case", "with_ranges"]


@dataclass(frozen=True)
class RunReading:
    """A claim about a run with symbols for what the losses and the method do.

    Attributes
    ----------
    reading : Reading
        With the conditions of smoothness among its margins.
    met : tuple of expressions
        Points at which losses were looked at.
    conditions : tuple of str
        Names of the margins that are facts about smooth losses.
    parts : dict
        Names of the margins that a hypothesis of the statement was split into.
    counts : tuple of str
        Numbers of the shapes that are the number of clients where all take part.
    cases : tuple of Case
        What the rule of the method says of a round, where one round is run.
    """

    reading: Reading
    met: tuple[Expr, ...]
    conditions: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    counts: tuple[str, ...]
    cases: tuple[Case, ...]


def read_run(statement: Statement) -> RunReading:
    """Read a claim with any number of clients, all of whom take part.

    Parameters
    ----------
    statement : Statement
        About runs of a method of `verify.ladder.run_rules`, on the line.

    Raises
    ------
    TypeError, ValueError, LookupError, NotAvailable, AttributeError, ArithmeticError
        Where the program has no such form.
    """
    shape = statement.family.shapes[0]
    if any(s.get("d") != 1 or "N" not in s for s in statement.family.shapes):
        raise TypeError("more than one coordinate")
    axis = Axis.of(LISTED, 0)
    counts = {n: axis.size for n, v in shape.items()
              if n == "N" or (n not in FIXED and v == shape["N"] and type(v) is int)}
    with listed(axis):
        built = _built(statement.family, {**shape, **counts}, axis)
        method = METHODS[str(built.method)]
        losses = AnyLosses(axis)
        own = {n: _renamed(n, v, axis) for n, v in built.params.items()}
        params = {n: v + own["start"][:, None] if n in method.models else v
                  for n, v in own.items()}
        begin = {trace: params[name][:, None] for trace, name in method.begin.items()}
        world = RunWorld(replace(built, params=params), losses, begin, method.traces,
                         statement.defines)
        result = score_world(statement, world)
        if not world.ran:
            raise TypeError("no run is made: what is read of the losses would be all of it")
        left, right, *rest = (_placed(_folded(side, axis), axis) for side in (
            result.left, result.right, *result.margins.values()))
    if statement.relation == ">=":
        left, right = right, left
    split = {n: _split(n, m) for n, m in zip(result.margins, rest, strict=True)}
    whole = {n: m for parts in split.values() for n, m in parts.items()}
    said = [*left.values(), *right.values(), *(e for m in whole.values() for e in m.values())]
    known = {**_conditions(losses, said), **_ranges([*left.values(), *right.values()])}
    reading = Reading(axis, left, right, {**whole, **known},
                      "==" if statement.relation == "==" else "<=", {}, "N")
    _no_single(reading)
    given = {n: _of_client(v, axis) for n, v in own.items() if isinstance(v, np.ndarray)}
    rounds = {s.get("rounds") for s in statement.family.shapes}
    cases = tuple(method.cases(given)) if rounds == {1} else ()
    return RunReading(reading, tuple(losses.met), tuple(known),
                      {n: tuple(parts) for n, parts in split.items()}, tuple(counts), cases)


def with_case(found: RunReading, case: Case) -> Reading:
    """The claim about a client in one of the cases of a round.

    What is the largest or smallest of all clients is a number of its own, of which this client's
    value is known; of those that wait it is not, where it is about what a round has made.

    Raises
    ------
    TypeError
        Where the claim is not about each client by itself.
    """
    reading = with_ranges(found.reading)
    reading, known = _apart(reading, case)
    if set(reading.left) | set(reading.right) > {("k",), ()} or any(
        i for e in reading.expressions() for part in e.atoms(sympy.Sum)
        for i in families([part]) & case.names
    ):
        raise TypeError("clients in different cases enter one claim")

    def parts(formulas: Mapping[Any, Expr]) -> dict[Any, Expr]:
        return {place: e.xreplace(dict(case.values)) for place, e in formulas.items()}

    margins = {n: parts(m) for n, m in reading.margins.items()}
    margins |= {n: parts({("k",): e}) for n, e in known.items()}
    margins |= {f"{case.name}: {n}": {("k",): e} for n, e in case.margins.items()}
    strict = frozenset(f"{case.name}: {n}" for n in case.strict)
    return replace(reading, left=parts(reading.left), right=parts(reading.right), margins=margins,
                   strict=strict)


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

    def parts(formulas: Mapping[Any, Expr]) -> dict[Any, Expr]:
        return {place: e.xreplace(table) for place, e in formulas.items()}

    return replace(reading, left=parts(reading.left), right=parts(reading.right),
                   margins={n: parts(m) for n, m in reading.margins.items()}), known


# -- symbols ---------------------------------------------------------------------------------------


def _built(family: Family, shape: Shape, axis: Axis) -> Instance:
    """The family's instance with symbols for its parameters."""
    values = {}
    for name, p in family.box.items():
        facts = {"real": True} if p.sign == "real" else {p.sign: True}
        out = np.empty((1, *p.lengths(shape)), dtype=object)
        for place in np.ndindex(*out.shape):
            marks = [axis.marks[i] for i, a in zip(place[1:], p.per, strict=True) if a == "N"]
            out[place] = Symbolic(sympy.IndexedBase(name, **facts)[tuple(marks)] if marks
                                  else sympy.Symbol(name, **facts))
        values[name] = out
    built = family.instance(values, shape)
    stiff = make(built.family, {n: v[:, None] for n, v in built.data.items()}).client_smoothness
    if not all(expression(v).is_positive for v in np.ravel(stiff)):
        raise TypeError("losses that are not known to be smooth with a positive constant")
    return built


def _renamed(name: str, value: Any, axis: Axis) -> Any:
    """A hyper-parameter as symbols with the signs of its formulas; other constants as they are."""
    if not isinstance(value, np.ndarray):
        return value
    formulas = [sympy.expand(expression(v)) for v in value.flat]
    signs = [s for s in ("positive", "nonnegative")
             if all(getattr(e, f"is_{s}") for e in formulas)]
    facts = {signs[0]: True} if signs else {"real": True}
    out = np.empty(value.shape, dtype=object)
    for place in np.ndindex(*value.shape):
        marks = [axis.marks[i] for i, n in zip(place, value.shape, strict=True) if n == axis.size]
        if len(marks) > 1:
            raise TypeError("a hyper-parameter of pairs of clients")
        out[place] = Symbolic(sympy.IndexedBase(own_name(name), **facts)[marks[0]] if marks
                              else sympy.Symbol(own_name(name), **facts))
    return out


def _of_client(value: np.ndarray[Any, Any], axis: Axis) -> Expr:
    """A hyper-parameter of the generic client."""
    entries = value.reshape(-1)
    if len(entries) == axis.size:
        return generic_entry(list(entries), axis)
    return expression(entries[0])


def _conditions(losses: AnyLosses, said: Sequence[Expr]) -> dict[str, dict[Any, Expr]]:
    """What smoothness says of the numbers that a claim names, with the largest constant where it
    names no other."""
    k, _ = client_symbol()
    own, most = losses.stiffness(k), _formal("max", k, [losses.stiffness(k)])
    alone = any(e.has(most) for e in said) and not any(
        e.xreplace({most: sympy.Integer(1)}).has(own) for e in said)
    absolute, named = any(e.has(sympy.Abs) for e in said), families(said)
    return {n: {("k",): e} for n, e in losses.conditions(most if alone else own).items()
            if (absolute or not e.has(sympy.Abs)) and families([e]) - {STIFF} <= named}


def _ranges(sides: Sequence[Expr]) -> dict[str, dict[Any, Expr]]:
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
        least = _formal("min", most.args[1], values)
        for one, other in combinations(values, 2) if least in extremes else ():
            gap = sympy.expand(one - other)
            if families([gap]) <= named:
                found[f"the range is at least {gap}"] = {("k",): (most - least) ** 2 - gap**2}
    return found


def with_ranges(reading: Reading) -> Reading:
    """The reading with a symbol for the largest less the smallest of the same values."""
    extremes = {x for e in reading.expressions() for x in e.atoms(extreme_type())}
    for most in sorted((x for x in extremes if str(x.args[0]) == "max"), key=str):
        least = _formal("min", most.args[1], most.args[3])
        wide = {most - least: sympy.Symbol("range", nonnegative=True)}

        def parts(found: Mapping[Any, Expr], wide: Mapping[Expr, Expr] = wide) -> dict[Any, Expr]:
            return {place: e.xreplace(dict(wide)) for place, e in found.items()}

        changed = replace(reading, left=parts(reading.left), right=parts(reading.right),
                          margins={n: parts(m) for n, m in reading.margins.items()})
        if least in extremes and not any(e.has(most) or e.has(least)
                                         for e in changed.expressions()):
            return changed
    return reading


# -- formulas --------------------------------------------------------------------------------------


def _placed(side: np.ndarray[Any, Any], axis: Axis) -> dict[tuple[Any, ...], Expr]:
    """The formulas of a side: one, that of each client, or that of each ordered pair of them."""
    entries = [expression(e) for e in side.reshape(-1)]
    if len(entries) != axis.size * (axis.size - 1):
        return by_place(side, axis)
    first, second = axis.marks[:2]
    one, other = (sympy.Symbol(f"pair{i}_", integer=True) for i in range(2))
    formula = put(put(entries[0], first, one), second, other)
    for e, (i, j) in zip(entries, permutations(axis.marks, 2), strict=True):
        if sympy.expand(put(put(formula, one, i), other, j) - e) != 0:
            raise TypeError("pairs of clients differ in more than who they are")
    return {PAIR: entries[0]}


def _folded(side: np.ndarray[Any, Any], axis: Axis) -> np.ndarray[Any, Any]:
    """A side in which extremes of what all clients have are formal ones, in a plain form."""
    extreme = extreme_type()
    out = np.empty(side.shape, dtype=object)
    for place in np.ndindex(*side.shape):
        e = expression(side[place])
        e = e.replace(lambda p: isinstance(p, sympy.Max | sympy.Min), lambda p: _extreme(p, axis))
        e = e.replace(lambda p: isinstance(p, extreme), _plain)
        out[place] = Symbolic(e.replace(
            lambda p: p.is_Pow and p.exp == sympy.Rational(1, 2) and isinstance(p.base, extreme),
            _root))
    return out


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
    return _formal("max" if isinstance(e, sympy.Max) else "min", k, list(bodies))


def _formal(word: str, index: Expr, bodies: Sequence[Expr]) -> Expr:
    return extreme_type()(sympy.Symbol(word), index, sympy.Tuple(), sympy.Tuple(*bodies))


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
    return shift + _formal(str(word), index, list(dict.fromkeys(map(_tidy, rest))))


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
    return _formal("max", index, [v for r in roots for v in (r, -r)])


def _split(name: str, formulas: Mapping[Any, Expr]) -> dict[str, dict[Any, Expr]]:
    """A hypothesis in parts: a smallest value is not negative where each one is not."""
    k, _ = client_symbol()
    found: dict[str, dict[Any, Expr]] = {name: dict(formulas)}
    while True:
        wholes = ((n, m[()], _least(m[()])) for n, m in found.items() if set(m) == {()})
        changed = next((c for c in wholes if c[2] is not None), None)
        if changed is None:
            return found
        old, formula, least = changed
        del found[old]
        values = [(a, False) for a in least.args] if isinstance(least, sympy.Max | sympy.Min) else [
            (put(body, least.args[1], k), k in put(body, least.args[1], k).free_symbols)
            for body in least.args[3]]
        for number, (value, each) in enumerate(values):
            place: tuple[Any, ...] = ("k",) if each else ()
            part = formula.xreplace({least: value})
            found[f"{old}, part {number}" if len(values) > 1 else f"{old}, each"] = {place: part}


def _least(e: Expr) -> Expr:
    """A smallest value that enters with a plus, or a largest one with a minus; None without."""
    for term in sympy.Add.make_args(e):
        factor, rest = term.as_coeff_Mul()
        if isinstance(rest, sympy.Max | sympy.Min):
            word = "max" if isinstance(rest, sympy.Max) else "min"
        elif isinstance(rest, extreme_type()) and not any(rest.args[2]):
            word = str(rest.args[0])
        else:
            continue
        if word == ("min" if factor > 0 else "max"):
            return rest
    return None


def _no_single(reading: Reading) -> None:
    """No client may have been picked out."""
    k, _ = client_symbol()
    for part in (reading.left, reading.right, *reading.margins.values()):
        for place, e in part.items():
            named = e.free_symbols & set(reading.axis.marks)
            if named - (set(reading.axis.marks[:2]) if place == PAIR else set()) or (
                k in e.free_symbols and place != ("k",)
            ):
                raise TypeError("a single client has been picked out of a symbolic array")
