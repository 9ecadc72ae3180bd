"""Means of polynomials of normal variables, written out: ``E[x^2]`` is mu^2 + s^2.

The k-th moment of N(m, v) is the sum over even j of C(k, j) (j-1)!! m^(k-j) v^(j/2).  Variables
are independent, so that one after another is taken out of a polynomial.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import comb, prod
from typing import TYPE_CHECKING

from verify.line.grammar.build import called, names_in
from verify.line.pieces import Related, refusal

if TYPE_CHECKING:
    from verify.line.drawn import Variable
    from verify.line.ranges import Ranges

__all__ = ["needed", "without"]

HIGHEST = 12
"""Highest power of a normal variable that is written out."""

LARGEST = 3000
"""Pieces of a mean that is written out."""

Poly = dict[int, ast.expr]


def needed(normal: Sequence[Variable], known: Ranges) -> list[Related]:
    """That each variance is at least 0, where it is no square and no range says so."""
    out = []
    for one in normal:
        variance = one.numbers[1]
        square = isinstance(variance, ast.BinOp) and isinstance(variance.op, ast.Pow)
        even = square and getattr(variance.right, "value", 1) in (2, 4)  # type: ignore[attr-defined]
        name = variance.id if isinstance(variance, ast.Name) else ""
        low = known.of[name].low if name in known.of else None
        if isinstance(variance, ast.Constant) or even or (low is not None and low >= 0):
            continue
        out.append(Related(ast.Constant(0), "<=", variance, one.piece))
    return out


def without(stated: Related, normal: Sequence[Variable], random: Iterable[Variable]) -> Related:
    """A relation with the means of normal variables written out."""
    mean = _Means(stated, normal, {one.name for one in random})
    left, right = mean.visit(copy.deepcopy(stated.left)), mean.visit(copy.deepcopy(stated.right))
    stray = {one.name for one in normal} & (names_in(left) | names_in(right))
    if stray:
        name = min(stray)
        raise refusal(stated.piece, f"with {name} under E(...)", name, f"write E({name})")
    return replace(stated, left=left, right=right)


class _Means(ast.NodeTransformer):
    """Takes normal variables out of each mean, the inner ones first."""

    def __init__(self, stated: Related, normal: Sequence[Variable], random: set[str]) -> None:
        self.stated, self.normal, self.random = stated, normal, random

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "P" and {one.name for one in self.normal} & names_in(node):
            remedy = "write the probability out, or take a coin, two_point or binomial"
            raise refusal(
                self.stated.piece, "P of finitely many outcomes", ast.unparse(node), remedy
            )
        if name != "E" or len(node.args) != 1:
            return node
        inside = node.args[0]
        try:
            for one in self.normal:
                if one.name in names_in(inside):
                    inside = self.mean(inside, one)
        except _TooLongError:
            found, remedy = ast.unparse(node), "write the mean out, or lower its powers"
            raise refusal(self.stated.piece, "of shorter means", found, remedy) from None
        return called("E", inside) if names_in(inside) & self.random else inside

    def mean(self, node: ast.expr, one: Variable) -> ast.expr:
        """The mean over one variable."""
        parts = [
            _times(c, moment(k, *one.numbers))
            for k, c in sorted(self.powers(node, one.name).items())
        ]
        return _sum(parts)

    def powers(self, node: ast.expr, name: str) -> Poly:
        """Coefficients of the powers of a variable."""
        if name not in names_in(node):
            return {0: node}
        if isinstance(node, ast.Name):
            return {1: ast.Constant(1)}
        if isinstance(node, ast.UnaryOp):
            inner = self.powers(node.operand, name)
            return {k: ast.UnaryOp(ast.USub(), c) for k, c in inner.items()}
        if isinstance(node, ast.BinOp):
            found = self._operation(node, name)
            if found is not None:
                return found
        remedy = "write the mean out"
        raise refusal(self.stated.piece, f"a polynomial in {name}", ast.unparse(node), remedy)

    def _operation(self, node: ast.BinOp, name: str) -> Poly | None:
        left = self.powers(node.left, name)
        if isinstance(node.op, ast.Pow):
            power = node.right.value if isinstance(node.right, ast.Constant) else None
            if not isinstance(power, int) or not 0 < power * max(left) <= HIGHEST:
                return None
            made = left
            for _ in range(power - 1):
                made = _product(made, left)
            return made
        if isinstance(node.op, ast.Div):
            if name in names_in(node.right):
                return None
            return {k: ast.BinOp(c, ast.Div(), node.right) for k, c in left.items()}
        right = self.powers(node.right, name)
        if isinstance(node.op, ast.Mult):
            return _product(left, right) if max(left) + max(right) <= HIGHEST else None
        if isinstance(node.op, ast.Sub):
            right = {k: ast.UnaryOp(ast.USub(), c) for k, c in right.items()}
        return {k: _sum([p[k] for p in (left, right) if k in p]) for k in {*left, *right}}


def moment(power: int, mean: ast.expr, variance: ast.expr) -> ast.expr:
    """The mean of a power of a normal variable."""
    parts: list[ast.expr] = []
    for j in range(0, power + 1, 2):
        count = comb(power, j) * prod(range(1, j, 2))
        part: ast.expr = ast.Constant(count)
        if power - j:
            part = _times(part, _power(mean, power - j))
        if j:
            part = _times(part, _power(variance, j // 2))
        parts.append(part)
    return _sum(parts)


def _power(base: ast.expr, power: int) -> ast.expr:
    return base if power == 1 else ast.BinOp(base, ast.Pow(), ast.Constant(power))


def _is(node: ast.expr, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _size(node: ast.AST) -> int:
    """How many pieces a formula has; kept with those that are made here."""
    kept = getattr(node, "pieces", None)
    return kept if kept is not None else sum(1 for _ in ast.walk(node))


def _sized(node: ast.BinOp) -> ast.BinOp:
    size = 1 + _size(node.left) + _size(node.right)
    if size > LARGEST:
        raise _TooLongError
    node.pieces = size  # type: ignore[attr-defined]
    return node


class _TooLongError(Exception):
    """A mean of more pieces than are written out."""


def _times(left: ast.expr, right: ast.expr) -> ast.expr:
    if _is(left, 0) or _is(right, 0):
        return ast.Constant(0)
    if _is(left, 1):
        return right
    return left if _is(right, 1) else _sized(ast.BinOp(left, ast.Mult(), right))


def _sum(parts: list[ast.expr]) -> ast.expr:
    parts = [part for part in parts if not _is(part, 0)] or [ast.Constant(0)]
    whole = parts[0]
    for part in parts[1:]:
        whole = _sized(ast.BinOp(whole, ast.Add(), part))
    return whole


def _product(left: Poly, right: Poly) -> Poly:
    sums: dict[int, list[ast.expr]] = {}
    for i, a in left.items():
        for j, b in right.items():
            sums.setdefault(i + j, []).append(_times(a, b))
    return {k: _sum(parts) for k, parts in sums.items()}
