"""Do the two sides say anything?  Constants, a side that is nothing, one expression written twice.

What is compared in a claim must be able to come out otherwise.  True identities between two ways of
computing a quantity can; the same formula on both sides cannot.  Bare parameters show it by their
formulas; of what runs, matrices or moments give there is none, but the function of the sides can be
read.
"""

from __future__ import annotations

import ast
import copy
from types import FunctionType
from typing import Any

import numpy as np

from bounds.numbers.validate import unchecked
from verify.claim.program import definitions, plain_function
from verify.claim.statement import Statement, Terms
from verify.ladder.price.tautologies import looked_through
from verify.ladder.search.enough import free_parameters
from verify.ladder.search.pool import Pool
from verify.ladder.search.tally import Extent
from verify.reading.parts.symbols import written
from verify.terms.claims import program_of
from verify.terms.direct.build import TermSides
from verify.terms.direct.python import python_text
from verify.verdict.earned import sides_fault
from verify.verdict.evidence import Evidence
from verify.verdict.relation import LARGEST
from verify.world.returned import sides_of
from verify.world.score import Score

__all__ = ["look_at_sides"]


def look_at_sides(pool: Pool) -> Evidence:
    """What both sides were on the instances that met every hypothesis.

    Parameters
    ----------
    pool : Pool
        After the search.

    Returns
    -------
    Evidence
        Of the rung ``sides``; its details are those of
        :func:`~verify.verdict.earned.sides_fault`.
    """
    statement, extent = pool.statement, pool.tally.extent
    kept = [result for result in pool.kept if result.feasible.any()]
    with unchecked(), np.errstate(all="ignore"):
        raw = [sides_of(statement, result.world) for result in kept]
    details: dict[str, Any] = {
        "free": any(free_parameters(statement, shape) for shape in statement.family.shapes),
        "values": [[_bounded(x) for x in side] for side in (extent.left, extent.right)],
        "computed": any(_computed(pair) for pair in raw),
        "idle": bool(raw) and all(_idle(statement, pair) for pair in raw),
        "expression": "one" if _one(statement, extent, kept, raw) else "two",
        **looked_through(statement, kept),
    }
    fault = sides_fault(details) if kept else ""
    if fault:
        return Evidence("sides", "undecided", fault, details=details)
    return Evidence("sides", "reported", "both sides depend on the instance", details=details)


def _computed(pair: tuple[Terms, Terms]) -> bool:
    """Whether a term has a value of its own for each instance or outcome."""
    terms = [np.asarray(value) for side in pair for value in side.values()]
    return any(max(value.shape[:2], default=1) > 1 for value in terms)


def _idle(statement: Statement, pair: tuple[Terms, Terms]) -> bool:
    """Whether the side that is bounded is 0 and no part of its bound is ever negative."""
    if statement.relation == "==" or statement.over == "prob":
        return False
    bounded, bound = pair if statement.relation != ">=" else pair[::-1]
    nothing = all((_values(value) == 0).all() for value in bounded.values())
    return nothing and all((np.nan_to_num(_values(value)) >= 0).all() for value in bound.values())


def _one(
    statement: Statement, extent: Extent, kept: list[Score], raw: list[tuple[Terms, Terms]]
) -> bool:
    """Whether the two sides are one expression, written the same way on both.

    Bit for bit one number on every instance, no whole numbers (two ways to count agree exactly),
    and one object, one expression of the program or, for bare parameters, one formula before any
    simplification.
    """
    if not kept or not extent.equal or extent.whole:
        return False
    if any(result.world.runs > 1 for result in kept):
        return False
    if statement.relation != "==" and all(result.world.runs == 1 for result in kept):
        return True  # an inequality about one run that is nowhere strict
    if all(_same_objects(*pair) for pair in raw) or written_twice(statement):
        return True
    formulas = written(statement)
    return bool(formulas) and all(left == right for left, right in formulas)


def _same_objects(left: Terms, right: Terms) -> bool:
    """Whether both sides hold the very same arrays."""
    pairs = zip(left.values(), right.values(), strict=False)
    return bool(left) and len(left) == len(right) and all(a is b for a, b in pairs)


def _values(value: Any) -> Any:
    return np.asarray(value, dtype=float)


def _bounded(value: float) -> float:
    return float(np.clip(value, -LARGEST, LARGEST))


def written_twice(statement: Statement) -> bool:
    """Whether the terms of both sides are spelled alike, local names put in.

    Parameters
    ----------
    statement : Statement

    Returns
    -------
    bool
        False where the function cannot be read, or does not end in a pair of dicts.
    """
    program = program_of(statement.sides)
    if isinstance(program, TermSides):  # numbers that are typed twice are two terms
        left, right = ([*map(python_text, s.values())] for s in (program.left, program.right))
        return left == right
    function = plain_function(program)
    if not isinstance(function, FunctionType):
        return False
    answers = {_alike(node) for node in definitions(function)}
    return answers == {True}


def _alike(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether the pair that is returned holds the same expressions twice."""
    returned: ast.AST | None = node.body if isinstance(node, ast.Lambda) else None
    known: dict[str, ast.expr] = {}
    for line in node.body if isinstance(node, ast.FunctionDef) else ():
        if isinstance(line, ast.Return):
            returned = line.value
        elif isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            known[line.targets[0].id] = _put_in(line.value, known)
        elif not isinstance(line, ast.Expr):
            return False  # branches and loops are not followed
    if not isinstance(returned, ast.Tuple) or len(returned.elts) != 2:
        return False
    sides = [side for side in _put_in(returned, known).elts if isinstance(side, ast.Dict)]
    if len(sides) != 2:
        return False
    left, right = ([ast.dump(value) for value in side.values] for side in sides)
    return bool(left) and left == right


def _put_in(expression: ast.expr, known: dict[str, ast.expr]) -> Any:
    """An expression with local names replaced by what they stand for."""

    class Replace(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return known.get(node.id, node)

    return Replace().visit(copy.deepcopy(expression))
