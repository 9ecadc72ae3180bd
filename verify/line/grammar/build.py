"""Small pieces of syntax trees, and of the text that proposes them."""

from __future__ import annotations

import ast
from typing import TypeVar

from verify.line.grammar.names import OVER

__all__ = [
    "binds",
    "called",
    "constant",
    "grouped",
    "indexed_by",
    "join_factors",
    "names_in",
    "number",
    "placed",
]


Node = TypeVar("Node", bound=ast.expr)


def placed(node: Node, start: int, end: int) -> Node:
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


def names_in(node: ast.AST) -> set[str]:
    """Symbols and indices of a formula."""
    calls = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and id(n) not in calls}


def indexed_by(node: ast.AST, index: str) -> bool:
    """Whether an entry of this index stands in a formula, outside sums over the same letter."""
    if binds(node, index):
        return False
    if isinstance(node, ast.Subscript) and index in names_in(node.slice):
        return True
    return any(indexed_by(child, index) for child in ast.iter_child_nodes(node))


def binds(node: ast.AST, index: str) -> bool:
    """Whether a node is a sum or an extreme over this index."""
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return name.partition("_")[2] == index and name.partition("_")[0] in OVER


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


def join_factors(factors: list[tuple[str, ast.expr]]) -> ast.expr:
    """The product and quotient of factors, from left to right."""
    left = factors[0][1]
    start = left.col_offset
    for sign, right in factors[1:]:
        made = ast.BinOp(left, ast.Div() if sign == "/" else ast.Mult(), right)
        left = placed(made, start, right.end_col_offset or start)
    return left


def grouped(text: str) -> str:
    """A text in brackets, unless it is one symbol or number, or has them already."""
    simple = text.replace("_", "").replace(".", "").isalnum()
    return text if simple or (text[:1] == "(" and text[-1:] == ")") else f"({text})"
