"""Formulas of an outline as they are written, in the words of Coq."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from verify.certify.coq.terms import NotInCoq
from verify.proof.term import parsed

__all__ = ["Words"]


class Words:
    """Translates formulas under the declarations of an outline.

    Parameters
    ----------
    document : mapping
    whole : collection of str
        Numbers that are natural numbers.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._numbers = {_base(p): sign for p, sign in document["numbers"].items()}
        self._vectors = {_base(p) for p in document["vectors"]}
        self._functions = document["functions"]
        self._letters = set(document["indices"])
        self.values: dict[str, str] = {}

    def is_whole(self, name: str) -> bool:
        """Whether a number is a natural one."""
        return "integer" in self._numbers.get(name, "")

    def scalar(self, text: str, bound: Mapping[str, str] | None = None) -> str:
        """A formula that is a number; ``bound`` names points by what they are called in Coq."""
        kind, said = self._node(parsed(text), dict(bound or {}))
        if kind != "number":
            raise NotInCoq(f"the vector {text} as a number")
        return said

    def vector(self, text: str, bound: Mapping[str, str] | None = None) -> str:
        """A formula that is a vector."""
        kind, said = self._node(parsed(text), dict(bound or {}))
        if kind != "vector":
            raise NotInCoq(f"the number {text} as a vector")
        return said

    def index(self, node: Any) -> str:
        """A whole number."""
        match node:
            case ast.Constant(value=int(value)):
                return "O" if value == 0 else f"{value}%nat"
            case ast.Name(id=name) if name in self._letters or self.is_whole(name):
                return str(name)
            case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)):
                return f"(S {self.index(left)})"
        raise NotInCoq(f"the index {ast.unparse(node)}")

    def _node(self, node: Any, bound: dict[str, str]) -> tuple[str, str]:
        match node:
            case ast.Constant(value=int(value)):
                return "number", str(value)
            case ast.Name(id=name) if name in bound:
                return "vector", bound[name]
            case ast.Name(id=name) if name in self._letters or self.is_whole(name):
                return "number", f"(INR {name})"
            case ast.Name(id=name) if name in self._numbers:
                return "number", name
            case ast.Name(id=name) if name in self._vectors:
                return "vector", name
            case ast.Subscript(value=ast.Name(id=name), slice=at) if not isinstance(at, ast.Tuple):
                return (
                    "number" if name in self._numbers else "vector"
                ), f"({name} {self.index(at)})"
            case ast.UnaryOp(operand=inner):
                kind, said = self._node(inner, bound)
                return kind, f"(- {said})" if kind == "number" else f"(vscale (-1) {said})"
            case ast.BinOp(left=left, op=op, right=right):
                return self._joined(op, self._node(left, bound), right, bound)
            case ast.Call(func=ast.Name(id="grad"), args=[ast.Name(id=f), point]):
                said = f"(d{self._own(f)} {self._node(point, bound)[1]})"
                return "vector", (said if self._own(f) == f else f"(avg {said})")
            case ast.Call(func=ast.Name(id="avg"), args=[inner]):
                return "vector", f"(avg {self._node(inner, bound)[1]})"
            case ast.Call(func=ast.Name(id="off"), args=[inner]):
                said = self._node(inner, bound)[1]
                return "vector", f"(vsub {said} (avg {said}))"
            case ast.Call(func=ast.Name(id="Sum"), args=[body, ast.Tuple(elts=[t, low, high])]):
                return "number", self._sum(body, t, low, high, bound)
            case ast.Call(func=ast.Name(id="Sum"), args=[body, ast.Name() as j, low, high]):
                self._letters.add(j.id)  # as a variable is printed
                return "number", self._sum(_grouped(body), j, low, high, bound)
            case ast.Call(func=ast.Name(id=f), args=[point]) if f in self._functions:
                return "number", f"({self._own(f)} {self._node(point, bound)[1]})"
        raise NotInCoq(ast.unparse(node))

    def _own(self, f: str) -> str:
        """The function of each client whose mean a function is, or itself."""
        return str(self._functions[f].get("mean of", f))

    def _joined(self, op: Any, left: tuple[str, str], right: Any, bound: Any) -> tuple[str, str]:
        kind, one = left
        if isinstance(op, ast.Pow):
            if kind == "vector":
                return "number", f"(ip {one} {one})"
            plain = isinstance(right, ast.Constant) and isinstance(right.value, int)
            exponent = str(int(right.value)) if plain else self.index(right)
            return "number", f"({one} ^ {exponent})"
        other_kind, other = self._node(right, bound)
        kinds = (kind, other_kind)
        match op:
            case ast.Add() | ast.Sub():
                if kinds == ("number", "number"):
                    return "number", f"({one} {'+' if isinstance(op, ast.Add) else '-'} {other})"
                if kinds == ("vector", "vector"):
                    head = "vadd" if isinstance(op, ast.Add) else "vsub"
                    return "vector", f"({head} {one} {other})"
            case ast.Mult():
                if kinds == ("number", "number"):
                    return "number", f"({one} * {other})"
                if kinds == ("vector", "vector"):
                    return "number", f"(ip {one} {other})"
                scale, vector = (one, other) if kind == "number" else (other, one)
                return "vector", f"(vscale {scale} {vector})"
            case ast.Div() if other_kind == "number":
                if kind == "number":
                    return "number", f"({one} / {other})"
                return "vector", f"(vscale (/ {other}) {one})"
        raise NotInCoq("a number and a vector that are added")

    def _sum(self, body: Any, t: Any, low: Any, high: Any, bound: dict[str, str]) -> str:
        match (low, high):
            case (
                ast.Constant(value=0),
                ast.BinOp(left=count, op=ast.Sub(), right=ast.Constant(value=1)),
            ):
                inner = self._node(body, bound)[1]
                return f"(Schemas.Sig (fun {t.id} : nat => {inner}) {self.index(count)})"
        raise NotInCoq("a sum over another range")


def _grouped(body: ast.expr) -> ast.expr:
    """A product with its two vectors, which are printed last or apart, multiplied first."""
    factors: list[ast.expr] = []
    node = body
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        factors.insert(0, node.right)
        node = node.left
    factors.insert(0, node)
    heads = ("grad(", "avg(", "off(")
    pair = [f for f in factors if ast.unparse(f).startswith(heads)]
    if len(pair) != 2:
        return body
    found: ast.expr = ast.BinOp(pair[0], ast.Mult(), pair[1])
    for factor in [f for f in factors if f not in pair]:
        found = ast.BinOp(factor, ast.Mult(), found)
    return found


def _base(pattern: str) -> str:
    return pattern.partition("[")[0]
