"""Parameters that enter through their parts of a sum alone.

Where a claim does not change when x_1, x_2, ... are all multiplied by one positive number, it is a
claim about ``p_k = x_k / sum_j x_j``: numbers that are positive and have sum one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bounds.numbers.formal_terms import extreme_type, indicator_type
from bounds.numbers.symbolic import client_symbol
from verify.claim.statement import Statement
from verify.reading.clients.reading import Reading

__all__ = ["with_shares"]

Expr = Any


class _Mixed(Exception):
    """An expression is not homogeneous."""


def with_shares(statement: Statement, reading: Reading) -> Reading:
    """The reading with parts of one in place of each positive parameter that allows it.

    Parameters
    ----------
    statement : Statement
    reading : Reading

    Returns
    -------
    Reading
        The same one where there is no such parameter.
    """
    found = reading
    for name, parameter in statement.family.box.items():
        if reading.name and parameter.per == (reading.name,) and parameter.sign == "positive":
            found = _shared(found, name)
    return reading if found is reading else replace(found, unshared=reading)


def _shared(reading: Reading, name: str) -> Reading:
    import sympy

    k, count = client_symbol()
    old = sympy.IndexedBase(name, positive=True)
    total = sum(
        (old[m] for m in reading.axis.marks[: reading.axis.leads]), sympy.Sum(old[k], (k, 1, count))
    )
    sides = (reading.left, reading.right)
    try:
        degrees = {_degree(e, name) for part in sides for e in part.values() if e != 0}
        for margin in reading.margins.values():
            for e in margin.values():
                _degree(e, name)
    except _Mixed:
        return reading
    if degrees != {0} or not any(_has(e, total) for e in reading.expressions()):
        return reading
    new = sympy.IndexedBase(f"part_of_{name}", positive=True)
    one = sum(
        (new[m] for m in reading.axis.marks[: reading.axis.leads]), sympy.Sum(new[k], (k, 1, count))
    )

    def parts(found: Mapping[Any, Expr]) -> dict[Any, Expr]:
        return {
            p: _renamed(e.xreplace({total: sympy.Integer(1)}), old, new) for p, e in found.items()
        }

    word = f"parts of {name} have sum one"
    known = {word: {(): one - 1}, f"{word}, from above": {(): 1 - one}}
    return replace(
        reading,
        left=parts(reading.left),
        right=parts(reading.right),
        margins={**{n: parts(m) for n, m in reading.margins.items()}, **known},
    )


def _has(e: Expr, total: Expr) -> bool:
    return bool(e.has(total)) or (
        total.is_Add
        and any(part.is_Add and set(total.args) <= set(part.args) for part in e.atoms(total.func))
    )


def _renamed(e: Expr, old: Expr, new: Expr) -> Expr:
    import sympy

    found = [i for i in e.atoms(sympy.Indexed) if i.base == old]
    return e.xreplace({i: new[i.indices] for i in found})


def _degree(e: Expr, name: str) -> Any:
    """Degree of homogeneity in the entries of a parameter."""
    import sympy

    if isinstance(e, sympy.Indexed):
        return int(str(e.base) == name)
    if not e.args:
        return 0
    if isinstance(e, sympy.Sum):
        return _degree(e.function, name)
    if isinstance(e, indicator_type()):
        _degree(e.args[0], name)
        return 0
    if isinstance(e, extreme_type()):
        parts = [_degree(v, name) for v in e.values if v != 0]
    else:
        parts = [_degree(a, name) for a in e.args if a != 0]
    if e.is_Mul:
        return sum(parts)
    if e.is_Pow:
        if parts[0] == 0 and (len(parts) == 1 or parts[1] == 0):
            return 0
        if not e.exp.is_Rational:
            raise _Mixed(str(e))
        return parts[0] * e.exp
    if len(set(parts)) > 1 or (
        parts
        and parts[0] != 0
        and not (e.is_Add or isinstance(e, sympy.Max | sympy.Min | sympy.Abs | extreme_type()))
    ):
        raise _Mixed(str(e))
    return parts[0] if parts else 0
