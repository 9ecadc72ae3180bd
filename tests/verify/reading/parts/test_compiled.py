"""A compiled formula has the value that walking through it gives, or refuses what that refuses."""

from __future__ import annotations

from fractions import Fraction
from math import exp, isqrt, log
from random import Random
from typing import Any

import pytest
import sympy

from bounds.numbers.formal import Axis
from bounds.numbers.formal_terms import extreme_type, indicator_type
from bounds.numbers.symbolic import client_symbol
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.values import Formulas

K, N = client_symbol()
J = sympy.Symbol("j", integer=True, positive=True)
SIZE = sympy.Symbol("n", integer=True, positive=True)
X, Y = sympy.Symbol("x", positive=True), sympy.Symbol("y", real=True)
U, V = sympy.IndexedBase("u", positive=True), sympy.IndexedBase("v", real=True)
AXIS = Axis.of(5, 1)
LEAD = AXIS.marks[0]
SHAPE = {"N": 4, "n": 7}
EXTREME = extreme_type()

FORMULAS = [
    sympy.Rational(3, 7),
    sympy.Integer(0),
    sympy.Float(0.25),
    sympy.pi * X,
    X * Y**3 - Y / X + SIZE,
    sympy.sqrt(X) + sympy.sqrt(X**2) - 1 / sympy.sqrt(4 * X),
    X**Y + 2**X,
    U[K] * V[K] - U[LEAD],
    sympy.Sum(U[K] * V[K], (K, 1, N)) / N,
    sympy.Sum(sympy.Sum(U[J] * V[K], (J, 1, N)) * U[K], (K, 1, N)),
    sympy.Max(0, Y, X - 1) + sympy.Min(X, Y) + abs(Y),
    sympy.exp(-X) + sympy.log(X),
    sympy.log(Y),
    EXTREME(sympy.Symbol("max"), K, sympy.Tuple(sympy.Tuple(V[LEAD])), sympy.Tuple(V[K], U[K])),
    1 + EXTREME(sympy.Symbol("min"), K, sympy.Tuple(), sympy.Tuple(V[K] * X)) * Y,
    indicator_type()(Y, sympy.Integer(0)) + indicator_type()(-Y, sympy.Integer(1)) * X,
    sympy.Sum(U[K], (K, 2, N)),
    sympy.sin(X),
    1 / (Y - Y.func("z", real=True)),
    sympy.Symbol("unknown"),
    V[J],
]


def _walked(e: Any, clients: dict[Any, int], table: dict[Any, Any]) -> Any:
    """The value by walking through the formula at each point."""

    def at(part: Any) -> Any:
        return _walked(part, clients, table)

    def with_each(body: Any, index: Any) -> list[Any]:
        return [_walked(body, {**clients, index: c}, table) for c in range(1, SHAPE["N"])]

    if e.is_Rational:
        return Fraction(int(e.p), int(e.q))
    if not e.args and e.is_number:
        return float(e)
    if e in (N, SIZE):
        return Fraction(SHAPE["n"] if e == SIZE else SHAPE["N"] - 1)
    if isinstance(e, sympy.Indexed):
        return table[e.base.name, tuple(0 if i == LEAD else clients[i] for i in e.indices)]
    if e.is_Symbol:
        return table[e.name, ()]
    if e.is_Add:
        return sum(map(at, e.args))
    if e.is_Mul:
        total: Any = Fraction(1)
        for part in e.args:
            total = total * at(part)
        return total
    if e.is_Pow:
        return _power(at(e.base), at(e.exp))
    if isinstance(e, sympy.Sum):
        if e.limits[0][1] != 1:
            raise NotReadable("another sum")
        return sum(with_each(e.function, e.limits[0][0]), Fraction(0))
    if isinstance(e, EXTREME):
        word, index, leads, bodies = e.args
        found = [at(v) for lead in leads for v in lead]
        found += [v for body in bodies for v in with_each(body, index)]
        return max(found) if str(word) == "max" else min(found)
    if isinstance(e, indicator_type()):
        return Fraction(int(at(e.args[0]) > 0 if e.args[1] == 1 else at(e.args[0]) >= 0))
    functions = {sympy.Max: max, sympy.Min: min, sympy.Abs: abs, sympy.exp: exp, sympy.log: log}
    return functions[e.func](*map(at, e.args))


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return base ** int(exponent)
    if isinstance(base, Fraction) and exponent in (Fraction(1, 2), Fraction(-1, 2)):
        top, bottom = isqrt(max(base.numerator, 0)), isqrt(base.denominator)
        if top * top == base.numerator and bottom * bottom == base.denominator:
            return Fraction(top, bottom) ** int(2 * exponent)
    return float(base) ** float(exponent)


def _table(random: Random, kind: Any) -> dict[Any, Any]:
    signed = [-3, -1, 0, 1, 2, 5]
    return {
        ("x", ()): kind(random.choice([1, 4, 9])) / kind(random.choice([1, 4])),
        ("y", ()): kind(random.choice(signed)),
        ("z", ()): kind(random.choice(signed)),
        **{("u", (i,)): kind(random.randint(1, 9)) / 3 for i in range(4)},
        **{("v", (i,)): kind(random.choice(signed)) / 7 for i in range(4)},
    }


def _outcome(value: Any) -> tuple[str, Any]:
    try:
        found = value()
    except ZeroDivisionError:
        return "no number", None
    except (NotReadable, KeyError, ValueError):
        return "refused", None
    return type(found).__name__, found


@pytest.mark.parametrize("kind", [Fraction, float])
@pytest.mark.parametrize("e", FORMULAS, ids=str)
def test_a_compiled_formula_has_the_value_of_the_walk(e: Any, kind: Any) -> None:
    here = Formulas(SHAPE, "N", AXIS, {"n": SIZE})
    for seed in range(12):
        table = _table(Random(seed), kind)
        for clients in ({K: 1}, {K: 3}):
            found = _outcome(lambda c=clients, t=table: _at(here, e, c, t))
            assert found == _outcome(lambda c=clients, t=table: _walked(e, c, t))


def _at(here: Formulas, e: Any, clients: dict[Any, int], table: dict[Any, Any]) -> Any:
    return here.at(e, clients, table)


def test_a_part_that_is_not_reached_refuses_nothing() -> None:
    none = Formulas({"N": 1}, "N", AXIS)
    unread = sympy.Sum(sympy.sin(U[K]), (K, 1, N))
    assert none.at(1 + unread, {}, {}) == 1
    with pytest.raises(NotReadable, match="function sin"):
        Formulas({"N": 2}, "N", AXIS).at(1 + unread, {}, {("u", (1,)): 1})


def test_whoever_has_another_rule_for_extremes_is_asked_inside_a_formula() -> None:
    class Seven(Formulas):
        def at(self, e: Any, clients: dict[Any, int], table: Any) -> Any:
            return Fraction(7) if isinstance(e, EXTREME) else super().at(e, clients, table)

    found = EXTREME(sympy.Symbol("max"), K, sympy.Tuple(), sympy.Tuple(V[K]))
    table = {("v", (i,)): Fraction(i) for i in range(4)}
    assert Formulas(SHAPE, "N", AXIS).at(found + 1, {}, table) == 4
    assert Seven(SHAPE, "N", AXIS).at(2 * found + 1, {}, table) == 15


def test_numbers_that_are_equal_and_of_another_kind_stay_apart() -> None:
    here = Formulas({})
    exact, rounded = here.at(sympy.Integer(1), {}, {}), here.at(sympy.Float(1), {}, {})
    assert (type(exact), type(rounded)) == (Fraction, float)
