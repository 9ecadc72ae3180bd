"""What begins with the next token: a function, a mean, a sum over an index."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verify.line.grammar.names import FUNCTIONS, MEANS, OVER, SHORT

if TYPE_CHECKING:
    from verify.line.grammar.reader import Reader
    from verify.line.grammar.tokens import Token

__all__ = ["index_at", "is_function", "is_mean", "stands_apart"]


def is_function(reader: Reader, token: Token) -> bool:
    """Whether a function begins with this token."""
    name = token.text.lstrip("\\")
    return name in FUNCTIONS and name not in reader.names.declared


def is_mean(reader: Reader, token: Token) -> bool:
    """Whether a mean, a variance or a probability begins with this token."""
    text = token.text
    if token.kind == "command":
        if text[1:] in ("mathbb", "mathrm", "operatorname"):
            rest = reader.text[token.end - reader.start :]
            return bool(re.match(r"\s*\{?\s*(E|P|Var|Cov|Pr)\b", rest))
        return SHORT.get(text[1:], "") in MEANS
    if text not in MEANS or text in reader.names.declared:
        return False
    follows = reader.tokens[reader.begins(token) + 1].text
    if follows in ("(", "[", "\\{", "{", "_"):
        return True
    return text == "E" and follows not in ("+", "-", "*", "/", "^", "**", "", ")", "}", ",")


def index_at(reader: Reader, token: Token) -> str:
    """The index of the sum that begins with this token, empty where none does."""
    name = token.text.lstrip("\\")
    if name not in OVER or token.kind not in ("word", "command"):
        return ""
    at = reader.begins(token)
    following = [one.text for one in reader.tokens[at + 1 : at + 4]]
    if following[:1] != ["_"]:
        return ""
    letter = following[2] if following[1:2] == ["{"] else following[1]
    return letter[:1] if letter[:1].isalpha() else ""


def stands_apart(reader: Reader, token: Token) -> bool:
    """Whether a sum or a mean begins here, which nobody takes for a part of what is before it."""
    return bool(index_at(reader, token)) or is_mean(reader, token)
