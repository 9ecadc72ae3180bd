"""HTML and SVG by construction: text is escaped unless it was made by these functions."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
"""HTML elements without an end tag."""

FOREIGN = frozenset({"mspace", "path", "rect"})
"""Elements of SVG and MathML that are mostly empty; these may close themselves."""

_BARE = re.compile(r"[A-Za-z0-9.#_-]+")
"""Values that need no quotes; a page has many thousands."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:-]*")
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that no HTML page may hold."""


class Markup(str):
    """Text that is HTML already; only this module and trusted constants make it."""

    __slots__ = ()


Content: TypeAlias = str | Iterable["Content"] | None


def text(value: str) -> Markup:
    """Escape text; characters that cannot stand in a page become the replacement character."""
    return Markup(html.escape(_UNSEEN.sub("\ufffd", value), quote=True))


def join(*content: Content) -> Markup:
    """Markup of any nesting of texts and markup, in order; None is nothing."""
    pieces: list[str] = []
    _gather(content, pieces)
    return Markup("".join(pieces))


def el(tag: str, *content: Content, **attributes: str | int | float | bool | None) -> Markup:
    """Element with escaped attributes.

    Parameters
    ----------
    tag : str
        Name of the element.
    *content : str, Markup, None or iterables of these
        Plain strings are escaped.
    **attributes
        An underscore at the end is dropped, others become dashes; None and False leave the
        attribute out, True gives it no value.

    Returns
    -------
    Markup
    """
    shown = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        return Markup(f"<{tag}{shown}>")
    inner = join(*content)
    if tag in FOREIGN and not inner:
        return Markup(f"<{tag}{shown} />")
    return Markup(f"<{tag}{shown}>{inner}</{tag}>")


def _attribute(name: str, value: str | int | float | bool | None) -> str:
    name = _dashed(name)
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    plain = _plain(value)
    return f" {name}={plain}" if _BARE.fullmatch(plain) else f' {name}="{text(plain)}"'


@cache
def _dashed(name: str) -> str:
    name = name.removesuffix("_").replace("_", "-")
    if not _NAME.fullmatch(name):
        raise ValueError(f"attribute must be a name, got {name!r}")
    return name


def _plain(value: str | int | float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _gather(content: Iterable[Content], pieces: list[str]) -> None:
    """Put the markup of what is nested into a list: a page has millions of pieces."""
    for part in content:
        if isinstance(part, Markup):
            pieces.append(part)
        elif isinstance(part, str):
            pieces.append(text(part))
        elif part is not None:
            _gather(part, pieces)
