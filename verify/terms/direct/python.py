"""A term as the Python text by which one would have written it: ``xp.total(w.p * w.x)``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

from verify.terms.node import Node

__all__ = ["python_text"]

OPERATORS: Mapping[str, ast.operator] = {
    "+": ast.Add(),
    "-": ast.Sub(),
    "*": ast.Mult(),
    "/": ast.Div(),
    "**": ast.Pow(),
}


def python_text(term: Node) -> str:
    """Python text of a term; read as a function of the world ``w`` it gives the term again.

    Parameters
    ----------
    term : Node
        As :mod:`verify.terms.direct.build` makes them.

    Examples
    --------
    >>> from verify.terms.direct.build import generic, number, operation, symbol, taken
    >>> product = operation("*", symbol("p"), taken(symbol("y"), [False]))
    >>> python_text(operation("*", number(0.5), generic("total", product)))
    '0.5 * xp.total(w.p * w.y[..., None])'
    """
    return ast.unparse(_tree(term))


def _tree(term: Node) -> ast.expr:
    return _RULES[term.op](term)


def _number(value: Any) -> ast.expr:
    if value < 0:
        return ast.UnaryOp(ast.USub(), _number(-value))
    if not isinstance(value, Fraction):
        return ast.Constant(value)
    near = float(value)
    if Fraction(repr(near)) == value:  # it was read from this decimal
        return ast.Constant(near)
    return ast.BinOp(ast.Constant(value.numerator), ast.Div(), ast.Constant(value.denominator))


def _operator(term: Node) -> ast.expr:
    inside = [_tree(part) for part in term.inputs]
    if term.data == "neg":
        return ast.UnaryOp(ast.USub(), *inside)
    first, second = inside
    return ast.BinOp(first, OPERATORS[term.data], second)


def _index(term: Node) -> ast.expr:
    shown = (ast.Slice() if isinstance(one, tuple) else ast.Constant(one) for one in term.data)
    return ast.Subscript(_tree(term.inputs[0]), ast.Tuple([*shown], ast.Load()))


def _generic(term: Node) -> ast.expr:
    name = term.data[0].rpartition(":")[2]
    return ast.Call(ast.Attribute(ast.Name("xp"), name), [*map(_tree, term.inputs)], [])


def _repeated(term: Node) -> ast.expr:
    """``sum((1 / w.array(k) for k in range(1, w.n + 1)), start=w.array(0))``."""
    name, letter, body, _ = term.data
    low, high, start = map(_tree, term.inputs[:3])
    ends = _call("range", low, ast.BinOp(high, ast.Add(), ast.Constant(1)))
    run = ast.comprehension(ast.Name(letter.data), ends, [], 0)
    made = _call(name, ast.GeneratorExp(_tree(body), [run]))
    made.keywords.append(ast.keyword("start", start))
    return made


def _averaged(term: Node) -> ast.expr:
    """``expectation(lambda x: x ** 2, coin(w.p))``."""
    name, laws, letters, body, _ = term.data
    numbers: Iterator[ast.expr] = map(_tree, term.inputs)
    drawn = [_call(law, *islice(numbers, count)) for law, count in laws]
    named = ast.arguments([], [ast.arg(one.data) for one in letters], None, [], [], None, [])
    return _call(name, ast.Lambda(named, _tree(body)), *drawn)


def _call(name: str, *inside: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name), list(inside), [])


def _of_world(name: str) -> ast.expr:
    return ast.Attribute(ast.Name("w"), name)


_RULES: Mapping[str, Callable[[Node], ast.expr]] = {
    "averaged": _averaged,
    "bound": lambda term: ast.Name(term.data),
    "constant": lambda term: _number(term.data),
    "counted": lambda term: _call(term.data, *map(_tree, term.inputs)),
    "generic": _generic,
    "index": _index,
    "literal": lambda term: ast.Call(_of_world("array"), [_tree(term.inputs[0])], []),
    "operator": _operator,
    "repeated": _repeated,
    "symbol": lambda term: _of_world(term.data),
}
