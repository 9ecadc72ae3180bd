"""TeX to MathML for the formulas that statements are written in.

A formula is read by recursive descent.  Whatever is not known raises :class:`UnknownTeX`, so that
the page shows the source instead of something wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from verify.report.markup import Markup, el, join
from verify.report.tex import symbols as s
from verify.report.tex.tokens import Tokens, UnknownTeX

_DEEPEST = 60
"""Groups within groups; a formula of people has fewer than ten."""

KEPT = 4096
"""Formulas that are remembered: hypotheses and rules stand on many pages."""


@dataclass(frozen=True)
class Atom:
    """One piece of a row.

    Parameters
    ----------
    body : Markup
    role : str
        ord, op (binary), rel, open, close, punct, large, limits, fun or space.
    """

    body: Markup
    role: str = "ord"


def mathml(tex: str) -> Markup:
    """Formula as a MathML element in display style, its source in ``alttext``.

    Parameters
    ----------
    tex : str
        Without dollar signs.

    Returns
    -------
    Markup

    Raises
    ------
    UnknownTeX
        For a command, a brace or an environment that cannot be read.
    """
    reader = _Reader(tex)
    body = reader.row(())
    source = " ".join(tex.split())
    return el("math", body, displaystyle="true", alttext=source)


@lru_cache(KEPT)
def formula(tex: str) -> Markup:
    """MathML, or the source as code where it cannot be read."""
    try:
        return mathml(tex)
    except UnknownTeX:
        return el("code", " ".join(tex.split()), class_="tex", title="TeX source")


class _Reader:
    """Reads one formula; each method consumes the tokens that it returns as markup."""

    def __init__(self, tex: str) -> None:
        self.tokens = Tokens(tex)
        self.depth = 0

    def row(self, stops: Sequence[str]) -> Markup:
        """Atoms up to one of the stops, which is consumed; up to the end if there is none."""
        return join(self._atoms(stops))

    def _group(self) -> Markup:
        """What follows an opening brace, as one element."""
        found = self._atoms("}")
        return found[0] if len(found) == 1 else el("mrow", found)

    def _atoms(self, stops: Sequence[str]) -> list[Markup]:
        self._enter()
        made: list[Markup] = []
        before = "open"
        while True:
            token = self.tokens.next()
            if token is None or token in stops:
                if (token is None) == bool(stops):
                    raise UnknownTeX(f"{stops} is missing")
                break
            if token in ("\\textstyle", "\\displaystyle"):
                style = "true" if token == "\\displaystyle" else "false"
                made.append(el("mstyle", self.row(stops), displaystyle=style))
                break
            atom = self._scripts(self._atom(token, before))
            if before == "fun" and atom.role in ("ord", "large", "limits", "fun"):
                made.append(el("mspace", width=".17em"))
            made.append(atom.body)
            before = atom.role
        self.depth -= 1
        return made

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnknownTeX("too deep")

    def _argument(self) -> Markup:
        """One token or a group, as one element."""
        token = self.tokens.next()
        if token is None or token in "^_}&":
            raise UnknownTeX("an argument is missing")
        self._enter()
        made = self._group() if token == "{" else self._atom(token, "open", single=True).body
        self.depth -= 1
        return made

    def _scripts(self, base: Atom) -> Atom:
        """Attach indices, powers and primes."""
        below: Markup | None = None
        above: list[Markup] = []
        while (mark := self.tokens.peek()) in ("^", "_", "'"):
            self.tokens.next()
            if mark == "'":
                above.append(el("mo", "′"))
            elif mark == "^":
                above.append(self._argument())
            elif below is None:
                below = self._argument()
            else:
                raise UnknownTeX("two indices")
        if below is None and not above:
            return base
        top = None if not above else above[0] if len(above) == 1 else el("mrow", above)
        if base.role in ("large", "limits"):
            tag = {(True, True): "munderover", (True, False): "munder", (False, True): "mover"}
        else:
            tag = {(True, True): "msubsup", (True, False): "msub", (False, True): "msup"}
        name = tag[below is not None, top is not None]
        role = base.role if base.role in ("large", "limits", "fun", "close") else "ord"
        # a delimiter under a script takes its size only in a row of its own
        body = el("mrow", base.body) if "minsize" in base.body[:12] else base.body
        return Atom(el(name, body, below, top), role)

    def _atom(self, token: str, before: str, single: bool = False) -> Atom:
        if token == "{":
            return Atom(self._group())
        if len(token) > 1:
            return self._command(token[1:], before)
        if token.isdigit():
            return Atom(el("mn", token if single else self.tokens.number(token)))
        if token.isalpha():
            return Atom(el("mi", token))
        return self._character(token, before)

    def _character(self, token: str, before: str) -> Atom:
        if token in "([":
            return Atom(_fence(token), "open")
        if token in ")]!":
            return Atom(_fence(token), "close")
        if token == "|":
            return Atom(el("mo", "|", stretchy="false", lspace="0", rspace="0"), "close")
        if token in "=<>:":
            return Atom(el("mo", token), "rel")
        if token in "+-*":
            sign = {"-": "−", "*": "∗"}.get(token, token)
            prefix = before in ("op", "rel", "open", "punct", "large", "limits")
            return Atom(el("mo", sign, form="prefix" if prefix else None), "op")
        if token in ",;":
            return Atom(el("mo", token), "punct")
        if token in "/.?":
            return Atom(el("mo", token, lspace="0", rspace="0"))
        if token == "~":
            return Atom(el("mspace", width=".3em"), "space")
        if token in "}&^_#%$\\'\"`@":
            raise UnknownTeX(token)
        return Atom(el("mi", token))

    def _command(self, name: str, before: str) -> Atom:
        if name in s.LETTERS:
            return Atom(el("mi", s.LETTERS[name]))
        if name in s.UPRIGHT:
            sign = s.UPRIGHT[name]
            return Atom(el("mi", sign, mathvariant="normal" if sign.isalpha() else None))
        if name in s.RELATIONS:
            sign = s.RELATIONS[name]
            return Atom(el("mo", sign, stretchy="false" if sign in s.ARROWS else None), "rel")
        if name in s.OPERATORS:
            wide = ".22em" if name == "bmod" else None
            return Atom(el("mo", s.OPERATORS[name], lspace=wide, rspace=wide), "op")
        if name in s.PREFIXES:
            return Atom(el("mo", s.PREFIXES[name], form="prefix"))
        if name in s.LARGE:
            return Atom(el("mo", s.LARGE[name]), "large")
        if name in s.LIMITED:
            word = el("mo", name, movablelimits="true", lspace="0", rspace=".17em")
            return Atom(word, "limits")
        if name in s.FUNCTIONS:
            return Atom(el("mi", name), "fun")
        if name in s.SPACES:
            return Atom(el("mspace", width=s.SPACES[name]), "space")
        if name in s.DELIMITERS:
            found = s.DELIMITERS[name]
            role = "open" if found in "{⟨⌊⌈[" else "close"
            return Atom(_fence(found), role)
        return self._construct(name)

    def _construct(self, name: str) -> Atom:
        """Commands that take arguments."""
        if name in ("frac", "tfrac", "dfrac"):
            style = {"frac": None, "tfrac": "false", "dfrac": "true"}[name]
            return Atom(el("mfrac", self._argument(), self._argument(), displaystyle=style))
        if name == "sqrt":
            if self.tokens.peek() == "[":
                self.tokens.next()
                index = el("mrow", self.row("]"))
                return Atom(el("mroot", self._argument(), index))
            return Atom(el("msqrt", self._argument()))
        if name in s.ACCENTS:
            stretch = None if name.startswith(("over", "wide")) else "false"
            accent = el("mo", s.ACCENTS[name], stretchy=stretch)
            return Atom(el("mover", self._argument(), accent, accent="true"))
        if name in s.ALPHABETS:
            return Atom(self._styled(s.ALPHABETS[name]))
        if name in ("text", "textrm", "textit", "mbox"):
            return Atom(el("mtext", self.tokens.raw().replace(" ", "\u00a0")))
        if name in ("mathrm", "operatorname", "mathsf", "mathit", "mathop"):
            return self._upright(name)
        if name in ("left", "right"):
            return self._fenced(name)
        base = name.removesuffix("l").removesuffix("r").removesuffix("m")
        if base in s.SIZES:
            role = "open" if name.endswith("l") else "close"
            size = s.SIZES[base]
            return Atom(el("mo", self._delimiter(), minsize=size, maxsize=size), role)
        raise UnknownTeX(f"\\{name}")

    def _styled(self, alphabet: str) -> Markup:
        """Letters of one alphabet; anything else in the group is read as usual."""
        here = self.tokens.at
        token = self.tokens.next()
        raw = token if token != "{" else None
        if token == "{":
            self.tokens.at = here
            raw = self.tokens.raw().strip()
        if raw and len(raw) == 1 and raw.isalnum():
            return el("mi", s.styled(alphabet, raw))
        if raw and raw.isalnum():
            return el("mrow", [el("mi", s.styled(alphabet, c)) for c in raw])
        self.tokens.at = here
        return self._argument()

    def _upright(self, name: str) -> Atom:
        here = self.tokens.at
        token = self.tokens.next()
        word = token or ""
        if token == "{":
            self.tokens.at = here
            word = self.tokens.raw()
        if re.fullmatch(r"[\w\s.,-]+", word):
            normal = "normal" if len(word) == 1 else None
            role = "fun" if name in ("operatorname", "mathop") else "ord"
            return Atom(el("mi", " ".join(word.split()), mathvariant=normal), role)
        self.tokens.at = here
        return Atom(self._argument())

    def _fenced(self, name: str) -> Atom:
        if name == "right":
            raise UnknownTeX("\\right without \\left")
        opening = self._delimiter()
        inner = self.row(("\\right",))
        return Atom(el("mrow", el("mo", opening), inner, el("mo", self._delimiter())), "close")

    def _delimiter(self) -> str:
        token = self.tokens.next() or ""
        if token == ".":
            return ""
        found = s.DELIMITERS.get(token[1:]) if len(token) > 1 else token
        if found is None or found not in "()[]{}|‖⟨⟩⌊⌋⌈⌉/":
            raise UnknownTeX(f"delimiter {token}")
        return found


def _fence(character: str) -> Markup:
    zero = "0" if character == "‖" else None
    return el("mo", character, stretchy="false", lspace=zero, rspace=zero)
