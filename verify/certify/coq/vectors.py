"""Expressions with vectors in the words of Coq: products of two vectors are inner products of R^d.

A vector is a function of its coordinates 1..d, ``dot d x y`` their inner product, and the theorem
holds for every d.  Claim and hypotheses keep the form in which they are written; each inner product
of sums and differences is then read as a combination of inner products of single vectors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verify.certify.checker import UNIT, Context, Value
from verify.certify.coq.statement import CoqStatement
from verify.certify.coq.terms import NotInCoq

__all__ = ["Expansion", "VectorTerms"]


@dataclass(frozen=True)
class Expansion:
    """An inner product as a combination of others.

    Attributes
    ----------
    text : str
        As it is written.
    parts : tuple of (str, str, str)
        Coefficient and two vectors each.
    client : bool
        Whether it is about one client k.
    """

    text: str
    parts: tuple[tuple[str, str, str], ...]
    client: bool


class VectorTerms(CoqStatement):
    """Terms of Coq for a proof some of whose symbols are vectors.

    Attributes
    ----------
    readings : dict
        The inner products that were written so far and are none of single vectors.
    """

    def __init__(self, document: Mapping[str, Any], context: Context) -> None:
        self._vectors = frozenset(document["vectors"])
        self.readings: dict[str, Expansion] = {}
        named = {name: context.read(name).variables() for name, _ in document["atoms"]}
        self._back = {min(found): name for name, found in named.items() if len(found) == 1}
        super().__init__(document, context)

    def polynomial(self, text: str) -> str:
        """A fact, its inner products those of single vectors."""
        return self._combination(self._context.read(text))

    def square(self, root: str) -> str:
        """The squared norm of a vector, the square of a number."""
        node = _parsed(root)
        return self._dot(node, node) if self.degree(node) == 1 else super().square(root)

    def degree(self, node: ast.expr) -> int:
        """Degree of an expression in the vectors."""
        match node:
            case ast.Name() | ast.Subscript():
                name = ast.unparse(node)
                if name in self._atoms:
                    return self.degree(self._atoms[name])
                return int(name.partition("[")[0] in self._vectors)
            case ast.UnaryOp(operand=inner) | ast.BinOp(left=inner, op=ast.Div()):
                return self.degree(inner)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                return max(self.degree(left), self.degree(right))
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self.degree(left) + self.degree(right)
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int(e))):
                return e * self.degree(base)
            case ast.Call(func=ast.Name(id="Sum"), args=[body, *_]):
                return self.degree(body)
        return 0

    def degree_of(self, atom: str) -> int:
        """Degree of the sum that an atom names."""
        return 0 if atom == "N" else self.degree(self._atoms[atom])

    def square_of(self, atom: str) -> str:
        """The squared norm of the summand of a sum over the clients."""
        node = self.summand_node(atom)
        return self._dot(node, node)

    def variables(self) -> str:
        """The quantified variables with their types."""
        each = [self.named(v) for v in sorted(self._vectors & self._families)]
        one = [self.named(v) for v in sorted(self._vectors - self._families)]
        one += [self.alone(v) for v in sorted(self._vectors & self._alone)]
        kinds = {"nat": ["d"], "nat -> R": one, "nat -> nat -> R": each}
        typed = [f"({' '.join(names)} : {kind})" for kind, names in kinds.items() if names]
        return " ".join(filter(None, [super().variables(), *typed]))

    def node(self, node: ast.expr) -> str:
        """A number as a term of type R; of a vector the coordinate i."""
        match node:
            case ast.Name(id=name) if name in self._vectors:
                return f"{self.vector(node)} i"
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self._vectors:
                return f"{self.named(name)} {ast.unparse(index)} i"
            case ast.BinOp(op=ast.Mult()) if self.degree(node) == 2:
                factors = list(_factors(node))
                pair = [f for f in factors if self.degree(f) == 1]
                if pair:
                    numbers = [self._tight(f) for f in factors if self.degree(f) == 0]
                    return " * ".join([*numbers, self._dot(*pair)])
            case ast.BinOp(left=base, op=ast.Pow()) if self.degree(base) == 1:
                if self.degree(node) != 2:
                    raise NotInCoq(f"the power {ast.unparse(node)} of a vector")
                return self._dot(base, base)
        return super().node(node)

    def vector(self, node: ast.expr) -> str:
        """A vector as a function of its coordinates."""
        match node:
            case ast.Name(id=name) if name in self._vectors:
                return self.alone(name) if name in self._families else self.named(name)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self._vectors:
                return f"({self.named(name)} {ast.unparse(index)})"
            case ast.Name() | ast.Subscript() if ast.unparse(node) in self._atoms:
                return self.vector(self._atoms[ast.unparse(node)])
        return f"(fun i => {self.node(node)})"

    def _dot(self, left: ast.expr, right: ast.expr) -> str:
        """An inner product; what it says of single vectors is kept."""
        one, other = sorted([self.vector(left), self.vector(right)])
        text = f"dot d {one} {other}"
        value = self._context.value(ast.BinOp(left, ast.Mult(), right))
        parts = tuple(self._parts(value))
        if parts != (("1", one, other),):
            client = self.names_client(ast.unparse(left)) or self.names_client(ast.unparse(right))
            self.readings[text] = Expansion(text, parts, client)
        return text

    def _parts(self, value: Value) -> list[tuple[str, str, str]]:
        """Coefficients and pairs of single vectors of a value of degree two."""
        by_pair: dict[tuple[str, str], list[str]] = {}
        for m, c in sorted(value.over.items()):
            vectors = [v for v in m if self.degree(self._single(v)) == 1]
            if len(vectors) != 2:
                raise NotInCoq("a product of vectors that stands inside a sum of its own")
            one, other = sorted(self.vector(self._single(v)) for v in vectors)
            by_pair.setdefault((one, other), []).append(self._product(m, c, vectors))
        under = self._combination(Value(value.under, UNIT))
        divided = "" if under == "1" else f" / ({under})"
        return [
            (
                f"({' + '.join(terms)}){divided}" if divided or len(terms) > 1 else terms[0],
                one,
                other,
            )
            for (one, other), terms in by_pair.items()
        ]

    def _combination(self, value: Value) -> str:
        """A polynomial over a polynomial, with inner products of single vectors."""
        terms = []
        for m, c in sorted(value.over.items(), reverse=True):
            vectors = [v for v in m if self.degree(self._single(v)) == 1]
            pair = sorted(self.vector(self._single(v)) for v in vectors)
            dot = f"dot d {' '.join(pair)}" if pair else ""
            scalar = self._product(m, c, vectors)
            factors = [scalar] if scalar != "1" or not dot else []
            terms.append(" * ".join([*factors, dot] if dot else factors))
        over = " + ".join(terms) or "0"
        under = "1" if value.under == UNIT else self._combination(Value(value.under, UNIT))
        return over if under == "1" else f"({over}) / ({under})"

    def _product(self, monomial: tuple[str, ...], c: Any, without: list[str]) -> str:
        """A coefficient times the numbers of a monomial."""
        rest = list(monomial)
        for name in without:
            rest.remove(name)
        factors = [self._tight(self._single(v)) for v in rest]
        number = [f"({c})"] if c.denominator != 1 or c < 0 else [str(c)]
        return " * ".join(factors if c == 1 and factors else number + factors)

    def _single(self, variable: str) -> ast.expr:
        """The expression of one variable, an atom by its name."""
        name = self._back.get(variable, variable)
        if name.startswith("<"):
            raise NotInCoq("a function without a name")
        single: ast.expr = _parsed(name)
        return single


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    """The factors of a product."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def _parsed(text: str) -> Any:
    return ast.parse(text, mode="eval").body
