r"""A source with its macros written out as TeX does it, sign by sign.

``\newcommand``, ``\renewcommand``, ``\providecommand`` (with an optional argument), ``\def``,
``\let``, ``\DeclareMathOperator`` and ``\DeclarePairedDelimiter``.  A source is a list of signs
here, never a text: so ``\lVert#1`` with ``x`` is ``\lVert x``, and no two words grow together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bounds.numbers.validate import InvalidInput

__all__ = ["expanded", "without_comments"]

MOST_EXPANSIONS = 10_000
"""Macros that are replaced in one source, so that one that names itself ends."""

_SIGN = re.compile(r"\\[A-Za-z@]+\*?|\\.|\\\n|#\d|#+|\s+|.", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*)?")
NEW = ("\\newcommand", "\\renewcommand", "\\providecommand", "\\DeclareRobustCommand")
OPERATORS = ("\\DeclareMathOperator",)
PAIRED = ("\\DeclarePairedDelimiter",)
DROPPED = ("\\xspace", "\\ensuremath", "\\protect", "\\allowbreak", "\\nonumber", "\\notag")

Signs = list[str]


@dataclass
class Macro:
    """What stands for a command.

    Parameters
    ----------
    pattern : list of str
        What must stand behind it: ``#1`` and so on, with the signs between them.
    body : list of str
    optional : list of str or None
        What the first argument is where none stands in square brackets.
    sized : bool
        A star, or a size in square brackets, may stand before the argument.
    """

    pattern: Signs
    body: Signs
    optional: Signs | None = None
    sized: bool = False


@dataclass
class _Source:
    """Signs that are still to be read, the next one last."""

    left: Signs
    macros: dict[str, Macro] = field(default_factory=dict)

    def take(self) -> str:
        return self.left.pop() if self.left else ""

    def blanks(self) -> None:
        while self.left and self.left[-1].isspace():
            self.left.pop()

    def group(self) -> Signs:
        """What a brace holds, or one sign."""
        self.blanks()
        first = self.take()
        if first != "{":
            return [first]
        out: Signs = []
        depth = 1
        while True:
            sign = self.take()
            if not sign:
                raise InvalidInput("source must close every brace, got one that is open: close it.")
            depth += (sign == "{") - (sign == "}")
            if not depth:
                return out
            out.append(sign)

    def bracket(self) -> Signs | None:
        """What square brackets hold, where some stand next."""
        self.blanks()
        if not self.left or self.left[-1] != "[":
            return None
        self.take()
        out: Signs = []
        depth = 0
        while self.left:
            sign = self.take()
            if sign == "]" and not depth:
                break
            depth += (sign == "{") - (sign == "}")
            out.append(sign)
        return out

    def name(self) -> str:
        """The command that is defined."""
        self.blanks()
        inside = self.group()
        return "".join(inside).strip()


def without_comments(source: str) -> str:
    """The source without what stands behind a percent sign."""
    return _COMMENT.sub(r"\1", source)


def expanded(source: str) -> str:
    r"""The source with its macros written out.

    Examples
    --------
    >>> expanded(r"\newcommand{\norm}[1]{\left\lVert#1\right\rVert}\norm x^2")
    '\\left\\lVert x\\right\\rVert^2'
    """
    work = _Source(_signs(source)[::-1])
    out: Signs = []
    count = 0
    while work.left:
        sign = work.take()
        if sign[0] != "\\":
            out.append(sign)
            continue
        if _defined(sign, work):
            continue
        macro = work.macros.get(sign) or work.macros.get(sign.rstrip("*"))
        if macro is None:
            out += [] if sign in DROPPED else [sign]
            continue
        count += 1
        if count > MOST_EXPANSIONS:
            raise InvalidInput(
                f"source must have macros that end, got more than {MOST_EXPANSIONS} replacements: "
                "write out the macro that names itself."
            )
        work.left += _filled(macro, work)[::-1]
    return _text(out)


def _signs(text: str) -> Signs:
    out = []
    for mark in _SIGN.findall(text):
        starred = mark[-1] == "*" and mark[0] == "\\" and len(mark) > 2
        known = starred and mark[:-1] in (*NEW, *OPERATORS, *PAIRED)
        out += [mark] if known or not starred else [mark[:-1], "*"]
    return out


def _text(signs: Signs) -> str:
    """Signs as text; a blank keeps a command from what follows it."""
    out: list[str] = []
    for sign in signs:
        word = bool(out) and len(out[-1]) > 1 and out[-1][0] == "\\" and out[-1][-1].isalpha()
        out += [" ", sign] if word and sign[0].isalpha() else [sign]
    return "".join(out)


def _defined(sign: str, work: _Source) -> bool:
    """Learn a definition; False where none begins here."""
    plain = sign.rstrip("*")
    if plain in NEW:
        name = work.name()
        count = "".join(work.bracket() or ["0"])
        optional = work.bracket() if count.strip() != "0" else None
        body = work.group()
        slots = [f"#{k}" for k in range(1, int(count) + 1)] if count.strip().isdigit() else []
        if not (plain == "\\providecommand" and name in work.macros):
            work.macros[name] = Macro(slots, body, optional)
        return True
    if plain in OPERATORS:
        name = work.name()
        work.macros[name] = Macro([], ["\\operatorname", "{", *work.group(), "}"])
        return True
    if plain in PAIRED:
        name = work.name()
        left, right = work.group(), work.group()
        work.macros[name] = Macro(["#1"], [*left, "#1", *right], sized=True)
        return True
    if sign == "\\def":
        work.blanks()
        name, pattern = work.take(), []
        while work.left and work.left[-1] != "{":
            pattern.append(work.take())
        work.macros[name] = Macro(pattern, work.group())
        return True
    if sign == "\\let":
        work.blanks()
        name = work.take()
        work.blanks()
        if work.left and work.left[-1] == "=":
            work.take()
        other = work.take()
        work.macros[name] = work.macros.get(other) or Macro([], [other])
        return True
    return False


def _filled(macro: Macro, work: _Source) -> Signs:
    """The body with its arguments."""
    given: dict[str, Signs] = {}
    pattern = list(macro.pattern)
    if macro.sized:
        if work.left and work.left[-1] == "*":
            work.take()
        work.bracket()
    if macro.optional is not None and pattern:
        found = work.bracket()
        given[pattern.pop(0)] = macro.optional if found is None else found
    for k, sign in enumerate(pattern):
        if sign[0] != "#":
            work.blanks()
            if work.left and work.left[-1] == sign:
                work.take()
            continue
        until = pattern[k + 1] if k + 1 < len(pattern) else "#"
        if until[0] == "#":
            given[sign] = work.group()
            continue
        argument: Signs = []
        while work.left and work.left[-1] != until:
            argument.append(work.take())
        given[sign] = argument
    out: Signs = []
    for sign in macro.body:
        out += given.get(sign, [sign])
    return out
