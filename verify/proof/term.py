"""Formulas of outlines: parsing, the vectors that they speak of, how values are shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verify.certify.checker import ONE, UNIT, Refused, Value

__all__ = ["Env", "Term", "Vec", "Vector", "names_in", "parsed", "shown", "shown_vector"]

LETTERS = 5_000
"""Of the longest formula."""


@dataclass(frozen=True)
class Vec:
    """One vector among those that formulas are linear in, equal if the key is.

    Attributes
    ----------
    key : str
    shared : bool
        Whether it is the same for all clients; if not, its mean over the clients is zero.
    known : Value or None
        The moment from which on it is known; None if that was not said.
    drawn : Value or None
        Its mean is zero given all that was known at that moment.
    sample : (str, Vec) or None
        Deviation of the drawn mean of a rest: the draw, and that rest.
    """

    key: str
    shared: bool = field(compare=False)
    known: Value | None = field(compare=False, default=None)
    drawn: Value | None = field(compare=False, default=None)
    sample: tuple[str, Vec] | None = field(compare=False, default=None)


Vector = dict[Vec, Value]
Term = Value | Vector
Env = Mapping[str, Value]


def parsed(text: Any) -> ast.expr:
    """Parse a formula in whole numbers, names, entries, calls and + - * / **; refuse all else."""
    if not isinstance(text, str) or len(text) > LETTERS:
        raise Refused(f"{str(text)[:40]} is no formula, or too long")
    if not re.fullmatch(r"[\w +\-*/()\[\],]+", text, re.ASCII) or re.search(r"\d[a-zA-Z_]", text):
        raise Refused(f"{text} is no formula")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refused(f"{text} is no formula") from None
    for node in ast.walk(tree):
        match node:
            case ast.Name() | ast.Load() | ast.Subscript(value=ast.Name()) | ast.Tuple():
                continue
            case ast.Constant(value=value) if type(value) is int:
                continue
            case ast.UnaryOp(op=ast.USub()) | ast.USub() | ast.operator():
                continue
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow()):
                continue
            case ast.Call(func=ast.Name(), keywords=[]):
                continue
        raise Refused(f"{text} is no formula: {type(node).__name__} is not read")
    if isinstance(tree, ast.Tuple):
        raise Refused(f"{text} is no single formula")
    return tree


def names_in(text: str) -> set[str]:
    """Names that a formula speaks of."""
    return {node.id for node in ast.walk(parsed(text)) if isinstance(node, ast.Name)}


def shown(value: Value) -> str:
    """A value as a text that equal polynomials share."""
    over = _sum_text(value.over)
    return over if value.under == UNIT else f"({over})/({_sum_text(value.under)})"


def _sum_text(polynomial: Mapping[tuple[str, ...], Fraction]) -> str:
    said = ""
    for m, c in sorted(polynomial.items(), key=lambda item: (not item[0], item)):
        factors = [*([str(abs(c))] if abs(c) != 1 or not m else []), *m]
        said += (" - " if said else "-") if c < 0 else (" + " if said else "")
        said += "*".join(factors)
    return said or "0"


def shown_vector(vector: Vector) -> str:
    """A vector as a text that equal ones share; mean and rest of one vector are shown as it."""
    parts = {v.key: c for v, c in vector.items() if c.over}
    said = []
    for key in sorted(parts):
        inner = re.fullmatch(r"(avg|off)\((.*)\)", key)
        if inner:
            twin = f"{'off' if inner[1] == 'avg' else 'avg'}({inner[2]})"
            if twin in parts and parts[twin] == parts[key]:
                if inner[1] == "avg":
                    said.append((inner[2], parts[key]))
                continue
        said.append((key, parts[key]))
    return " + ".join(k if c == ONE else f"({shown(c)})*{k}" for k, c in said) or "0"
