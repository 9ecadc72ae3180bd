r"""What stands below and above a symbol: indices, parts of its name, a star, a transpose."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from verify.line.grammar.build import called, names_in, placed
from verify.line.grammar.signs import GREEK
from verify.line.grammar.tokens import Token, kind_of

if TYPE_CHECKING:
    from verify.line.grammar.reader import Reader

__all__ = ["is_transpose", "subscripted", "transposed"]

STARS = ("*", "\\star", "\\ast")


def subscripted(reader: Reader, name: str, start: int) -> ast.expr:
    """A symbol with its indices, and with the parts of its name below it."""
    indices: list[ast.expr] = []
    star = _star(reader)
    while reader.token.text == "_" and reader.token.kind == "sign":
        reader.take()
        for part, place in _below(reader, name, start):
            if part in reader.names.letters:
                indices.append(placed(ast.Name(part), place, place + len(part)))
            elif part in ("*", "star", "ast"):
                star = True
            else:
                name += f"_{part}"
        star = _star(reader) or star
    if reader.token.text == "[" and not reader.token.spaced and _indexes(reader):
        opened = reader.take()
        indices += reader.several("]", opened)
    name += "_star" * star
    whole: ast.expr = placed(ast.Name(name), start, reader.past())
    if not indices:
        return whole
    inside = indices[0] if len(indices) == 1 else placed(ast.Tuple(indices), start, reader.past())
    return placed(ast.Subscript(whole, inside), start, reader.past())


def _indexes(reader: Reader) -> bool:
    """Whether a square bracket behind a symbol holds its indices; in TeX it may be a factor."""
    if not reader.names.in_tex:
        return True
    inside = reader.text[reader.token.end - reader.start :].partition("]")[0]
    return all(part.strip() in reader.names.letters for part in inside.split(","))


def _star(reader: Reader) -> bool:
    """A star above a symbol, the usual sign of an optimum."""
    if reader.token.text != "^":
        return False
    first, second, third = (reader.ahead(k).text for k in (1, 2, 3))
    if first in STARS:
        reader.at += 2
        return True
    if first == "{" and second in STARS and third == "}":
        reader.at += 4
        return True
    return False


def _below(reader: Reader, name: str, start: int) -> list[tuple[str, int]]:
    """The parts below a symbol."""
    token = reader.take()
    if token.text == "{":
        out: list[tuple[str, int]] = []
        while reader.token.text != "}":
            inner = reader.take()
            if inner.kind == "end":
                raise reader.wrong(
                    start, inner.end, "a formula", "a brace without its end", "write }"
                )
            text = inner.text.lstrip("\\")
            if text == ",":
                continue
            if not text.isalnum() and text != "*":
                found = f"{name}_{{{reader.source(token.end, inner.end)}...}}"
                remedy = "write letters and digits below it, or another name"
                raise reader.wrong(start, inner.end, "of plain names", found, remedy)
            out += _letters(reader, text, inner.start)
        reader.take()
        return out
    text = token.text.lstrip("\\")
    if token.text != "*" and not text.isalnum():
        raise reader.wrong(start, token.end, "of plain names", f"{name}_{text}", "write x_1 or x_i")
    known = reader.names.letters
    cut = token.kind == "word" and len(text) > 1 and text not in GREEK
    if cut and (reader.names.in_tex or text[0] in known) and not all(t in known for t in text):
        rest = Token(kind_of(text[1:]), text[1:], token.start + 1, token.end)
        if not text[1:].isdigit():
            reader.tokens[reader.at : reader.at] = [rest]
            text = text[0]
    return _letters(reader, text, token.start)


def _letters(reader: Reader, text: str, start: int) -> list[tuple[str, int]]:
    """Several indices in one word."""
    if len(text) > 1 and all(one in reader.names.letters for one in text):
        return [(one, start + k) for k, one in enumerate(text)]
    return [(text, start)]


def is_transpose(reader: Reader, base: ast.expr) -> bool:
    """Whether the next token is the sign of a transposed vector."""
    first, second, third = reader.token, reader.ahead(1), reader.ahead(2)
    if first.text == "{" and third.text == "}":
        first = second
    if first.text in ("\\top", "\\intercal"):
        return True
    if first.text in ("\\mathsf", "\\mathrm", "\\text") and re.match(
        r"\{\s*T\s*\}", reader.text[first.end - reader.start :]
    ):
        return True
    if not (first.kind == "word" and first.text[0] == "T") or "T" in reader.names.declared:
        return False
    known = names_in(base)
    if reader.names.bounded or reader.names.vectors:
        return bool(known & reader.names.vectors)
    return False


def transposed(reader: Reader, base: ast.expr, start: int) -> ast.expr:
    """``x^T y`` is an inner product."""
    if reader.takes("{"):
        while not reader.takes("}"):
            reader.take()
    else:
        token = reader.take()
        if token.text in ("\\mathsf", "\\mathrm", "\\text"):
            while not reader.takes("}"):
                reader.take()
        elif len(token.text) > 1 and token.kind == "word":
            rest = Token(kind_of(token.text[1:]), token.text[1:], token.start + 1, token.end)
            reader.tokens[reader.at : reader.at] = [rest]
    if not reader.starts_factor():
        remedy = "write x^T y, or dot(x, y)"
        raise reader.wrong(start, reader.past(), "of inner products", "a transpose alone", remedy)
    other = reader.power()
    return placed(called("dot", base, other), start, reader.past())
