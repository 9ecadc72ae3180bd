"""Evaluate a claim at an exact point: a reader of its own, which shares nothing with the checker.

Numbers are fractions.  A vector is a pair of them, and a product of two vectors is their inner
product.  A function without a meaning has a value of its own for each argument, drawn at random.
What has no value at a point (a pole, the root of a negative number, a root or an exponential that
is no fraction) is `Undefined`, and the point says nothing.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

__all__ = ["Undefined", "drawn", "holds_at", "point"]

LARGEST = 10**40
"""Numbers that are longer say nothing more than shorter ones, and take longer."""


class Undefined(Exception):
    """The claim has no value here."""


class Vector(tuple):  # type: ignore[type-arg]
    """Two coordinates."""


class Reader:
    """Values of expressions at one point."""

    def __init__(self, signs: Mapping[str, str], vectors: set[str], clients: int, seed: Any):
        self.signs, self.vectors, self.clients = signs, vectors, clients
        self.known: dict[Any, Any] = {}
        self.rng = random.Random(seed)

    def symbol(self, name: str, index: Any = ()) -> Any:
        if (name, index) not in self.known:
            sign = self.signs.get(name, "real")
            draw = drawn(self.rng, "real" if name in self.vectors else sign)
            if name in self.vectors:
                draw = Vector((draw, drawn(self.rng, "real")))
            self.known[name, index] = draw
        return self.known[name, index]

    def value(self, node: ast.expr, bound: Mapping[str, Fraction]) -> Any:
        found = self._value(node, bound)
        for q in found if isinstance(found, Vector) else (found,):
            if max(abs(q.numerator), q.denominator) > LARGEST:
                raise Undefined
        return found

    def _value(self, node: ast.expr, bound: Mapping[str, Fraction]) -> Any:
        if isinstance(node, ast.Constant):
            return Fraction(node.value)
        if isinstance(node, ast.Name):
            if node.id in bound:
                return bound[node.id]
            return Fraction(self.clients) if node.id == "N" else self.symbol(node.id)
        if isinstance(node, ast.Subscript):
            assert isinstance(node.value, ast.Name)
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return self.symbol(node.value.id, tuple(self.value(p, bound) for p in parts))
        if isinstance(node, ast.UnaryOp):
            return _scaled(self.value(node.operand, bound), Fraction(-1))
        if isinstance(node, ast.BinOp):
            return self._operation(
                node.op, self.value(node.left, bound), self.value(node.right, bound)
            )
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        if node.func.id == "Sum":
            body, *edges = node.args
            terms = [self.value(body, inner) for inner in self._ranges(edges[::-1], bound)]
            found = Fraction(0)
            for i, term in enumerate(terms):
                found = term if not i else _added(found, term)
            return found
        return self._function(node.func.id, [self.value(a, bound) for a in node.args])

    def _ranges(
        self, edges: list[ast.expr], bound: Mapping[str, Fraction]
    ) -> Iterator[Mapping[str, Fraction]]:
        if not edges:
            yield bound
            return
        index, low, high = edges[0].elts  # type: ignore[attr-defined]
        first, last = self.value(low, bound), self.value(high, bound)
        if (last - first).denominator != 1 or last - first > 30:
            raise Undefined
        for i in range(int(last - first) + 1):
            yield from self._ranges(edges[1:], {**bound, index.id: first + i})

    def _operation(self, op: ast.operator, left: Any, right: Any) -> Any:
        if isinstance(op, ast.Add):
            return _added(left, right)
        if isinstance(op, ast.Sub):
            return _added(left, _scaled(right, Fraction(-1)))
        if isinstance(op, ast.Mult):
            if isinstance(left, Vector) and isinstance(right, Vector):
                return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))
            return _scaled(left, right) if isinstance(left, Vector) else _scaled(right, left)
        if isinstance(right, Vector):
            raise Undefined
        if isinstance(op, ast.Div):
            if not right:
                raise Undefined
            return _scaled(left, 1 / right)
        if isinstance(left, Vector):
            if right != 2:
                raise Undefined
            return self._operation(ast.Mult(), left, left)
        return _power(left, right)

    def _function(self, name: str, values: list[Any]) -> Any:
        if any(isinstance(v, Vector) for v in values):
            raise Undefined
        if name == "Abs":
            return abs(values[0])
        if name in ("Max", "Min"):
            return max(values) if name == "Max" else min(values)
        if name == "sqrt":
            return _power(values[0], Fraction(1, 2))
        if name == "Indicator":
            return Fraction(values[0] > 0 if values[1] else values[0] >= 0)
        if name in ("exp", "log"):
            if values[0] != (name == "log"):
                raise Undefined
            return Fraction(name == "exp")
        return self.symbol(name + "()", tuple(values))


def _scaled(value: Any, by: Fraction) -> Any:
    return Vector(q * by for q in value) if isinstance(value, Vector) else value * by


def _added(left: Any, right: Any) -> Any:
    if isinstance(left, Vector) != isinstance(right, Vector):
        raise Undefined
    if isinstance(left, Vector):
        return Vector(a + b for a, b in zip(left, right, strict=True))
    return left + right


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        if base < 0 or (base == 0 and exponent < 0):
            raise Undefined
        base = Fraction(_root(base.numerator, exponent), _root(base.denominator, exponent))
    if (base == 0 and exponent < 0) or abs(exponent.numerator) > 60:
        raise Undefined
    return base**exponent.numerator


def _root(whole: int, exponent: Fraction) -> int:
    """The root of a whole number that is one."""
    found = (
        isqrt(whole) if exponent.denominator == 2 else round(whole ** (1 / exponent.denominator))
    )
    if found**exponent.denominator != whole:
        raise Undefined
    return found


def drawn(rng: random.Random, sign: str) -> Fraction:
    """A number of this kind; small ones, equal ones, and zero where it may be, are frequent."""
    if "integer" in sign:
        low = {"positive integer": 1, "nonnegative integer": 0}.get(sign, -3)
        return Fraction(rng.choice([low, low + 1, rng.randint(low, 6)]))
    size = Fraction(
        rng.choice([1, 1, 2, 4, 9, rng.randint(1, 99)]), rng.choice([1, 1, 4, rng.randint(1, 99)])
    )
    if sign in ("nonnegative", "nonpositive", "real", "complex") and rng.random() < 0.15:
        return Fraction(0)
    if sign in ("negative", "nonpositive") or (sign in ("real", "complex") and rng.random() < 0.5):
        return -size
    return size


def holds_at(document: Mapping[str, Any], reader: Reader, client: int = 1) -> bool | None:
    """Whether a claim holds at a point; None where it is undefined or a hypothesis fails."""
    claim = document["claim"]

    def at(text: str, k: int, **more: Fraction) -> Fraction:
        found = reader.value(ast.parse(text, mode="eval").body, {"k": Fraction(k), **more})
        if isinstance(found, Vector):
            raise Undefined
        return found

    try:
        for h in document["given"]:
            rounds = range(9) if "each" in h else range(1)
            for k in range(1, reader.clients + 1):
                for t in rounds:
                    margin = at(h["expr"], k, **({h["each"]: Fraction(t)} if "each" in h else {}))
                    if margin < 0 or (h["strict"] and not margin):
                        return None
        left, right = at(claim["left"], client), at(claim["right"], client)
    except (Undefined, OverflowError):
        return None
    return {"<=": left <= right, "<": left < right, "==": left == right}[claim["relation"]]


def point(document: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[Reader, int]:
    """The point at which symbols have these values: a list has one for each client, in order."""
    lists = [len(v) for v in values.values() if isinstance(v, list)]
    reader = Reader(
        document.get("symbols", {}), set(document.get("vectors", [])), max([*lists, 1]), "point"
    )
    for name, value in values.items():
        if isinstance(value, list):
            for i, v in enumerate(value, 1):
                reader.known[name, (Fraction(i),)] = Fraction(v)
        elif name != "k":
            reader.known[name, ()] = Fraction(value)
    return reader, int(values.get("k", 1))
