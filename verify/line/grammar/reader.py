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
from typing import TypeVar

from verify.line.grammar import fences, powers, words
from verify.line.grammar.build import grouped, join_factors, number, placed
from verify.line.grammar.cursor import Cursor
from verify.line.grammar.lookahead import index_at, stands_apart
from verify.line.grammar.names import FUNCTIONS, MEANS, OVER
from verify.line.grammar.refused import Edit, NotRead
from verify.line.grammar.tokens import Token

__all__ = ["Reader"]

Found = TypeVar("Found")
RELATIONS = frozenset(("<=", ">=", "==", "=", "<", ">", "!="))
INNER = re.compile(r"<[^<>=]*,[^<>=]*>(?!=)")
TIMES = ("*",)


class Reader(Cursor):
    """Reads one formula; each method consumes what it returns.

    Parameters
    ----------
    text : str
        One side, without relations.
    start : int
        Its place in the line.
    names : Symbols
        What is known of the symbols.
    """

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
        """A factor with what stands behind it: ``!``, and an exponent."""
        return powers.raised(self, base, start)

    def exponent(self, base: ast.expr, start: int) -> ast.expr:
        """What stands behind ``^``."""
        return powers.exponent(self, base, start)

    def closed(self, closer: str, opened: Token) -> ast.expr:
        """What a bracket holds, to its end."""
        self.closers.append(closer)
        found = self.sum()
        self.closers.pop()
        self.expect(closer, opened)
        return found

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
