r"""Mathematics in TeX as plain text: ``\frac{x+y}{2}`` is ``((x+y)/(2))``.

A letter is a symbol and two letters beside each other are a product, as TeX sets them.  What is
not known is refused, never guessed.
"""

from __future__ import annotations

import re

from bounds.numbers.validate import InvalidInput

__all__ = ["plain_text"]

_INDEX = re.compile(r"\\(?:sum|max|min)\s*(?:\\limits)?\s*_\s*\{?\s*([A-Za-z])")

LETTERS = """alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi rho
sigma tau phi varphi chi psi omega Gamma Delta Theta Lambda Sigma Phi Psi Omega ell"""
GREEK = frozenset(LETTERS.split())
FUNCTIONS = {"log": "log", "ln": "log", "exp": "exp", "sin": "sin", "cos": "cos"}
PLAIN = ("sqrt", "abs", "norm1", "norminf", "norm", "dot", "min", "max", *FUNCTIONS)
"""Functions that may stand in TeX as they stand in plain text, with a bracket."""
ALPHABETS = ("mathbf", "mathrm", "mathit", "mathcal", "boldsymbol", "bm", "operatorname", "text")
ACCENTS = ("bar", "hat", "tilde", "overline")
SIZES = ("left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr")
IGNORED = (*SIZES, "limits", "displaystyle", "quad", "qquad", ",", ";", ":", "!", " ")
FENCES = {
    "\\|": "\\|",
    "|": "|",
    "\\lVert": "\\rVert",
    "\\lvert": "\\rvert",
    "\\langle": "\\rangle",
}
CALLS = {"\\|": "norm", "\\lVert": "norm", "|": "abs", "\\lvert": "abs", "\\langle": "dot"}


_WORDS = "|".join(sorted(GREEK - {"xi", "nu"}, key=len, reverse=True))
_TOKEN = re.compile(
    rf"\\[A-Za-z]+|\\.|\*\*|\d+(?:\.\d+)?|\s+|(?:{'|'.join(PLAIN)})(?=\()|(?:{_WORDS})(?![a-z])|."
)
"""What stands in TeX as in plain text, ``eta`` or ``sqrt(``, is no product of letters."""


def plain_text(tex: str) -> str:
    r"""A formula in TeX as plain text.

    Parameters
    ----------
    tex : str
        One side, without dollar signs and relations.

    Raises
    ------
    InvalidInput
        For a command or a letter that has no meaning here.

    Examples
    --------
    >>> plain_text(r"\frac{x+y}{2}")
    '((x+y)/(2))'
    >>> plain_text(r"\sum_{i=1}^N p_i \|x_i\|^2")
    'sum_i p[i]*norm(x[i])**2'
    """
    tokens = [t for t in _TOKEN.findall(tex) if not (t.isspace() or _is_layout(t))]
    return _Reader(tokens, frozenset(_INDEX.findall(tex))).row(())


def _is_layout(token: str) -> bool:
    return token == "~" or (token[0] == "\\" and token[1:] in IGNORED)


class _Reader:
    """Reads from the first token to the last; each method consumes what it returns."""

    def __init__(self, tokens: list[str], indices: frozenset[str]) -> None:
        self.tokens, self.indices, self.at = tokens, indices, 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def row(self, stops: tuple[str, ...]) -> str:
        """Everything up to one of the stops, which is consumed."""
        out = ""
        factor = False  # whether a factor has just ended
        while (token := self.peek()) not in stops:
            if not token:
                if stops:
                    raise _unknown("a bracket without its end", f"write {stops[0]}")
                return out
            if token in ("+", "-", "*", "/", ",", "\\cdot", "\\times", "**"):
                self.next()
                out += {"\\cdot": "*", "\\times": "*", ",": ", "}.get(token, token)
                factor = False
                continue
            if token == "^":
                self.next()
                out += f"**{self.exponent()}"
                continue
            piece, ends = self.atom()
            out += f"*{piece}" if factor else piece
            factor = ends
        self.next()
        return out

    def exponent(self) -> str:
        if self.peek() == "{":
            self.next()
            inside = self.row(("}",))
            return inside if inside.isalnum() else f"({inside})"
        self._one_digit()
        return self.atom()[0]

    def group(self) -> str:
        """What a brace holds, or the next atom."""
        if self.peek() == "{":
            self.next()
            return self.row(("}",))
        self._one_digit()
        return self.atom()[0]

    def _one_digit(self) -> None:
        r"""TeX takes one digit where a brace is missing: ``x^12`` and ``\tfrac12``."""
        token = self.peek()
        if token[:1].isdigit() and len(token) > 1:
            self.tokens[self.at : self.at + 1] = [token[0], token[1:]]

    def atom(self) -> tuple[str, bool]:
        """One factor, and whether another one beside it is multiplied."""
        token = self.next()
        name = token[1:]
        if not token:
            raise _unknown("an end", "write what belongs there")
        if token[0].isdigit():
            return token, True
        if token in FENCES:
            return f"{CALLS[token]}({self.row((FENCES[token],))})", True
        if token in ("(", "[", "{", "\\{"):
            end = {"(": ")", "[": "]", "{": "}", "\\{": "\\}"}[token]
            return f"({self.row((end,))})", True
        if token in PLAIN:
            self.next()
            return f"{token}({self.row((')',))})", True
        if token.isalpha() and token.isascii():
            return self.named("lam" if token == "lambda" else token), True
        if token[0] != "\\":
            raise _unknown(token, "write it as a formula")
        return self.command(name)

    def command(self, name: str) -> tuple[str, bool]:
        if name in GREEK:
            return self.named("lam" if name == "lambda" else name), True
        if name in ("frac", "tfrac", "dfrac"):
            return f"(({self.group()})/({self.group()}))", True
        if name == "sqrt":
            if self.peek() == "[":
                self.next()
                root = self.row(("]",))
                return f"(({self.group()})**(1/({root})))", True
            return f"sqrt({self.group()})", True
        if name in FUNCTIONS:
            return f"{FUNCTIONS[name]}({self.argument()})", True
        if name in ("sum", "max", "min"):
            return self.over(name)
        if name in ALPHABETS:
            return self.named(self.word()), True
        if name in ACCENTS:
            return self.named(f"{self.word()}_{name}"), True
        raise _unknown(f"\\{name}", "write it in plain text, or leave it out")

    def argument(self) -> str:
        if self.peek() == "(":
            self.next()
            return self.row((")",))
        inside, _ = self.atom() if self.peek() != "{" else (self.group(), True)
        if self.peek() == "^":
            self.next()
            inside += f"**{self.exponent()}"
        return inside

    def over(self, name: str) -> tuple[str, bool]:
        """A sum, or an extreme, over an index or of a list."""
        if self.peek() != "_":
            if self.peek() in ("(", "\\{"):
                end = ")" if self.next() == "(" else "\\}"
                return f"{name}({self.row((end,))})", True
            raise _unknown(f"\\{name} without an index", f"write \\{name}_i or \\{name}(x, y)")
        self.next()
        index, told = self.next(), ""
        if index == "{":
            index = self.next()
            while (token := self.next()) not in ("}", ""):
                told += token
        if told and not re.fullmatch(r"=1|\\in\[N\]|=1,\\ldots,N|=1,\\dots,N", told):
            raise _unknown(f"\\{name} over {index}{told}", "write an index that runs from 1 to N")
        if self.peek() == "^":
            self.next()
            if (end := self.exponent()) != "N":
                raise _unknown(f"\\{name} up to {end}", "write N for the number of entries")
        return f"{name}_{index} ", False

    def word(self) -> str:
        if self.peek() != "{":
            return self.next().lstrip("\\")
        self.next()
        out = ""
        while (token := self.next()) not in ("}", ""):
            out += token.lstrip("\\")
        return out

    def named(self, name: str) -> str:
        """A symbol with what stands below it: an index of a sum, or a part of its name."""
        star = "^" if self.at + 1 < len(self.tokens) and self.peek() == "^" else ""
        if star and self.tokens[self.at + 1] in ("*", "\\star", "\\ast"):
            self.at += 2
            name += "_star"
        if self.peek() != "_":
            return name
        self.next()
        below = [self.word()] if self.peek() == "{" else [self.next().lstrip("\\")]
        letters = [one for part in below for one in part.split(",")]
        if all(one in self.indices for one in letters):
            return f"{name}[{', '.join(letters)}]"
        if len(below[0]) > 1 and all(one in self.indices for one in below[0]):
            return f"{name}[{', '.join(below[0])}]"
        whole = "_".join("star" if one == "*" else one for one in letters)
        if not whole.isalnum() and not whole.replace("_", "").isalnum():
            raise _unknown(f"{name}_{whole}", "write letters and digits below it")
        return f"{name}_{whole}"


def _unknown(found: str, remedy: str) -> InvalidInput:
    return InvalidInput(f"TeX must be of symbols that are known here, got {found}: {remedy}.")
