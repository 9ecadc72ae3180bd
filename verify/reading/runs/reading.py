"""Claims about runs on smooth losses, read as claims about any numbers.

The program of the claim runs in a world whose losses are known by slopes and values at the points
that it looks at, and whose models after each round are symbols (`verify.reading.runs.world`).  The
smoothness of the losses becomes a hypothesis; a hyper-parameter is a symbol with the sign that the
family's own program gives it.  `verify.reading.runs.agreement` compares all of it with exact runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random
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
from verify.reading.clients.reading import FIXED, LISTED, Reading, by_place
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import formula, symbol_values
from verify.reading.parts.values import rational_values
from verify.reading.runs.forms import folded, formal_extreme, ranges
from verify.reading.runs.parts import CROSSED, NUMBER, PAIR, SLOPE, STIFF, families, own_name
from verify.reading.runs.rules import METHODS, Case
from verify.reading.runs.world import AnyLosses, RunWorld
from verify.world.score import score_world
from verify.world.world import World

Expr = Any  # sympy carries no types

FINEST = 64
"""Largest denominator of the point at which a quantity is seen to be one number."""

__all__ = ["RunReading", "read_run"]


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
    given : dict
        Hyper-parameters of the generic client.
    weights : str
        That of them by which slopes of others are weighted.
    numbers : tuple of callables
        Quantities that are numbers of their own.
    """

    reading: Reading
    met: tuple[Expr, ...]
    conditions: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    counts: tuple[str, ...]
    cases: tuple[Case, ...]
    given: Mapping[str, Expr]
    weights: str
    numbers: tuple[Callable[[World], Any], ...]


def read_run(statement: Statement) -> RunReading:
    """Read a claim with any number of clients, all of whom take part.

    Parameters
    ----------
    statement : Statement
        About runs of a method of `verify.reading.runs.rules`, on the line.

    Raises
    ------
    NotReadable
        Where the program has no such form.
    """
    shape = statement.family.shapes[0]
    if any(s.get("d") != 1 or "N" not in s for s in statement.family.shapes):
        raise NotReadable("more than one coordinate")
    axis = Axis.of(LISTED, 0)
    counts = {
        n: axis.size
        for n, v in shape.items()
        if n == "N" or (n not in FIXED and v == shape["N"] and type(v) is int)
    }
    with listed(axis):
        built = _built(statement.family, {**shape, **counts}, axis)
        method = METHODS.get(str(built.method))
        if method is None:
            raise NotReadable(f"runs of {built.method} are not read")
        losses = AnyLosses(axis)
        own = {n: _renamed(n, v, axis) for n, v in built.params.items()}
        params = {n: v + own["start"][:, None] if n in method.models else v for n, v in own.items()}
        begin = {trace: params[name][:, None] for trace, name in method.begin.items()}
        world = RunWorld(
            replace(built, params=params),
            losses,
            begin,
            method.traces,
            statement.defines,
            _exact(statement),
        )
        with asked():
            result = score_world(statement, world)
        if not world.ran:
            raise NotReadable("no run is made: what is read of the losses would be all of it")
        left, right, *rest = (
            _placed(folded(side, axis), axis)
            for side in (result.left, result.right, *result.margins.values())
        )
    if statement.relation == ">=":
        left, right = right, left
    split = {n: _split(n, m) for n, m in zip(result.margins, rest, strict=True)}
    whole = {n: m for parts in split.values() for n, m in parts.items()}
    said = [*left.values(), *right.values(), *(e for m in whole.values() for e in m.values())]
    known = {**_conditions(losses, said), **ranges([*left.values(), *right.values()])}
    given = {n: _of_client(v, axis) for n, v in own.items() if isinstance(v, np.ndarray)}
    known |= _unlike(losses, given[method.weights], world.numbers)
    reading = Reading(
        axis, left, right, {**whole, **known}, "==" if statement.relation == "==" else "<=", {}, "N"
    )
    _no_single(reading)
    rounds = {s.get("rounds") for s in statement.family.shapes}
    cases = tuple(method.cases(given)) if rounds == {1} else ()
    return RunReading(
        reading,
        tuple(losses.met),
        tuple(known),
        {n: tuple(parts) for n, parts in split.items()},
        tuple(counts),
        cases,
        given,
        method.weights,
        tuple(world.numbers),
    )


# -- symbols ---------------------------------------------------------------------------------------


def _built(family: Family, shape: Shape, axis: Axis) -> Instance:
    """The family's instance with symbols for its parameters."""
    values = symbol_values(family.box, shape, "N", axis)
    with asked():
        built = family.instance(values, shape)
    if not all(isinstance(v, np.ndarray) for v in built.data.values()):
        raise NotReadable("losses that are known by more than numbers")
    with asked():
        problem = make(built.family, {n: v[:, None] for n, v in built.data.items()})
        stiff = problem.client_smoothness
    if not all(formula(v).is_positive for v in np.ravel(stiff)):
        raise NotReadable("losses that are not known to be smooth with a positive constant")
    return built


def _renamed(name: str, value: Any, axis: Axis) -> Any:
    """A hyper-parameter as symbols with the signs of its formulas; other constants as they are."""
    if not isinstance(value, np.ndarray):
        return value
    formulas = [sympy.expand(formula(v)) for v in value.flat]
    signs = [s for s in ("positive", "nonnegative") if all(getattr(e, f"is_{s}") for e in formulas)]
    facts = {signs[0]: True} if signs else {"real": True}
    out = np.empty(value.shape, dtype=object)
    for place in np.ndindex(*value.shape):
        marks = [axis.marks[i] for i, n in zip(place, value.shape, strict=True) if n == axis.size]
        if len(marks) > 1:
            raise NotReadable("a hyper-parameter of pairs of clients")
        out[place] = Symbolic(
            sympy.IndexedBase(own_name(name), **facts)[marks[0]]
            if marks
            else sympy.Symbol(own_name(name), **facts)
        )
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
    own, most = losses.stiffness(k), formal_extreme("max", k, [losses.stiffness(k)])
    alone = any(e.has(most) for e in said) and not any(
        e.xreplace({most: sympy.Integer(1)}).has(own) for e in said
    )
    absolute, named = any(e.has(sympy.Abs) for e in said), families(said)
    return {
        n: {("k",): e}
        for n, e in losses.conditions(most if alone else own).items()
        if (absolute or not e.has(sympy.Abs)) and families([e]) - {STIFF} <= named
    }


def _unlike(losses: AnyLosses, weight: Expr, numbers: Sequence[Any]) -> dict[str, dict[Any, Expr]]:
    """That a number bounds how unlike weighted slopes of two clients are at a model of one.

    Of the number this is found by looking at it in exact runs; beside it stands the smoothness of
    the other client's loss between the two models.
    """
    k, _ = client_symbol()
    one, other = losses.axis.marks[:2]
    stiff, first, second = losses.stiffness(one), put(weight, k, one), put(weight, k, other)
    found: dict[str, dict[Any, Expr]] = {}
    for i, point in enumerate(losses.met if numbers else ()):
        crossed = sympy.IndexedBase(f"{CROSSED}{i}", real=True)[one, other]
        gap = sympy.expand(put(point, k, one) - put(point, k, other))
        mine, his = (losses.at(SLOPE, i, m) for m in (one, other))
        for word, sign in (("above", 1), ("below", -1)):
            size = stiff * sympy.Abs(gap)
            found[f"slope {i} from {word}"] = {PAIR: size - sign * (mine - crossed)}
            for n in range(len(numbers)):
                number = sympy.Symbol(f"{NUMBER}{n}", nonnegative=True)
                turned = second * crossed - first * his
                found[f"{number} and {CROSSED} {i} from {word}"] = {PAIR: number - sign * turned}
    return found


def _exact(statement: Statement) -> World:
    """A world in numbers, of the first shape."""
    family = statement.family
    values = rational_values(family.box, family.shapes[0], Random(0), FINEST)
    with asked():
        instance = family.instance({n: v[None] for n, v in values.items()}, family.shapes[0])
    return World(instance, "exact", None, statement.defines)


# -- formulas --------------------------------------------------------------------------------------


def _placed(side: np.ndarray[Any, Any], axis: Axis) -> dict[tuple[Any, ...], Expr]:
    """The formulas of a side: one, that of each client, or that of each ordered pair of them."""
    entries = [formula(e) for e in side.reshape(-1)]
    if len(entries) != axis.size * (axis.size - 1):
        return by_place(side, axis)
    first, second = axis.marks[:2]
    one, other = (sympy.Symbol(f"pair{i}_", integer=True) for i in range(2))
    pair = put(put(entries[0], first, one), second, other)
    for e, (i, j) in zip(entries, permutations(axis.marks, 2), strict=True):
        if sympy.expand(put(put(pair, one, i), other, j) - e) != 0:
            raise NotReadable("pairs of clients differ in more than who they are")
    return {PAIR: entries[0]}


def _split(name: str, formulas: Mapping[Any, Expr]) -> dict[str, dict[Any, Expr]]:
    """A hypothesis in parts: a smallest value is not negative where each one is not."""
    k, _ = client_symbol()
    found: dict[str, dict[Any, Expr]] = {name: dict(formulas)}
    while True:
        wholes = ((n, m[()], _least(m[()])) for n, m in found.items() if set(m) == {()})
        changed = next((c for c in wholes if c[2] is not None), None)
        if changed is None:
            return found
        old, said, least = changed
        del found[old]
        values = (
            [(a, False) for a in least.args]
            if isinstance(least, sympy.Max | sympy.Min)
            else [
                (put(body, least.args[1], k), k in put(body, least.args[1], k).free_symbols)
                for body in least.args[3]
            ]
        )
        for number, (value, each) in enumerate(values):
            place: tuple[Any, ...] = ("k",) if each else ()
            part = said.xreplace({least: value})
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
                raise NotReadable("a single client has been picked out of a symbolic array")
