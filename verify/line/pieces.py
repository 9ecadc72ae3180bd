"""Pieces of a line, and the relations and formulas that stand in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from verify.line.grammar.names import Symbols
from verify.line.grammar.reader import Reader
from verify.line.grammar.refused import Edit, NotRead, not_read

__all__ = [
    "Piece",
    "Related",
    "bound_letters",
    "expression",
    "indexed",
    "refusal",
    "relations",
    "sides_of",
    "split_list",
]

AS_TYPED = Symbols(plain=True)
"""Symbols of a piece of which nothing is known: each word is one symbol."""

_RELATION = re.compile(r"<=|>=|==|!=|=>|<|>|=")
_INNER = re.compile(r"<(?=[^<>=]*,[^<>=]*>(?!=))([^<>=]*)>")
_BELOW = re.compile(r"\b(?!(?:sum|mean|max|min|prod)_)([A-Za-z]\w*?)_\{?([A-Za-z])\}?(?!\w)")
_OVER = re.compile(r"(?:sum|mean|max|min|prod)_([A-Za-z])")


@dataclass(frozen=True)
class Piece:
    """A part of the line, how many characters stand before it, and whether a semicolon ends it."""

    text: str
    start: int
    ends: bool = False

    def stripped(self) -> Piece:
        """The same without blanks around it."""
        left = len(self.text) - len(self.text.lstrip())
        return Piece(self.text.strip(), self.start + left, self.ends)


@dataclass(frozen=True)
class Related:
    """``left RELATION right`` as syntax trees, with the piece that says so."""

    left: ast.expr
    relation: str
    right: ast.expr
    piece: Piece


def split_list(piece: Piece) -> list[Piece]:
    """Items of a list, parted by commas, semicolons or ``and`` outside brackets."""
    text, depth, start, out = piece.text, 0, 0, []
    masked = _INNER.sub(lambda m: f"({m[1]})", text)
    cuts = [(m.start(), m.end()) for m in re.finditer(r"[,;]|\band\b", text)]
    for first, last in [*cuts, (len(text), len(text))]:
        inside = masked[start:first]
        # a half-open interval has unlike brackets, so that only their number counts
        depth = sum(inside.count(c) for c in ("(", "[", "{", "\\langle"))
        depth -= sum(inside.count(c) for c in (")", "]", "}", "\\rangle"))
        if depth <= 0:
            item = Piece(text[start:first], piece.start + start, text[first:last] == ";").stripped()
            out += [item] if item.text else []
            start = last
    rest = Piece(text[start:], piece.start + start).stripped()
    return [*out, rest] if rest.text else out


def relations(text: str) -> list[tuple[int, int, str]]:
    """Relations outside brackets, with their places; ``<x, y>`` holds none."""
    masked = _INNER.sub(lambda m: "(" + m[1].replace("<", " ") + ")", text)
    found = []
    for mark in _RELATION.finditer(masked):
        before = re.sub(r"\\[{}]", "", masked[: mark.start()])
        depth = sum(before.count(c) for c in "([{") - sum(before.count(c) for c in ")]}")
        if depth <= 0:
            found.append((mark.start(), mark.end(), mark[0]))
    return found


def sides_of(piece: Piece, names: Symbols = AS_TYPED) -> Iterator[Related]:
    """Comparisons of a piece; ``a <= b <= c`` are two.

    Raises
    ------
    NotRead
        If there is no relation, or a side is no formula.
    """
    found = relations(piece.text)
    if not found and (inside := _RELATION.search(piece.text)) and _open(piece.text):
        shown = piece.text[: inside.start()].rstrip()
        place = piece.start + max(shown.rfind(sign) for sign in "([{")
        remedy = "close every bracket"
        raise not_read(shown[place - piece.start :], place, "a formula", "an open bracket", remedy)
    if not found:
        raise refusal(piece, "a relation", "none", "write one of <=, >=, == between two sides")
    ends = [0, *(end for _, end, _ in found)]
    stops = [*(start for start, _, _ in found), len(piece.text)]
    parts = [
        Piece(piece.text[a:b], piece.start + a).stripped() for a, b in zip(ends, stops, strict=True)
    ]
    if not all(part.text for part in parts):
        raise refusal(
            piece, "a formula on each side", "an empty side", "write it, such as 'x <= 1'"
        )
    sides = [expression(part, names) for part in parts]
    for k, (start, _, sign) in enumerate(found):
        word = "==" if sign == "=" else sign
        if word in ("!=", "=>"):
            place = piece.start + start
            remedy = "write a relation that has a meaning, and conditions after 'if'"
            raise not_read(sign, place, "one of <=, >=, ==", sign, remedy)
        yield Related(sides[k], word, sides[k + 1], piece)


def _open(text: str) -> bool:
    """Whether more brackets are opened than closed."""
    return sum(text.count(c) for c in "([{") > sum(text.count(c) for c in ")]}")


def expression(piece: Piece, names: Symbols = AS_TYPED) -> ast.expr:
    """Syntax tree of one side.

    Places in the tree count from the beginning of the line.
    """
    return Reader(piece.text, piece.start, names).whole()


def indexed(text: str, letters: Collection[str]) -> str:
    """``p_i`` as ``p[i]`` where i is the index of a sum or an extreme."""
    return _BELOW.sub(lambda m: f"{m[1]}[{m[2]}]" if m[2] in letters else m[0], text)


def bound_letters(nodes: Collection[ast.expr]) -> frozenset[str]:
    """Indices of all sums and extremes in some formulas."""
    calls = (n.func for node in nodes for n in ast.walk(node) if isinstance(n, ast.Call))
    marks = (_OVER.fullmatch(f.id) for f in calls if isinstance(f, ast.Name))
    return frozenset(mark[1] for mark in marks if mark)


def refusal(piece: Piece, condition: str, found: str, remedy: str, *edits: Edit) -> NotRead:
    """What is wrong with a piece, and what to do."""
    return not_read(piece.text, piece.start, condition, found, remedy, *edits)
