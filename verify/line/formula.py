r"""A side of a line in TeX: ``x/(1+y)`` is ``\frac{x}{1 + y}``."""

from __future__ import annotations

import ast
import re

from verify.line.grammar.names import ELEMENTARY
from verify.line.grammar.signs import GREEK

__all__ = ["RELATION", "tex", "tex_name"]

RELATION = {"<=": r"\le", ">=": r"\ge", "==": "=", "<": "<", ">": ">"}

SIGNS = {ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">"}

SUM, EXTREME, PRODUCT, SIGN, POWER, ATOM = range(6)
"""How tightly a piece is bound, loose ones first."""

_OVER = re.compile(r"(sum|mean|max|min|prod)_([A-Za-z])")
OVER = {
    "sum": r"\sum",
    "mean": r"\frac{1}{N}\sum",
    "max": r"\max",
    "min": r"\min",
    "prod": r"\prod",
}
_ACCENTS = ("bar", "hat", "tilde")


def tex(node: ast.expr) -> str:
    """TeX of a syntax tree that :mod:`verify.line.program` has read."""
    return _tex(node)[0]


def tex_name(name: str) -> str:
    """A symbol: Greek letters by name, what follows an underscore below."""
    head, _, below = name.partition("_")
    head = "lambda" if head == "lam" else head
    shown = rf"\{head}" if head in GREEK else head if len(head) == 1 else rf"\mathrm{{{head}}}"
    if below in _ACCENTS:
        return rf"\{below}{{{shown}}}"
    if below == "star":
        return f"{shown}^*"
    below = below.replace("_", r"\_")
    return f"{shown}_{{{below}}}" if below else shown


def _tex(node: ast.expr) -> tuple[str, int]:
    """TeX, and how tightly it is bound."""
    if isinstance(node, ast.Constant):
        return repr(node.value), ATOM
    if isinstance(node, ast.Name):
        return tex_name(node.id), ATOM
    if isinstance(node, ast.Subscript):
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        below = ",".join(tex(one) for one in inside)
        return f"{tex(node.value)}_{{{below}}}", ATOM
    if isinstance(node, ast.UnaryOp):
        sign = "-" if isinstance(node.op, ast.USub) else ""
        return sign + _bound(node.operand, EXTREME), SIGN
    if isinstance(node, ast.BinOp):
        return _operation(node)
    if isinstance(node, ast.Compare):
        sign = RELATION[SIGNS[type(node.ops[0])]]
        return f"{tex(node.left)} {sign} {tex(node.comparators[0])}", SUM
    assert isinstance(node, ast.Call)
    return _call(node)


def _operation(node: ast.BinOp) -> tuple[str, int]:
    if isinstance(node.op, ast.Add):
        return f"{_bound(node.left, SUM)} + {_bound(node.right, SUM)}", SUM
    if isinstance(node.op, ast.Sub):
        return f"{_bound(node.left, SUM)} - {_bound(node.right, EXTREME)}", SUM
    if isinstance(node.op, ast.Div):
        return rf"\frac{{{tex(node.left)}}}{{{tex(node.right)}}}", PRODUCT
    if isinstance(node.op, ast.Pow):
        return f"{_bound(node.left, ATOM)}^{{{tex(node.right)}}}", POWER
    signed = isinstance(node.right, ast.UnaryOp)  # x times -y is no difference
    left, right = _bound(node.left, PRODUCT), _bound(node.right, ATOM if signed else PRODUCT)
    # behind a function a bracket would be taken for a part of its argument
    near = _ends_in_function(node.left) and right.startswith(r"\left(")
    dot = r" \cdot " if right[:1].isdigit() or near else " "
    return f"{left}{dot}{right}", PRODUCT


def _ends_in_function(node: ast.expr) -> bool:
    """Whether the last factor is a function that papers write without a bracket."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _ends_in_function(node.right)
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return name in ELEMENTARY


def _call(node: ast.Call) -> tuple[str, int]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    inside = [tex(argument) for argument in node.args]
    if over := _OVER.fullmatch(name):
        word = OVER[over[1]]
        linear = over[1] in ("sum", "mean")  # a factor may turn an extreme
        below = f"_{{{over[2]}}}"
        if len(inside) == 3:
            below = f"_{{{over[2]}={inside[1]}}}^{{{inside[2]}}}"
        body = _bound(node.args[0], PRODUCT if linear else ATOM)
        return f"{word}{below} {body}", PRODUCT if linear else EXTREME
    joined = ", ".join(inside)
    if name == "factorial":
        return f"{_bound(node.args[0], ATOM)}!", ATOM
    shapes = {
        "binom": rf"\binom{{{'}{'.join(inside)}}}",
        "sqrt": rf"\sqrt{{{joined}}}",
        "abs": rf"\left|{joined}\right|",
        "norm": rf"\left\|{joined}\right\|",
        "norm1": rf"\left\|{joined}\right\|_1",
        "norminf": rf"\left\|{joined}\right\|_\infty",
        "dot": rf"\langle {joined}\rangle",
        "E": rf"\mathbb{{E}}\left[{joined}\right]",
        "P": rf"P\left({joined}\right)",
        "floor": rf"\lfloor {joined}\rfloor",
        "ceil": rf"\lceil {joined}\rceil",
    }
    word = "log" if name == "ln" else name
    if name in shapes:
        return shapes[name], ATOM
    return rf"\{word}\left({joined}\right)", POWER if word in ELEMENTARY else ATOM


def _bound(node: ast.expr, tight: int) -> str:
    text, found = _tex(node)
    return text if found >= tight else rf"\left({text}\right)"
