"""Entries such as ``eta[t]`` and ``w[t + 1]``: how they are declared, and defined by others."""

from __future__ import annotations

import ast
import re
from typing import Any, Protocol

from verify.certify.checker import Refused
from verify.proof.term import parsed

__all__ = ["Pattern", "declared", "declared_as", "defined"]

Pattern = list[tuple[str, int]]
"""Of each index the letter, empty for none, and a number added to it."""


class Declarations(Protocol):
    """What a definition looks at."""

    indices: set[str]
    numbers: dict[str, tuple[list[str], Any]]
    vectors: dict[str, tuple[list[str], Any]]
    unbiased: dict[str, tuple[list[str], ast.expr]]
    definitions: dict[str, list[tuple[Pattern, ast.expr | None]]]


def declared(pattern: str) -> tuple[str, list[str]]:
    """Name and index letters of a pattern such as ``eta[t]``."""
    name, (letters, _) = declared_as((pattern, None))
    return name, letters


def defined(reader: Declarations, entry: str, is_: str | None) -> None:
    """Let an entry such as ``w[t + 1]`` be read as another formula in the same letters.

    Without one it has a meaning that is not read, and no other definition.

    Raises
    ------
    Refused
        If it may have a definition already, or has indices of another form.
    """
    name, pattern = _pattern(entry)
    table = next((t for t in (reader.numbers, reader.vectors) if name in t), None)
    if table is None or name in reader.unbiased:
        raise Refused(f"{name} was not declared, or is noise")
    letters = [letter for letter, _ in pattern if letter]
    if len(pattern) != len(table[name][0]) or len({*letters}) < len(letters):
        raise Refused(f"{entry} has other indices than were declared")
    for other, _ in reader.definitions.get(name, []):
        if not any(_apart(*pair) for pair in zip(pattern, other, strict=True)):
            raise Refused(f"{entry} has a definition already")
    body = None if is_ is None else parsed(is_)
    nodes = [] if body is None else list(ast.walk(body))
    free = {n.id for n in nodes if isinstance(n, ast.Name)} & reader.indices
    bound = {
        edge.elts[0].id
        for n in nodes
        if isinstance(n, ast.Call)
        for edge in n.args
        if isinstance(edge, ast.Tuple) and edge.elts and isinstance(edge.elts[0], ast.Name)
    } & reader.indices
    if not {*letters} <= reader.indices or free - bound - {*letters} or bound & {*letters}:
        raise Refused(f"the definition of {entry} speaks of other indices")
    reader.definitions.setdefault(name, []).append((pattern, body))


def _pattern(entry: str) -> tuple[str, Pattern]:
    """Name and indices of an entry: each a letter, with a number added, or a number."""
    match parsed(entry):
        case ast.Name(id=name):
            return name, []
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=parts)):
            pass
        case ast.Subscript(value=ast.Name(id=name), slice=part):
            parts = [part]
        case _:
            raise Refused(f"{entry} is no entry")
    pattern = []
    for part in parts:
        match part:
            case ast.Name(id=letter):
                pattern.append((letter, 0))
            case ast.BinOp(ast.Name(id=letter), ast.Add(), ast.Constant(value=int(shift))):
                pattern.append((letter, shift))
            case ast.Constant(value=int(fixed)):
                pattern.append(("", fixed))
            case _:
                raise Refused(f"{entry} has an index that is no letter with a number added")
    return name, pattern


def _apart(one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Whether two indices are never the same number."""
    if one[0] and other[0]:
        return False
    if not one[0] and not other[0]:
        return one[1] != other[1]
    (_, fixed), (_, shift) = (other, one) if one[0] else (one, other)
    return fixed < shift


def declared_as(item: tuple[str, Any]) -> tuple[str, tuple[list[str], Any]]:
    """Name, index letters and what is said of a declared pattern such as ``eta[t]``."""
    pattern, about = item
    found = re.fullmatch(r"([A-Za-z]\w*)(?:\[(\w+(?:, ?\w+)*)\])?", pattern, re.ASCII)
    if not found:
        raise Refused(f"{pattern} is no name with indices")
    return found[1], ([w.strip() for w in found[2].split(",")] if found[2] else [], about)
