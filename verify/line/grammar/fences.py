r"""Brackets and bars: ``(x)``, ``|x|``, ``||x||``, ``\|x\|_1``, ``<x, y>``, ``\lfloor x``."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from verify.line.grammar import build

if TYPE_CHECKING:
    from verify.line.grammar.reader import Reader
    from verify.line.grammar.tokens import Token

__all__ = ["closes", "fence", "norm_of"]

PAIRS = {
    "\\|": ("\\|", "norm"),
    "\\Vert": ("\\Vert", "norm"),
    "\\lVert": ("\\rVert", "norm"),
    "\\vert": ("\\vert", "abs"),
    "\\lvert": ("\\rvert", "abs"),
    "\\lfloor": ("\\rfloor", "floor"),
    "\\lceil": ("\\rceil", "ceil"),
}
MOST_BARS = 12
"""Double bars of a formula up to which both meanings of each are tried, so that reading ends."""
KINDS = {"1": "norm1", "2": "norm", "inf": "norminf"}
"""Norms by what stands below them."""


def closes(reader: Reader, token: Token) -> bool:
    """Whether a bar behind a factor ends what is open."""
    if token.side:
        return token.side == "right"
    open_ = reader.closers[-1] if reader.closers else ""
    return open_ in ("|", "||") and (token.text == open_ or token.text == "||")


def fence(reader: Reader) -> ast.expr | None:
    """What a bracket or bar holds; None where none begins here."""
    token = reader.token
    if token.text in ("(", "[", "{", "\\{"):
        reader.take()
        end = {"(": ")", "[": "]", "{": "}", "\\{": "\\}"}[token.text]
        return reader.closed(end, token)
    if token.text in ("<", "\\langle"):
        reader.take()
        end = ">" if token.text == "<" else "\\rangle"
        inside = reader.several(end, token)
        if len(inside) != 2:
            raise reader.wrong(
                token.start, reader.past(), "of inner products of two vectors",
                str(len(inside)), "write <x, y>",
            )  # fmt: skip
        return build.placed(build.called("dot", *inside), token.start, reader.past())
    if token.text == "||":
        few = sum(one.text == "||" for one in reader.tokens) <= MOST_BARS
        found = reader.attempt(lambda: _norm(reader)) if few else _norm(reader)
        if found is None:
            _parted(reader)
            found = _bar(reader)
        return found
    if token.text == "|":
        return _bar(reader)
    if token.text in PAIRS:
        reader.take()
        end, name = PAIRS[token.text]
        inner = reader.closed(end, token)
        made = norm_of(reader, inner, token.start) if name == "norm" else build.called(name, inner)
        return build.placed(made, token.start, reader.past())
    return None


def _norm(reader: Reader) -> ast.expr:
    token = reader.take()
    inner = reader.closed("||", token)
    return norm_of(reader, inner, token.start)


def _bar(reader: Reader) -> ast.expr:
    """``|x|``; ``||`` at its end is the end of two."""
    token = reader.take()
    reader.closers.append("|")
    inner = reader.sum()
    reader.closers.pop()
    if reader.token.text == "||":
        _parted(reader)
    reader.expect("|", token)
    return build.placed(build.called("abs", inner), token.start, reader.past())


def _parted(reader: Reader) -> None:
    """Two bars as two signs."""
    token = reader.token
    first = replace(token, text="|", end=token.start + 1)
    second = replace(token, text="|", start=token.start + 1, spaced=False, side="")
    reader.tokens[reader.at : reader.at + 1] = [first, second]


def norm_of(reader: Reader, inner: ast.expr, start: int) -> ast.expr:
    """A norm with what stands below it; ``||x||^2_2`` has it behind the exponent."""
    name = "norm"
    if reader.token.text == "_":
        name = _kind(reader, start)
    elif (
        reader.token.text == "^"
        and reader.ahead(1).kind == "number"
        and reader.ahead(2).text == "_"
    ):
        power = reader.tokens[reader.at : reader.at + 2]
        del reader.tokens[reader.at : reader.at + 2]
        name = _kind(reader, start)
        reader.tokens[reader.at : reader.at] = power
    return build.placed(build.called(name, inner), start, reader.past())


def _kind(reader: Reader, start: int) -> str:
    """The norm of this index."""
    reader.take()
    opened = reader.takes("{")
    token = reader.take()
    if opened and not reader.takes("}"):
        raise reader.wrong(start, token.end, "a norm with 1, 2 or inf", "more", "write one of them")
    if token.text not in KINDS:
        remedy = "write norm1, norm or norminf"
        raise reader.wrong(start, token.end, "a norm with 1, 2 or inf below it", token.text, remedy)
    return KINDS[token.text]
