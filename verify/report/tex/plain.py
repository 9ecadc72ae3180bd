"""Formulas in TeX as a line of Unicode, for terminals: ``(x + y)²/2 ≤ x² + y²``.

The formula is read once, into MathML, and that tree is written out: powers and indices as small
characters where Unicode has them, fractions with a stroke.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as Tree
from functools import lru_cache

from verify.report.tex.mathml import mathml
from verify.report.tex.symbols import RELATIONS
from verify.report.tex.tokens import UnknownTeX

__all__ = ["unicode_text"]

RAISED = dict(
    zip(
        "0123456789+−-=()abcdefghijklmnoprstuvwxyzTNKDR′∗⊤",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᴺᴷᴰᴿ′*ᵀ",
        strict=True,
    )
)
LOWERED = dict(
    zip(
        "0123456789+−-=()aehijklmnoprstuvxβγρϕχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
ACCENTS = {
    "^": "\u0302",
    "~": "\u0303",
    "¯": "\u0304",
    "‾": "\u0304",
    "→": "\u20d7",
    "˙": "\u0307",
    "¨": "\u0308",
    "ˇ": "\u030c",
}
SMALL = frozenset([*RAISED.values(), *LOWERED.values(), *ACCENTS.values()])
SPACED = frozenset({*RELATIONS.values(), *"=<>:+−±∓×÷", "mod"})
"""Signs with a blank on either side."""
OPENING = frozenset("([{⟨⌊⌈")
CLOSING = frozenset(")]}⟩⌋⌉")
LARGE = frozenset("∑∏∫⋃⋂⨁⨂⋁⋀")

_TAG = re.compile(r"<[^>]*>")
_BARE = re.compile(r'"[^"]*"|=([A-Za-z0-9.#_-]+)(?=[\s/>])')


@lru_cache(maxsize=4096)
def unicode_text(tex: str) -> str:
    r"""A formula as one line of Unicode.

    Parameters
    ----------
    tex : str
        Without dollar signs.

    Returns
    -------
    str
        The source itself where it cannot be read.

    Examples
    --------
    >>> unicode_text(r"\frac{x+y}2\ge\sqrt{xy}")
    '(x + y)/2 ≥ √(xy)'
    >>> unicode_text(r"\mathbb E\|\bar x^t-x_*\|^2\le\sum_{i=1}^N\alpha_i")
    '𝔼‖x̄ᵗ − x_*‖² ≤ ∑ᵢ₌₁ᴺ αᵢ'
    """
    try:
        tree = Tree.fromstring(_TAG.sub(_quoted, mathml(tex)))
    except (UnknownTeX, Tree.ParseError):
        return " ".join(tex.split())
    return " ".join(_row(list(tree)).split())


def _quoted(tag: re.Match[str]) -> str:
    """A tag of HTML as one of XML: every value in quotes."""
    return _BARE.sub(lambda found: f'="{found[1]}"' if found[1] else found[0], tag[0])


def _text(node: Tree.Element) -> str:
    """One element."""
    parts = list(node)
    if node.tag in ("mrow", "mstyle", "math"):
        return _row(parts)
    if node.tag == "mfrac":
        above, below = map(_whole, parts)
        return f"{_bound(above)}/{_bound(below)}"
    if node.tag == "msqrt":
        inside = _row(parts)
        return f"√{inside}" if len(inside) == 1 else f"√({inside})"
    if node.tag == "mroot":
        return f"{_script(_whole(parts[1]), RAISED, '')}√({_whole(parts[0])})"
    if node.tag == "mspace":
        return " " if _width(node) >= 0.25 else ""
    if node.tag in ("msub", "munder"):
        return _scripted(parts[0], parts[1], None)
    if node.tag in ("msup", "mover"):
        return _accented(*parts) if node.get("accent") else _scripted(parts[0], None, parts[1])
    if node.tag in ("msubsup", "munderover"):
        return _scripted(*parts)
    return (node.text or "").replace("\u00a0", " ")


def _row(nodes: list[Tree.Element]) -> str:
    """Elements beside each other, with blanks where a reader needs them."""
    out = ""
    last = ""  # what stands before
    for k, node in enumerate(nodes):
        text = _text(node)
        if not text:
            continue
        factor = node.tag != "mo" or text in OPENING or text in ("|", "‖")
        if (
            factor
            and text[0] not in CLOSING
            and out
            and out[-1] not in " ([{⟨⌊⌈"
            and "mfrac" in (node.tag, last)
        ):
            out += " · " if node.tag == last else " "
        last = node.tag
        prefix = node.tag == "mo" and (node.get("form") == "prefix" or not out or k == 0)
        if node.tag == "mo" and text in SPACED:
            out = f"{out}{text}" if prefix and text in "+−" else f"{out.rstrip()} {text} "
        elif node.tag == "mo" and text in (",", ";"):
            out = f"{out.rstrip()}{text} "
        else:
            out += f" {text}" if _parted(out, text, node) else text
    return out


def _parted(before: str, text: str, node: Tree.Element) -> bool:
    """Whether a word, or a large sign, would run into its neighbour."""
    if not before or before[-1] in " ([{⟨⌊⌈|‖/√":
        return False
    head = next(iter(node)) if len(node) else node
    word = head.tag == "mi" and len(head.text or "") > 1
    named = head.tag == "mo" and len(head.text or "") > 1 and (head.text or "").isalpha()
    large = (head.text or "") in LARGE
    tail = before.split()[-1] if before.split() else ""
    after_word = len(tail) > 2 and tail.isascii() and tail.isalpha() and text[0].isalnum()
    return ((word or named or large) and before[-1].isalnum()) or after_word


def _scripted(base: Tree.Element, below: Tree.Element | None, above: Tree.Element | None) -> str:
    text = _text(base)
    large = (base.text or "") in LARGE or (base.tag == "mo" and text.isalpha())
    if len(text) > 1 and base.tag == "mfrac":
        text = f"({text})"
    if below is not None:
        text += _script(_whole(below), LOWERED, "_")
    if above is not None:
        text += _script(_whole(above), RAISED, "^")
    return f"{text} " if large else text


def _script(inside: str, small: dict[str, str], mark: str) -> str:
    """A power or an index, in small characters where all of them exist."""
    tight = inside.replace(" ", "")
    if all(character in small for character in tight):
        return "".join(small[character] for character in tight)
    if len(tight) == 1:
        return f"{mark}{tight.replace('∗', '*')}"
    return f"{mark}{{{tight}}}"


def _accented(base: Tree.Element, accent: Tree.Element) -> str:
    text, sign = _text(base), ACCENTS.get(accent.text or "", "")
    return text + sign if len(text) == 1 else f"({text}){sign}" if sign else text


def _whole(node: Tree.Element) -> str:
    return " ".join(_text(node).split())


def _bound(text: str) -> str:
    """What stands above or below a stroke, in brackets where it is more than one symbol."""
    base = [c for c in text if c not in SMALL]
    return text if text.isdecimal() or len(base) == 1 else f"({text})"


def _width(node: Tree.Element) -> float:
    return float((node.get("width") or "0em").removesuffix("em"))
