r"""Sums, means, products and extremes over an index: ``sum_i x_i``, ``\sum_{k=1}^n 1/k``.

Where entries such as ``x_i`` stand in it, a sum is over the clients; the letter behind ``i=1`` is
then how many there are, N.  Where the index itself is a number in it, a sum is over whole numbers
and has two ends: ``sum_k(1/k, 1, n)``.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from verify.line.grammar.build import binds, called, indexed_by, join_factors, names_in, placed
from verify.line.grammar.names import ELEMENTARY
from verify.line.grammar.tokens import kind_of

if TYPE_CHECKING:
    from verify.line.grammar.reader import Reader
    from verify.line.grammar.tokens import Token

__all__ = ["over"]

_BELOW = re.compile(
    r"(?P<index>[A-Za-z])(?:,(?P<second>[A-Za-z]))?"
    r"(?:=(?P<low>[^,]+?)(?:,\.\.\.,(?P<high>.+))?|in\[(?P<count>\w+)\])?"
)
_BETWEEN = re.compile(r"(?P<low>\w+)<=(?P<index>[A-Za-z])<=(?P<high>\w+)")
LINEAR = ("sum", "mean")
Factors = list[tuple[str, ast.expr]]


def over(reader: Reader, in_tex: bool = False) -> ast.expr:
    """A sum, mean, product or extreme, with what it runs over."""
    token = reader.take()
    kind = token.text
    if reader.token.text != "_":
        remedy = f"write {kind}_i x_i, or {kind}_{{k=1}}^n"
        raise reader.wrong(
            token.start, token.end, "of signs that are known", f"{kind} without an index", remedy
        )
    reader.take()
    indices, low, high = _range(reader, token)
    high = _upper(reader) or high
    opened = reader.token
    index = indices[0]
    if opened.text == "(" and not opened.spaced and not in_tex:
        reader.take()
        inside = reader.several(")", opened)
        sign = reader.token.text
        if sign == "^" or (sign == "**" and kind in LINEAR):
            shown = reader.source(token.start, reader.past())
            body = reader.source(opened.start, reader.past())
            at = reader.at
            sign = reader.take().text
            power = reader.exponent(ast.Name("x"), opened.start) if sign == "^" else reader.power()
            said, end = ast.unparse(power), reader.past()
            reader.at = at
            head = reader.source(token.start, opened.start)
            raise reader.two(token.start, end, f"({shown})**({said})", f"{head} ({body}**({said}))")
        if len(inside) == 3:
            low, high = inside[1], inside[2]
        elif len(inside) != 1:
            raise reader.wrong(
                token.start, reader.past(), f"{kind} of one formula", str(len(inside)), "write one"
            )
        factors: Factors = [("*", inside[0])]
        outside: Factors = []
    else:
        factors, outside = _hoisted(_body(reader, kind, index, token), index)
    made = _made(reader, kind, index, (join_factors(factors), low, high), token)
    for other in indices[1:]:
        made = called(f"{kind}_{other}", made)
    placed(made, token.start, reader.past())
    made = join_factors([("*", made), *outside])
    return placed(made, token.start, reader.past())


def _hoisted(factors: Factors, index: str) -> tuple[Factors, Factors]:
    """Factors under a sum, and those behind it that sum over the same letter themselves."""
    last = max((k for k, (_, f) in enumerate(factors) if indexed_by(f, index)), default=0)
    behind = factors[last + 1 :]
    inner = any(binds(n, index) for _, factor in behind for n in ast.walk(factor))
    return (factors[: last + 1], behind) if inner else (factors, [])


def _range(reader: Reader, token: Token) -> tuple[list[str], ast.expr | None, ast.expr | None]:
    """Indices and ends from what stands below."""
    start = reader.token.start
    if not reader.takes("{"):
        one = reader.take()
        rest = one.text[1:]
        if rest and reader.names.in_tex and one.kind == "word":
            reader.tokens[reader.at : reader.at] = [
                replace(one, kind=kind_of(rest), text=rest, start=one.start + 1, spaced=False)
            ]
        elif rest or not one.text.isalpha():
            remedy = "write one letter, such as sum_i"
            raise reader.wrong(
                token.start, one.end, "with an index of one letter", one.text, remedy
            )
        return [one.text[:1]], None, None
    parts = []
    while reader.token.text != "}":
        one = reader.take()
        if one.kind == "end":
            raise reader.wrong(start, one.end, "a formula", "a brace without its end", "write }")
        parts.append(one.text)
    end = reader.take().start
    said = "".join(parts)
    mark = _BELOW.fullmatch(said) or _BETWEEN.fullmatch(said)
    if mark is None:
        remedy = "write an index such as i, i=1 or k=1,...,n below it"
        raise reader.wrong(
            start, end + 1, "with an index that runs from one number to another", said, remedy
        )
    found = mark.groupdict()
    low = _formula(reader, found.get("low"), start)
    high = _formula(reader, found.get("high") or found.get("count"), start)
    if found.get("count"):
        low = ast.Constant(1)
    indices = [found["index"], *([found["second"]] if found.get("second") else [])]
    return indices, low, high


def _formula(reader: Reader, text: str | None, start: int) -> ast.expr | None:
    return reader.another(text, start) if text else None


def _upper(reader: Reader) -> ast.expr | None:
    """What stands above."""
    if not reader.takes("^"):
        return None
    token = reader.token
    if token.kind == "word" and len(token.text) > 1 and not reader.names.in_tex:
        reader.take()
        return placed(ast.Name(token.text), token.start, token.end)
    if token.kind == "number" and not reader.names.in_tex:
        return reader.atom()
    if token.kind == "word":
        name = token.text[:1]
        group_at = reader.at
        if len(token.text) > 1:
            found = reader.group()
            return found
        reader.at = group_at + 1
        return placed(ast.Name(name), token.start, token.end)
    return reader.group()


def _body(reader: Reader, kind: str, index: str, token: Token) -> Factors:
    """The factors that it runs over."""
    first = reader.token.start
    head = reader.source(token.start, first)
    at = reader.begins(token)
    before = reader.tokens[at - 1].text if at else ""
    tied = before in ("/", "^", "**") or before.lstrip("\\") in (*ELEMENTARY, "sqrt")
    reader.open_sums.append((len(reader.closers), index))
    factors = reader.factors()
    reader.open_sums.pop()
    if kind not in LINEAR or tied:
        for k, (_, factor) in enumerate(factors):
            if k and not (indexed_by(factor, index) or index in names_in(factor)):
                whole = reader.source(first, reader.past())
                near = reader.source(first, factors[k - 1][1].end_col_offset or first)
                rest = reader.source(factors[k - 1][1].end_col_offset or first, reader.past())
                gap = "" if rest[:1] in "*/" else "*"
                raise reader.two(
                    token.start, reader.past(), f"({head} ({near})){gap}{rest}", f"{head} ({whole})"
                )
    return factors


def _made(
    reader: Reader,
    kind: str,
    index: str,
    parts: tuple[ast.expr, ast.expr | None, ast.expr | None],
    token: Token,
) -> ast.expr:
    """The call: over entries, or over whole numbers."""
    body, low, high = parts
    entries = indexed_by(body, index)
    slices = {
        id(n) for s in ast.walk(body) if isinstance(s, ast.Subscript) for n in ast.walk(s.slice)
    }
    as_number = any(
        isinstance(n, ast.Name) and n.id == index and id(n) not in slices for n in ast.walk(body)
    )
    end = reader.past()
    if entries and as_number:
        remedy = "write it with entries of another name, such as w_i x_i"
        raise reader.wrong(
            token.start, end, f"with {index} as an index or as a number", "both", remedy
        )
    if entries or (low is None and high is None):
        _entries(reader, index, low, high, token)
        return called(f"{kind}_{index}", body)
    if low is None or high is None or kind not in ("sum", "prod"):
        remedy = f"write {kind}_{{{index}=1}}^n"
        raise reader.wrong(token.start, end, "with two ends of a sum or product", "fewer", remedy)
    return called(f"{kind}_{index}", body, low, high)


def _entries(
    reader: Reader, index: str, low: ast.expr | None, high: ast.expr | None, token: Token
) -> None:
    """The ends of a sum over entries: from 1 to how many there are."""
    end = reader.past()
    if low is not None and not (isinstance(low, ast.Constant) and low.value == 1):
        remedy = f"write {index}=1"
        raise reader.wrong(token.start, end, "over all entries", f"from {ast.unparse(low)}", remedy)
    if high is None:
        return
    if not isinstance(high, ast.Name) or high.id in reader.names.whole:
        said = ast.unparse(high)
        remedy = "write N for the number of entries, any number, and leave its range out"
        raise reader.wrong(token.start, end, "over all entries", f"up to {said}", remedy)
    reader.names.sizes.add(high.id)
