"""Powers, factorials and transposes: what stands behind a factor.

Where it is not clear how far an exponent goes, ``2^xy`` or ``x^1/2``, both readings are told.
"""

from __future__ import annotations

import ast
from math import log10
from typing import TYPE_CHECKING

from verify.line.grammar.build import called, constant, grouped, number, placed
from verify.line.grammar.names import FUNCTIONS
from verify.line.grammar.refused import Edit, NotRead
from verify.line.grammar.subscripts import is_transpose, subscripted, transposed

if TYPE_CHECKING:
    from verify.line.grammar.reader import Reader
    from verify.line.grammar.tokens import Token

__all__ = ["exponent", "raised"]

MOST_POWER = 10_000
"""Largest whole power that is written out: its exact value has that many times the digits."""


def raised(reader: Reader, base: ast.expr, start: int) -> ast.expr:
    """What stands behind a factor: ``!``, and an exponent."""
    while reader.takes("!"):
        base = placed(called("factorial", base), start, reader.past())
    if not (reader.token.text in ("^", "**") and reader.token.kind == "sign"):
        return base
    sign = reader.take()
    if sign.text == "^" and is_transpose(reader, base):
        return transposed(reader, base, start)
    first = reader.token.start
    height = (
        _python_power(reader, start, reader.at - 1)
        if sign.text == "**"
        else exponent(reader, base, start)
    )
    if reader.token.text == "^" or (reader.token.text == "**" and sign.text == "^"):
        low, middle = reader.source(start, sign.start), reader.source(first, reader.past())
        reader.take()
        top = reader.ahead_factor()
        raise reader.two(
            start,
            reader.token.start + len(top),
            f"{low}**({grouped(middle)}**{grouped(top)})",
            f"({low}**{grouped(middle)})**{grouped(top)}",
        )
    if reader.token.text == "!":
        raise reader.wrong(
            start,
            reader.token.end,
            "of one meaning",
            "a factorial behind a power",
            "add brackets",
        )
    _not_too_high(reader, base, height, start)
    if isinstance(base, ast.Name) and base.id == "e" and "e" not in reader.names.declared:
        return placed(called("exp", height), start, reader.past())
    return placed(ast.BinOp(base, ast.Pow(), height), start, reader.past())


def _python_power(reader: Reader, start: int, sign: int) -> ast.expr:
    """What stands behind ``**``."""
    first = reader.token.start
    if reader.takes("-"):
        return placed(ast.UnaryOp(ast.USub(), reader.power()), first, reader.past())
    found = reader.power()
    if reader.tokens[sign + 1].text == "1" and reader.token.text == "/":
        _root(reader, start, sign)
    return found


def exponent(reader: Reader, base: ast.expr, start: int) -> ast.expr:
    """What stands behind ``^``."""
    token = reader.token
    if reader.takes("{"):
        _no_superscript(reader, token, start)
        return reader.closed("}", token)
    if reader.takes("("):
        return reader.closed(")", token)
    if reader.takes("-"):
        return placed(
            ast.UnaryOp(ast.USub(), exponent(reader, base, start)), token.start, reader.past()
        )
    if token.kind == "number":
        reader.take()
        _after_number(reader, token, base, start)
        return placed(ast.Constant(number(token.text)), token.start, token.end)
    if token.kind == "word" and token.text in FUNCTIONS and reader.ahead(1).text == "(":
        return reader.atom()
    if token.kind == "word":
        return _letter(reader, start)
    if token.kind == "command" or token.text == "|":
        return reader.atom()
    raise reader.wrong(start, token.end, "a formula", f"an exponent {token.text!r}", "write it so")


def _no_superscript(reader: Reader, token: Token, start: int) -> None:
    """``x^{(t)}`` is the t-th x, or a power."""
    inside = [reader.ahead(k).text for k in range(4)]
    if inside[0] == "(" and inside[2:] == [")", "}"]:
        end = reader.ahead(3).end
        low = reader.source(start, token.start).rstrip("^ ")
        raise reader.wrong(
            start,
            end,
            "of one meaning",
            f"{reader.source(start, end)}, a number of {low} to some and a power to others",
            f"write {low}_{inside[1]} or {low}^{inside[1]}",
            Edit(start, end, f"{low}_{inside[1]}"),
            Edit(start, end, f"{low}^{inside[1]}"),
        )


def _after_number(reader: Reader, token: Token, base: ast.expr, start: int) -> None:
    """``x^2y`` is a product, ``2^2n`` and ``x^1/2`` could be either."""
    follows = reader.token
    low = reader.source(start, token.start).rstrip("^ ")
    if token.text == "1" and follows.text == "/" and follows.kind == "sign":
        _root(reader, start, reader.at - 2)
    if reader.names.in_tex and token.text.isdigit() and len(token.text) > 1:
        first, others = token.text[0], token.text[1:]
        said = f"{low}^{{{token.text}}}", f"{low}^{{{first}}}*{others}"
        raise reader.two(start, token.end, *said)
    if follows.kind not in ("word", "command") or follows.spaced:
        return
    letters = reader.names.split(follows.text, follows.start) if follows.kind == "word" else []
    if isinstance(base, ast.Name) and base.id != "e" and not set(letters) & reader.names.whole:
        return
    if (
        isinstance(base, ast.Subscript | ast.BinOp | ast.Call)
        and not set(letters) & reader.names.whole
    ):
        return
    product = "*".join(letters) or follows.text
    both, first = f"{low}^({token.text}*{product})", f"{low}^{token.text}*{product}"
    raise reader.two(start, follows.end, both, first)


def _root(reader: Reader, start: int, sign: int) -> None:
    """``x^1/2`` is a root, or x/2."""
    low = reader.source(start, reader.tokens[sign].start)
    reader.take()
    top = reader.ahead_factor()
    end = reader.token.start + len(top)
    raise reader.two(start, end, f"{low}**(1/{top})", f"{low}/{top}")


def _letter(reader: Reader, start: int) -> ast.expr:
    """One symbol as an exponent; of several it is not clear how many are meant."""
    token = reader.take()
    low = reader.source(start, token.start).rstrip("^ ")
    try:
        parts = reader.names.split(token.text, token.start)
    except NotRead:
        parts = list(token.text)
    if len(parts) > 1:
        first, rest = parts[0], "*".join(parts[1:])
        raise reader.two(start, token.end, f"{low}**({first}*{rest})", f"{low}**{first}*{rest}")
    name: ast.expr = placed(ast.Name(parts[0]), token.start, token.end)
    if reader.token.text == "_" and parts[0] != "e":
        name = subscripted(reader, parts[0], token.start)
    follows = reader.token
    if follows.text == "(" and not follows.spaced and not reader.names.in_tex:
        rest = reader.ahead_factor()
        end = follows.start + len(rest)
        raise reader.two(start, end, f"{low}**({parts[0]}*{rest})", f"{low}**{parts[0]}*{rest}")
    if parts == ["T"] and "T" not in reader.names.declared:
        where = reader.names.end
        vectors = ", ".join(sorted(reader.names.standing - {"T"}))
        edit = Edit(where, where, f" for vectors {vectors}")
        raise reader.wrong(
            start,
            token.end,
            "of one meaning",
            f"{low}^T, a transpose to some and a power to others",
            "write 'for vectors ...' behind the claim, or another letter for the exponent",
            *([] if reader.names.bounded or vectors != vectors.lower() else [edit]),
        )
    if follows.text == "/" and not reader.names.in_tex and not follows.spaced and low in ("e", "2"):
        reader.take()
        rest = reader.ahead_factor()
        end = reader.token.start + len(rest)
        raise reader.two(start, end, f"{low}**({parts[0]}/{rest})", f"{low}**{parts[0]}/{rest}")
    return name


def _not_too_high(reader: Reader, base: ast.expr, exponent: ast.expr, start: int) -> None:
    """Whole powers, and numbers, beyond what can be computed exactly."""
    value, low = constant(exponent), constant(base)
    if value is None:
        return
    digits = abs(value) * log10(max(abs(low), 10)) if low is not None else abs(value)
    if digits <= MOST_POWER:
        return
    raise reader.wrong(
        start,
        reader.past(),
        f"of powers up to {MOST_POWER}, which are computed exactly",
        f"the power {ast.unparse(exponent)}",
        "lower it, or write x**n for integer n in [1, 64]",
    )
