"""Numbers, arrays and words of a hand computation, in text and in TeX."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from bounds.numbers import Ball
from verify.ledger.witness import show

__all__ = ["escape", "short", "value_tex", "value_text"]

LONGEST = 60
"""Numbers of an array that are still written out."""


def value_text(value: Any) -> str:
    """Number, array or name as text; a matrix of one entry is a number."""
    if isinstance(value, np.ndarray):
        if value.ndim > 1 and value.size == 1:
            return value_text(value.item())
        if value.size > LONGEST:
            return f"array of shape {value.shape}, in the witness file"
        return value_text(value.tolist())
    if isinstance(value, list):
        return "[" + ", ".join(short(v) for v in value) + "]"
    return show(value)


def value_tex(value: Any) -> str:
    """Number, array or name in TeX; a matrix of one entry is a number."""
    if isinstance(value, np.ndarray):
        if value.ndim > 1 and value.size == 1:
            return value_tex(value.item())
        if value.size > LONGEST:
            shape = r" \times ".join(str(n) for n in value.shape)
            return rf"\text{{array of size }} {shape}"
        return value_tex(value.tolist())
    if isinstance(value, list):
        if value and all(isinstance(row, list) for row in value):
            if any(isinstance(v, list) for row in value for v in row):
                return r",\; ".join(value_tex(row) for row in value)
            rows = r" \\ ".join(" & ".join(value_tex(v) for v in row) for row in value)
            return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"
        return "(" + r",\, ".join(value_tex(v) for v in value) + ")"
    if isinstance(value, Fraction) and 1 < value.denominator < 10**12:
        sign = "-" if value < 0 else ""
        return rf"{sign}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    if isinstance(value, Ball):
        middle, _, apart = show(value).partition(" +/- ")
        return rf"{middle} \pm {_power_of_ten(apart)}"
    if isinstance(value, (str, bool)) or value is None:
        return rf"\text{{{escape(str(value))}}}"
    return show(value)


def short(value: Any) -> str:
    """Entry of a list: no decimal value beside a fraction."""
    return value_text(value) if isinstance(value, list) else show(value).partition(" = ")[0]


def _power_of_ten(text: str) -> str:
    if float(text) == 0:
        return "0"
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        mantissa, _, exponent = f"{float(text):.1e}".partition("e")
    return rf"{float(mantissa):.1f} \cdot 10^{{{int(exponent)}}}"


def escape(text: str) -> str:
    """Plain text as LaTeX sets it."""
    table = {c: "\\" + c for c in "&%$#_{}"} | {
        "\\": r"\textbackslash{}",
        "^": r"\^{}",
        "~": r"\~{}",
        "<": r"\ensuremath{<}",
        ">": r"\ensuremath{>}",
    }
    return "".join(table.get(c, c) for c in text)
