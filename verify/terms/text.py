"""A formula in plain text, as a line is typed: ``5*x*y``, ``(x + y)^2``, ``sum_i(p[i]*x[i])``."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

__all__ = ["number_text", "text"]

COMPARED, SUM, SIGN, PRODUCT, POWER, ATOM = range(6)
"""How tightly a piece is bound, loose ones first."""

OPERATORS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: (" + ", SUM),
    ast.Sub: (" - ", SUM),
    ast.Mult: ("*", PRODUCT),
    ast.Div: ("/", PRODUCT),
    ast.Pow: ("^", POWER),
}
SIGNS: dict[type[ast.cmpop], str] = {
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.NotEq: "!=",
}

_OVER = re.compile(r"(sum|mean|max|min|prod)_[A-Za-z]$")
"""Sums and the like, whose powers stand outside a bracket of their own."""

Number = Callable[[Any], str]


def number_text(value: Any) -> str:
    """A number as it is; a fraction as a quotient."""
    return str(value)


def text(tree: ast.expr, number: Number = number_text) -> str:
    """Plain text of a formula.

    Parameters
    ----------
    tree : ast.expr
        Of a line, or of :class:`verify.terms.formula.TermFormulas`.
    number : callable
        Text of a number.

    Examples
    --------
    >>> text(ast.parse("(x + y)**2 - -3/(a*b)", mode="eval").body)
    '(x + y)^2 - (-3)/(a*b)'
    """
    return _Writer(number).write(tree)[0]


class _Writer:
    def __init__(self, number: Number) -> None:
        self.number = number

    def write(self, tree: ast.expr) -> tuple[str, int]:
        """Text, and how tightly it is bound."""
        if isinstance(tree, ast.Constant):
            return self._constant(tree.value)
        if isinstance(tree, ast.Name):
            return tree.id, ATOM
        if isinstance(tree, ast.Attribute):
            return f"{self._inside(tree.value, ATOM)}.{tree.attr}", ATOM
        if isinstance(tree, ast.Subscript):
            inside = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
            below = ", ".join(self.write(one)[0] for one in inside)
            return f"{self._inside(tree.value, ATOM)}[{below}]", ATOM
        if isinstance(tree, ast.UnaryOp):
            return f"-{self._inside(tree.operand, PRODUCT)}", SIGN
        if isinstance(tree, ast.BinOp):
            return self._operation(tree)
        if isinstance(tree, ast.Compare):
            first, second = self._inside(tree.left, SUM), self._inside(tree.comparators[0], SUM)
            return f"{first} {SIGNS[type(tree.ops[0])]} {second}", COMPARED
        assert isinstance(tree, ast.Call)
        inner = ", ".join(self.write(argument)[0] for argument in tree.args)
        name = self.write(tree.func)[0]
        return f"{name}({inner})", POWER if _OVER.match(name) else ATOM

    def _constant(self, value: Any) -> tuple[str, int]:
        if value is Ellipsis:
            return "...", ATOM
        shown = self.number(value)
        if "+/-" in shown:
            return shown, SUM
        if "/" in shown:
            return shown, SIGN if shown.startswith("-") else PRODUCT
        return shown, SIGN if shown.startswith("-") else ATOM

    def _operation(self, tree: ast.BinOp) -> tuple[str, int]:
        sign, bound = OPERATORS[type(tree.op)]
        if isinstance(tree.op, ast.Pow):
            exponent = self._inside(tree.right, ATOM)
            return f"{self._inside(tree.left, ATOM)}^{exponent}", POWER
        # signs of one kind are read from the left, and a minus sign takes the whole product
        right = self._inside(tree.right, PRODUCT if bound == SUM else POWER)
        return f"{self._inside(tree.left, bound)}{sign}{right}", bound

    def _inside(self, tree: ast.expr, least: int) -> str:
        shown, bound = self.write(tree)
        return shown if bound >= least else f"({shown})"
