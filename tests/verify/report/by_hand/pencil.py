"""A reader with a pencil: it works every printed line out again, from the printed text alone.

It knows arithmetic and nothing of the project: names are what stands before the first ``=``.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

SMALL = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
POWER = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
CALLS = {"√": "root", "max": "max", "min": "min", "exp": "exp", "ln": "log"}
AROUND = {"⌈": "up(", "⌉": ")", "⌊": "down(", "⌋": ")", "⋅": "*", "−": "-"}
KNOWN = {
    "root": lambda x: _root(x),
    "max": max,
    "min": min,
    "exp": math.exp,
    "log": math.log,
    "up": math.ceil,
    "down": math.floor,
}


def value(text: str, names: dict[str, Any]) -> Any:
    """What an expression is worth, exact where no root or exponential is met."""
    out, rest = "", text.strip()
    while rest:
        name = next((n for n in sorted(names, key=len, reverse=True) if rest.startswith(n)), "")
        number, power = re.match(r"\d+(\.\d+)?", rest), POWER.match(rest)
        call = next((c for c in CALLS if rest.startswith(c)), "")
        if name:
            out, rest = f"{out} names[{name!r}]", rest[len(name) :]
        elif number:
            out, rest = f"{out} Fraction('{number[0]}')", rest[number.end() :]
        elif power:
            out += f"**{''.join(SMALL[c] for c in power[0])}"
            rest = rest[power.end() :]
        elif call:
            out, rest = f"{out} {CALLS[call]}", rest[len(call) :]
        else:
            out, rest = out + AROUND.get(rest[0], rest[0]), rest[1:]
    return eval(out, {"__builtins__": {}, "Fraction": Fraction, "names": names, **KNOWN})


SIGNS = {
    "=": lambda a, b: math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12),
    "≈": lambda a, b: math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-4),
    "≠": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
    "≥": lambda a, b: a >= b,
    "≫": lambda a, b: a > b,
}


def works_out(text: str) -> dict[str, Any]:
    """Every name of the text with its value; an AssertionError where a line does not add up."""
    names: dict[str, Any] = {}
    part = ""
    for line in text.splitlines():
        part = part if line.startswith("  ") else line
        if part == "The setting":  # a sentence of the family's author
            continue
        head, *chain = re.split(r" ([=≈≠><≥≫]) ", line.split("   (")[0].strip())
        if not line.startswith("  ") or not chain:
            continue
        named = not part.endswith(" side") and head not in ("margin", "Pr")
        last = names.get(head) if named else None
        for sign, piece in zip(chain[::2], chain[1::2], strict=True):
            found = _try(piece, names)
            if found is not None:
                assert last is None or SIGNS[sign](last, found), line
                last = found
        if last is not None:
            head = head if named else f"{part}: {head}"
            names.setdefault(head, last)
    return names


def _try(part: str, names: dict[str, Any]) -> Any:
    try:
        return value(part, names)
    except (SyntaxError, NameError, TypeError, KeyError):
        return None


def _root(x: Any) -> Any:
    top, bottom = (math.isqrt(n) for n in Fraction(x).as_integer_ratio())
    exact = Fraction(top, bottom or 1)
    return exact if exact * exact == x else math.sqrt(x)
