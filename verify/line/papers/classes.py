r"""Claims on every function of a class: "for any $\beta$-smooth and $\mu$-strongly convex $h$".

Such a claim is one about what a function says at the points that are named: ``h(x)`` and
``\nabla h(x)`` are symbols of the line, ``value1`` and ``gradient1``, and the record says that they
are taken of the functions of the class.  What a line cannot say (``h`` at a sum of points, at its
minimiser, a mean over runs) is told, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from verify.line.placed import Placed

__all__ = ["NamedClass", "OnClass", "classes_in", "on_class"]

_NAME = r"\\?[A-Za-z]+(?:_\{?\w+\}?)?"
_INLINE = rf"(?:\$\s*(?P<{{0}}>{_NAME})\s*\$|\\\(\s*(?P<{{0}}b>{_NAME})\s*\\\))"
_PROPERTY = (
    rf"(?:(?:\$\s*{_NAME}\s*\$|\\\(\s*{_NAME}\s*\\\))\s*-\s*(?:strongly[\s-]+convex|smooth)"
    r"|convex|differentiable)"
)
_ALL = rf"{_PROPERTY}(?:\s*,?\s*(?:and|,)?\s*{_PROPERTY})*"
_ANY = re.compile(
    rf"(?:any|all|every|each|an?)\s+(?P<is>{_ALL})\s+functions?\s+\$\s*(?P<name>{_NAME})\s*\$",
    re.IGNORECASE,
)
_BE = re.compile(
    rf"(?P<mark>Let|Suppose(?:\s+that)?|Assume(?:\s+that)?|If)\s+(?:the\s+function\s+|each\s+)?"
    rf"\$\s*(?P<name>{_NAME})\s*\$\s+(?:be|is)\s+(?:an?\s+)?(?P<is>{_ALL})(?:\s+functions?)?"
    r"(?![\w-])",
    re.IGNORECASE,
)
_SMOOTH = re.compile(rf"(?:\$|\\\()\s*({_NAME})\s*(?:\$|\\\))\s*-\s*smooth", re.IGNORECASE)
_STRONG = re.compile(
    rf"(?:\$|\\\()\s*({_NAME})\s*(?:\$|\\\))\s*-\s*strongly[\s-]+convex", re.IGNORECASE
)
_CONVEX = re.compile(r"(?<![\w-])(?<!strongly )convex", re.IGNORECASE)


@dataclass(frozen=True)
class NamedClass:
    """A class that is named, and the symbols of its constants.

    Parameters
    ----------
    name : str
        Symbol of the function.
    kind : str
        As ``verify.functions`` calls the class; empty where it has no such class.
    smooth, strong : str
        Symbols of the constants, empty where they are not named.
    words : str
        As printed.
    """

    name: str
    kind: str
    smooth: str
    strong: str
    words: str


@dataclass(frozen=True)
class OnClass:
    """A claim whose values and gradients are symbols.

    Parameters
    ----------
    claim : str
        The claim in TeX.
    points : tuple of str
        Symbols of the points, in the order in which they are met.
    ranges : tuple of str
        What its own symbols are.
    placed : Placed
        Where the symbols are taken from.
    reason : str
        Why it cannot be said; empty where it can.
    """

    claim: str
    points: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    placed: Placed | None = None
    reason: str = ""


@dataclass
class _Found:
    """Values and gradients that were met on the way."""

    points: list[str] = field(default_factory=list)
    gradients: set[int] = field(default_factory=set)
    values: set[int] = field(default_factory=set)

    def number(self, point: str) -> int:
        """Number of a point, counted from 1."""
        if point not in self.points:
            self.points.append(point)
        return self.points.index(point) + 1


def classes_in(source: str) -> tuple[list[NamedClass], str]:
    """Classes that a result names, and its text without the words that say so."""
    found: list[NamedClass] = []

    def take(mark: re.Match[str]) -> str:
        found.append(_class(mark["name"], " ".join(mark["is"].split())))
        return mark.groupdict().get("mark") or ""

    text = _BE.sub(take, _ANY.sub(take, source))
    for one in found:
        text = re.sub(rf"in\s+the\s+domain\s+of\s+\${re.escape(one.name)}\$", "", text)
    return found, text


def _class(name: str, words: str) -> NamedClass:
    smooth, strong = _SMOOTH.search(words), _STRONG.search(words)
    kind = ""
    if smooth and strong:
        kind = "smooth strongly convex"
    elif smooth:
        kind = "smooth convex" if _CONVEX.search(words) else "smooth"
    return NamedClass(name, kind, smooth[1] if smooth else "", strong[1] if strong else "", words)


def on_class(claim: str, known: Sequence[NamedClass]) -> OnClass | None:
    """A claim with symbols for what a function says; None where it names no function of a class.

    Parameters
    ----------
    claim : str
        In TeX.
    known : sequence of NamedClass

    Returns
    -------
    OnClass or None
    """
    named = [one for one in known if _mentions(one.name, claim)]
    if not named:
        return None
    one = named[0]
    if len(named) > 1 or not one.kind:
        what = "two functions" if len(named) > 1 else f"the class '{one.words}'"
        return OnClass(claim, reason=f"{what}, which no family of functions is")
    found = _Found()
    text = _told(claim, one.name, found)
    rest = [left for left in (one.name, r"\nabla") if _mentions(left, text)]
    if rest or not found.points:
        return OnClass(claim, reason=f"{rest[0] if rest else one.name} at what is no named point")
    ranges = [f"vectors {', '.join(found.points)}"]
    ranges += [f"vectors gradient{k}" for k in sorted(found.gradients)]
    ranges += [f"real value{k}" for k in sorted(found.values)]
    constants = {one.smooth: "w.beta", one.strong: "w.mu"}
    ranges += [f"{name} > 0" for name in constants if name and _mentions(name, text)]
    return OnClass(text, tuple(found.points), tuple(ranges), _placed(one, found, constants))


def _told(claim: str, name: str, found: _Found) -> str:
    """The claim with a symbol for each value and gradient at a named point."""
    bracket = r"\s*(?:\\(?:left|big|Big|bigl)\s*)?\(\s*"
    close = r"\s*(?:\\(?:right|big|Big|bigr)\s*)?\)"
    of = rf"(?<![A-Za-z\\]){re.escape(name)}{bracket}(?P<at>{_NAME}){close}"

    def gradient(mark: re.Match[str]) -> str:
        number = found.number(mark["at"])
        found.gradients.add(number)
        return f" gradient{number} "

    def value(mark: re.Match[str]) -> str:
        number = found.number(mark["at"])
        found.values.add(number)
        return f" value{number} "

    return re.sub(of, value, re.sub(rf"\\nabla\s*{of}", gradient, claim))


def _mentions(name: str, text: str) -> bool:
    """Whether a symbol stands in a formula by itself; gradients and values are words of ours."""
    plain = re.sub(r"(?:gradient|value)\d+", " ", text)
    if name.startswith("\\"):
        return bool(re.search(rf"{re.escape(name)}(?![A-Za-z])", plain))
    return bool(re.search(rf"(?<!\\)(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])",
                          re.sub(r"\\[A-Za-z]+", " ", plain)))  # fmt: skip


def _placed(one: NamedClass, found: _Found, constants: dict[str, str]) -> Placed:
    plain = {name.lstrip("\\").replace("{", "").replace("}", ""): text
             for name, text in constants.items() if name}  # fmt: skip
    for k, point in enumerate(found.points):
        plain[point.lstrip("\\")] = f"placed(w).points[..., {k}, :]"
    for k in sorted(found.gradients):
        plain[f"gradient{k}"] = f"placed(w).gradients[..., {k - 1}, 0, :]"
    for k in sorted(found.values):
        plain[f"value{k}"] = f"placed(w).values[..., {k - 1}, 0]"
    return Placed(one.kind, len(found.points), plain)
