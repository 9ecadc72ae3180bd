"""Small pieces of syntax trees."""

from __future__ import annotations

import ast
from typing import Any

__all__ = ["called", "constant", "indexed_by", "names_in", "number", "placed", "plain"]


def placed(node: Any, start: int, end: int) -> Any:
    """A node with its place in the line."""
    node.lineno = node.end_lineno = 1
    node.col_offset, node.end_col_offset = start, end
    return node


def called(name: str, *arguments: ast.expr) -> ast.Call:
    """A function of some formulas."""
    return ast.Call(ast.Name(name), list(arguments), [])


def number(text: str) -> int | float:
    """A number as it is written."""
    return int(text) if text.isdigit() else float(text)


def plain(node: ast.expr) -> str:
    """A formula in plain text."""
    return ast.unparse(node)


def names_in(node: ast.AST) -> set[str]:
    """Symbols and indices of a formula."""
    calls = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in calls}


def indexed_by(node: ast.AST, index: str) -> bool:
    """Whether an entry of this index stands in a formula."""
    slices = (n.slice for n in ast.walk(node) if isinstance(n, ast.Subscript))
    return any(index in names_in(one) for one in slices)


def constant(node: ast.expr) -> float | None:
    """The number that a formula without symbols is; infinite where floats cannot hold it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value) if abs(node.value) < 1e300 else float("inf")
    if isinstance(node, ast.UnaryOp):
        inner = constant(node.operand)
        return None if inner is None else -inner if isinstance(node.op, ast.USub) else inner
    if not isinstance(node, ast.BinOp):
        return None
    left, right = constant(node.left), constant(node.right)
    if left is None or right is None:
        return None
    try:
        if isinstance(node.op, ast.Add | ast.Sub):
            return left + right if isinstance(node.op, ast.Add) else left - right
        if isinstance(node.op, ast.Mult | ast.Div):
            return left * right if isinstance(node.op, ast.Mult) else left / right
        made = left**right
        return made if isinstance(made, float) else float("nan")
    except (OverflowError, ZeroDivisionError):
        return float("inf")
