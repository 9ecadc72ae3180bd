"""Formulas of an outline as a paper would set them, in plain text."""

from __future__ import annotations

import ast
from typing import Any

from verify.proof.term import parsed

__all__ = ["shown_formula"]

RANKS = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.Pow: 4}
SIGNS = {ast.Add: " + ", ast.Sub: " - ", ast.Mult: " ", ast.Div: "/", ast.Pow: "^"}


def shown_formula(text: str) -> str:
    """A formula with ``^`` for powers, sums and gradients as they are read aloud.

    Examples
    --------
    >>> shown_formula("2*eta*Sum(grad(F, w[t])**2, (t, 0, T - 1))/T")
    '2 eta sum_{t < T} (grad F(w[t])^2)/T'
    """
    return _said(parsed(text), 0)


def _said(node: Any, rank: int) -> str:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            here = RANKS[type(op)]
            inner = here + (isinstance(op, ast.Sub | ast.Div))
            said = _said(left, here + isinstance(op, ast.Pow)) + SIGNS[type(op)]
            said += _said(right, inner)
            return f"({said})" if here < rank else said
        case ast.UnaryOp(operand=inner):
            said = f"-{_said(inner, 3)}"
            return f"({said})" if rank > 1 else said
        case ast.Call(func=ast.Name(id="grad"), args=[f, point]):
            return f"grad {ast.unparse(f)}({_said(point, 0)})"
        case ast.Call(func=ast.Name(id="Sum" | "Min" | "Max" as head), args=[body, edge]):
            letter, _, last = edge.elts  # type: ignore[attr-defined]
            name = {"Sum": "sum", "Min": "min", "Max": "max"}[head]
            return f"{name}_{{{ast.unparse(letter)} {_until(last)}}} ({_said(body, 0)})"
        case ast.Call(func=ast.Name(id="avg"), args=[inner]):
            return f"mean({_said(inner, 0)})"
        case ast.Call(func=ast.Name(id="Chance"), args=[inner, level]):
            return f"P(|{_said(inner, 0)}|^2 >= {_said(level, 0)})"
        case ast.Call(func=ast.Name(id=name), args=args):
            return f"{name}({', '.join(_said(a, 0) for a in args)})"
    return ast.unparse(node)


def _until(last: Any) -> str:
    match last:
        case ast.BinOp(left=end, op=ast.Sub(), right=ast.Constant(value=1)):
            return f"< {_said(end, 0)}"
    return f"<= {_said(last, 0)}"
