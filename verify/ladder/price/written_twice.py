"""Whether the program of a claim spells the same expression on both sides.

Bare parameters show it by their formulas; of what runs, matrices or moments give there is none, but
the function of the sides can be read.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from verify.claim.statement import Statement
from verify.reading.program_lines import parsed, plain_function

__all__ = ["written_twice"]


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
    function = plain_function(statement.sides)
    if not isinstance(function, FunctionType):
        return False
    answers = {_alike(node) for node in _definitions(function)}
    return answers == {True}


def _definitions(function: FunctionType) -> Iterator[ast.FunctionDef | ast.Lambda]:
    """Definitions in the file that may be this function: several lambdas may share a line."""
    code, tree = function.__code__, parsed(function.__code__.co_filename)[0]
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Lambda):
            if node.lineno == code.co_firstlineno and _compiles_to(node, code):
                yield node
        elif isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            lines = [node.lineno, *(d.lineno for d in node.decorator_list)]
            if min(lines) == code.co_firstlineno:
                yield node


def _compiles_to(node: ast.Lambda, code: CodeType) -> bool:
    made = compile(ast.Expression(node), "", "eval")
    inner = [c for c in made.co_consts if isinstance(c, CodeType)]
    return any((c.co_names, c.co_varnames) == (code.co_names, code.co_varnames) for c in inner)


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
    sides = [side for side in returned.elts if isinstance(side, ast.Dict)]
    if len(sides) != 2:
        return False
    left, right = ([ast.dump(_put_in(v, known)) for v in side.values] for side in sides)
    return bool(left) and left == right


def _put_in(expression: ast.expr, known: dict[str, ast.expr]) -> Any:
    """An expression with local names replaced by what they stand for."""

    class Replace(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return known.get(node.id, node)

    return Replace().visit(copy.deepcopy(expression))
