"""Formulas of terms: a term as the tree that a line has, with an index for each axis.

An axis that a term adds up gets a letter, ``total(p * x)`` is ``sum_i(p[i]*x[i])``; the coordinates
of a vector get none, its length is ``norm(x)``.  With numbers put in, short sums are written out.
What is no arithmetic (a quantity of a run, a function of a matrix) stands there by its name, and as
a number by its value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verify.terms.node import Node
from verify.terms.places import EVERY, AxisPlace, NodeNumbers, Places, entry_of, shift_of
from verify.terms.traced import HERE

__all__ = ["TermFormulas"]

MOST_WRITTEN = 4
"""Longest axis whose entries are written out with their numbers."""


ARITHMETIC: Mapping[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "**": ast.Pow,
}
COMPARED: Mapping[str, type[ast.cmpop]] = {
    "<=": ast.LtE,
    ">=": ast.GtE,
    "<": ast.Lt,
    ">": ast.Gt,
    "==": ast.Eq,
    "!=": ast.NotEq,
    "at_least": ast.GtE,
    "above": ast.Gt,
}
ELEMENTWISE = {
    "absolute": "abs",
    "maximum": "max",
    "minimum": "min",
    **{name: name for name in ("sqrt", "exp", "log", "sin", "cos", "floor", "ceil")},
    **{name: name for name in ("where", "indicator")},
}
OVER = {"total": "sum", "mean": "mean", "largest": "max", "smallest": "min"}
EXTREMES = {"total": "norm1", "largest": "norminf"}
"""Lengths of vectors by what is taken of the absolute values of their coordinates."""
NAMED = ("symbol", "original", "plain", "size", "original size")


@dataclass
class TermFormulas:
    """Writes terms as trees.

    Parameters
    ----------
    axes : mapping of Node to int
        Axes of each node behind those of instances and outcomes.
    vectors : set of str
        Symbols whose last axis counts coordinates.
    lengths : mapping of str to tuple of str
        What counts the axes of each symbol.
    called : mapping of Node to str
        Pieces that stand there by a name.
    numbers : NodeNumbers, optional
        With it every name is replaced by its value.
    """

    axes: Mapping[Node, int]
    vectors: frozenset[str] = frozenset()
    lengths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    called: Mapping[Node, str] = field(default_factory=dict)
    numbers: NodeNumbers | None = None
    letters: tuple[str, ...] = tuple("ijkl")

    def of(self, term: Node, entry: tuple[int, ...] = ()) -> ast.expr:
        """Tree of a term; of an array that of an entry, with numbers of the one that is named."""
        self._own = term
        count = self.axes.get(term, 0)
        if self.numbers is not None:
            return self._tree(term, tuple(AxisPlace("", at) for at in entry[:count]))
        self._taken = list(self.letters[:count])
        return self._tree(term, tuple(map(AxisPlace, self._taken)))

    # -- one node ---------------------------------------------------------------------------------

    def _tree(self, term: Node, places: Places | None) -> ast.expr:
        if term in self.called and term is not self._own:
            return self._leaf(term, ast.Name(self.called[term]), places)
        if term.op == "constant" and isinstance(term.data, bool | str | type(None)):
            return ast.Name(str(term.data))
        if term.op == "constant":
            return ast.Constant(term.data)
        if term.op in NAMED:
            return self._leaf(term, ast.Name(str(term.data)), places)
        rule = _RULES.get(term.op)
        found = None if rule is None else rule(self, term, places)
        return self._opaque(term, places) if found is None else found

    def _leaf(self, term: Node, name: ast.expr, places: Places | None) -> ast.expr:
        """A name with the indices of its own axes."""
        if self.numbers is not None:
            return ast.Constant(self.numbers.at(term, entry_of(places or ())))
        own = self.axes.get(term, 0)
        if not own or places is None or own > len(places):
            return name
        shown = [place.tree for place in places[len(places) - own :] if place != EVERY]
        return _indexed(name, shown)

    def _opaque(self, term: Node, places: Places | None) -> ast.expr:
        """What is no arithmetic: its name, and what it is made of."""
        name = _name(term)
        if self.numbers is not None:
            return self._leaf(term, ast.Name(name), places)
        inside = [part for part in term.inputs if not _of_problem(part)]
        if term.op in ("attribute", "entry") and term.inputs[0].op not in ("run", "problem"):
            whole = self._tree(term.inputs[0], None)
            return self._leaf(term, ast.Attribute(whole, name), places)
        if term.op == "index":
            whole = self._tree(term.inputs[0], None)
            at = iter(term.inputs[1:])
            shown = [self._key(one, at) for one in term.data if one is not Ellipsis]
            return self._leaf(term, _indexed(whole, shown), None)
        if term.op in ("attribute", "entry", "run", "problem", "weights"):
            return self._leaf(term, ast.Name(name), places)
        told = [self._tree(part, None) for part in inside]
        made = ast.Call(ast.Name(name), told, []) if told else ast.Name(name)
        return self._leaf(term, made, places)

    def _key(self, one: Any, at: Iterator[Node]) -> ast.expr:
        """A key of an array that is written whole, as it is typed."""
        if one is HERE:
            return self._tree(next(at), None)
        if isinstance(one, tuple):
            start, stop, _ = ("" if end is None else str(end) for end in one)
            return ast.Name(f"{start}:{stop}")
        return ast.Name("_") if one is None else ast.Constant(one)

    def _operator(self, term: Node, places: Places | None) -> ast.expr | None:
        if term.data == "neg":
            return ast.UnaryOp(ast.USub(), self._tree(term.inputs[0], places))
        if term.data == "abs":
            return _call("abs", self._tree(term.inputs[0], places))
        if term.data in ARITHMETIC:
            first, second = (self._tree(part, places) for part in term.inputs)
            return ast.BinOp(first, ARITHMETIC[term.data](), second)
        return self._compared(term, term.data, places)

    def _compared(self, term: Node, sign: str, places: Places | None) -> ast.expr | None:
        if sign not in COMPARED or (self.numbers is not None and term.op != "operator"):
            return None
        first, second = (self._tree(part, places) for part in term.inputs)
        return ast.Compare(first, [COMPARED[sign]()], [second])

    def _generic(self, term: Node, places: Places | None) -> ast.expr | None:
        module, _, name = term.data[0].partition(":")
        if not module.startswith("bounds.numbers"):
            return None
        if name in COMPARED:
            return self._compared(term, name, places)
        if name == "divide":
            top, bottom = (self._tree(part, places) for part in term.inputs)
            return ast.BinOp(top, ast.Div(), bottom)
        if name == "power":
            base, exponent = (self._tree(part, places) for part in term.inputs)
            return ast.BinOp(base, ast.Pow(), exponent)
        if name == "positive_part":
            return _call("max", self._tree(term.inputs[0], places), ast.Constant(0))
        if name == "trailing":
            return self._tree(term.inputs[0], None if places is None else places[:-1])
        if name == "sqrt" and _is(term.inputs[0], "squared_norm"):
            return self._length("norm", term.inputs[0].inputs[0], places)
        if name in ELEMENTWISE:
            return self._elementwise(term, name, places)
        if places is None:
            return None
        if name == "squared_norm":
            return self._squares(term, places)
        if name == "dot":
            return self._product(term, places)
        return self._over(term, name, places) if name in OVER else None

    def _elementwise(self, term: Node, name: str, places: Places | None) -> ast.expr | None:
        inside = term.inputs[:1] if name == "indicator" else term.inputs
        if self.numbers is not None and name in ("where", "indicator"):
            return None
        return _call(ELEMENTWISE[name], *(self._tree(part, places) for part in inside))

    def _length(self, name: str, vector: Node, places: Places | None) -> ast.expr | None:
        """Length of a vector; with numbers its value."""
        if places is None or self.numbers is not None:
            return None
        return _call(name, self._tree(vector, (*places, EVERY)))

    def _product(self, term: Node, places: Places) -> ast.expr | None:
        """An inner product; with numbers a sum of products, where that is short."""
        first, second = term.inputs
        if self.numbers is None:
            return _call("dot", *(self._tree(part, (*places, EVERY)) for part in term.inputs))
        count = max(self._entries(part, 0) for part in term.inputs)
        if not 1 <= count <= MOST_WRITTEN:
            return None
        products = []
        for k in range(count):
            at = (*places, AxisPlace("", k))
            one, other = self._tree(first, at), self._tree(second, at)
            products.append(ast.BinOp(one, ast.Mult(), other))
        return _sum(products)

    def _squares(self, term: Node, places: Places) -> ast.expr | None:
        """A squared length; with numbers a sum of squares, where that is short."""
        vector = term.inputs[0]
        if self.numbers is None:
            inner = self._length("norm", vector, places)
            return None if inner is None else ast.BinOp(inner, ast.Pow(), ast.Constant(2))
        count = self._entries(vector, 0)
        if not 1 <= count <= MOST_WRITTEN:
            return None
        entries = (self._tree(vector, (*places, AxisPlace("", k))) for k in range(count))
        return _sum([ast.BinOp(one, ast.Pow(), ast.Constant(2)) for one in entries])

    def _entries(self, term: Node, behind: int) -> int:
        return self.numbers.count(term, behind) if self.numbers is not None else 0

    def _over(self, term: Node, name: str, places: Places) -> ast.expr | None:
        """A sum, mean or extreme over one axis."""
        inner, axis = term.inputs[0], _axis(term)
        if axis is None or -axis > len(places) + 1:
            return None
        at = len(places) + 1 + axis
        if self._is_length(inner, name) and axis == -1 and self.numbers is None:
            return _call(EXTREMES[name], self._tree(inner.inputs[0], (*places, EVERY)))
        if self.numbers is not None:
            return self._written_out(inner, name, places, at)
        letter = next((one for one in self.letters if one not in self._taken), "")
        if not letter:
            return None
        self._taken.append(letter)  # also where an inner piece is no array along this axis
        body = self._tree(inner, (*places[:at], AxisPlace(letter), *places[at:]))
        self._taken.pop()
        return _call(f"{OVER[name]}_{letter}", body)

    def _is_length(self, inner: Node, name: str) -> bool:
        """Whether the absolute values of a vector's coordinates are meant."""
        if name not in EXTREMES or not _is(inner, "absolute"):
            return False
        named = {part.data for part in inner.parts() if part.op == "symbol"}
        along = {part for part in named if self.lengths.get(part, ())[-1:] != ()}
        return bool(along & self.vectors) and along <= self.vectors

    def _written_out(self, inner: Node, name: str, places: Places, at: int) -> ast.expr | None:
        """The entries one after the other, with their numbers."""
        count = self._entries(inner, len(places) - at)
        if not 1 <= count <= MOST_WRITTEN:
            return None
        parts = [
            self._tree(inner, (*places[:at], AxisPlace("", k), *places[at:])) for k in range(count)
        ]
        if name in ("largest", "smallest"):
            return _call(OVER[name], *parts) if count > 1 else parts[0]
        whole = _sum(parts)
        averaged = name == "mean" and count > 1
        return ast.BinOp(whole, ast.Div(), ast.Constant(count)) if averaged else whole

    def _index(self, term: Node, places: Places | None) -> ast.expr | None:
        inner, key = term.inputs[0], term.data
        if key[0] is not Ellipsis:
            return None
        if places is None:
            whole = all(one is None or one == (None, None, None) for one in key[1:])
            return self._tree(inner, None) if whole else None
        terms = iter(term.inputs[1:])
        left, found = list(places), list[AxisPlace]()
        fixed = [next(terms) if one is HERE else None for one in key[1:]]
        for one, at in zip(reversed(key[1:]), reversed(fixed), strict=True):
            if type(one) is int and one >= 0:
                found.append(AxisPlace("", one))
                continue
            if at is not None or type(one) is int or not left:
                return None
            place = left.pop()
            if one is None:
                continue
            step = shift_of(one)
            if step is None:
                return None
            found.append(place.further(step))
        return self._tree(inner, (*left, *reversed(found)))

    def _length_of(self, term: Node, _: Places | None) -> ast.expr | None:
        inner = term.inputs[0]
        known = self.lengths.get(str(inner.data), ()) if inner.op == "symbol" else ()
        if self.numbers is not None:
            return ast.Constant(self.numbers.at(term, ()))
        return ast.Name(known[term.data]) if -term.data <= len(known) else None

    def _mean(self, term: Node, places: Places | None) -> ast.expr | None:
        if self.numbers is not None:
            return None
        return _call(
            "E" if term.op == "mean" else "P", *(self._tree(p, places) for p in term.inputs)
        )

    def _entry(self, term: Node, places: Places | None) -> ast.expr | None:
        """One of several things that something gives, by its number."""
        if self.numbers is not None or isinstance(term.data, str):
            return None
        at = ast.Constant(term.data) if len(term.inputs) == 1 else self._tree(term.inputs[1], None)
        return self._leaf(term, ast.Subscript(self._tree(term.inputs[0], None), at), places)

    def _literal(self, term: Node, places: Places | None) -> ast.expr | None:
        alone = term.inputs[0].op != "tuple"
        return self._tree(term.inputs[0], places) if alone else None

    def _through(self, term: Node, places: Places | None) -> ast.expr | None:
        return self._tree(term.inputs[0], places)


_RULES: Mapping[str, Callable[[TermFormulas, Node, Places | None], ast.expr | None]] = {
    "count": TermFormulas._through,
    "entry": TermFormulas._entry,
    "entry at": TermFormulas._entry,
    "generic": TermFormulas._generic,
    "index": TermFormulas._index,
    "length": TermFormulas._length_of,
    "literal": TermFormulas._literal,
    "mean": TermFormulas._mean,
    "operator": TermFormulas._operator,
    "probability": TermFormulas._mean,
}


# -- private helpers ------------------------------------------------------------------------------


def _of_problem(term: Node) -> bool:
    """Whether a piece is the problem, its run, or the problem with further axes."""
    if term.op == "call" and term.data[0] == "expand":
        return _of_problem(term.inputs[0])
    return term.op in ("problem", "run")


def _call(name: str, *inside: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name), list(inside), [])


def _sum(parts: Sequence[ast.expr]) -> ast.expr:
    whole = parts[0]
    for part in parts[1:]:
        whole = ast.BinOp(whole, ast.Add(), part)
    return whole


def _indexed(name: ast.expr, shown: list[ast.expr]) -> ast.expr:
    if not shown:
        return name
    return ast.Subscript(name, shown[0] if len(shown) == 1 else ast.Tuple(shown))


def _is(term: Node, name: str) -> bool:
    return term.op == "generic" and str(term.data[0]).endswith(f":{name}")


def _axis(term: Node) -> int | None:
    """The axis of a sum, counted from the last one."""
    if len(term.inputs) == 1:
        return -1
    axis = term.inputs[1].data
    return axis if type(axis) is int and axis < 0 else None


def _name(term: Node) -> str:
    """What a piece that is no arithmetic is called."""
    data = term.data
    if term.op in ("generic", "numpy", "method", "call", "ufunc"):
        data = data[0] if isinstance(data[0], str) else data[0][0]
    text = str(data).rpartition(":")[2].rpartition(".")[2] if isinstance(data, str) else term.op
    return text.lstrip("_") or term.op
