"""The two sides of a line as terms: ``p[i]*x`` is ``w.p * w.x[..., None]``.

Arrays have the axes (instances, outcomes, one per index in the order in which sums bind them,
coordinates of a vector).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from verify.line.drawn import Variable
from verify.line.kinds import (
    COUNTS,
    ELEMENTWISE,
    EVENTS,
    MEANS,
    NORMS,
    Kinds,
    Stack,
    free_indices,
    indices_of,
    name_of,
    ranging_over,
)
from verify.line.pieces import Piece
from verify.terms import node as nodes
from verify.terms.direct.build import (
    averaged,
    bound,
    generic,
    number,
    operation,
    repeated,
    symbol,
    taken,
)
from verify.terms.node import Node

__all__ = ["Translator", "terms"]

OVER = {"sum": "total", "mean": "mean", "max": "largest", "min": "smallest"}
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}


@dataclass
class Translator(Kinds):
    """Makes terms of the pieces of one line."""

    literals: int = 0

    def term(self, node: ast.expr, piece: Piece) -> Node:
        """Term of a side, a number in every instance."""
        self.piece = piece
        if self.kind(node, ()) == "vector":
            raise self.wrong(node, "a number on each side", "a vector", "take norm(...) or dot")
        return self._number(node, ())

    def _emit(self, node: ast.expr, stack: Stack, vector: bool = False) -> Node:
        """A piece under the indices of a stack, with an axis of coordinates if so asked."""
        kind = self.kind(node, stack)
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, int | float)  # else it has been refused
            return number(node.value)
        outer = _prefix(node, stack)
        further = len(stack) - outer
        if kind == "number" and (vector or further):
            if not self._arrays(node):  # a whole number is the same everywhere
                return self._made(node, (), False)
            return taken(self._emit(node, stack[:outer]), [False] * (further + vector))
        if kind == "vector" and further and isinstance(node, ast.Call):
            inner = self._emit(node, stack[:outer], True)
            return taken(inner, [*[False] * further, True])
        return self._made(node, stack, vector)

    def _made(self, node: ast.expr, stack: Stack, vector: bool) -> Node:
        if isinstance(node, ast.Name | ast.Subscript):
            name, indices = indices_of(node)
            if name in self.laws or name in self.counters:
                return bound(str(name))
            places = [i in indices for i in stack] + [True] * (name in self.vectors)
            return symbol(str(name)) if all(places) else taken(symbol(str(name)), places)
        if isinstance(node, ast.UnaryOp):
            inner = self._emit(node.operand, stack, vector)
            return operation("neg", inner) if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp):
            squared = _even_norm(node)
            if squared is not None:
                inside, power = squared
                base = generic("squared_norm", self._emit(inside, stack, True))
                return base if power == 1 else operation("**", base, number(power))
            if isinstance(node.op, ast.Pow):
                return self._power(node, stack)
            left, right = (self._emit(n, stack, vector) for n in (node.left, node.right))
            return operation(SIGNS[type(node.op)], left, right)
        assert isinstance(node, ast.Call)
        return self._called(node, stack, vector)

    def _power(self, node: ast.BinOp, stack: Stack) -> Node:
        """A power; one that is not whole is taken by a function that knows exact numbers."""
        if self.is_whole(node.right):
            return operation("**", self._emit(node.left, stack), self._emit(node.right, ()))
        return generic("power", self._number(node.left, stack), self._number(node.right, stack))

    def _called(self, node: ast.Call, stack: Stack, vector: bool) -> Node:
        name, over = name_of(node), ranging_over(name_of(node))
        if over and len(node.args) == 3:
            return self._repeated(node, *over, stack)
        if name in COUNTS:
            inside = [self._emit(argument, ()) for argument in node.args]
            return self._of_world(nodes.node("counted", *inside, data=COUNTS[name]))
        if over:
            inner = self._emit(node.args[0], (*stack, over[1]), vector)
            return generic(OVER[over[0]], inner, *([-2] if vector else []))
        if name in MEANS:
            return self._averaged(node, stack)
        if name in NORMS:
            inside = [self._emit(argument, stack, True) for argument in node.args]
            if name == "norm":
                return generic("sqrt", generic("squared_norm", *inside))
            if name == "dot":
                return generic("dot", *inside)
            lengths = generic("absolute", *inside)
            return generic("total" if name == "norm1" else "largest", lengths)
        whole, *others = (self._number(argument, stack) for argument in node.args)
        if name in ("min", "max"):
            for other in others:
                whole = generic("maximum" if name == "max" else "minimum", whole, other)
            return whole
        return generic(ELEMENTWISE[name], whole)

    def _repeated(self, node: ast.Call, name: str, letter: str, stack: Stack) -> Node:
        """A sum or product over the whole numbers from one to another."""
        body, low, high = node.args
        ends = self._emit(low, ()), self._emit(high, ())
        self.counters.append(letter)
        inner = self._number(body, stack)
        self.counters.pop()
        return repeated(name, letter, inner, ends, self._of_world(number(int(name == "prod"))))

    def _averaged(self, node: ast.Call, stack: Stack) -> Node:
        """A mean or a probability, of the random variables that it does not bind inside."""
        inside = node.args[0]
        named = self.free_variables(inside)
        if not named:
            return self._emit(inside, stack)
        before, self.means = self.means, True
        try:
            if isinstance(inside, ast.Compare):
                sides = [self._emit(n, stack) for n in (inside.left, inside.comparators[0])]
                if isinstance(inside.ops[0], ast.LtE | ast.Lt):
                    sides.reverse()
                body = generic(EVENTS[type(inside.ops[0])], *sides)
            else:
                body = self._emit(inside, stack)
        finally:
            self.means = before
        laws = [(self.laws[one].law, self._numbers_of(self.laws[one])) for one in named]
        return averaged(MEANS[name_of(node)], laws, named, body)

    def _numbers_of(self, one: Variable) -> list[Node]:
        """The numbers of a law."""
        made = []
        for place, item in enumerate(one.numbers):
            self.kind(item, ())
            counts = one.law == "binomial" and place == 0
            made.append(self._emit(item, ()) if counts else self._number(item, ()))
        return made

    # -- whole numbers --------------------------------------------------------------------------

    def _number(self, node: ast.expr, stack: Stack) -> Node:
        """A piece; one that holds whole numbers alone is made of numbers of the world."""
        return self._emit(node, stack) if self._arrays(node) else self._whole(node)

    def _whole(self, node: ast.expr) -> Node:
        if isinstance(node, ast.UnaryOp):
            inner = self._whole(node.operand)
            return operation("neg", inner) if isinstance(node.op, ast.USub) else inner
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            base = self._whole(node.left)
            if self.is_whole(node.right):
                return operation("**", base, self._emit(node.right, ()))
            return generic("power", base, self._whole(node.right))
        if isinstance(node, ast.BinOp):
            left, right = self._whole(node.left), self._whole(node.right)
            return operation(SIGNS[type(node.op)], left, right)
        plain = isinstance(node, ast.Constant) and not isinstance(node.value, int)
        return self._emit(node, ()) if plain else self._of_world(self._emit(node, ()))

    def _of_world(self, inner: Node) -> Node:
        """A whole number as a number of the world; typed twice it is two numbers."""
        self.literals += 1
        return nodes.node("literal", inner, data=self.literals)

    def _arrays(self, node: ast.expr) -> bool:
        """Whether a parameter that is no whole number stands in a piece."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        calls = any(isinstance(n, ast.Call) for n in ast.walk(node))
        return calls or bool(names - self.whole - set(self.counters))


def terms(node: ast.expr) -> list[ast.expr]:
    """Summands of a side, each with its sign."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        right = terms(node.right)
        if isinstance(node.op, ast.Sub):
            right = [_negated(one) for one in right]
        return [*terms(node.left), *right]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = terms(node.operand)
        return [_negated(one) for one in inner] if len(inner) > 1 else [node]
    return [node]


def _negated(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return node.operand
    return ast.UnaryOp(ast.USub(), node)


def _prefix(node: ast.expr, stack: Stack) -> int:
    """How much of a stack a piece needs: up to the last index that it names."""
    named = free_indices(node)
    return max((k + 1 for k, index in enumerate(stack) if index in named), default=0)


def _even_norm(node: ast.BinOp) -> tuple[ast.expr, int] | None:
    """``norm(x)**4`` is the second power of a squared norm."""
    call, power = node.left, node.right
    if not (isinstance(node.op, ast.Pow) and isinstance(call, ast.Call)):
        return None
    named = isinstance(call.func, ast.Name) and call.func.id == "norm" and len(call.args) == 1
    value = power.value if isinstance(power, ast.Constant) else None
    if named and isinstance(value, int) and value > 0 and value % 2 == 0:
        return call.args[0], value // 2
    return None
