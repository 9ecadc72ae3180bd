"""The claims that make up a statement, its sizes as symbols wherever it has such a form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bounds.numbers.symbolic import client_symbol
from verify.claim.functions import class_of
from verify.claim.statement import Statement
from verify.reading.generic_reading import symbolic
from verify.reading.vector_reading import agrees, vectors_of

__all__ = ["claims_of", "generic_axis"]

ROWS = ("row", "client")
"""Entries of shapes that number rows and columns of a printed table: there are no others."""


def claims_of(statement: Statement) -> tuple[list[tuple[dict[str, Any], Any]], bool]:
    """Claims that together make up the statement, each with a label, and whether they are all.

    Shapes that differ in sizes alone are one claim with symbolic sizes, if that agrees with every
    listed shape; otherwise each listed shape is a claim of its own and other sizes stay open.
    """
    if class_of(statement.family) is not None:
        from verify.reading.class_claims import class_claims

        return class_claims(statement)
    groups: dict[str, list[Any]] = {}
    sizes = _sizes(statement)
    for shape in statement.family.shapes:
        options = {name: v for name, v in shape.items() if name not in sizes}
        groups.setdefault(repr(sorted(options.items())), []).append(shape)
    claims, complete = [], True
    for shapes in groups.values():
        whole = _with_sizes(statement, shapes)
        if whole is not None:
            claims.append(whole)
            continue
        if vectors_of(statement):  # the formula on the line is no claim about one dimension
            return [], False
        complete = False
        for shape in shapes:
            claim = symbolic(statement, shape, {})
            if claim is None:
                return [], False
            claims.append((dict(shape), claim))
    return claims, complete


def generic_axis(statement: Statement) -> str | None:
    """The axis of the generic entry, ``"N"`` where no parameter has one; None if that is not all.

    Vectors are read on the line, so that their own axis has length one.
    """
    named = {axis for p in statement.family.box.values() for axis in p.per}
    once = all(len(p.per) == len(set(p.per)) for p in statement.family.box.values())
    axes = named - {"d"}
    if len(axes) > 1 or not once or ("d" in named and axes - {"N"}):
        return None
    return next(iter(axes), "N")


def _sizes(statement: Statement) -> list[str]:
    """Names of the whole numbers of the shapes that are sizes.

    What is negative somewhere is no size, nor is the number of a row of a printed table.
    """
    values: dict[str, list[Any]] = {}
    for shape in statement.family.shapes:
        for name, value in shape.items():
            values.setdefault(name, []).append(value)
    return [
        name
        for name, listed in values.items()
        if name not in ROWS
        and all(isinstance(v, int) and not isinstance(v, bool) and v >= 0 for v in listed)
    ]


def _with_sizes(statement: Statement, shapes: list[Any]) -> tuple[dict[str, Any], Any] | None:
    """The claim with its sizes as positive whole symbols, and its label; None if it has no such
    form or differs from the claim of a listed shape."""
    import sympy

    first = shapes[0]
    names = [name for name in _sizes(statement) if name in first]
    if any(shape[name] < 1 for shape in shapes for name in names):
        return None
    symbols = {n: sympy.Symbol(f"{n}_", integer=True, positive=True) for n in names}
    claim = symbolic(statement, first, symbols)
    if claim is None:
        return None
    for shape in shapes:
        values = {symbols[name]: shape[name] for name in names}
        if not _same(_replaced(claim, values), symbolic(statement, shape, {})):
            return None
    if vectors_of(statement) and not agrees(statement, first, claim):
        return None
    label = {name: v for name, v in first.items() if name not in names}
    axis = generic_axis(statement)
    clients = {symbols[axis]: client_symbol()[1]} if axis in symbols else {}
    return {**label, **dict.fromkeys(names, "any")}, _replaced(claim, clients)


def _replaced(claim: Any, values: Any) -> Any:
    """The claim with symbols replaced."""
    left, right, relation, hypotheses = claim
    changed = [replace(h, expr=h.expr.subs(values)) for h in hypotheses]
    return left.subs(values), right.subs(values), relation, changed


def _same(one: Any, other: Any) -> bool:
    """Whether two claims are the same, expression by expression."""
    import sympy

    if other is None or one[2] != other[2] or len(one[3]) != len(other[3]):
        return False
    pairs = [(one[0], other[0]), (one[1], other[1])]
    pairs += [(a.expr, b.expr) for a, b in zip(one[3], other[3], strict=True)]
    return all(a == b or sympy.expand(a - b) == 0 for a, b in pairs)
