"""Expressions of written proofs in the words of Coq."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from verify.certify.checker import Context

EACH = "(1 <= k <= N)%nat"

TAKEN = frozenset(
    re.findall(
        r"\w+",
        "N R S O I k d i D in at as let fun forall exists match end return Type Prop Set with "
        "if then else fix where by using Sum sqrt ln exp sin cos tan PI INR IZR Rmax Rmin Rabs "
        "pos nz each signs plus minus mult le lt gt ge eq not and or pow nat true false Some "
        "None nil cons "
        "fst snd Theorem Lemma Proof Qed equal dot",
    )
)
FUNCTIONS = {"exp": "exp", "log": "ln", "Abs": "Rabs", "sqrt": "sqrt"}

__all__ = ["EACH", "NotInCoq", "Terms", "inner", "over_clients", "with_k"]


class NotInCoq(ValueError):
    """The proof uses what is not written for Coq; the message names it."""


class Terms:
    """Terms of Coq for the expressions of one written proof.

    Parameters
    ----------
    document : mapping
        The written proof.
    context : Context
        Its symbols and atoms, as the checker reads them.
    """

    def __init__(self, document: Mapping[str, Any], context: Context) -> None:
        self._document, self._context = document, context
        self._atoms = {name: _parsed(meaning) for name, meaning in document["atoms"]}
        self._functions: dict[str, int] = {}
        self._signs = dict(document["symbols"])
        claim = document["claim"]
        self._stated = [claim["left"], claim["right"], *(h["expr"] for h in document["given"])]
        self._families = {
            n.value.id
            for text in self._stated
            for n in ast.walk(_parsed(text))
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)
        }
        self._matrices = {
            n.value.id
            for text in self._stated
            for n in ast.walk(_parsed(text))
            if isinstance(n, ast.Subscript)
            and isinstance(n.slice, ast.Tuple)
            and isinstance(n.value, ast.Name)
        }
        self._alone = {
            name
            for name in self._families
            if any(re.search(rf"\b{name}\b(?!\[)", text) for text in self._stated)
        }
        self._clients = any(
            isinstance(n, ast.Name) and n.id in ("k", "N")
            for text in self._stated
            for n in ast.walk(_parsed(text))
        )
        self._indices = {h["each"] for h in document["given"] if "each" in h}
        self._rounds = set() if self._clients else self._families  # families of rounds
        for text in self._stated:
            self(text)  # meets the functions that have no name of their own

    def __call__(self, text: str) -> str:
        """An expression as a term of type R."""
        return self.node(_parsed(text))

    def polynomial(self, text: str) -> str:
        """A fact as a term of type R."""
        return self(text)

    def square(self, root: str) -> str:
        """The square of a number."""
        return f"({self(root)}) ^ 2"

    def alone(self, name: str) -> str:
        """A number that bears the name of a family."""
        return f"{self.named(name)}_alone"

    @staticmethod
    def named(name: str) -> str:
        """A name that Coq has not taken."""
        return f"{name}_" if name in TAKEN or re.fullmatch(r"[DHLFPRZC]\d+|C|K|T", name) else name

    def summand_of(self, name: str) -> str:
        """What the sum that an atom names is taken of."""
        return self.node(self.summand_node(name))

    def summand_node(self, name: str) -> ast.expr:
        """The same as an expression."""
        node = self._atoms[name]
        if not isinstance(node, ast.Call):
            raise NotInCoq(name)
        summand: ast.expr = with_k(*node.args)
        return summand

    def degree(self, node: ast.expr) -> int:
        """Degree in vectors, of which there are none here."""
        assert node
        return 0

    def names_client(self, text: str) -> bool:
        """Whether an expression is about one client."""
        return "k" in self._context.names(self._context.read(text))

    def split(self, body: ast.expr, edge: Any) -> Sequence[tuple[str, str]]:
        """Coefficients and summands of a sum over the clients, as the proof has them."""
        if not over_clients(edge):
            return []
        index = edge.elts[0].id if inner(body, edge) else "k"
        body = body if inner(body, edge) else with_k(body, edge)
        return self._context.split(body, index, *map(self._context.value, edge.elts[1:]))

    # -- printing ----------------------------------------------------------------------------------

    def node(self, node: ast.expr) -> str:
        """One node as a term of type R."""
        match node:
            case ast.Constant(value=int(value)):
                return str(value)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return f"(- {self._tight(inner)})"
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                sign = "+" if isinstance(op, ast.Add) else "-"
                other = self._factor(right) if sign == "-" else self.node(right)
                return f"{self.node(left)} {sign} {other}"
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
                sign = "*" if isinstance(op, ast.Mult) else "/"
                return f"{self._factor(left)} {sign} {self._tight(right)}"
            case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
                return self._power(base, exponent)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                text = ast.unparse(node)
                if text in self._atoms:
                    return f"({self.node(self._atoms[text])})"
                if name in self._rounds:
                    return f"{self.named(name)} {self._tight_natural(index)}"
                indices = index.elts if isinstance(index, ast.Tuple) else [index]
                if not all(isinstance(i, ast.Name) for i in indices):
                    raise NotInCoq(f"the entry {text}")
                return " ".join([self.named(name), *map(ast.unparse, indices)])
            case ast.Call(func=ast.Name(id="Sum"), args=[body, edge]):
                return self._sum(body, edge)
            case ast.Call(func=ast.Name(id="Max" | "Min" as name), args=[one, *rest]) if rest:
                word = {"Max": "Rmax", "Min": "Rmin"}[name]
                most = self._tight(one)
                for part in rest:
                    most = f"({word} {most} {self._tight(part)})"
                return most[1:-1]
            case ast.Call(func=ast.Name(id=name), args=[inner]):
                if name not in FUNCTIONS and not re.fullmatch(r"[A-Z]\w?", name):
                    raise NotInCoq(f"the function {name}")
                if name not in FUNCTIONS:
                    self._functions[self.named(name)] = 1
                return f"{FUNCTIONS.get(name, self.named(name))} {self._tight(inner)}"
        raise NotInCoq(ast.unparse(node))

    def _sum(self, body: ast.expr, edge: Any) -> str:
        """A sum over the clients, or over rounds from 0 or 1 on."""
        index, low, high = edge.elts
        if over_clients(edge) and inner(body, edge):
            return f"Sum (fun {edge.elts[0].id} => {self.node(body)}) N"
        if over_clients(edge):
            return f"Sum (fun k => {self.node(with_k(body, edge))}) N"
        self._indices.add(index.id)
        summand = f"(fun {self.named(index.id)} => {self.node(body)})"
        if ast.unparse(low) == "1":
            return f"Sum {summand} {self._tight_natural(high)}"
        if ast.unparse(low) != "0":
            raise NotInCoq(f"a sum over {ast.unparse(edge)}")
        match high:  # Sum0 stops before its last argument
            case ast.BinOp(left=end, op=ast.Sub(), right=ast.Constant(value=1)):
                return f"Sum0 {summand} {self._tight_natural(end)}"
        return f"Sum0 {summand} (S {self._tight_natural(high)})"

    def _name(self, name: str) -> str:
        if name in self._atoms:
            return f"({self.node(self._atoms[name])})"
        if name in self._indices:
            return f"INR {self.named(name)}"
        if name in self._families:
            return self.alone(name)
        if name in ("N", "k") or self._signs.get(name, "").endswith("e integer"):
            return f"INR {name if name in ('N', 'k') else self.named(name)}"
        return self.named(name)

    def _factor(self, node: ast.expr) -> str:
        text = self.node(node)
        loose = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
        return f"({text})" if loose else text

    def _tight(self, node: ast.expr) -> str:
        text = self.node(node)
        return text if re.fullmatch(r"[\w']+|\([^()]*\)", text) else f"({text})"

    def _power(self, base: ast.expr, exponent: ast.expr) -> str:
        number = self._context.read(ast.unparse(exponent)).number()
        if number is not None and number.denominator == 1:
            text = f"{self._tight(base)} ^ {abs(number)}"
            return text if number >= 0 else f"/ ({text})"
        if number is not None and number.denominator == 2:
            root = f"sqrt {self._tight(base)}"
            text = root if abs(number) * 2 == 1 else f"({root}) ^ {abs(number) * 2}"
            return text if number > 0 else f"/ ({text})"
        if number is not None:
            raise NotInCoq(f"the root {ast.unparse(base)} ** {number}")
        return f"{self._tight(base)} ^ ({self._natural(exponent)})"

    def _natural(self, node: ast.expr) -> str:
        """An exponent as a natural number."""
        match node:
            case ast.Constant(value=int(value)) if value >= 0:
                return str(value)
            case ast.Name(id=name) if self._signs.get(name, "").endswith("e integer"):
                return self.named(name)
            case ast.Name(id="N"):
                return "N"
            case ast.Name(id=name) if name in self._indices:
                return self.named(name)
            case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)):
                return f"S {self._tight_natural(left)}"
            case ast.BinOp(left=left, op=ast.Add() | ast.Mult() as op, right=right):
                sign = "+" if isinstance(op, ast.Add) else "*"
                return f"({self._natural(left)} {sign} {self._natural(right)})"
        raise NotInCoq(f"the exponent {ast.unparse(node)}")

    def _tight_natural(self, node: ast.expr) -> str:
        """The same as an argument."""
        text = self._natural(node)
        return f"{text}%nat" if text.isdigit() else text if text.isidentifier() else f"({text})"


def over_clients(edge: Any) -> bool:
    """Whether a sum runs over the clients."""
    return [ast.unparse(e) for e in edge.elts[1:]] == ["1", "N"]


def inner(body: ast.expr, edge: Any) -> bool:
    """Whether a sum over the clients stands inside one over k, which it names too."""
    return edge.elts[0].id != "k" and any(
        isinstance(n, ast.Name) and n.id == "k" for n in ast.walk(body)
    )


def with_k(body: ast.expr, edge: Any) -> Any:
    """The summand of a sum over the clients, its index called k."""
    index = edge.elts[0].id
    if not over_clients(edge):
        raise NotInCoq(f"a sum over {ast.unparse(edge)}")
    if index == "k":
        return body
    if any(isinstance(n, ast.Name) and n.id == "k" for n in ast.walk(body)):
        raise NotInCoq("a sum inside a sum that names both indices")
    return _parsed(re.sub(rf"\b{index}\b", "k", ast.unparse(body)))


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body
