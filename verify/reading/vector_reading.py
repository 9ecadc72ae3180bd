"""What a claim about vectors says, and whether its formula on the line is what it says anywhere.

The formula is read with one coordinate of each vector.  It is taken for the claim only if, in exact
arithmetic and in several dimensions and numbers of clients, each side's and hypothesis's value is
that of the formula summed over the coordinates, what is free of vectors counted once.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.symbolic import client_symbol
from verify.claim.parameters import Shape
from verify.claim.statement import Statement
from verify.reading.rational_points import rational_values
from verify.world.score import score

DIMENSIONS = (1, 2, 3)
CLIENTS = (1, 2, 3)
POINTS = 2
"""Random points per shape: a polynomial that differs agrees at one with probability near zero."""

__all__ = ["agrees", "vectors_of"]


def vectors_of(statement: Statement) -> tuple[str, ...]:
    """Parameters with an axis of coordinates."""
    return tuple(name for name, p in statement.family.box.items() if "d" in p.per)


def agrees(statement: Statement, shape: Shape, claim: Any) -> bool:
    """Whether the formulas on the line give what the statement gives in several dimensions.

    Parameters
    ----------
    statement : Statement
    shape : mapping
        One shape of the family; its dimension and its number of clients are varied.
    claim : (left, right, relation, hypotheses)
        Formulas with one coordinate of each vector; clients are 1..N.
    """
    try:
        return all(
            _agrees(statement, changed, claim, Random(f"{statement.key} {number}"))
            for changed in _shapes(statement, shape)
            for number in range(POINTS)
        )
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
        return False  # no exact value, or no such shape


def _shapes(statement: Statement, shape: Shape) -> Iterator[Shape]:
    axes = {axis for p in statement.family.box.values() for axis in p.per}
    for d in DIMENSIONS:
        for n in CLIENTS if "N" in axes else (shape.get("N"),):
            sizes = {"d": d} if n is None else {"d": d, "N": n}
            yield {**shape, **sizes}


def _agrees(statement: Statement, shape: Shape, claim: Any, random: Random) -> bool:
    values = rational_values(statement, shape, random)
    instance = statement.family.instance({k: v[None] for k, v in values.items()}, shape)
    found = score(statement, instance, "exact")
    left, right, _, hypotheses = claim
    if statement.relation == ">=":
        left, right = right, left
    difference = _single(found.right) - _single(found.left)
    formulas = [(right - left, difference)]
    by_name = {h.name: h.expr for h in hypotheses}
    for name, margin in found.margins.items():
        formulas.append((by_name[name], _single(margin)))
    return all(
        _value(formula, statement, shape, values) == expected for formula, expected in formulas
    )


def _single(value: np.ndarray[Any, Any]) -> Any:
    """The one number of a score."""
    return value.reshape(-1).item()


def _value(formula: Any, statement: Statement, shape: Shape, values: Any) -> Any:
    """The formula summed over coordinates; of a claim about every client the smallest value."""
    k, _ = client_symbol()
    clients = range(1, shape["N"] + 1) if formula.has(k) and _free(formula, k) else (None,)
    found = []
    for client in clients:
        one = formula if client is None else formula.subs(k, client)
        at = [_at(one, statement, shape, values, j) for j in range(shape["d"])]
        found.append(sum(at) - (shape["d"] - 1) * _at(one, statement, shape, values, None))
    least = min(found)
    return Fraction(int(least.p), int(least.q))


def _free(formula: Any, k: Any) -> bool:
    return k in formula.free_symbols


def _at(formula: Any, statement: Statement, shape: Shape, values: Any, j: int | None) -> Any:
    """Value at coordinate j of each vector, or at zero vectors."""
    import sympy

    _, count = client_symbol()
    table: dict[Any, Any] = {}
    expression = formula.subs(count, shape["N"]).doit() if "N" in shape else formula
    for name, p in statement.family.box.items():
        value = values[name]
        if "d" in p.per:
            value = np.asarray(0 * value[..., 0] if j is None else value[..., j], dtype=object)
        for index in np.ndindex(*value.shape):
            number = value[index] if value.shape else value.item()
            table[f"{name}[{index[0] + 1}]" if index else name] = sympy.Rational(
                int(number.numerator), int(number.denominator)
            )
    symbols = expression.free_symbols | expression.atoms(sympy.Indexed)
    named = {s: table[str(s)] for s in symbols if str(s) in table}
    sizes = {
        s: shape[str(s)[:-1]] for s in symbols if str(s).endswith("_") and str(s)[:-1] in shape
    }
    return expression.xreplace({**named, **sizes})
