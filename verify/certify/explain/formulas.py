"""One expression of a written proof, as people write it, in plain text or in TeX."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from verify.certify.checker import FUNCTIONS

SUM, PRODUCT, SIGN, POWER, ATOM = range(5)
"""How tightly a piece is bound, loose ones first."""

GREEK = re.compile(
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|"
    "chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Sigma|Phi|Psi|Omega"
)

RELATIONS = {"<=": r"\le", ">=": r"\ge", "==": "=", "<": "<", ">": ">"}

__all__ = ["ToldFormulas", "escaped"]


class ToldFormulas:
    """Writes expressions.

    Parameters
    ----------
    tex : bool
        Whether in TeX, between dollar signs where they stand in a sentence.
    """

    def __init__(self, tex: bool) -> None:
        self.tex = tex

    def __call__(self, text: str) -> str:
        """An expression inside a sentence."""
        return self.math(self.bare(text))

    def bare(self, text: str) -> str:
        """An expression as part of a formula."""
        return self._write(ast.parse(text, mode="eval").body)[0]

    def inside(self, text: str, least: int = POWER) -> str:
        """An expression as part of a formula, in brackets where it would fall apart."""
        return self._inside(ast.parse(text, mode="eval").body, least)

    def relation(self, left: str, sign: str, right: str) -> str:
        """Two expressions with a sign between them, in a sentence."""
        return self.math(f"{self.bare(left)} {self.sign(sign)} {self.bare(right)}")

    def positive(self, formula: str, strict: bool) -> str:
        """A finished formula is positive, or at least not negative, in a sentence."""
        return self.math(f"{formula} {self.sign('>' if strict else '>=')} 0")

    def sign(self, sign: str) -> str:
        """``<=`` and the like."""
        return RELATIONS[sign] if self.tex else sign.replace("==", "=")

    def math(self, formula: str) -> str:
        """A finished formula, in a sentence."""
        return f"${formula}$" if self.tex else formula

    def times(self, factors: Sequence[str]) -> str:
        """A product of finished factors."""
        return (r" \cdot " if self.tex else "*").join(factors)

    # -- pieces ------------------------------------------------------------------------------------

    def _write(self, node: ast.expr) -> tuple[str, int]:
        """Text and how tightly it is bound."""
        match node:
            case ast.Constant(value=value):
                return str(value), ATOM
            case ast.Name(id=name):
                return self.name(name), ATOM
            case ast.Subscript(value=ast.Name(id=name), slice=inner):
                parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                places = ", ".join(self._write(part)[0] for part in parts)
                shown = self.name(name)
                if not self.tex:
                    return f"{shown}[{places}]", ATOM
                return rf"{{{shown}}}[{places}]", ATOM
            case ast.UnaryOp(operand=inner):
                return f"-{self._inside(inner, PRODUCT)}", PRODUCT
            case ast.BinOp():
                return self._operation(node)
            case ast.Call(func=ast.Name(id="Sum"), args=[body, *edges]):
                return self._sum(body, edges)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._function(name, args), ATOM
        raise ValueError(f"{ast.unparse(node)} is no expression of a proof")

    def _operation(self, node: ast.BinOp) -> tuple[str, int]:
        left, right = node.left, node.right
        match node.op:
            case ast.Add():
                return f"{self._inside(left, SUM)} + {self._after(right, PRODUCT)}", SUM
            case ast.Sub():
                return f"{self._inside(left, SUM)} - {self._after(right, PRODUCT)}", SUM
            case ast.Mult() if self.tex and _is_sum(left):
                return self.times(
                    [self.braced(self._write(left)[0]), self._after(right, SIGN)]
                ), PRODUCT
            case ast.Mult():
                return self.times([self._inside(left, PRODUCT), self._after(right, SIGN)]), PRODUCT
            case ast.Div() if self.tex:
                return rf"\frac{{{self._write(left)[0]}}}{{{self._write(right)[0]}}}", ATOM
            case ast.Div():
                return f"{self._inside(left, PRODUCT)}/{self._after(right, POWER)}", PRODUCT
            case ast.Pow() if self.tex:
                return f"{self._inside(left, ATOM)}^{{{self._write(right)[0]}}}", POWER
            case ast.Pow():
                return f"{self._inside(left, ATOM)}^{self._inside(right, ATOM)}", POWER
        raise ValueError(f"{ast.unparse(node)} is no expression of a proof")

    def _sum(self, body: ast.expr, edges: Sequence[ast.expr]) -> tuple[str, int]:
        head = ""
        for edge in reversed(edges):  # the innermost index stands first
            if not isinstance(edge, ast.Tuple):
                raise ValueError("a sum runs over (index, first, last)")
            index, low, high = (self._write(part)[0] for part in edge.elts)
            span = rf"\sum_{{{index}={low}}}^{{{high}}} "
            head += span if self.tex else f"sum_{{{index}={low}..{high}}}"
        if self.tex:
            return f"{head}{self._inside(body, PRODUCT)}", SIGN
        return f"{head}({self._write(body)[0]})", ATOM

    def _function(self, name: str, args: Sequence[ast.expr]) -> str:
        inner = [self._write(argument)[0] for argument in args]
        if name == "Abs":
            return rf"\left|{inner[0]}\right|" if self.tex else f"|{inner[0]}|"
        if name == "Indicator":
            sign = self.sign(">=" if inner[1] == "0" else ">")
            return rf"\mathbf{{1}}[{inner[0]} {sign} 0]" if self.tex else f"1[{inner[0]} {sign} 0]"
        joined = ", ".join(inner)
        if not self.tex:
            return f"{name.lower() if name in FUNCTIONS else name}({joined})"
        if name == "sqrt":
            return rf"\sqrt{{{joined}}}"
        head = rf"\{name.lower()}" if name in FUNCTIONS else self.name(name)
        return rf"{head}\left({joined}\right)"

    def _inside(self, node: ast.expr, least: int) -> str:
        text, bound = self._write(node)
        return text if bound >= least else self.braced(text)

    def _after(self, node: ast.expr, least: int) -> str:
        """What stands behind another sign: a minus at its head, or a sum, is put in brackets."""
        text = self._inside(node, least)
        return self.braced(text) if text.startswith("-") else text

    def braced(self, formula: str) -> str:
        """A finished formula in brackets."""
        return rf"\left({formula}\right)" if self.tex else f"({formula})"

    def name(self, name: str) -> str:
        """A symbol: letters of the Greek alphabet and digits at the end as they are set."""
        if not self.tex:
            return name
        head, rest = re.fullmatch(r"(.*?)((?:_?\d+)*)", name).groups()  # type: ignore[union-attr]
        if GREEK.fullmatch(head):
            shown = rf"\{head}"
        else:
            shown = head if len(head) == 1 else rf"\mathit{{{escaped(head)}}}"
        below = ",".join(re.findall(r"\d+", rest))
        return f"{shown}_{{{below}}}" if below else shown


def _is_sum(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "Sum"


def escaped(text: str) -> str:
    """Plain words inside TeX."""
    return re.sub(r"[\^~]", r"\\\g<0>{}", re.sub(r"[_&%#$]", r"\\\g<0>", text))
