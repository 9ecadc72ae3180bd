r"""A formula in TeX: ``x/(1+y)`` is ``\frac{x}{1 + y}``."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

__all__ = ["ELEMENTARY", "GREEK", "RELATION", "number_tex", "tex", "tex_name"]

LETTERS = """alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi rho
sigma tau phi varphi chi psi omega Gamma Delta Theta Lambda Sigma Phi Psi Omega ell"""
GREEK = frozenset(LETTERS.split())
"""Letters that have a name."""

ELEMENTARY = {"log": "log", "ln": "log", "exp": "exp", "sin": "sin", "cos": "cos"}
"""Functions that papers write without a bracket."""

RELATION = {"<=": r"\le", ">=": r"\ge", "==": "=", "!=": r"\ne", "<": "<", ">": ">"}

SIGNS = {
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.NotEq: "!=",
}

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


def number_tex(value: Any) -> str:
    """A number as it is; a fraction as a quotient."""
    if isinstance(value, Fraction) and value.denominator > 1:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return str(value)


def tex(tree: ast.expr, number: Callable[[Any], str] = number_tex) -> str:
    """TeX of a formula.

    Parameters
    ----------
    tree : ast.expr
        Of a line, or of :class:`verify.terms.formula.TermFormulas`.
    number : callable
        TeX of a number.
    """
    return _Writer(number).write(tree)[0]


def tex_name(name: str) -> str:
    """A symbol: Greek letters by name, what follows an underscore below."""
    head, _, below = name.partition("_")
    head = "lambda" if head == "lam" else head
    letter = head.rstrip("0123456789")
    if not below and letter != head and (letter in GREEK or len(letter) == 1):
        head, below = letter, head[len(letter) :]
    shown = rf"\{head}" if head in GREEK else head if len(head) == 1 else rf"\mathrm{{{head}}}"
    if below in _ACCENTS:
        return rf"\{below}{{{shown}}}"
    if below == "star":
        return f"{shown}^*"
    below = below.replace("_", r"\_")
    return f"{shown}_{{{below}}}" if below else shown


class _Writer:
    """Writes formulas, with how tightly they are bound."""

    def __init__(self, number: Callable[[Any], str]) -> None:
        self.number = number

    def write(self, node: ast.expr) -> tuple[str, int]:
        """TeX, and how tightly it is bound."""
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if isinstance(node, ast.Name):
            return tex_name(node.id), ATOM
        if isinstance(node, ast.Attribute):
            return rf"{self._bound(node.value, ATOM)}.\mathrm{{{_plain(node.attr)}}}", ATOM
        if isinstance(node, ast.Subscript):
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            below = ",".join(self._tex(one) for one in inside)
            return f"{self._tex(node.value)}_{{{below}}}", ATOM
        if isinstance(node, ast.UnaryOp):
            sign = "-" if isinstance(node.op, ast.USub) else ""
            return sign + self._bound(node.operand, EXTREME), SIGN
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Compare):
            sign = RELATION[SIGNS[type(node.ops[0])]]
            return f"{self._tex(node.left)} {sign} {self._tex(node.comparators[0])}", SUM
        assert isinstance(node, ast.Call)
        return self._call(node)

    def _constant(self, value: Any) -> tuple[str, int]:
        if value is Ellipsis:
            return r"\cdot", ATOM
        shown = self.number(value)
        if r"\pm" in shown:
            return shown, SUM
        if shown.startswith("-"):
            return shown, SIGN
        return shown, PRODUCT if "frac" in shown else ATOM

    def _operation(self, node: ast.BinOp) -> tuple[str, int]:
        if isinstance(node.op, ast.Add):
            return f"{self._bound(node.left, SUM)} + {self._summand(node.right, SUM)}", SUM
        if isinstance(node.op, ast.Sub):
            return f"{self._bound(node.left, SUM)} - {self._summand(node.right, EXTREME)}", SUM
        if isinstance(node.op, ast.Div):
            return rf"\frac{{{self._tex(node.left)}}}{{{self._tex(node.right)}}}", PRODUCT
        if isinstance(node.op, ast.Pow):
            return f"{self._bound(node.left, ATOM)}^{{{self._tex(node.right)}}}", POWER
        left, right = self._bound(node.left, PRODUCT), self._bound(node.right, PRODUCT)
        if right.startswith("-"):  # x times -y is no difference
            right = rf"\left({right}\right)"
        # behind a function a bracket would be taken for a part of its argument
        near = _ends_in_function(node.left) and right.startswith(r"\left(")
        dot = r" \cdot " if right[:1].isdigit() or near or _two_numbers(node) else " "
        return f"{left}{dot}{right}", PRODUCT

    def _summand(self, node: ast.expr, tight: int) -> str:
        """What follows a sign or a sum: one with a sign of its own stands in brackets."""
        shown = self._bound(node, tight)
        return rf"\left({shown}\right)" if shown.startswith("-") else shown

    def _call(self, node: ast.Call) -> tuple[str, int]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        inside = [self._tex(argument) for argument in node.args]
        if over := _OVER.fullmatch(name):
            word = OVER[over[1]]
            linear = over[1] in ("sum", "mean")  # a factor may turn an extreme
            below = f"_{{{over[2]}}}"
            if len(inside) == 3:
                below = f"_{{{over[2]}={inside[1]}}}^{{{inside[2]}}}"
            body = self._summand(node.args[0], PRODUCT if linear else ATOM)
            return f"{word}{below} {body}", PRODUCT if linear else EXTREME
        joined = ", ".join(inside)
        if name == "factorial":
            return f"{self._bound(node.args[0], ATOM)}!", ATOM
        if name == "where":
            cases = rf"{inside[1]} & {inside[0]} \\ {inside[2]} & \text{{else}}"
            return rf"\begin{{cases}} {cases} \end{{cases}}", ATOM
        if name in SHAPES:
            return SHAPES[name].replace("@", joined), ATOM
        if name == "binom":
            return rf"\binom{{{'}{'.join(inside)}}}", ATOM
        word = "log" if name == "ln" else name
        known = word in ELEMENTARY or word in ("max", "min")
        shown = rf"\{word}" if known else rf"\mathrm{{{_plain(word)}}}"
        return rf"{shown}\left({joined}\right)", POWER if word in ELEMENTARY else ATOM

    def _tex(self, node: ast.expr) -> str:
        return self.write(node)[0]

    def _bound(self, node: ast.expr, tight: int) -> str:
        shown, found = self.write(node)
        return shown if found >= tight else rf"\left({shown}\right)"


SHAPES = {
    "sqrt": r"\sqrt{@}",
    "abs": r"\left|@\right|",
    "norm": r"\left\|@\right\|",
    "norm1": r"\left\|@\right\|_1",
    "norminf": r"\left\|@\right\|_\infty",
    "dot": r"\langle @\rangle",
    "E": r"\mathbb{E}\left[@\right]",
    "P": r"P\left(@\right)",
    "floor": r"\lfloor @\rfloor",
    "ceil": r"\lceil @\rceil",
    "indicator": r"\mathbf{1}\left[@\right]",
}
"""How functions are written, with ``@`` for what they are taken of."""


def _plain(name: str) -> str:
    return name.replace("_", r"\_")


def _two_numbers(node: ast.BinOp) -> bool:
    return isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant)


def _ends_in_function(node: ast.expr) -> bool:
    """Whether the last factor is a function that papers write without a bracket."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _ends_in_function(node.right)
    name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return name in ELEMENTARY
