r"""Numbers and formulas of a hand computation in TeX, each number of at most twelve digits."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from bounds.numbers import Ball
from verify.report.by_hand.shown import LONG, Shown
from verify.verdict.evidence import any_length, in_figures

__all__ = [
    "DIGITS",
    "braced",
    "equation",
    "exact",
    "formula",
    "honest",
    "in_words",
    "number",
    "size",
]

DIGITS = 12
"""Most digits of a number, numerator and denominator together."""

SUM, PRODUCT, SIGN, POWER, ATOM = range(5)
"""How tightly a piece is bound, loose ones first."""

WORDS = {"exp": r"\exp", "log": r"\ln", "sin": r"\sin", "cos": r"\cos"}
AROUND = {"Abs": "||", "floor": (r"\lfloor ", r"\rfloor "), "ceiling": (r"\lceil ", r"\rceil ")}
LARGEST = {"Max": r"\max", "Min": r"\min"}


def exact(value: Any) -> str:
    """An exact number in TeX; empty where it would be too long.

    Parameters
    ----------
    value : Fraction, int or Ball
        Of a ball only a point is a number.
    """
    if isinstance(value, Ball):
        if not value.is_point:
            return ""
        value = value.lo
    value = Fraction(value)
    sign, top, bottom = "-" if value < 0 else "", abs(value.numerator), value.denominator
    if len(f"{top}{bottom if bottom > 1 else ''}") <= DIGITS:
        return f"{sign}{top}" if bottom == 1 else rf"{sign}\frac{{{top}}}{{{bottom}}}"
    for base in (2, 10):
        (top_rest, up), (bottom_rest, down) = _powers(top, base), _powers(bottom, base)
        if bottom_rest == 1 and len(str(top_rest)) <= 4:
            power = f"{base}^{{{up - down}}}"
            return f"{sign}{power}" if top_rest == 1 else rf"{sign}{top_rest} \cdot {power}"
    return ""


@any_length()
def number(value: Any) -> str:
    """A number in TeX, rounded to six digits where it is long or has no end."""
    return exact(value) or _rounded(value)


@any_length()
def in_words(value: Any) -> str:
    """A number inside a sentence, without TeX."""
    if isinstance(value, Ball) and value.is_point:
        value = value.lo
    text = str(Fraction(value)) if exact(value) and "^" not in exact(value) else ""
    return text or in_figures(value)


def equation(value: Any) -> str:
    r"""``= value``, or ``\approx`` and the rounded value."""
    written = exact(value)
    return f"= {written}" if written else rf"\approx {_rounded(value)}"


def honest(tex: str) -> str:
    r"""A chain of equations with ``\approx`` beside each piece that holds a rounded number."""
    pieces = tex.split(" = ")
    rounded = [re.search(r"\d\.\d", piece) is not None for piece in pieces]
    out = pieces[0]
    for before, after, piece in zip(rounded, rounded[1:], pieces[1:], strict=False):
        out += (r" \approx " if before or after else " = ") + piece
    return out


def braced(value: Any) -> str:
    """A number as a factor: one below zero in brackets."""
    text = number(value)
    return rf"\left({text}\right)" if text.startswith("-") else text


def formula(shown: Shown, filled: bool) -> str:
    """A formula in TeX, with names or with the numbers put in."""
    return _write(shown, filled)[0]


def size(shown: Shown, most: int) -> int:
    """How many names and numbers a formula holds; counting ends beyond ``most``."""
    count, open_ = 0, [shown]
    while open_ and count <= most:
        piece = open_.pop()
        if piece.made == LONG:
            return most + 1
        if piece.made in ("name", "number"):
            count += 1
        else:
            open_ += [p for p in piece.parts if isinstance(p, Shown)]
    return count


def _write(shown: Shown, filled: bool) -> tuple[str, int]:
    if shown.made == "number" or (filled and shown.made == "name"):
        return _bound(number(shown.value))
    if shown.made == "name":
        return shown.parts[0], _letter_bound(shown.parts[0])
    if shown.made == "neg":
        return "-" + _inside(shown.parts[0], filled, PRODUCT), SIGN
    if shown.made in "+-":
        first = _write(shown.parts[0], filled)[0]
        second = _inside(shown.parts[1], filled, PRODUCT)
        return f"{first} {shown.made} {second}", SUM
    if shown.made == "*":
        first = _inside(shown.parts[0], filled, PRODUCT)
        return rf"{first} \cdot {_factor(shown.parts[1], filled)}", PRODUCT
    if shown.made == "/":
        top, bottom = (_write(part, filled)[0] for part in shown.parts)
        return rf"\frac{{{top}}}{{{bottom}}}", PRODUCT
    if shown.made == "^":
        base = _inside(shown.parts[0], filled, ATOM)
        return f"{base}^{{{_write(shown.parts[1], filled)[0]}}}", POWER
    inner = ", ".join(_write(part, filled)[0] for part in shown.parts)
    if shown.made == "sqrt":
        return rf"\sqrt{{{inner}}}", ATOM
    if shown.made in AROUND:
        opening, closing = AROUND[shown.made]
        return f"{opening}{inner}{closing}", ATOM
    return rf"{LARGEST.get(shown.made) or WORDS[shown.made]}\left({inner}\right)", ATOM


def _inside(shown: Shown, filled: bool, least: int) -> str:
    text, bound = _write(shown, filled)
    return text if bound >= least and not text.startswith("-") else rf"\left({text}\right)"


def _factor(shown: Shown, filled: bool) -> str:
    """A factor that is not the first one."""
    return _inside(shown, filled, PRODUCT)


def _bound(text: str) -> tuple[str, int]:
    if text.startswith("-"):
        return text, SIGN
    if "^" in text:
        return text, PRODUCT
    return text, PRODUCT if "frac" in text else ATOM


def _letter_bound(tex: str) -> int:
    r"""How tightly a letter is bound; some are a difference, ``F(w)-F^{\star}``."""
    outside = re.sub(r"\\\|.*?\\\||\{[^{}]*\}|\([^()]*\)", "", re.sub(r"\{[^{}]*\}", "", tex))
    if "-" in outside:
        return SUM
    return POWER if "^" in tex else ATOM


def _powers(value: int, base: int) -> tuple[int, int]:
    count = 0
    while value and value % base == 0:
        value, count = value // base, count + 1
    return value, count


def _rounded(value: Any) -> str:
    """Six digits; of numbers beyond floats by their logarithm."""
    middle = value.mid if isinstance(value, Ball) else Fraction(value)
    if middle == 0:
        return "0"
    sign, middle = "-" if middle < 0 else "", abs(middle)
    power = len(str(middle.numerator)) - len(str(middle.denominator))
    scaled = middle / Fraction(10) ** power
    if scaled < 1:
        scaled, power = scaled * 10, power - 1
    if -5 < power < 7:
        return f"{sign}{float(middle):.{max(0, 5 - power)}f}"
    return rf"{sign}{float(scaled):.5f} \cdot 10^{{{power}}}"
