r"""A formula as a syntax tree, read from left to right.

Plain text and TeX are one grammar: ``2xy``, ``\frac{x}{2}``, ``x^T y``, ``E[x^2]``, ``sum_i x_i``.
Where a sign is missing and two readers could put it in different places, nothing is guessed:
``1/2x`` is refused, with ``(1/2)*x`` and ``1/(2*x)``.

=====================  ==========================================================================
``-x^2``               minus the square
``x^2y``               the square times y; after a number, e or a whole y it is refused
``2^xy``, ``x^1/2``    refused: how far does the exponent go?
``a^b^c``              refused; ``a**b**c`` is a**(b**c)
``a/b*c``, ``a/b/c``   from left to right
``1/2x``, ``a/b c``    refused; before a sum, a mean, and ``1/2 ||x||`` it is a fraction
``log xy``             the logarithm of the product; ``log x y``, ``log x/y``, ``log x * y`` refused
``sin x cos y``        a product: an argument ends before the next function
``sum_i x_i y + z``    a sum runs over the product behind it
``max_i x_i y``        refused, as is a product, unless each factor has the index
``|x| y |z|``          a bar behind a factor closes the one that is open
``f(x)``               a function, refused; ``a(b + c)`` is a product where a is a number elsewhere
=====================  ==========================================================================
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from math import log10
from typing import TypeVar

from verify.line.grammar import fences, words
from verify.line.grammar.build import called, constant, grouped, join_factors, number, placed
from verify.line.grammar.lookahead import index_at, stands_apart
from verify.line.grammar.names import FUNCTIONS, MEANS, OVER, Names
from verify.line.grammar.refused import Edit, NotRead, not_read, two_readings
from verify.line.grammar.tokens import Token, tokens

__all__ = ["Reader"]

Found = TypeVar("Found")
RELATIONS = frozenset(("<=", ">=", "==", "=", "<", ">", "!="))
_SIZES = re.compile(r"\\(?:left|right|middle|[bB]igg?[lr]?)(?![A-Za-z])\s*")
INNER = re.compile(r"<[^<>=]*,[^<>=]*>(?!=)")
TIMES = ("*",)
MOST_POWER = 10_000
"""Largest whole power that is written out: its exact value has that many times the digits."""


class Reader:
    """Reads one formula; each method consumes what it returns.

    Parameters
    ----------
    text : str
        One side, without relations.
    start : int
        Its place in the line.
    names : Names
        What is known of the symbols.
    """

    def __init__(self, text: str, start: int, names: Names) -> None:
        self.text, self.start, self.names = text, start, names
        self.tokens = tokens(text, start)
        self.at = 0
        self.closers: list[str] = []
        """Ends of the brackets that are open, the innermost last."""
        self.running: list[str] = []
        """Indices of the sums that are open."""
        self.open_sums: list[tuple[int, str]] = []
        """Depth of brackets and index of the sums whose end is not written."""

    # -- tokens --------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[min(self.at, len(self.tokens) - 1)]

    def ahead(self, count: int = 1) -> Token:
        """A later token."""
        return self.tokens[min(self.at + count, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Consume the next token."""
        token = self.token
        self.at += 1
        return token

    def takes(self, *texts: str) -> bool:
        """Consume the next token if it is one of these."""
        if self.token.text in texts and self.token.kind != "end":
            self.at += 1
            return True
        return False

    def begins(self, token: Token) -> int:
        """Where a token stands in the list."""
        near = range(min(self.at + 3, len(self.tokens)) - 1, -1, -1)
        return next((k for k in near if self.tokens[k] is token), self.at)

    def past(self) -> int:
        """Where the last token that was consumed ends."""
        return self.tokens[self.at - 1].end if self.at else self.start

    def source(self, start: int, end: int) -> str:
        """What stands between two places of the line."""
        found = self.text[start - self.start : end - self.start]
        return _SIZES.sub("", found).strip()

    def expect(self, closer: str, opened: Token) -> None:
        """Consume the end of a bracket."""
        if not self.takes(closer):
            raise self.wrong(
                opened.start,
                max(self.token.end, opened.end),
                "a formula",
                f"{opened.text} without its {closer}",
                "close every bracket",
            )

    def wrong(
        self, start: int, end: int, condition: str, found: str, remedy: str, *edits: Edit
    ) -> NotRead:
        """Refusal of what stands between two places."""
        shown = self.text[start - self.start : max(end, start + 1) - self.start]
        return not_read(shown.rstrip() or shown, start, condition, found, remedy, *edits)

    def two(self, start: int, end: int, first: str, second: str) -> NotRead:
        """Refusal of what can be read in two ways."""
        shown = self.text[start - self.start : end - self.start].rstrip()
        return two_readings(shown, start, first, second)

    # -- sums and products -------------------------------------------------------------------------

    def whole(self) -> ast.expr:
        """The formula, to the end of the text."""
        if self.token.kind == "end":
            raise self.wrong(self.start, self.token.end, "a formula", "nothing", "write one")
        found = self.sum()
        if self.token.kind != "end":
            token = self.token
            remedy = "write * between factors and close every bracket"
            raise self.wrong(token.start, token.end, "a formula", repr(token.text), remedy)
        return found

    def sum(self) -> ast.expr:
        """Summands with their signs."""
        start = self.token.start
        left = self.signed()
        while self.token.text in ("+", "-") and self.token.kind == "sign":
            sign = ast.Add() if self.take().text == "+" else ast.Sub()
            left = placed(ast.BinOp(left, sign, self.signed()), start, self.past())
        return left

    def signed(self) -> ast.expr:
        """A product, perhaps with a minus before it."""
        start, minus = self.token.start, False
        while self.token.text in ("+", "-") and self.token.kind == "sign":
            minus ^= self.take().text == "-"
        inner = self.product()
        return placed(ast.UnaryOp(ast.USub(), inner), start, self.past()) if minus else inner

    def product(self) -> ast.expr:
        """Factors with ``*``, ``/`` or nothing between them."""
        return join_factors(self.factors())

    def factors(self) -> list[tuple[str, ast.expr]]:
        """Factors, each with ``*`` or ``/``; what stands behind a slash must be one factor."""
        begin = self.token.start
        found = [("*", self.power())]
        slash: tuple[int, int, int] | None = None  # numerator, denominator, where it ends
        while True:
            token = self.token
            if token.text in (*TIMES, "/") and token.kind == "sign":
                if self.ends_sum(self.ahead()):
                    break
                self.take()
                first = self.token.start
                found.append((token.text, self._after_sign()))
                slash = (begin, first, self.past()) if token.text == "/" else None
            elif self.starts_factor():
                if slash is not None:
                    self._beside_slash(slash)
                slash = None
                self._no_number(token)
                inside = self.ahead() if token.text in ("(", "[") else token
                self._no_sentence(self.tokens[self.at - 1], token, inside)
                found.append(("*", self.power()))
            else:
                break
        return found

    def _after_sign(self) -> ast.expr:
        """A factor behind ``*`` or ``/``, which may have a sign of its own."""
        start = self.token.start
        if self.takes("-"):
            return placed(ast.UnaryOp(ast.USub(), self.power()), start, self.past())
        self.takes("+")
        return self.power()

    def ends_sum(self, token: Token) -> bool:
        """Whether a sum ends here: the next one runs over the same index."""
        index = index_at(self, token)
        return bool(index) and (len(self.closers), index) in self.open_sums

    def starts_factor(self) -> bool:
        """Whether a further factor begins without a sign before it."""
        token = self.token
        if token.kind == "end" or self.ends_sum(token):
            return False
        if token.kind in ("word", "number"):
            return True
        if token.kind == "command":
            return token.text not in (
                "\\}",
                "\\rangle",
                "\\rVert",
                "\\rvert",
                "\\rfloor",
                "\\rceil",
            ) and not (token.text == "\\|" and self.closers[-1:] == ["\\|"])
        if token.text in ("|", "||"):
            return not fences.closes(self, token)
        if token.text == "<":
            return bool(INNER.match(self.text[token.start - self.start :]))
        return token.text in ("(", "[", "{")

    def _no_number(self, token: Token) -> None:
        """``x 2`` is x*2 or the square."""
        before = self.tokens[self.at - 1]
        if token.kind == "number":
            first = self.source(before.start, before.end)
            if before.kind not in ("word", "number") and before.text != ")":
                edit = Edit(before.start, token.end, f"{first}*{token.text}")
                remedy = "write * between factors"
                raise self.wrong(
                    before.start, token.end, "a formula", "a number behind it", remedy, edit
                )
            raise self.two(
                before.start, token.end, f"{first}*{token.text}", f"{first}^{token.text}"
            )

    def _no_sentence(self, *near: Token) -> None:
        """Long words beside a formula, without a sign between, are no symbols of it."""
        for token in near:
            call = token.text in FUNCTIONS or token.text in MEANS or token.text in OVER
            if token.kind == "word" and not call and self.names.is_prose(token.text):
                remedy = "write * between factors, and conditions behind 'if' or 'for'"
                found = f"the word {token.text}"
                raise self.wrong(token.start, token.end, "a formula", found, remedy)

    def _beside_slash(self, slash: tuple[int, int, int]) -> None:
        """``a/b c``: a fraction times c, or a over b c; before a sum or a mean it is a fraction."""
        begin, first, end = slash
        token = self.token
        if stands_apart(self, token):
            return
        above = self.source(begin, first).rstrip("/ ")
        below = self.source(first, end)
        fence = token.text in ("|", "||", "\\|", "\\lVert", "\\lvert", "\\langle", "<")
        if fence and token.spaced and above.isdigit() and below.isdigit():
            return
        start = token.start
        rest = self.ahead_factor()
        raise self.two(
            begin,
            start + len(rest),
            f"({above}/{below})*{grouped(rest)}",
            f"{above}/({below}*{grouped(rest)})",
        )

    def ahead_factor(self) -> str:
        """Text of the next factor."""
        start, at = self.token.start, self.at
        try:
            self.power()
            end = self.past()
        except NotRead:
            end = self.tokens[at].end
        self.at = at
        return self.source(start, end)

    # -- powers -----------------------------------------------------------------------------------

    def power(self) -> ast.expr:
        """A factor with its exponent."""
        start = self.token.start
        base = self.atom()
        return self.raised(base, start)

    def raised(self, base: ast.expr, start: int) -> ast.expr:
        """What stands behind a factor: ``!``, and an exponent."""
        while self.takes("!"):
            base = placed(called("factorial", base), start, self.past())
        if not (self.token.text in ("^", "**") and self.token.kind == "sign"):
            return base
        sign = self.take()
        if sign.text == "^" and words.is_transpose(self, base):
            return words.transposed(self, base, start)
        first = self.token.start
        exponent = (
            self._python_power(start, self.at - 1)
            if sign.text == "**"
            else self.exponent(base, start)
        )
        if self.token.text == "^" or (self.token.text == "**" and sign.text == "^"):
            low, middle = self.source(start, sign.start), self.source(first, self.past())
            self.take()
            top = self.ahead_factor()
            raise self.two(
                start,
                self.token.start + len(top),
                f"{low}**({grouped(middle)}**{grouped(top)})",
                f"({low}**{grouped(middle)})**{grouped(top)}",
            )
        if self.token.text == "!":
            raise self.wrong(
                start,
                self.token.end,
                "of one meaning",
                "a factorial behind a power",
                "add brackets",
            )
        _not_too_high(self, base, exponent, start)
        if isinstance(base, ast.Name) and base.id == "e" and "e" not in self.names.declared:
            return placed(called("exp", exponent), start, self.past())
        return placed(ast.BinOp(base, ast.Pow(), exponent), start, self.past())

    def _python_power(self, start: int, sign: int) -> ast.expr:
        """What stands behind ``**``."""
        first = self.token.start
        if self.takes("-"):
            return placed(ast.UnaryOp(ast.USub(), self.power()), first, self.past())
        found = self.power()
        if self.tokens[sign + 1].text == "1" and self.token.text == "/":
            self._root(start, sign)
        return found

    def exponent(self, base: ast.expr, start: int) -> ast.expr:
        """What stands behind ``^``."""
        token = self.token
        if self.takes("{"):
            self._no_superscript(token, start)
            return self.closed("}", token)
        if self.takes("("):
            return self.closed(")", token)
        if self.takes("-"):
            return placed(
                ast.UnaryOp(ast.USub(), self.exponent(base, start)), token.start, self.past()
            )
        if token.kind == "number":
            self.take()
            self._after_number(token, base, start)
            return placed(ast.Constant(number(token.text)), token.start, token.end)
        if token.kind == "word":
            return self._letter(start)
        if token.kind == "command" or token.text == "|":
            return self.atom()
        raise self.wrong(
            start, token.end, "a formula", f"an exponent {token.text!r}", "write it so"
        )

    def _no_superscript(self, token: Token, start: int) -> None:
        """``x^{(t)}`` is the t-th x, or a power."""
        inside = [self.ahead(k).text for k in range(4)]
        if inside[0] == "(" and inside[2:] == [")", "}"]:
            end = self.ahead(3).end
            low = self.source(start, token.start).rstrip("^ ")
            raise self.wrong(
                start,
                end,
                "of one meaning",
                f"{self.source(start, end)}, a number of {low} to some and a power to others",
                f"write {low}_{inside[1]} or {low}^{inside[1]}",
                Edit(start, end, f"{low}_{inside[1]}"),
                Edit(start, end, f"{low}^{inside[1]}"),
            )

    def closed(self, closer: str, opened: Token) -> ast.expr:
        """What a bracket holds, to its end."""
        self.closers.append(closer)
        found = self.sum()
        self.closers.pop()
        self.expect(closer, opened)
        return found

    def _after_number(self, token: Token, base: ast.expr, start: int) -> None:
        """``x^2y`` is a product, ``2^2n`` and ``x^1/2`` could be either."""
        follows = self.token
        low = self.source(start, token.start).rstrip("^ ")
        if token.text == "1" and follows.text == "/" and follows.kind == "sign":
            self._root(start, self.at - 2)
        if self.names.in_tex and token.text.isdigit() and len(token.text) > 1:
            first, others = token.text[0], token.text[1:]
            said = f"{low}^{{{token.text}}}", f"{low}^{{{first}}}*{others}"
            raise self.two(start, token.end, *said)
        if follows.kind not in ("word", "command") or follows.spaced:
            return
        letters = self.names.split(follows.text, follows.start) if follows.kind == "word" else []
        if isinstance(base, ast.Name) and base.id != "e" and not set(letters) & self.names.whole:
            return
        if (
            isinstance(base, ast.Subscript | ast.BinOp | ast.Call)
            and not set(letters) & self.names.whole
        ):
            return
        product = "*".join(letters) or follows.text
        both, first = f"{low}^({token.text}*{product})", f"{low}^{token.text}*{product}"
        raise self.two(start, follows.end, both, first)

    def _root(self, start: int, sign: int) -> None:
        """``x^1/2`` is a root, or x/2."""
        low = self.source(start, self.tokens[sign].start)
        self.take()
        top = self.ahead_factor()
        end = self.token.start + len(top)
        raise self.two(start, end, f"{low}**(1/{top})", f"{low}/{top}")

    def _letter(self, start: int) -> ast.expr:
        """One symbol as an exponent; of several it is not clear how many are meant."""
        token = self.take()
        low = self.source(start, token.start).rstrip("^ ")
        try:
            parts = self.names.split(token.text, token.start)
        except NotRead:
            parts = list(token.text)
        if len(parts) > 1:
            first, rest = parts[0], "*".join(parts[1:])
            raise self.two(start, token.end, f"{low}**({first}*{rest})", f"{low}**{first}*{rest}")
        name: ast.expr = placed(ast.Name(parts[0]), token.start, token.end)
        if self.token.text == "_" and parts[0] != "e":
            name = words.subscripted(self, parts[0], token.start)
        follows = self.token
        if follows.text == "(" and not follows.spaced and not self.names.in_tex:
            rest = self.ahead_factor()
            end = follows.start + len(rest)
            raise self.two(start, end, f"{low}**({parts[0]}*{rest})", f"{low}**{parts[0]}*{rest}")
        if parts == ["T"] and "T" not in self.names.declared:
            where = self.names.end
            vectors = ", ".join(sorted(self.names.standing - {"T"}))
            edit = Edit(where, where, f" for vectors {vectors}")
            raise self.wrong(
                start,
                token.end,
                "of one meaning",
                f"{low}^T, a transpose to some and a power to others",
                "write 'for vectors ...' behind the claim, or another letter for the exponent",
                *([] if self.names.bounded else [edit]),
            )
        if (
            follows.text == "/"
            and not self.names.in_tex
            and not follows.spaced
            and low in ("e", "2")
        ):
            self.take()
            rest = self.ahead_factor()
            end = self.token.start + len(rest)
            raise self.two(start, end, f"{low}**({parts[0]}/{rest})", f"{low}**{parts[0]}/{rest}")
        return name

    # -- factors ----------------------------------------------------------------------------------

    def atom(self) -> ast.expr:
        """One factor without its exponent."""
        token = self.token
        if token.kind == "number":
            self.take()
            return placed(ast.Constant(number(token.text)), token.start, token.end)
        if token.kind == "word":
            return words.word(self)
        if token.kind == "command":
            return words.command(self)
        found = fences.fence(self)
        if found is not None:
            return found
        if token.kind == "end":
            before = self.tokens[self.at - 1] if self.at else token
            shown = before.start
            remedy = "write what belongs there"
            raise self.wrong(shown, before.end, "a formula", "an end", remedy)
        remedy = "write * between factors and close every bracket"
        raise self.wrong(token.start, token.end, "a formula", repr(token.text), remedy)

    def group(self) -> ast.expr:
        r"""What a brace holds, or one sign: ``\frac12`` is a half."""
        token = self.token
        if self.takes("{"):
            return self.closed("}", token)
        if token.kind in ("number", "word") and len(token.text) > 1:
            first = replace(token, text=token.text[0], end=token.start + 1)
            rest = replace(token, text=token.text[1:], start=token.start + 1, spaced=False)
            kind = "number" if rest.text[0].isdigit() else "word"
            self.tokens[self.at : self.at + 1] = [first, replace(rest, kind=kind)]
        return self.atom()

    def another(self, text: str, start: int) -> ast.expr:
        """A formula of the same line that stands elsewhere."""
        return Reader(text, start, self.names).whole()

    def several(self, closer: str, opened: Token) -> list[ast.expr]:
        """Formulas with commas between them, up to a closing bracket."""
        self.closers.append(closer)
        found = [self.sum()]
        while self.takes(","):
            found.append(self.sum())
        self.closers.pop()
        self.expect(closer, opened)
        return found

    def attempt(self, rule: Callable[[], Found]) -> Found | None:
        """What a rule reads, or None with nothing consumed where it cannot."""
        kept = self.at, list(self.closers), list(self.tokens), list(self.open_sums)
        try:
            return rule()
        except NotRead:
            self.at, self.closers, self.tokens, self.open_sums = kept
            return None


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
