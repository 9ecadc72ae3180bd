r"""Words and commands of a formula: symbols with what stands below them, functions, means."""

from __future__ import annotations

import ast
import keyword
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from verify.line.grammar import fences, functions, over
from verify.line.grammar.build import called, grouped, placed
from verify.line.grammar.lookahead import is_mean
from verify.line.grammar.names import ELEMENTARY, FUNCTIONS, MEANS, OVER, SHORT, splittings
from verify.line.grammar.refused import Edit
from verify.line.grammar.signs import GREEK
from verify.line.grammar.subscripts import subscripted
from verify.line.grammar.tokens import Token

if TYPE_CHECKING:
    from verify.line.grammar.reader import Reader

__all__ = ["command", "word"]

ALPHABETS = frozenset(
    [
        "mathbf",
        "mathrm",
        "mathit",
        "mathcal",
        "mathsf",
        "mathfrak",
        "boldsymbol",
        "bm",
        "operatorname",
        "text",
        "mathbb",
        "textbf",
        "vec",
    ]
)
ACCENTS = {"bar": "bar", "overline": "bar", "hat": "hat", "widehat": "hat", "tilde": "tilde"}
ACCENTS["widetilde"] = "tilde"
FRACTIONS = ("frac", "tfrac", "dfrac", "nicefrac", "sfrac")
BINOMIALS = ("binom", "dbinom", "tbinom")
APPLIED = frozenset(["f", "g", "h", "F", "G", "H", "J", "phi", "psi", "Phi", "Psi", "varphi"])
"""Letters that stand for functions more often than for numbers."""
OTHERS = frozenset(
    [
        *("tan", "cot", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "mod", "sgn", "sign"),
        *("det", "tr", "trace", "rank", "argmin", "argmax", "sup", "lim", "std", "erf"),
    ]
)
"""Functions of papers that no line has."""
OPENING, CLOSING = ("(", "[", "{", "\\{"), (")", "]", "}", "\\}")


def word(reader: Reader) -> ast.expr:
    """A symbol or a function that begins with a word."""
    token, follows = reader.token, reader.ahead()
    text = token.text
    if not text.isidentifier() or unicodedata.normalize("NFKC", text) != text:
        remedy = "write a plain letter"
        raise reader.wrong(token.start, token.end, "of plain letters", text, remedy)
    known = text not in reader.names.declared
    if keyword.iskeyword(text) and text != "lambda":
        remedy = "rename it, or close the bracket before it"
        raise reader.wrong(
            token.start, token.end, "of symbols and functions", f"the word {text}", remedy
        )
    if text in OTHERS and known:
        raise _other(reader, token, text)
    run = text in OVER and (text not in ("max", "min") and follows.kind in ("word", "command"))
    if known and text in OVER and (follows.text == "_" or run):
        return over.over(reader)
    if known and is_mean(reader, token):
        return functions.mean(reader)
    if (
        known
        and text in FUNCTIONS
        and (follows.text in ("(", "{", "\\{") or text in ELEMENTARY or text == "sqrt")
    ):
        reader.take()
        return functions.function(reader, FUNCTIONS[text], token)
    if known and text in FUNCTIONS:
        remedy = f"write {text}(...), or rename it"
        raise reader.wrong(token.start, token.end, f"with an argument of {text}", "none", remedy)
    if follows.text == "(" and not follows.spaced and len(text) > 1:
        _no_function(reader, token)
    parts = reader.names.split(text, token.start)
    if len(parts) > 1:
        _spread(reader, parts)
        token = reader.token
    reader.take()
    return symbol(reader, parts[0], token.start)


def _spread(reader: Reader, parts: list[str]) -> None:
    """A word as one word for each of its symbols."""
    token, out, at = reader.token, [], reader.token.start
    for k, part in enumerate(parts):
        size = len("lambda" if part == "lam" else part)
        out.append(Token("word", part, at, at + size, token.spaced and k == 0))
        at += size
    reader.tokens[reader.at : reader.at + 1] = out


def _no_function(reader: Reader, token: Token) -> None:
    """A long word directly before a bracket is a function that is not known."""
    text = token.text
    if text in reader.names.declared or text in GREEK:
        return
    known = reader.names.declared | reader.names.standing
    if splittings(text, known) or reader.names.in_tex:
        return
    names = ", ".join(sorted({*FUNCTIONS, "sum_i", "mean_i", "max_i", "min_i", "prod_k", *MEANS}))
    raise reader.wrong(
        token.start,
        token.end,
        "of functions that are known",
        f"{text}(...)",
        f"write * before a bracket, or one of {names}",
    )


def symbol(reader: Reader, name: str, start: int) -> ast.expr:
    """A symbol with what stands below it, checked against functions."""
    found = subscripted(reader, name, start)
    token = reader.token
    opens = token.text == "(" or (token.text == "[" and reader.names.in_tex)
    if token.text == "'" or token.text == "\\prime":
        remedy = "write another name, such as y or x_1"
        raise reader.wrong(start, token.end, "of names without a prime", f"{name}'", remedy)
    if opens and token.kind == "sign":
        _bracket_behind(reader, found, start)
    return found


def _bracket_behind(reader: Reader, found: ast.expr, start: int) -> None:
    """``f(x)`` is a function; ``a(b + c)`` is a product where a is a number."""
    names = reader.names
    token = reader.token
    name = found.id if isinstance(found, ast.Name) else ""
    inside, end = _inside(reader)
    alone = not name or name in names.alone
    number = alone or (name in names.declared and name not in APPLIED)
    one = bool(inside) and not any(t.text == "," for t in inside)
    words = [t for t in inside if t.kind in ("word", "command")]
    simple = one and len(words) == 1 and len(inside) == 1 and words[0].text != name
    if number and one and not simple:
        return
    if number and not name and one:
        return
    shown = reader.source(start, end)
    label = reader.source(start, token.start)
    product = f"{label}*{reader.source(token.start, end)}"
    edits = [Edit(start, end, product)] if one and number else []
    error = reader.wrong(
        start,
        end,
        f"of numbers, vectors and functions that are known, not with {label} before a bracket",
        f"{shown}, a function of what is in the bracket",
        f"write * before a bracket, {product}, if {label} is a number; a line cannot speak of an "
        "unknown function: fedassay new NAME --kind functions writes a file that can",
        *edits,
    )
    error.function = label if one else ""
    raise error


def _inside(reader: Reader) -> tuple[list[Token], int]:
    """The tokens in the bracket that comes next, deeper ones left out, and where it ends."""
    out: list[Token] = []
    depth = 0
    for token in reader.tokens[reader.at :]:
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth == 0:
            return out, token.end
        if depth == 1 and token is not reader.token:
            out.append(token)
    return out, reader.token.end


# -- commands ------------------------------------------------------------------------------------


def command(reader: Reader) -> ast.expr:
    """What begins with a TeX command."""
    token = reader.token
    name = token.text[1:]
    if name in GREEK:
        reader.take()
        return symbol(reader, "lam" if name == "lambda" else name, token.start)
    if name in SHORT and not (name in ("E", "Pr") and name in reader.names.declared):
        reader.tokens[reader.at] = replace(token, kind="word", text=SHORT[name])
        return _command_word(reader, token)
    if name in FRACTIONS:
        reader.take()
        above, below = reader.group(), reader.group()
        return placed(ast.BinOp(above, ast.Div(), below), token.start, reader.past())
    if name in BINOMIALS:
        reader.take()
        made = called("binom", reader.group(), reader.group())
        return placed(made, token.start, reader.past())
    if name == "sqrt":
        reader.take()
        return _root(reader, token)
    if name == "surd":
        return _root_sign(reader)
    if (
        name in ("norm", "abs", "inner", "innerprod", "ip", "dotp", "inp")
        and reader.ahead().text == "{"
    ):
        reader.take()
        inside = [reader.group()]
        if name == "norm":
            return fences.norm_of(reader, inside[0], token.start)
        if name != "abs":
            inside.append(reader.group())
        made = called("abs" if name == "abs" else "dot", *inside)
        return placed(made, token.start, reader.past())
    if name in ALPHABETS or name in ACCENTS:
        return _lettered(reader, name)
    found = fences.fence(reader)
    if found is not None:
        return found
    if name in ("nabla", "partial"):
        remedy = (
            "write what it is of as a vector, 'for vector g'; of gradients of functions of a class "
            "speak fedassay check PAPER.tex and a file, fedassay new NAME --kind functions"
        )
        shown = f"{token.text}, of a function that is not known"
        raise reader.wrong(token.start, token.end, "of numbers and vectors", shown, remedy)
    if name in OTHERS:
        raise _other(reader, token, name)
    remedy = "write it in plain text, or leave it out"
    raise reader.wrong(token.start, token.end, "of signs that are known", token.text, remedy)


def _other(reader: Reader, token: Token, name: str) -> Exception:
    """Refusal of a function that no line has."""
    known = ", ".join(ELEMENTARY)
    remedy = f"write it out in these: {known}, sqrt, abs, min, max, floor, ceil"
    return reader.wrong(token.start, token.end, "of functions that are known", name, remedy)


def _command_word(reader: Reader, token: Token) -> ast.expr:
    """A command that is a word; a function in TeX takes its argument as TeX sets it."""
    text = reader.token.text
    if text in OVER and (reader.ahead().text == "_" or text not in ("max", "min")):
        return over.over(reader, in_tex=True)
    if text in MEANS:
        return functions.mean(reader)
    if text in ("max", "min") and reader.ahead().text not in ("(", "{", "\\{", "["):
        remedy = f"write \\{text}_i x_i or \\{text}(x, y)"
        raise reader.wrong(
            token.start, token.end, "of signs that are known", f"\\{text} alone", remedy
        )
    reader.take()
    return functions.function(reader, FUNCTIONS[text], token)


def _lettered(reader: Reader, kind: str) -> ast.expr:
    r"""``\mathbf{x}``, ``\bar x``: a symbol in another alphabet, or with an accent."""
    begin = reader.at
    token = reader.take()
    braced = reader.takes("{")
    inner = reader.take()
    text = inner.text.lstrip("\\")
    inside = None
    if braced and reader.token.text == "_" and kind in (*ACCENTS, "mathbf", "bm", "boldsymbol"):
        inside = subscripted(reader, "", inner.start)
    if braced and not reader.takes("}"):
        remedy = "write one letter or word in it"
        raise reader.wrong(token.start, reader.past(), "of plain names", token.text, remedy)
    if kind in ("mathrm", "operatorname", "text", "mathbb", "mathsf") and text in (
        *SHORT,
        *FUNCTIONS,
        "Pr",
        "P",
    ):
        one = Token("word", SHORT.get(text, text), inner.start, inner.end)
        reader.tokens[begin : reader.at] = [one]
        reader.at = begin
        return word(reader)
    if not text.isalnum() or (kind == "mathbb" and text.isdigit()):
        raise reader.wrong(
            token.start, reader.past(), "of plain names", token.text, "write a letter"
        )
    name = "lam" if text == "lambda" else text
    name += f"_{ACCENTS[kind]}" if kind in ACCENTS else ""
    if inside is not None:
        if isinstance(inside, ast.Subscript) and isinstance(inside.value, ast.Name):
            inside.value.id = name + inside.value.id
        elif isinstance(inside, ast.Name):
            inside.id = name + inside.id
        return inside
    return symbol(reader, name, token.start)


def _root_sign(reader: Reader) -> ast.expr:
    """``√x``: without a line over it nobody sees how far a root goes."""
    token = reader.take()
    if reader.token.text == "(":
        return functions.function(reader, "sqrt", token)
    first = reader.token.start
    inside = reader.power()
    shown, follows = reader.source(first, reader.past()), reader.token
    if isinstance(inside, ast.BinOp):
        base, power = ast.unparse(inside.left), ast.unparse(inside.right)
        raise reader.two(
            token.start, reader.past(), f"sqrt({base})**({power})", f"sqrt({base}**({power}))"
        )
    if reader.starts_factor() and not follows.spaced:
        rest = reader.ahead_factor()
        end = follows.start + len(rest)
        raise reader.two(
            token.start, end, f"sqrt({shown})*{grouped(rest)}", f"sqrt({shown}*{grouped(rest)})"
        )
    return placed(called("sqrt", inside), token.start, reader.past())


def _root(reader: Reader, token: Token) -> ast.expr:
    """A square root, or another one; plain text has no braces."""
    if reader.takes("["):
        root = reader.closed("]", token)
        inner = reader.group()
        power = ast.BinOp(ast.Constant(1), ast.Div(), root)
        return placed(ast.BinOp(inner, ast.Pow(), power), token.start, reader.past())
    if reader.token.text == "(":
        return functions.function(reader, "sqrt", token)
    return placed(called("sqrt", reader.group()), token.start, reader.past())
